/** `voiceplane apply` with the real engine: the preview, an approval, and `pulumi up` with its own output, held to what was approved. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cli } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/declared";
import { die, expectCurrentSecret, interrupt } from "../../support/engine/deaths";

const program = (days: number, round: string) => ({
  resources: { recordings: recordings(days), crm: crm({ triggers: { round } }) },
});
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const again = "voiceplane: run the same update again: what was begun and has no answer is sent again\n";

const runner =
  (stack: Project) =>
  async (...args: string[]) => {
    stack.organization.forgetRequests();
    const { code, stdout, stderr } = await stack.voiceplane(args);
    return { code, stdout, stderr, sent: stack.organization.requests().sort() };
  };

test("a plan is applied as it was shown; an edit behind it, or a risk that must not pass, sends nothing", async () => {
  const stack = await project();
  stack.declare("native", program(400, "0"));
  const run = runner(stack);
  expect(await run("preview", "--out", "plan.json")).toMatchObject({ code: 0, sent: [] });
  const applied = await run("apply", "--plan", "plan.json");
  expect(applied).toMatchObject({ code: 0, sent: [rotation, put(400)] });
  // Pulumi's own output follows the report.
  expect(applied.stdout).toMatch(/^voiceplane preview: 2 requests[^]*Updating \(dev\)[^]*Resources:\n {4}\+ 3 created/);
  // No file is left behind.
  expect(readdirSync(stack.environment.TMPDIR ?? "/tmp").filter((name) => name.startsWith("voiceplane-plan-"))).toEqual(
    [],
  );

  stack.declare("native", program(401, "1"));
  const refused = await run("apply", "--plan", "plan.json");
  expect(refused).toMatchObject({ code: 2, sent: [] });
  expect(refused.stderr).toContain(
    "nothing was sent: the preview has more than the plan:\n" +
      "  PUT /v1/retention-policies/recordings is in the plan with another retention_days, so it was not sent.",
  );
  expect(await run("apply", "--yes", "--fail-on", "rotates-a-secret")).toMatchObject({ code: 2, sent: [] });
  expect(await run("apply", "--yes", "--fail-on", "cuts-a-trunk")).toMatchObject({
    code: 0,
    sent: [rotation, put(401)],
  });
  stack.declare("native", { resources: { recordings: resource("RetentionPolicy", { dayz: 1 }) } });
  expect(await run("apply", "--yes")).toMatchObject({ code: 1, sent: [] });
  expect((await run("apply")).stderr).toContain("without a terminal, pass --yes or --plan");
});

const prompt = "Only yes is accepted: ";

const python = `
import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
`;

/** Runs the command on a pseudo-terminal, on which a person types, or does something and then types, once it shows this text. */
async function onTerminal(stack: Project, args: readonly string[], text: string, reply: string | (() => string)) {
  // The time limit ends a command whose question nobody answers, so that its test fails and says what was shown.
  const child = spawn("python3", ["-c", python, process.execPath, cli, ...args], {
    cwd: stack.folder,
    env: stack.environment,
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 120_000,
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const isShown = shown.includes(text);
    shown += chunk.toString();
    if (!isShown && shown.includes(text)) child.stdin.write(typeof reply === "string" ? reply : reply());
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, shown: shown.replaceAll("\r", "") };
}

test("on a terminal: yes, no, Ctrl-C, and what changes while the question waits is not sent", async () => {
  const stack = await project();
  // It returns what is typed at a prompt, once it has changed the file.
  const days = (count: number): string => {
    stack.write("days.js", `module.exports = ${count};\n`);
    return "yes\r";
  };
  stack.declare(
    "native",
    `
      new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: require("./days.js") });
      new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "adopt", rotateAfter: "30d" });`,
  );
  days(90);
  const apply = async (reply: string | (() => string)) => {
    stack.organization.forgetRequests();
    const { code, shown } = await onTerminal(stack, ["apply", "--stack", "dev"], prompt, reply);
    return { code, shown, sent: stack.organization.requests().sort() };
  };
  for (const reply of ["y\r", "\u0003", "\u0004"]) {
    const stopped = await apply(reply);
    expect(stopped).toMatchObject({ code: 2, sent: [] });
    expect(stopped.shown).toContain("voiceplane: not approved; nothing was sent\n");
  }
  expect(await apply("yes\r")).toMatchObject({ code: 0, sent: [put(90)] });

  days(100);
  const edited = await apply(() => days(101));
  expect(edited).toMatchObject({ code: 1, sent: [] });
  expect(edited.shown).toContain("is in the plan with another retention_days, so it was not sent.");
});

test("after a lost answer the same plan is applied again, a nightly run that fails on edits passes, and a request that is refused in the middle fails", async () => {
  const declared = (round: string) => ({
    resources: { recordings: recordings(90, { reassertAfter: "7d" }), crm: crm({ triggers: { round } }) },
  });
  const stack = await project();
  stack.declare("native", declared("0"));
  const run = runner(stack);
  await run("preview", "--out", "plan.json");
  stack.organization.control.setFaults([{ operation: "putRetentionPolicy", connection: "reset", commit: true }]);
  const lost = await run("apply", "--plan", "plan.json");
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining(again)]);
  expect(lost.stderr).toContain(
    "voiceplane: recordings is uncertain: its last request may have been carried out: run the same",
  );
  expect((await run("status")).stdout).toMatch(/^RetentionPolicy +recordings .* uncertain$/m);
  stack.organization.control.setFaults([]);
  expect(await run("apply", "--plan", "plan.json", "--fail-on", "edits")).toMatchObject({ code: 0, sent: [put(90)] });
  expect((await run("status", "--fail-on", "problems")).code).toBe(0);

  stack.declare("native", {
    resources: { recordings: recordings(400, { reassertAfter: "7d" }), crm: crm({ triggers: { round: "1" } }) },
  });
  stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", status: 403, count: 1 }]);
  const refused = await run("apply", "--yes");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(again)]);
  expect(refused.sent).toContain(put(400));
  expect(refused.stdout).toContain("[token-rights]");
  expect(await run("apply", "--yes")).toMatchObject({ code: 0, sent: [rotation] });
});

test("a signal reaches the CLI, which waits for what has left; apply waits for it, and the next update writes what the outputs lack", async () => {
  const stack = await project();
  const run = runner(stack);
  const declare = (n: number): void => {
    stack.declareFile({ webhooks: { crm: { id: ids.crm, onCreate: "rotate", triggers: { n } } } });
  };
  const secrets = () => stack.reveal("webhookSecrets");
  declare(1);
  await stack.up();
  const old = secrets();
  stack.organization.forgetRequests();
  declare(2);
  stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", hold: "before", count: 1 }]);
  const apply = stack.startVoiceplane(["apply", "--yes", "--stack", "dev"]);
  await stack.organization.control.held();
  await interrupt(stack, apply, "SIGTERM");
  stack.organization.control.release();
  const { code, stderr } = await apply.finished;
  expect([code, stderr]).toEqual([1, expect.stringContaining(again)]);
  expect(stderr).toContain("voiceplane: crm is outputs stale: ");
  expect(stack.organization.requests()).toEqual([rotation]);
  expectCurrentSecret(stack, "org-crm");
  expect(secrets()).toEqual(old);

  expect(await run("status", "--fail-on", "problems")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/^WebhookSecret +crm .* outputs stale$/m) as string,
  });
  expect((await run("doctor")).stdout).toContain("crm is outputs stale: the outputs do not have its secret");
  expect(await run("preview", "--fail-on", "edits")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(
      "crm: the outputs do not have its secret, because an update stopped early",
    ) as string,
  });
  expect(await run("apply", "--yes", "--fail-on", "edits")).toMatchObject({ code: 0, sent: [] });
  expect(secrets()).not.toEqual(old);
  expect(await run("status", "--fail-on", "problems")).toMatchObject({ code: 0 });
});

test("what an engine that was killed has begun is named by each command, with one remedy, and the same update ends it", async () => {
  const stack = await project();
  stack.declare("native", program(90, "0"));
  const run = runner(stack);
  await stack.up();
  stack.declare("native", program(90, "1"));
  await die(stack, "SIGKILL");
  const remedy = "updating WebhookSecret crm: an update was interrupted here: run the same update again";
  for (const command of ["preview", "doctor"]) expect((await run(command)).stdout).toContain(remedy);
  expect((await run("status")).stdout).toMatch(/^WebhookSecret +crm .* pending$/m);
  expect(await run("apply", "--yes")).toMatchObject({ code: 0, sent: [rotation] });
  expectCurrentSecret(stack, "crm");
  expect((await run("status")).stdout).toContain("2 objects: 2 ok");
});
