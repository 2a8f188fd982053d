/**
 * Properties that run in two ways: a fixed number of times together with the other tests, and for as long as asked in
 * `npm run test:soak`, which can also repeat one run by its seed and path. Each run has a new seed, which a failure prints.
 */
import { randomInt } from "node:crypto";
import fc from "fast-check";

/** Set by tools/soak.mjs. An ordinary run sets none of it. */
const { SOAK_SEED, SOAK_MS, SOAK_PATH } = process.env;

/**
 * A test that fails if `predicate` throws for any value.
 * @param runs of an ordinary run, and of each round of a soak
 */
export function property<T>(
  name: string,
  values: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
  runs: number,
): void {
  const soakMs = Number(SOAK_MS ?? 0);
  test(
    name,
    async () => {
      const end = performance.now() + soakMs;
      for (let seed = Number(SOAK_SEED ?? randomInt(2 ** 31)); ; seed++) {
        const path = SOAK_PATH ? { path: SOAK_PATH, endOnFailure: true } : {};
        // Before Jest's own limit, which would lose the seed.
        const limit = { interruptAfterTimeLimit: 110_000, markInterruptAsFailure: true };
        const details = await fc.check(fc.asyncProperty(values, predicate), { seed, numRuns: runs, ...limit, ...path });
        if (details.failed) {
          const again = `--seed ${seed} --path ${details.counterexamplePath ?? ""} --property ${JSON.stringify(name)}`;
          const text = `${fc.defaultReportMessage(details) ?? ""}\nrepeat: npm run test:soak -- ${again}`;
          throw new Error(`${text}\n${String(details.errorInstance)}`, { cause: details.errorInstance });
        }
        if (SOAK_PATH || performance.now() >= end) break;
      }
    },
    soakMs + 120_000,
  );
}
