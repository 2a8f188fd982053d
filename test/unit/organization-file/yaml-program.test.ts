import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfiguration } from "../../../src/cli/pulumi/configuration.js";
import { documentIn } from "../../../src/cli/pulumi/files.js";
import { problemLines } from "../../../src/organization-file/reader.js";
import { readYamlProgram } from "../../../src/organization-file/yaml-program.js";
import { growth } from "../../support/calls";

test("a program with twice the resources is twice the work, not four times", async () => {
  const resource = (n: number) =>
    `  r${n}:\n    type: voiceplane:TrunkOutboundAuth\n    properties: { trunkId: ${n}, cleared: true }\n`;
  const program = (count: number) => `resources:\n${Array.from({ length: count }, (_, n) => resource(n)).join("")}`;
  const read = (text: string) => problemLines(readYamlProgram(text), "Pulumi.yaml");
  const lines = read(program(100));
  expect(lines).toHaveLength(51);
  expect(lines[0]).toMatch(/^Pulumi\.yaml:4:28 r0: trunkId: must be .*; YAML reads this one as a number/);
  expect(await growth(read, program, 200)).toBeLessThan(2.5);
});

const webhook = (properties: string) =>
  problemLines(
    readYamlProgram(`resources:\n  crm:\n    type: voiceplane:WebhookSecret\n    properties: ${properties}\n`),
    "Pulumi.yaml",
  );

test.each(["${crm}", "{ fn::fromJSON: '{}' }", "crm", "[crm]", "&crm { webhookId: *crm }", "*crm"])(
  "properties that Pulumi computes, or that are none, are its own to report: %s",
  (properties) => {
    expect(webhook(properties)).toEqual([]);
  },
);

test("the parser itself prints nothing of a program, a configuration or a project's file", () => {
  const printed = jest.spyOn(process, "emitWarning").mockImplementation();
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-test-"));
  const file = join(folder, "Pulumi.yaml");
  const text = "config:\n  a: { ? { password: hunter22 } : !hunter23 b }\nresources: { ? [hunter24] : 1 }\n";
  writeFileSync(file, text);
  expect(readYamlProgram(text)).toEqual({ problems: [], more: 0 });
  readConfiguration(file);
  documentIn(file);
  rmSync(folder, { recursive: true });
  expect(printed).not.toHaveBeenCalled();
});
