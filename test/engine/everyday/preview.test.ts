/** `voiceplane preview` with the real engine, on the package as packed. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { ended } from "../../support/processes";

/** Runs the command, and expects that it leaves no file and shows no token. */
async function preview(stack: Project, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const temporary = join(stack.folder, ".tmp");
  mkdirSync(temporary, { recursive: true });
  const inMarkdown = args.some((arg) => arg.startsWith("--format")) ? [] : ["--format", "markdown"];
  const command = [join(installedPackage(), "dist/cli/index.js"), "preview", ...inMarkdown, ...args];
  const { code, stdout, stderr } = await ended(
    spawn(process.execPath, command, {
      cwd: stack.folder,
      env: { ...stack.environment, TMPDIR: temporary, GITHUB_SHA: "", CI_COMMIT_SHA: "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  expect(stdout + stderr).not.toContain("vp_dev_");
  expect(readdirSync(temporary).filter((name) => name.startsWith("voiceplane-run-"))).toEqual([]);
  return { code, stdout, stderr };
}

const runs = "voiceplane: running pulumi preview\n";
const failed = (command: string) =>
  `${runs}voiceplane: the preview failed; \`${command}\` shows all of Pulumi's output\n`;

test("a stack without code: what would be sent, with risks, lines and exit codes; nothing is sent", async () => {
  const stack = await project({
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": "retention:\n  recordings: { days: 90, onCreate: overwrite }\n",
    },
  });
  expect(await preview(stack, ["--format", "terminal"])).toEqual({
    code: 0,
    stderr: runs,
    stdout:
      "voiceplane preview: 1 request: deletes data\n\nRisks\n\n" +
      "  +  recordings: sets 90 days; may delete what is older (organization.yaml:2)\n     deletes data\n",
  });
  await stack.up();
  stack.organization.forgetRequests();
  const again = await preview(stack, ["--stack", "dev", "--format=summary", "--fail-on", "risks"]);
  expect(again).toEqual({ code: 0, stdout: "preview: no changes\n", stderr: runs });

  stack.write("organization.yaml", "retention:\n  recordings: { days: 30, onCreate: overwrite }\n");
  const refused = await preview(stack, ["--format=json", "--fail-on=none"]);
  expect([refused.code, refused.stderr]).toEqual([1, failed("pulumi preview")]);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    complete: false,
    errors: [expect.stringContaining("add allowShortening: { from: 90, to: 30 }")],
  });
  expect(stack.organization.requests()).toEqual([]);

  const unknown = await preview(stack, ["-s", "nope"]);
  const why =
    "voiceplane: the pending operations of the state are not known: the state of the stack nope cannot be read: " +
    "no stack named 'nope' found\n";
  expect(unknown).toMatchObject({ code: 1, stderr: why + failed("pulumi preview --stack nope") });
  expect(unknown.stdout).toContain("- no stack named 'nope' found\n");

  const locked = await preview(stack, [], { PULUMI_CONFIG_PASSPHRASE: "another-passphrase" });
  expect([locked.code, locked.stdout]).toEqual([1, expect.stringContaining("incorrect passphrase")]);
});

test("a program in YAML over the plugin, with a rotation and a secret", async () => {
  const webhook = (quarter: string) => ({
    resources: {
      crm: {
        type: "voiceplane:WebhookSecret",
        properties: { webhookId: ids.crm, onCreate: "rotate", triggers: { quarter } },
      },
    },
    outputs: { secret: "${crm.secret}" },
  });
  const stack = await yamlProject(webhook("2026-Q3"));
  await stack.up();
  const secret = stack.reveal("secret");
  stack.organization.forgetRequests();
  stack.yaml(webhook("2026-Q4"));
  const { code, stdout, stderr } = await preview(stack);
  expect([code, stderr]).toEqual([0, runs]);
  expect(stdout).toMatch(/^### voiceplane preview: 1 request: rotates a secret\n/);
  expect(stdout).toContain(
    "- **rotates a secret**: crm: rotates its signing secret (trigger quarter changed): the old secret stops working " +
      `(\`${ids.crm}\`, \`Pulumi.yaml:`,
  );
  expect(secret).toMatch(/^.{16,}$/);
  expect(stdout).not.toContain(secret);
  expect(stack.organization.requests()).toEqual([]);
});

test("--destroy: what a destroy would send, which the preview of the declaration has said too", async () => {
  const trunk =
    'new TrunkOutboundAuth("carrier", { trunkId: "' + ids.carrierA + '", cleared: false, onDelete: "clear" });';
  const stack = await project({ program: trunk });
  await stack.run(["config", "set", "voiceplane:organisation", "canary"]);
  const first = await preview(stack, ["--format", "terminal"]);
  expect(first.stdout).toContain('+  carrier: `+ onDelete: "clear"`; tracked');
  expect(first.stdout).toContain("Warnings\n\n     the configuration has voiceplane:organisation, which is not read:");
  await stack.up();
  expect(await preview(stack, ["--destroy", "--format", "terminal", "--fail-on", "cuts-a-trunk"])).toEqual({
    code: 2,
    stderr: "voiceplane: running pulumi destroy\n",
    stdout:
      "voiceplane preview: 1 request: cuts a trunk\n\nRisks\n\n" +
      "  -  carrier: by `onDelete`, clears its outbound credentials, which this provider cannot restore\n     cuts a trunk\n",
  });
  expect(stack.organization.requests()).toEqual([]);
});
