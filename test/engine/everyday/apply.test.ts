/** `voiceplane apply` with the real engine: what a plan has and nothing else, also after another machine died. */
import { join } from "node:path";
import { stringify } from "yaml";
import { ids } from "../../support/engine/organization";
import { start, type RunningCommand } from "../../support/engine/command";
import { cli, preloading } from "../../support/engine/installation";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";
import { expectCurrentSecret, processOf, rotationsOf } from "../../support/faults/aftermath";
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

interface Stopped {
  readonly layout: string;
  readonly names: readonly ("crm" | "billing")[];
  readonly declare: (stack: Project, args: object) => void;
  /** Ends the update of a running `apply` while one of its rotations waits. The others have ended. */
  readonly stop: (stack: Project, apply: RunningCommand) => Promise<void>;
  readonly status?: number;
}

const stopped: readonly Stopped[] = [
  {
    layout: "in an organization file, by a signal while the rotation waits",
    names: ["crm"],
    declare(stack, args) {
      stack.write("organization.yaml", stringify(args));
    },
    async stop(stack, apply) {
      apply.signal("SIGTERM");
      await stack.until(() => processOf(stack, "program") === undefined);
    },
  },
  {
    layout: "in a program over the plugin, by another rotation that is refused",
    names: ["crm", "billing"],
    declare(stack, args) {
      stack.native(`exports.webhookSecrets = new Organization("org", ${JSON.stringify(args)}).webhookSecrets;`);
    },
    async stop(stack) {
      await stack.until(() => Object.values(rotationsOf(stack)).includes(2));
    },
    status: 403,
  },
];

test.each(stopped)(
  "an update that stops $layout, leaves the old secret in the outputs: each command says so, and the next apply writes the new one",
  async ({ names, declare, stop, status }) => {
    const stack = await project({ files: { "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n' } });
    const declared = (...rotated: string[]): void => {
      const webhooks = names.map((name) => {
        const n = rotated.includes(name) ? 2 : 1;
        return [name, { id: ids[name], onCreate: "rotate", triggers: { n } }] as const;
      });
      declare(stack, { webhooks: Object.fromEntries(webhooks) });
    };
    const secrets = () => stack.reveal("webhookSecrets");
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await stack.voiceplane(args);
      return { code, stdout, stderr };
    };
    declared();
    await stack.up();
    await stack.refresh();
    expect(await run("status", "--fail-on", "problems")).toMatchObject({ code: 0 });
    const old = secrets();

    declared(...names);
    const fault = { operation: "rotateWebhookSecret", hold: "before", count: 1 } as const;
    stack.organization.control.setFaults([{ ...fault, ...(status !== undefined && { status }) }]);
    const options = { cwd: stack.folder, env: stack.environment };
    const apply = start(process.execPath, [cli, "apply", "--yes", "--stack", "dev"], options);
    await stack.organization.control.held();
    await stop(stack, apply);
    stack.organization.control.release();
    const { code, stderr } = await apply.finished;
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("run it again: the outputs are those of the last complete update"),
    ]);
    const [name = ""] = names.filter((each) => rotationsOf(stack)[ids[each]] === 2);
    // The other rotation, which was refused, is taken back.
    declared(name);
    expectCurrentSecret(stack, `org-${name}`);
    expect(secrets()).toEqual(old);

    const row = new RegExp(`^WebhookSecret +${name} .* outputs stale$`, "m");
    expect(await run("status", "--fail-on", "problems")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(row) as string,
    });
    expect((await run("doctor")).stdout).toContain(
      `${name}: the outputs do not have its secret, because an update stopped early`,
    );
    expect(await run("preview", "--fail-on", "edits")).toMatchObject({
      code: 0,
      stdout:
        "voiceplane preview: no requests, 1 other change\n\nChanges without a risk\n\n" +
        `  ~  ${name}: the outputs do not have its secret, because an update stopped early; this one writes it there\n`,
    });
    expect(await run("preview", "--fail-on", "changes")).toMatchObject({ code: 2 });
    stack.organization.forgetRequests();
    expect(await run("apply", "--yes", "--fail-on", "edits")).toMatchObject({ code: 0 });
    expect(stack.organization.requests()).toEqual([]);
    expect(secrets()).not.toEqual(old);
    expect(await run("status", "--fail-on", "problems")).toMatchObject({ code: 0 });
    expect(await run("preview", "--format", "summary")).toMatchObject({ code: 0, stdout: "preview: no changes\n" });
    expect(await stack.up()).toContain(`${names.length + 2} unchanged`);
  },
);
