/** `voiceplane preview` with the real engine, on the package as packed. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../support/engine/command";
import { cli } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { organizationProject, project, yamlProject, type Project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";

/** Runs the command, and expects that it leaves no file and shows no token. */
async function preview(stack: Project, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const temporary = join(stack.folder, ".tmp");
  mkdirSync(temporary, { recursive: true });
  const inMarkdown = args.some((arg) => arg.startsWith("--format")) ? [] : ["--format", "markdown"];
  const more = { ...stack.environment, TMPDIR: temporary, GITHUB_SHA: "", CI_COMMIT_SHA: "", ...env };
  const { code, stdout, stderr } = await start(process.execPath, [cli, "preview", ...inMarkdown, ...args], {
    cwd: stack.folder,
    env: more,
  }).finished;
  expect(stdout + stderr).not.toContain("vp_dev_");
  expect(readdirSync(temporary).filter((name) => name.startsWith("voiceplane-run-"))).toEqual([]);
  return { code, stdout, stderr };
}

const runs = "voiceplane: running pulumi preview\n";
const failed = (command: string) =>
  `${runs}voiceplane: the preview failed; \`${command}\` shows all of Pulumi's output\n`;

const file = (days: number) => `retention:
  recordings: { days: ${days}, onCreate: overwrite }
trunks:
  carrier: { id: ${ids.carrierA}, outboundAuth: tracked, onDelete: clear }
`;

test("what would be sent, with risks, lines and exit codes, also by a destroy; nothing is sent", async () => {
  const stack = await organizationProject(file(90));
  await stack.run(["config", "set", "voiceplane:organisation", "canary"]);
  expect(await preview(stack, ["--format", "terminal"])).toEqual({
    code: 0,
    stderr: runs,
    stdout:
      "voiceplane preview: 1 request, 1 other change: deletes data, weakens a guard\n\nWarnings\n\n" +
      "     the configuration has voiceplane:organisation, which is not read: did you mean voiceplane:organization? [setting-unread]\n\n" +
      "Risks\n\n  +  recordings: sets 90 days; may delete what is older (organization.yaml:2)\n     deletes data\n" +
      '  +  carrier: `+ onDelete: "clear"`; tracked, with its outbound credentials left as they are (organization.yaml:4)\n' +
      "     weakens a guard\n",
  });
  await stack.up();
  stack.organization.forgetRequests();
  const again = await preview(stack, ["--stack", "dev", "--format=summary", "--fail-on", "risks"]);
  expect(again).toEqual({ code: 0, stdout: "preview: no changes\n", stderr: runs });

  stack.write("organization.yaml", file(30));
  const refused = await preview(stack, ["--format=json", "--fail-on=none"]);
  expect([refused.code, refused.stderr]).toEqual([1, failed("pulumi preview")]);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    complete: false,
    errors: [
      "recordings (organization.yaml:2): days: 90 => 30 deletes recordings older than 30 days for good. " +
        "If this is intended, add `allowShortening: { from: 90, to: 30 }` [retention-shortened]",
    ],
    warnings: [expect.stringContaining("the configuration has voiceplane:organisation, which is not read")],
  });

  const unknown = await preview(stack, ["-s", "nope"]);
  const why = "voiceplane: there is no stack nope\n";
  expect(unknown).toMatchObject({ code: 1, stderr: why + failed("pulumi preview --stack nope") });
  expect(unknown.stdout).toContain("- no stack named 'nope' found\n");

  expect(await preview(stack, ["--destroy", "--format", "terminal", "--fail-on", "cuts-a-trunk"])).toEqual({
    code: 2,
    stderr: "voiceplane: running pulumi destroy\nvoiceplane: --fail-on cuts-a-trunk: the preview contains it\n",
    stdout:
      "voiceplane preview: 1 request, 1 other change: cuts a trunk, stops managing\n\nRisks\n\n" +
      "  -  carrier: by `onDelete`, clears its outbound credentials, which this provider cannot restore\n     cuts a trunk\n" +
      "  -  recordings: no longer managed, left as last set (90 days)\n     stops managing\n",
  });
  expect(stack.organization.requests()).toEqual([]);
});

const errors = (...lines: readonly string[]) =>
  `voiceplane: the preview failed\n\nErrors\n\n${lines.map((line) => `     ${line}\n`).join("")}`;

test.each([["dynamic"], ["native"]] as const)(
  "%s: a wrong argument of a program has its text and its code",
  async (over) => {
    const stack = await project();
    stack[over](`new RetentionPolicy("kept", { resource: "recordings", retentionDays: 0, onCreate: "adopt" });
    new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", clear: true, onCreate: "adopt" });`);
    const { stdout } = await preview(stack, ["--format", "terminal"]);
    expect(stdout).toBe(
      errors(
        "kept: retentionDays: must be a whole number of days from 1 to 3650 [wrong-value]",
        "carrier: cleared: is missing: it must be true or false [missing]",
        "carrier: clear: is not a property of TrunkOutboundAuth (did you mean cleared?); known are trunkId, cleared, triggers, onDelete, onCreate, " +
          "reassertAfter, reassertUnattended [unknown-property]",
      ),
    );
  },
);

test("a wrong argument of a program in YAML has its line, its text and its code, as the preview finds it", async () => {
  const stack = await yamlProject({
    resources: {
      kept: recordings(0),
      org: resource("Organization", { onCreate: "adopt", retention: { conversations: { days: 0 } } }),
    },
  });
  const { stdout } = await preview(stack, ["--format", "terminal"]);
  // The engine checks both at the same time.
  expect(stdout.split("\n").sort()).toEqual(
    errors(
      "kept (Pulumi.yaml:13): retentionDays: must be a whole number of days from 1 to 3650 [wrong-value]",
      "org (Pulumi.yaml:20): retention.conversations.days: must be a whole number of days from 1 to 3650 [wrong-value]",
    )
      .split("\n")
      .sort(),
  );
  // The plugin does not see this option.
  stack.yaml({ resources: { crm: crm({ onCreate: "adopt" }, { retainOnDelete: true }) } });
  expect(await preview(stack, ["--format", "terminal"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("crm (Pulumi.yaml:8): with retainOnDelete, the engine can drop") as string,
  });
});

test.each([["dynamic"], ["native"]] as const)(
  "%s: what a provider warns of is in the report once, at the resource that it is about",
  async (over) => {
    const stack = await project();
    stack[over](`new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "adopt", rotateAfter: "90d" });`);
    await stack.up({ at: "2042-01-01T12:00:00Z" });
    const { stdout } = await preview(stack, ["--format", "terminal"], { VOICEPLANE_NOW: "2041-01-01T12:00:00Z" });
    expect(stdout).toBe(
      "voiceplane preview: no changes\n\nWarnings\n\n" +
        "     VOICEPLANE_NOW is set: this run takes 2041-01-01T12:00:00.000Z for the present, and sends what is due by then. [time-set]\n" +
        `     crm: WebhookSecret "${ids.crm}" of acme: rotateOn 2042-04-01 is more than a period after today, 2041-01-01: ` +
        "fix this machine's clock, or remove rotateAfter once. [date-too-far]\n",
    );
  },
);

test.each([["dynamic"], ["native"]] as const)(
  "%s: a date that is ignored, in any spelling, and what is removed after a refresh are in the report",
  async (over) => {
    const stack = await project();
    const webhook = (...ignored: string[]) =>
      `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "adopt", rotateAfter: "90d" }, { ignoreChanges: ${JSON.stringify(ignored)} });`;
    stack[over](
      `${webhook()} new TrunkOutboundAuth("t", { trunkId: "${ids.carrierA}", cleared: false, onDelete: "clear" });`,
    );
    await stack.up();
    stack[over](webhook('["rotateOn"]'));
    stack.write("Pulumi.yaml", `${stack.read("Pulumi.yaml")}\noptions: { refresh: always }\n`);
    const { code, stdout } = await preview(stack, ["--format", "terminal", "--fail-on", "cuts-a-trunk"]);
    expect([code, stdout]).toEqual([
      2,
      "voiceplane preview: 1 request, 1 other change: cuts a trunk, weakens a guard\n\nRisks\n\n" +
        "  -  t: by `onDelete`, clears its outbound credentials, which this provider cannot restore\n     cuts a trunk\n" +
        '  ~  crm: `+ ignoreChanges: ["rotateOn"]`\n     weakens a guard\n',
    ]);
  },
);
