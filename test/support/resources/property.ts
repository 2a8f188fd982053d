/**
 * Properties that run in two ways: a fixed number of times with a fixed seed together with the other tests, and with
 * new seeds for as long as asked in `npm run test:soak`, which can also repeat one run by its seed and path.
 */
import { appendFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import fc, { ordinarySeed } from "../properties";

/** Set by tools/soak.mjs. An ordinary run sets none of it. */
const { SOAK_SEED, SOAK_MS, SOAK_PATH, SOAK_REPORT } = process.env;

/** The soak's result for one property, written as a line of JSON. */
interface Report {
  property: string;
  /** The folder of the test. */
  suite: string;
  runs: number;
  /** Faults that were injected: answers other than a complete success, and everything else that goes wrong. */
  faults: number;
  /** The counterexample. undefined if the property held. */
  violation?: { seed: number; path: string | null; text: string };
}

let faults = 0;

/** Call it for every injected fault. */
export function countFault(): void {
  faults++;
}

/**
 * A test that fails if `predicate` throws for any value.
 * @param runs of an ordinary run, and of each round of a soak
 * @param turns of this property in a round of a soak. Default: 1
 * @param endOnFailure whether to report a counterexample without shrinking it, for values that take long to test.
 * Default: it is shrunk
 */
export function property<T>(
  name: string,
  values: fc.Arbitrary<T>,
  predicate: (value: T) => Promise<void>,
  runs: number,
  { endOnFailure = false, turns = 1 } = {},
): void {
  const soakMs = Number(SOAK_MS ?? 0) * turns;
  test(
    name,
    async () => {
      faults = 0;
      const suite = basename(dirname(expect.getState().testPath ?? ""));
      const line: Report = { property: name, suite, runs: 0, faults: 0 };
      const end = performance.now() + soakMs;
      for (let seed = Number(SOAK_SEED ?? ordinarySeed); ; seed++) {
        const path = SOAK_PATH ? { path: SOAK_PATH, endOnFailure: true } : { endOnFailure };
        const details = await fc.check(fc.asyncProperty(values, predicate), { seed, numRuns: runs, ...path });
        line.runs += details.numRuns;
        line.faults = faults;
        if (details.failed) {
          const text = `${fc.defaultReportMessage(details) ?? ""}\n${String(details.errorInstance)}`;
          report({ ...line, violation: { seed, path: details.counterexamplePath, text } });
          throw new Error(text, { cause: details.errorInstance });
        }
        if (SOAK_PATH || performance.now() >= end) break;
      }
      report(line);
    },
    soakMs + 120_000,
  );
}

function report(line: Report): void {
  if (SOAK_REPORT) appendFileSync(SOAK_REPORT, `${JSON.stringify(line)}\n`);
}
