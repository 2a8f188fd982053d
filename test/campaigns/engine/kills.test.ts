/**
 * Random kills with plain `pulumi up`, judged by the server's own secret: the same update again ends with the current one in the state. `KILLS_COUNT=100 KILLS_SEED=7 npx jest test/campaigns/engine/kills` repeats a run with more of them.
 */
import { randomInt } from "node:crypto";
import { project, type ProjectOptions } from "../../support/engine/project";
import { crm } from "../../support/engine/yaml-program";
import { expectCurrentSecret } from "../../support/faults/aftermath";
import { die, endAfterTest } from "../../support/faults/deaths";
import { testOnLinux } from "../../support/machine";

const kills = Number(process.env.KILLS_COUNT ?? 3);
const seed = Number(process.env.KILLS_SEED ?? randomInt(2 ** 31));
jest.setTimeout(300_000 + kills * 60_000);

function numbers(): <T>(from: readonly T[]) => T {
  let state = seed;
  return (from) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return from[Math.floor((state / 2 ** 32) * from.length)] as never;
  };
}

async function campaign(options: ProjectOptions = {}): Promise<void> {
  const stack = endAfterTest(await project(options));
  const pick = numbers();
  const declare = (provider: "dynamic" | "native", round: number) => {
    stack.declare(provider, { resources: { crm: crm({ triggers: { round } }) } });
  };
  declare("dynamic", 0);
  await stack.up();
  for (let round = 1; round <= kills; round++) {
    const provider = pick(["dynamic", "native"] as const);
    declare(provider, round);
    await die(stack, pick(["provider", "SIGKILL", "machine"]), { commit: pick([true, false]) });
    stack.organization.control.setFaults([]);
    await stack.up();
    expectCurrentSecret(stack, "crm");
  }
}

testOnLinux(`${kills} kills with the state in a folder`, () => campaign());
