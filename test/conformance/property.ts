/**
 * Properties that run two ways: a bounded number of times, the same ones every time, with the other tests; and for as long
 * as asked, with fresh seeds, in `npm run test:soak`, which also repeats one run by its seed and path.
 */
import { appendFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import fc from "fast-check";

/** Told by tools/soak.mjs; nothing of it is set in an ordinary run. */
const { SOAK_SEED, SOAK_MS, SOAK_PATH, SOAK_REPORT } = process.env;

/** Why an ordinary run has a fixed seed: the same code must pass or fail, whoever runs it. */
const ordinarySeed = 20_261_121;

/** What the soak adds up: a line of JSON for each property. */
interface Report {
  property: string;
  /** The folder of the test, which tells what was tried. */
  suite: string;
  runs: number;
  /** Answers other than a whole success that servers gave, and everything else that was made to go wrong. */
  faults: number;
  /** The counterexample; undefined where the property held. */
  violation?: { seed: number; path: string | null; text: string };
}

let faults = 0;

/** To be called by whatever makes something go wrong. */
export function countFault(): void {
  faults++;
}

/**
 * A test that `predicate` throws for no value.
 * @param runs of an ordinary run, and of each round of a soak
 * @param turns of a round of a soak that this property gets. Default: 1
 * @param endOnFailure whether to leave a counterexample as it is: for values that take long to try. Default: it is made
 *   small
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
