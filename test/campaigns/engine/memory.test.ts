/** What this machine remembers, beside the deaths of runs: no false alarm in a webhook's life, and folders that cannot be used. */
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../support/engine/command";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { cli } from "../../support/engine/voiceplane";
import { testWithUsers, withFullFolder } from "../../support/machine";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";

const doubts = /may have (been )?carried out|it is unknown whether/;

const webhook = (triggers: object, { name = "crm", options = {}, more = {} } = {}) => ({
  resources: {
    [name]: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate", triggers, ...more },
      options,
    },
  },
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

  test("where nothing can be written, and in a folder of others, one warning says so, and the run goes on", async () => {
    const stack = await project();
    stack.write("file", "");
    const foreign = join(stack.folder, "foreign");
    mkdirSync(foreign);
    chmodSync(foreign, 0o777);
    for (const [round, folder] of [join(stack.folder, "file/below"), foreign].entries()) {
      stack.declare(provider, webhook({ round }));
      const env = { VOICEPLANE_STATE_DIR: folder };
      const before = rotationsOf(stack)[ids.crm] ?? 0;
      const [, diagnostics = ""] = (await stack.up({ env })).split("Diagnostics:");
      expect([folder, diagnostics.split("this machine cannot remember what it sends").length]).toEqual([folder, 2]);
      expect(rotationsOf(stack)[ids.crm]).toBe(before + 1);
    }
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

test("an imported webhook is settled", async () => {
  const stack = await project();
  stack.declare("native", webhook({ n: 1 }, { more: { onCreate: "adopt" } }));
  const imported = ["voiceplane:index:WebhookSecret", "crm", ids.crm];
  await stack.run(["import", ...imported, "--yes", "--protect=false", "--stack", "dev"]);
  expect(await sendsIn(stack)).toBe(0);
  stack.declare("native", webhook({ n: 2 }, { more: { onCreate: "adopt" } }));
  expect(await sendsIn(stack)).toBe(1);
  expect(await sendsIn(stack)).toBe(0);
  expectCurrentSecret(stack, "crm");
});
