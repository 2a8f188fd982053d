/** The program of the stack without code registers what the organization file declares. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Output } from "@pulumi/pulumi/output";
import type * as stack from "../../../src/program/stack.js";
import { allConfig, setAllConfig } from "@pulumi/pulumi/runtime";
import * as metadata from "@pulumi/pulumi/metadata";
import { asProgram, isSecret, registered, valueOf } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organizationFile: "acme.yaml" });

const [secretMark, secretValue] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

type Stack = typeof stack;

/** Runs the program with this folder as the folder of Pulumi.yaml and of the file. */
function run(file?: string): Stack {
  jest.spyOn(metadata, "getRootDirectory").mockReturnValue(process.cwd());
  if (file !== undefined) writeFileSync(join(process.cwd(), "acme.yaml"), file);
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("../../../src/program/stack") as Stack;
}

// One test: a program that has run is not loaded again.
test("an unreadable file is named; an invalid one stops the program with all of its problems, before anything is registered; a valid one becomes an Organization, whose secrets are a secret output", async () => {
  // Jest runs tests in another realm, where an error of Node's is not an Error, so its code is not checked.
  expect(() => run()).toThrow(/^acme\.yaml cannot be read/);

  expect(() => run(" ".repeat(1_048_577))).toThrow(
    /^acme\.yaml cannot be read \(it has more than 1 MiB\) \[file-unreadable\]$/,
  );

  expect(() => run("retention:\n  recordings: { days: 0 }\n  calls: { days: 1 }\n")).toThrow(
    [
      "the organization file is not valid, and nothing was sent:",
      "  acme.yaml:2:23 retention.recordings.days: must be a whole number of days from 1 to 3650 [wrong-value]",
      "  acme.yaml:3:3 retention.calls: is not a property of retention; known are recordings, conversations, audit_events [unknown-property]",
    ].join("\n"),
  );
  const naming = (name: string) => `webhooks:\n  crm: { id: w-1, onCreate: adopt, initialSecret: ${name} }\n`;
  const own = { "project:plain": "hush", "project:crmSecret": "whsec-known" };
  setAllConfig({ ...allConfig(), ...own }, ["voiceplane:token", "project:crmSecret"]);
  expect(() => run(naming("whsec_itself"))).toThrow(
    "the organization file is not valid, and nothing was sent:\n" +
      "  acme.yaml:2:51 webhooks.crm.initialSecret: the configuration has no secret of this name: set it with `pulumi config set --secret`",
  );
  expect(() => run(naming("plain"))).toThrow(
    "acme.yaml:2:51 webhooks.crm.initialSecret: is in plain text in the configuration: run `pulumi config set --secret plain`",
  );
  expect(await registered()).toEqual([]);

  const { webhookSecrets } = run(
    "onCreate: overwrite\nretention:\n  recordings: { days: 90 }\nwebhooks:\n  crm: { id: w-1, onCreate: rotate, initialSecret: crmSecret }\n",
  );
  expect(await valueOf(webhookSecrets as Output<unknown>)).toEqual({ crm: "secret of org-crm" });
  expect(await isSecret(webhookSecrets)).toBe(true);
  const all = await registered();
  expect(all.map(({ name }) => name).sort()).toEqual(["org", "org-crm", "org-recordings"]);
  expect(all.find(({ name }) => name === "org-crm")?.inputs.initialSecret).toEqual({
    [secretMark]: secretValue,
    value: "whsec-known",
  });
});
