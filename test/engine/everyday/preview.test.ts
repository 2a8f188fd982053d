/** `voiceplane preview` with the real engine, on the package as packed. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { providers, crm, recordings, resource } from "../../support/engine/declared";

/** Runs the command, and expects that it leaves no file and shows no token. */
async function preview(stack: Project, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const finished = await stack.startVoiceplane(["preview", ...args], { GITHUB_SHA: "", CI_COMMIT_SHA: "", ...env })
    .finished;
  expect(finished.stdout + finished.stderr).not.toContain("vp_dev_");
  const left = readdirSync(join(stack.folder, ".tmp")).filter((name) => name.startsWith("voiceplane-run-"));
  expect(left).toEqual([]);
  return finished;
}

const runs = "voiceplane: running pulumi preview\n";
const failed = (command: string) =>
  new RegExp(`${runs}voiceplane: the preview failed; \`/.*${command}\` shows all of Pulumi's output\n$`);

const file = (days: number) => `retention:
  recordings: { days: ${days}, onCreate: overwrite }
trunks:
  carrier: { id: ${ids.carrierA}, outboundAuth: tracked, onDelete: clear }
`;

test("what would be sent, with risks, lines and exit codes, also by a destroy; nothing is sent", async () => {
  const stack = await project();
  stack.declareFile(file(90));
  expect(await preview(stack, ["--format", "terminal"])).toEqual({
    code: 0,
    stderr: runs,
    stdout:
      "voiceplane preview: 1 request, 1 other change: deletes data, weakens a guard\n\n" +
      "Risks\n\n  +  recordings: sets `retentionDays: 90, enabled: true` (organization.yaml:2)\n     deletes data\n" +
      `  +  carrier: adopted without a request; \`+ onDelete: "clear"\` (${ids.carrierA}, organization.yaml:4)\n` +
      "     weakens a guard\n",
  });
  await stack.up();
  stack.organization.forgetRequests();
  const again = await preview(stack, ["--stack", "dev", "--format=terminal", "--fail-on", "risks"]);
  expect(again).toEqual({ code: 0, stdout: "voiceplane preview: no changes\n", stderr: runs });

  stack.write("organization.yaml", file(30));
  const refused = await preview(stack, ["--format=json"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(failed("pulumi preview"))]);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    complete: false,
    errors: [
      "recordings (organization.yaml:2): days: 90 => 30 deletes recordings older than 30 days for good. " +
        "If this is intended, add `allowShortening: { from: 90, to: 30 }` [retention-shortened]",
    ],
  });

  const unknown = await preview(stack, ["-s", "nope"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(failed("pulumi preview --stack nope"))]);
  expect(unknown.stderr).toMatch(
    /^voiceplane: what is uncertain is not known: the state of the stack nope cannot be read: \/.*pulumi: no stack named 'nope' found\n/,
  );
  expect(unknown.stdout).toContain("     no stack named 'nope' found\n");

  expect(await preview(stack, ["--destroy", "--format", "terminal", "--fail-on", "cuts-a-trunk"])).toEqual({
    code: 2,
    stderr:
      "voiceplane: running pulumi destroy --preview-only\nvoiceplane: --fail-on cuts-a-trunk: the preview contains it\n",
    stdout:
      "voiceplane preview: 1 request, 1 other change: cuts a trunk, stops managing\n\nRisks\n\n" +
      `  -  carrier: clears its outbound credentials, which cannot be restored (by \`onDelete\`) (${ids.carrierA})\n     cuts a trunk\n` +
      "  -  recordings: no longer managed, left as it is\n     stops managing\n",
  });
  // What follows -- is Pulumi's: the update of one resource alone.
  const target = ["--", "--target", "**::org-carrier"];
  expect((await preview(stack, ["--format", "terminal", ...target])).stdout).toContain("no changes");
  expect(stack.organization.requests()).toEqual([]);
});

const errors = (...lines: readonly string[]) =>
  `voiceplane: the preview failed\n\nErrors\n\n${lines.map((line) => `     ${line}\n`).join("")}`;

test.each(providers)("%s: a wrong argument of a program has its text and its code", async (over) => {
  const stack = await project();
  stack.declare(over, `new RetentionPolicy("kept", { resource: "recordings", retentionDays: 0, onCreate: "adopt" });`);
  const { stdout } = await preview(stack, ["--format", "terminal"]);
  expect(stdout).toBe(errors("kept: retentionDays: must be a whole number of days from 1 to 3650 [wrong-value]"));
});

test("a wrong argument of a program in YAML has its line, its text and its code, as the preview finds it", async () => {
  const stack = await project();
  stack.declare("native", {
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
  stack.declare("native", { resources: { crm: crm({ onCreate: "adopt" }, { retainOnDelete: true }) } });
  expect(await preview(stack, ["--format", "terminal"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("crm (Pulumi.yaml:8): with retainOnDelete, the engine can drop") as string,
  });
});

test.each(providers)(
  "%s: what a provider warns of is in the report once, and what is removed after a refresh too",
  async (over) => {
    const stack = await project();
    const webhook = `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "adopt", rotateAfter: "90d" });`;
    stack.declare(
      over,
      `${webhook} new TrunkOutboundAuth("t", { trunkId: "${ids.carrierA}", cleared: false, onDelete: "clear" });`,
    );
    await stack.up();
    stack.declare(over, webhook);
    stack.write("Pulumi.yaml", `${stack.read("Pulumi.yaml")}\noptions: { refresh: always }\n`);
    const now = { VOICEPLANE_NOW: "2026-01-01T12:00:00Z" };
    const { code, stdout } = await preview(stack, ["--format", "terminal", "--fail-on", "cuts-a-trunk"], now);
    expect([code, stdout]).toEqual([
      2,
      "voiceplane preview: 1 request: cuts a trunk\n\nRisks\n\n" +
        `  -  t: clears its outbound credentials, which cannot be restored (by \`onDelete\`) (${ids.carrierA})\n     cuts a trunk\n\n` +
        "Warnings\n\n" +
        "     VOICEPLANE_NOW is set: this run takes 2026-01-01T12:00:00.000Z for the present, and sends what is due by then. [time-set]\n",
    ]);
  },
);
