/** `voiceplane apply` with the real engine: what a plan has and nothing else, also after another machine died. */
import { join } from "node:path";
import { ids } from "../../support/engine/organization";
import { cli, preloading } from "../../support/engine/installation";
import { project, yamlProject } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { die, endAfterTest } from "../../support/faults/deaths";
import { onTerminal } from "./terminal";

const program = (days: number, round: string) => ({
  resources: {
    recordings: recordings(days),
    crm: crm({ triggers: { round } }),
  },
});
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

test("a plan is applied as it was shown; an edit behind it, or a risk that must not pass, sends nothing", async () => {
  const stack = await yamlProject(program(400, "0"));
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await stack.voiceplane(args);
    return { code, stdout, stderr, sent: stack.organization.requests().sort() };
  };
  expect(await run("preview", "--out", "plan.json")).toMatchObject({ code: 0, sent: [] });
  const applied = await run("apply", "--plan", "plan.json", "--format", "json");
  expect(applied).toMatchObject({ code: 0, sent: [rotation, put(400)] });
  expect(JSON.parse(applied.stdout)).toMatchObject({ phase: "update", complete: true, requestCount: 2, uncertain: [] });

  stack.yaml(program(401, "1"));
  const refused = await run("apply", "--plan", "plan.json");
  expect(refused).toMatchObject({ code: 2, sent: [] });
  expect(refused.stderr).toContain(
    `nothing was sent: the plan does not have:\n  ${put(401)}, instead of {"retention_days":400,"enabled":true}\n`,
  );
  expect(await run("apply", "--yes", "--fail-on", "rotates-a-secret")).toMatchObject({ code: 2, sent: [] });
  expect(await run("apply", "--yes", "--fail-on", "cuts-a-trunk")).toMatchObject({
    code: 0,
    sent: [rotation, put(401)],
    stdout:
      "voiceplane update: 2 requests: rotates a secret\n\nRisks\n\n" +
      "  ~  crm: rotates its signing secret (trigger round changed): the old secret stops working (Pulumi.yaml:19)\n" +
      "     rotates a secret\n\nChanges without a risk\n\n  ~  recordings: 400 → 401 days, still turned on (Pulumi.yaml:13)\n",
  });
  stack.yaml({ resources: { recordings: resource("RetentionPolicy", { dayz: 1 }) } });
  expect(await run("apply", "--yes")).toMatchObject({ code: 1, sent: [] });
  expect((await run("apply")).stderr).toContain("without a terminal, pass --yes or --plan");
});

test.each(["dynamic", "native"] as const)(
  "with the %s provider, what a person has approved is what is sent, though an imported file is edited and days pass at the prompt",
  async (provider) => {
    const stack = await project();
    // Both return what is typed at a prompt, once they have changed the file.
    const days = (count: number): string => {
      stack.write("days.js", `module.exports = ${count};\n`);
      return "yes\r";
    };
    const clock = (ahead: number): string => {
      stack.write("clock", String(ahead));
      return "yes\r";
    };
    stack[provider](`
      new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: require("./days.js") });
      new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "adopt", rotateAfter: "30d" });`);
    days(90);
    clock(0);
    const movable = preloading("movable-clock.cjs");
    const env = { ...stack.environment, NODE_OPTIONS: movable, CLOCK_FILE: join(stack.folder, "clock") };
    const apply = async (replies: Parameters<typeof onTerminal>[1]["replies"]) => {
      const { code, shown } = await onTerminal([process.execPath, cli, "apply", "--stack", "dev"], {
        ...{ cwd: stack.folder, env, replies },
      });
      return { code, shown, sent: stack.organization.requests().sort() };
    };
    const prompt = "Only yes is accepted: ";
    expect(await apply({ [prompt]: "yes\r" })).toMatchObject({ code: 0, sent: [put(90)] });

    days(100);
    const edited = await apply({ [prompt]: () => days(101) });
    expect(edited).toMatchObject({ code: 2, sent: [] });
    expect(edited.shown).toContain(
      `nothing was sent: it is not what was approved:\n  ${put(101)}, instead of {"retention_days":100,"enabled":true}\n`,
    );
    days(100);
    const late = await apply({ [prompt]: () => clock(40) });
    expect(late).toMatchObject({ code: 2, sent: [] });
    expect(late.shown).toContain(`it is not what was approved:\n  ${rotation}\n`);

    // A date that comes between the preview and its update is of the next run.
    clock(0);
    const onTime = await apply({ [prompt]: "yes\r", "running pulumi up": () => clock(40) });
    expect(onTime).toMatchObject({ code: 0, sent: [put(100)] });
    expect(onTime.shown).not.toContain("VOICEPLANE_NOW");
  },
);

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a request that a restored backup needs is a risk of its preview, and is counted afterwards, also where the id is secret",
  async (provider) => {
    const stack = await project();
    const declare = (year: string): void => {
      stack.declare(provider, {
        resources: { crm: crm({ webhookId: { "fn::secret": ids.crm }, triggers: { year } }) },
      });
    };
    declare("2026");
    await stack.up();
    await stack.run(["stack", "export", "--file", "backup.json", "--stack", "dev"]);
    declare("2027");
    await stack.up();
    await stack.run(["stack", "import", "--file", "backup.json", "--stack", "dev"]);
    declare("2026");
    stack.organization.forgetRequests();

    const apply = async (...args: string[]) => {
      const { code, stdout } = await stack.voiceplane(["apply", "--yes", "--format", "json", ...args]);
      return { code, report: JSON.parse(stdout) as unknown, sent: stack.organization.requests() };
    };
    expect(await apply("--fail-on", "rotates-a-secret")).toMatchObject({ code: 2, sent: [] });
    const done = { phase: "update", requestCount: 1, risks: ["rotates-a-secret"] };
    expect(await apply()).toMatchObject({ code: 0, sent: [rotation], report: done });
    expect(await apply("--fail-on", "changes")).toMatchObject({ code: 0, sent: [] });
  },
);

test("what a machine that died has left is done once more on another one, and each command says so", async () => {
  const stack = endAfterTest(await yamlProject(program(400, "0")));
  await stack.up();
  stack.yaml(program(400, "1"));
  await die(stack, "machine");
  stack.yaml(program(400, "0"));

  const elsewhere = { VOICEPLANE_STATE_DIR: join(stack.folder, "another-machine") };
  const run = async (...args: string[]) => stack.voiceplane(args, elsewhere);
  expect((await run("status")).stdout).toMatch(/^WebhookSecret +crm .* uncertain$/m);
  expect(await run("apply", "--yes")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("its last rotation may have been carried out") as string,
  });
  expect(rotationsOf(stack)[ids.crm]).toBe(3);
  expectCurrentSecret(stack, "crm");
  expect((await run("status")).stdout).toContain("2 objects: 2 ok");
});
