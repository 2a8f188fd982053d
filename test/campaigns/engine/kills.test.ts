/**
 * Random kills with plain `pulumi up`, judged by the server's own count: each rotation that it carried out is in the state, or the next run
 * says that it may have been carried out. `KILLS_COUNT=100 KILLS_SEED=7 npx jest test/campaigns/engine/kills` repeats a run with more of them.
 */
import { randomInt } from "node:crypto";
import { ids } from "../../support/engine/organization";
import { project, type Project, type ProjectOptions } from "../../support/engine/project";
import { crm } from "../../support/engine/yaml-program";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { allEnded, die, dieAtStep, endAfterTest, unlock } from "../../support/faults/deaths";
import { testOnLinux } from "../../support/machine";

const kills = Number(process.env.KILLS_COUNT ?? 3);
const seed = Number(process.env.KILLS_SEED ?? randomInt(2 ** 31));
jest.setTimeout(300_000 + kills * 60_000);

const doubt = "it is unknown whether its last rotation was carried out";

function numbers(): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return from[Math.floor((state / 2 ** 32) * from.length)] as never;
  };
}

/** An `up` dies while its rotation is held, before or after the server carried it out, or while the provider writes it down. */
async function dieAnyhow(stack: Project, pick: ReturnType<typeof numbers>): Promise<void> {
  if (pick(["held", "held", "step"]) === "held") {
    await die(stack, pick(["provider", "SIGKILL", "machine"]), { commit: pick([true, false]) });
    return;
  }
  await dieAtStep(stack, pick([1, 2, 3]));
  await allEnded(stack);
  await unlock(stack);
}

async function campaign(options: ProjectOptions = {}): Promise<void> {
  const stack = endAfterTest(await project(options));
  const pick = numbers();
  const rotations = () => rotationsOf(stack)[ids.crm] ?? 0;
  const recorded = () => Number(stack.state().crm?.outputs?.rotationCount ?? 0);
  const declare = (provider: "dynamic" | "native", round: number) => {
    stack.declare(provider, { resources: { crm: crm({ triggers: { round } }) } });
  };
  declare("dynamic", 0);
  await stack.up();
  for (let round = 1; round <= kills; round++) {
    const provider = pick(["dynamic", "native"] as const);
    declare(provider, 0);
    await stack.up();
    const [before, known] = [rotations(), recorded()];
    declare(provider, round);
    await dieAnyhow(stack, pick);
    stack.organization.control.setFaults([]);
    const isLost = rotations() > before && recorded() === known;
    // Reverted, or run again.
    declare(provider, pick([0, round]));
    const isSaid = (await stack.up()).includes(doubt);
    expectCurrentSecret(stack, "crm");
    expect({ seed, round, isUnsaid: isLost && !isSaid }).toEqual({ seed, round, isUnsaid: false });
  }
}

testOnLinux(`${kills} kills with the state in a folder`, () => campaign());
