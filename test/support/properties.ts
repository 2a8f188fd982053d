/**
 * fast-check with a new seed for each file of a run, so that runs see new values. A failure shows the seed, and `SOAK_SEED=SEED npx jest FILE`
 * repeats it.
 */
import { randomInt } from "node:crypto";
import fc from "fast-check";

export const ordinarySeed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31));

fc.configureGlobal({ seed: ordinarySeed });

export default fc;
