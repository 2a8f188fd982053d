/** What this machine remembers, with the real engine and from one process to the next. test/unit/lifecycle/pending.test.ts has the other cases. */
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../support/engine/command";
import { ids, organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { crm } from "../../support/engine/yaml-program";
import { allEnded, die, endAfterTest, strike, unlock, upDuring, type Strike } from "../../support/faults/deaths";
import { testWithUsers, withFullFolder } from "../../support/machine";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { cli } from "../../support/engine/installation";

const doubts = /may have (been )?carried out|it is unknown whether/;

const webhook = (triggers: object, { name = "crm", options = {}, more = {} } = {}) => ({
  resources: { [name]: crm({ triggers, ...more }, options) },
});

/** An `up` without a doubt, and the rotations that it sent. */
async function sendsIn(stack: Project, run: Parameters<Project["up"]>[0] = {}): Promise<number> {
  const before = rotationsOf(stack)[ids.crm] ?? 0;
  expect(await stack.up(run)).not.toMatch(doubts);
  return (rotationsOf(stack)[ids.crm] ?? 0) - before;
}

describe.each(["dynamic", "native"] as const)("with the %s provider", (provider) => {
  test("a webhook's life raises no false alarm: refusals, waits, replacements, renames, a removal from the state, machines that take turns", async () => {
    const stack = await project();
    const { control } = stack.organization;
    const declare = (...of: Parameters<typeof webhook>) => {
      stack.declare(provider, webhook(...of));
    };
    await stack.run(["config", "set", "voiceplane:organization", "acme", "--stack", "dev"]);
    declare({ n: 1 });
    expect(await sendsIn(stack)).toBe(1);

    // What was certainly not carried out leaves nothing behind.
    declare({ n: "refused" });
    control.setFaults([{ operation: "rotateWebhookSecret", status: 403, count: 1 }]);
    await stack.up({ fails: true });
    // Nothing listens there.
    const nowhere = { VOICEPLANE_BASE_URL: "http://127.0.0.1:1" };
    expect(await stack.up({ fails: true, env: nowhere })).toContain("was not sent");
    declare({ n: 1 });
    expect(await sendsIn(stack)).toBe(0);
    declare({ n: 2 });
    control.setFaults([{ operation: "rotateWebhookSecret", status: 429, retryAfter: "0", count: 1 }]);
    expect(await stack.up()).not.toMatch(doubts);

    const { urn = "" } = stack.state().crm ?? {};
    expect(await sendsIn(stack, { flags: ["--replace", urn] })).toBe(1);
    declare({ n: 2 }, { name: "renamed", options: { aliases: [{ name: "crm" }] } });
    expect(await sendsIn(stack)).toBe(0);
    for (const [round, machine] of ["a", "b", "a"].entries()) {
      declare({ round }, { name: "renamed" });
      const env = { VOICEPLANE_STATE_DIR: join(stack.folder, machine) };
      expect([round, await sendsIn(stack, { env })]).toEqual([round, 1]);
      expect([round, await sendsIn(stack, { env })]).toEqual([round, 0]);
    }
    await stack.run(["state", "delete", "--yes", "--stack", "dev", stack.state().renamed?.urn ?? ""]);
    declare({ n: 3 }, { name: "renamed", more: { onCreate: "adopt" } });
    expect(await sendsIn(stack)).toBe(0);
    declare({ n: 4 }, { name: "renamed", more: { onCreate: "adopt" } });
    expect(await sendsIn(stack)).toBe(1);
    expectCurrentSecret(stack, "renamed");
  });

  async function killedRotation(how: Strike): Promise<Project> {
    const stack = endAfterTest(await project());
    stack.declare(provider, webhook({ n: 1 }));
    await stack.up();
    stack.declare(provider, webhook({ n: 2 }));
    await die(stack, how);
    return stack;
  }

  const lost = { secret: expect.anything() as unknown, rotationState: "uncertain" };

  test("another machine knows what apply wrote down: a killed rotation survives an apply that failed, a refresh and a restored backup", async () => {
    const stack = await killedRotation("machine");
    stack.declare(provider, webhook({ n: 1 }));
    const other = { VOICEPLANE_STATE_DIR: join(stack.folder, "other") };
    const before = rotationsOf(stack)[ids.crm] ?? 0;

    const pending = () => stack.deployment().pending_operations ?? [];
    expect(pending()).toHaveLength(1);
    const status = await stack.voiceplane(["status"], other);
    const previewed = await stack.voiceplane(["preview", "--format", "summary"], other);
    expect([status.stdout, previewed.stdout]).toEqual([
      expect.stringMatching(/crm .* uncertain/),
      "preview: 1 request: rotates a secret\n",
    ]);
    expect([pending(), stack.state().crm?.outputs?.rotationState]).toEqual([[expect.anything()], "rotated"]);

    // The server refuses the token: the update fails, and the state says what is uncertain.
    const refused = await stack.voiceplane(["apply", "--yes"], { ...other, VOICEPLANE_TOKEN: "wrong-token" });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("writing into the state that the last request may have been carried out: crm"),
    ]);
    expect([pending(), stack.state().crm?.outputs]).toEqual([[], expect.objectContaining(lost)]);
    await stack.refresh({ env: other });
    expect(stack.state().crm?.outputs).toMatchObject(lost);
    const said = await stack.up({ env: other });
    expect(said).toMatch(doubts);
    expect(rotationsOf(stack)[ids.crm]).toBe(before + 1);
    expectCurrentSecret(stack, "crm");
    expect(await stack.up({ env: other })).toContain("unchanged");
  });

  test("a refresh on the machine that remembers writes the doubt by itself, also while the server is down", async () => {
    const stack = await killedRotation("provider");
    stack.organization.control.setFaults([{ operation: "*", status: 503 }]);
    stack.organization.forgetRequests();
    await stack.refresh();
    expect(stack.organization.requests()).toEqual([]);
    expect(stack.state().crm?.outputs).toMatchObject(lost);
  });

  test("at another address, as of a copy of the stack, nothing is in doubt: a warning names the first one", async () => {
    const stack = await killedRotation("provider");
    stack.declare(provider, webhook({ n: 1 }));
    const copy = await organization();
    const shown = await stack.up({ env: { VOICEPLANE_BASE_URL: copy.url } });
    expect(shown).toContain(
      `a request that started from this state has gone to ${stack.organization.url}, for example of a copy`,
    );
    expect(copy.requests().filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  test("a folder that is not absolute is refused before anything is sent", async () => {
    const stack = await project();
    stack.declare(provider, webhook({ n: 1 }));
    const message = "VOICEPLANE_STATE_DIR must be an absolute path, such as /var/lib/voiceplane";
    expect(await stack.up({ fails: true, env: { VOICEPLANE_STATE_DIR: "memory" } })).toContain(message);
    expect(rotationsOf(stack)[ids.crm]).toBeUndefined();
  });

  test("where nothing can be written, one warning says so, and the run goes on; on a volume of others it remembers", async () => {
    const stack = await project();
    stack.write("file", "");
    const volume = join(stack.folder, "volume");
    mkdirSync(volume);
    chmodSync(volume, 0o2777);
    for (const [round, folder] of [volume, join(stack.folder, "file/below"), volume].entries()) {
      stack.declare(provider, webhook({ round }));
      const env = { VOICEPLANE_STATE_DIR: folder };
      const before = rotationsOf(stack)[ids.crm] ?? 0;
      const [, diagnostics = ""] = (await stack.up({ env })).split("Diagnostics:");
      const warned = diagnostics.split("this machine cannot remember what it sends").length - 1;
      expect([round, warned]).toEqual([round, folder === volume ? 0 : 1]);
      expect(rotationsOf(stack)[ids.crm]).toBe(before + 1);
    }
    // The creation has no file.
    expect(readdirSync(join(volume, "requests"))).toHaveLength(1);
    expectCurrentSecret(stack, "crm");
  });
});

/** The dynamic provider suffices: what commands find is the same. */
describe("what commands say", () => {
  async function declaring(more: object): Promise<Project> {
    const stack = endAfterTest(await project());
    stack.declare("dynamic", webhook({ n: 1 }, { more }));
    return stack;
  }
  const other = (stack: Project) => ({ VOICEPLANE_STATE_DIR: join(stack.folder, "other") });
  const edit = (stack: Project, triggers: object): void => {
    stack.declare("dynamic", webhook(triggers));
  };

  test("of a first rotation that was killed and is adopted now: its creation is pending until it is cleared", async () => {
    const stack = await declaring({});
    await die(stack, "machine");
    stack.declare("dynamic", webhook({}, { more: { onCreate: "adopt", initialSecret: "the-secret-before" } }));
    const creating = expect.stringContaining("pending: creating crm: ") as string;
    expect(await stack.voiceplane(["apply", "--yes"])).toMatchObject({ code: 0, stdout: creating });
    expect(await stack.voiceplane(["status", "--fail-on", "problems"])).toMatchObject({ code: 2 });
    await stack.refresh({ flags: ["--clear-pending-creates"] });
    expect(await stack.voiceplane(["status", "--fail-on", "problems"])).toMatchObject({ code: 0 });
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 1 });
  });

  test("of a run that was killed while it waited after a 429: nothing on the machine that ran it, and a doubt elsewhere", async () => {
    const stack = await declaring({});
    await stack.up();
    edit(stack, { n: 2 });
    const limited = { operation: "rotateWebhookSecret", status: 429, retryAfter: 60, count: 1 } as const;
    const here = { VOICEPLANE_STATE_DIR: join(stack.folder, "here") };
    const up = await upDuring(stack, [limited], { env: here });
    // It has received the answer, and takes back that the request has left.
    const remembered = () => readdirSync(here.VOICEPLANE_STATE_DIR, { recursive: true, encoding: "utf8" });
    await stack.until(() => remembered().every((name) => !/\.[\da-f]{16}$/.test(name)));
    expect(await strike(stack, up, "machine")).toBe(true);
    await up.finished;
    await allEnded(stack);
    await unlock(stack);
    edit(stack, { n: 1 });
    const summary = ["preview", "--format", "summary"];
    expect((await stack.voiceplane(summary, other(stack))).stdout).toBe("preview: 1 request: rotates a secret\n");
    expect((await stack.voiceplane(summary, here)).stdout).toBe("preview: no changes\n");
    expect(await stack.voiceplane(["apply", "--yes"], here)).toMatchObject({ code: 0 });
    expect(await stack.voiceplane(["status", "--fail-on", "problems"], here)).toMatchObject({ code: 0 });
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 1 });
  });

  test("during a run of this machine: that it is under way", async () => {
    const stack = await declaring({});
    await stack.up();
    edit(stack, { n: 2 });
    const up = await upDuring(stack, [{ operation: "rotateWebhookSecret", hold: "before", count: 1 }]);
    const running = expect.stringContaining("a run of this stack is under way on this machine: ") as string;
    expect(await stack.voiceplane(["status", "--fail-on", "problems"])).toMatchObject({ code: 2, stdout: running });
    expect(await stack.voiceplane(["preview"])).toMatchObject({ code: 0, stderr: running });
    expect(await stack.voiceplane(["doctor"])).toMatchObject({ code: 0, stdout: running });
    stack.organization.control.release();
    expect((await up.finished).code).toBe(0);
    expect((await stack.voiceplane(["status", "--fail-on", "problems"])).stdout).toContain("1 object: 1 ok\n");
  });

  test("beside a pending operation of another package: a refresh that ends it and keeps the doubt", async () => {
    const stack = endAfterTest(await project());
    const declare = (n: number): void => {
      stack.write("n.js", `module.exports = ${n};\n`);
    };
    stack.program(`const { dynamic } = require("@pulumi/pulumi");
      const n = require("./n.js");
      const update = () => {
        require("node:fs").writeFileSync("begun", "");
        return new Promise((resolve) => setTimeout(resolve, 600_000));
      };
      new dynamic.Resource({ create: async () => ({ id: "1", outs: {} }), update }, "other", { n });
      new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { n } });`);
    declare(1);
    await stack.up();
    declare(2);
    await die(stack, "machine", { when: () => existsSync(join(stack.folder, "begun")) });
    declare(1);
    expect(await stack.voiceplane(["preview", "--out", "plan.json"], other(stack))).toMatchObject({ code: 0 });
    expect(await stack.voiceplane(["apply", "--plan", "plan.json"], other(stack))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `not begun:\n  POST /v1/webhooks/${ids.crm}/rotate-secret\n  crm: rotates a secret\nvoiceplane: nothing was sent: `,
      ) as string,
    });
    const apply = () => stack.voiceplane(["apply", "--yes"], other(stack));
    const { code, stderr } = await apply();
    const [, pending] =
      /updating other\. `VOICEPLANE_PENDING='(.*)' pulumi refresh --stack dev` ends them/.exec(stderr) ?? [];
    expect([code, pending]).toEqual([1, JSON.stringify([stack.state().crm?.outputs?.requestId])]);
    await stack.refresh({ env: { ...other(stack), VOICEPLANE_PENDING: pending } });
    expect(stack.deployment().pending_operations ?? []).toEqual([]);
    expect(await apply()).toMatchObject({ code: 0 });
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 3 });
    expectCurrentSecret(stack, "crm");
  });
});

testWithUsers("where the disk is full, the run goes on", async () => {
  const stack = await project();
  stack.declare("native", webhook({ n: 1 }));
  const folder = join(stack.folder, "full");
  mkdirSync(folder);
  const apply = [process.execPath, cli, "apply", "--yes", "--stack", "dev", "--format", "summary"] as const;
  const [unshare, args] = withFullFolder(folder, ...apply);
  const env = { ...stack.environment, VOICEPLANE_STATE_DIR: join(folder, "memory") };
  const { code, stdout } = await start(unshare, args, { cwd: stack.folder, env }).finished;
  expect([code, stdout]).toEqual([0, "update: 1 request: rotates a secret\n"]);
  expectCurrentSecret(stack, "crm");
});
