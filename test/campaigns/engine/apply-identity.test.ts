/**
 * Rotations that no clock, no record and no journal tells of: their ids do. With the real CLI, for both providers, and the server's own
 * count of what was carried out.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../../src/control-plane/index";
import { applied, resultOf, rotating, startApply, type Options } from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import type { Project } from "../../support/engine/project";
import { expectCurrentSecret, locksOf, rotationsOf } from "../../support/faults/aftermath";
import { allEnded, engine, killAll, providers, unanswered } from "../../support/faults/deaths";
import { webhookStacks, type WebhookStack } from "./webhook-stacks";

const slow: Fault = { operation: "rotateWebhookSecret", latencyMs: 3_000, count: 2 };

const setups = webhookStacks("crm", "billing");

const carriedOut = (stack: Project) => (rotationsOf(stack)[ids.crm] ?? 0) + (rotationsOf(stack)[ids.billing] ?? 0);

async function declared({ make }: WebhookStack): Promise<Project> {
  const stack = await make();
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 2 });
  return stack;
}

async function allKilled(stack: Project, options: Options = {}): Promise<void> {
  const run = await rotating(stack, { ...unanswered, count: 2 }, options);
  await stack.until(() => carriedOut(stack) === 4);
  run.child.kill("SIGKILL");
  await killAll(stack, engine);
  await run.finished;
  await allEnded(stack);
}

/** Two runs, which send nothing. The lock is of a run that this machine knows nothing of. */
async function expectUncertain(stack: Project): Promise<void> {
  const flags = ["--cancel-locks-after", "1s"];
  for (let run = 0; run < 2; run++) {
    expect(await applied(stack, { flags })).toMatchObject({ outcome: "unchanged", uncertain: 2, rotatedAgain: [] });
  }
}

const lost = "its last rotation may have been carried out";

test.each(setups)(
  "rotations that a killed provider lost are named after a run whose apply was killed made up for them: %s",
  async (_provider, setup) => {
    const stack = await declared(setup);
    setup.edit(stack, "1");
    const first = await rotating(stack, { ...unanswered, count: 2 });
    await stack.until(() => carriedOut(stack) === 4);
    await killAll(stack, providers);
    expect(await resultOf(first)).toMatchObject({ outcome: "failed", rotations: 0, uncertain: 2, rotatedAgain: [] });

    const second = await rotating(stack, slow);
    second.child.kill("SIGKILL");
    await second.finished;
    await stack.until(() => locksOf(stack).length === 0);
    await allEnded(stack);
    expect(carriedOut(stack)).toBe(6);

    const third = await applied(stack);
    expect(third).toMatchObject({ outcome: "unchanged", rotations: 0, uncertain: 0 });
    expect(third.rotatedAgain).toEqual(
      expect.arrayContaining([
        { name: "crm", webhook: ids.crm, why: lost },
        { name: "billing", webhook: ids.billing, why: lost },
      ]),
    );
    expect([third.rotatedAgain.length, third.rotatedEarlier.length]).toEqual([2, 2]);
    expectCurrentSecret(stack, setup.resource);
    expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  },
);

test.each(setups)(
  "a lost rotation stays uncertain though the server's clock was two hours ahead at the one before it: %s",
  async (_provider, setup) => {
    const stack = await setup.make();
    const ahead = startApply(stack, { at: "2026-11-20T09:00:00.000Z" });
    stack.organization.control.setClock("2026-11-20T11:00:00.000Z");
    expect(await resultOf(ahead)).toMatchObject({ outcome: "applied", rotations: 2 });
    setup.edit(stack, "1");
    const run = await rotating(stack, { ...unanswered, count: 2 }, { at: "2026-11-20T09:10:00.000Z" });
    await stack.until(() => carriedOut(stack) === 4);
    await killAll(stack, providers);
    expect(await resultOf(run)).toMatchObject({ outcome: "failed", uncertain: 2 });
    setup.edit(stack, "0");
    for (const at of ["2026-11-20T09:20:00.000Z", "2026-11-20T09:30:00.000Z"]) {
      expect(await applied(stack, { at })).toMatchObject({ outcome: "unchanged", uncertain: 2, rotatedAgain: [] });
    }
  },
);

test.each(setups)(
  "where the record is emptied or deleted, the journal says what was sent: %s",
  async (_name, setup) => {
    for (const spoil of [
      (stack: Project) => {
        stack.write(".voiceplane/apply/dev.json", "");
      },
      (stack: Project) => {
        rmSync(join(stack.folder, ".voiceplane/apply/dev.json"));
      },
    ]) {
      const stack = await declared(setup);
      setup.edit(stack, "1");
      await allKilled(stack);
      spoil(stack);
      setup.edit(stack, "0");
      await expectUncertain(stack);
      setup.edit(stack, "2");
      const next = await applied(stack);
      expect(next).toMatchObject({ outcome: "applied", rotations: 2, uncertain: 0 });
      expect(next.rotatedAgain).toHaveLength(2);
      expect(carriedOut(stack)).toBe(6);
      expectCurrentSecret(stack, setup.resource);
    }
  },
);

test.each(setups)("a record of a newer version is refused, and keeps its journal: %s", async (_name, setup) => {
  const stack = await declared(setup);
  setup.edit(stack, "1");
  await allKilled(stack);
  const record = stack.read(".voiceplane/apply/dev.json");
  stack.write(".voiceplane/apply/dev.json", record.replace('"version":2', '"version":3'));
  expect(await applied(stack)).toMatchObject({
    outcome: "failed",
    reason: "the record of the last run is of a newer version of voiceplane: update this one",
    requests: 0,
  });
  stack.write(".voiceplane/apply/dev.json", record);
  expect((await applied(stack)).rotatedAgain).toHaveLength(2);
  expectCurrentSecret(stack, setup.resource);
});

test.each(setups)(
  "a pending rotation is uncertain on another machine too, also if the file is what it was: %s",
  async (_provider, setup) => {
    const stack = await declared(setup);
    setup.edit(stack, "1");
    await allKilled(stack);
    expect(stack.deployment().pending_operations).toHaveLength(2);
    rmSync(join(stack.folder, ".voiceplane"), { recursive: true });
    setup.edit(stack, "0");
    await expectUncertain(stack);
    setup.edit(stack, "2");
    const next = await applied(stack);
    expect(next).toMatchObject({ outcome: "applied", rotations: 2, uncertain: 0 });
    expect(next.rotatedAgain).toHaveLength(2);
  },
);

test.each(setups)("rotations whose answers cannot be written down are known by the state: %s", async (_name, setup) => {
  const stack = await declared(setup);
  setup.edit(stack, "1");
  const preloads = ["engine/pin-clock.cjs", "faults/die-at-line.cjs"].map((name) =>
    join(__dirname, "../../support", name),
  );
  const env = { DEATH: "read-only", NODE_OPTIONS: preloads.map((each) => `--require "${each}"`).join(" ") };
  expect(await applied(stack, { env })).toMatchObject({ outcome: "applied", rotations: 2, uncertain: 0 });
  expect(carriedOut(stack)).toBe(4);
  expectCurrentSecret(stack, setup.resource);
});

test.each(setups)(
  "a state that went back is no reason to skip, and names what may be lost: %s",
  async (_name, setup) => {
    const stack = await declared(setup);
    const backup = stack.read(".state/.pulumi/stacks/test/dev.json");
    setup.edit(stack, "1");
    expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 2 });
    stack.write(".state/.pulumi/stacks/test/dev.json", backup);
    setup.edit(stack, "0");
    const back = await applied(stack);
    expect(back).toMatchObject({ outcome: "unchanged", uncertain: 2 });
    expect(back.reason).toMatch(
      /; the state is older than the last run left it, so (crm, billing|billing, crm) may have/,
    );
    setup.edit(stack, "1");
    const mended = await applied(stack);
    expect(mended).toMatchObject({ outcome: "applied", rotations: 2, uncertain: 0 });
    expect(mended.rotatedAgain).toHaveLength(2);
    expectCurrentSecret(stack, setup.resource);
  },
);
