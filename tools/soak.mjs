/**
 * `npm run test:soak`: tests random servers and histories, some with the real engine, with new seeds for as long as
 * asked.
 *
 *     npm run test:soak -- --minutes 60                        default: 10
 *     npm run test:soak -- --seed 123 [--path 4:0] --property "one call rotates at most once …"
 *                                                               repeats a violation; a part of the name is enough
 *
 * Prints the runs, the injected faults and the violations. Exits with 1 after a violation.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { npm } from "./bootstrap.mjs";
import { getEngine } from "./engine/index.mjs";
import { pack } from "./pack.mjs";
import { createProgress } from "./progress.mjs";

const root = path.resolve(import.meta.dirname, "..");

/** Time for one property in one round, in ms. Short enough that all properties have a turn within about two minutes. */
const turnMs = 4_000;

/** The folders of the properties, and what one run of them tests. */
const suites = {
  conformance: "generated servers",
  "rotation-model": "histories of a webhook",
  faults: "histories with the real engine",
};
const tests = [
  "test/unit/resources/conformance",
  "test/unit/resources/rotation-model",
  "test/campaigns/faults/histories",
];

function options() {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string" },
      path: { type: "string" },
      property: { type: "string" },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error("--minutes takes a number above 0");
  if (values.seed !== undefined && !Number.isSafeInteger(Number(values.seed))) throw new Error("--seed takes a number");
  if (values.path !== undefined && values.seed === undefined) throw new Error("--path needs --seed");
  return { ...values, minutes };
}

/** Jest selects tests by a regular expression. */
function pick(property) {
  return property === undefined ? [] : ["-t", property.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")];
}

/**
 * Runs every property for one turn.
 *
 * @returns {Promise<{code: number | null, lines: {property: string, runs: number, faults: number, violation?:
 * object}[],
 *   output: string}>} `output` is for a failure outside of the properties.
 */
async function round({ seed, path: repeat, property }, ms, folder) {
  const report = path.join(folder, "report.jsonl");
  await rm(report, { force: true });
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const child = spawn(process.execPath, [jest, "--runInBand", ...tests, ...pick(property)], {
    cwd: root,
    env: {
      ...process.env,
      SOAK_SEED: String(seed),
      SOAK_MS: String(ms),
      SOAK_REPORT: report,
      ...(repeat !== undefined && { SOAK_PATH: repeat }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const output = [];
  child.stderr.on("data", (chunk) => output.push(chunk));
  const [code] = await once(child, "close");
  const text = await readFile(report, "utf8").catch(() => "");
  return { code, lines: text.split("\n").filter(Boolean).map(JSON.parse), output: Buffer.concat(output).toString() };
}

function repeatCommand({ property, violation }) {
  const at = violation.path === null ? "" : ` --path ${violation.path}`;
  return `npm run test:soak -- --seed ${violation.seed}${at} --property ${JSON.stringify(property)}`;
}

function sum(totals, lines) {
  for (const { suite, runs, faults, violation } of lines) {
    totals.runs += runs;
    totals.of[suite] = (totals.of[suite] ?? 0) + runs;
    totals.faults += faults;
    if (violation) totals.violations += 1;
  }
}

/** The tests with the real engine need an engine and a package. */
async function prepare(folder) {
  const { code, tail } = await npm(["run", "build"]);
  if (code !== 0) throw new Error(tail);
  process.env.VOICEPLANE_TARBALL = await pack(path.join(folder, "package"));
  process.env.VOICEPLANE_ENGINE = (await getEngine({ log: createProgress(process.stdout) })).dir;
}

async function main() {
  const requested = options();
  const folder = await mkdtemp(path.join(tmpdir(), "voiceplane-soak-"));
  const totals = { runs: 0, of: {}, faults: 0, violations: 0 };
  const started = performance.now();
  const end = started + requested.minutes * 60_000;
  try {
    await prepare(folder);
    do {
      const seed = requested.seed ?? Math.floor(Math.random() * 2 ** 31);
      const ms = requested.seed === undefined ? turnMs : 0;
      const { code, lines, output } = await round({ ...requested, seed }, ms, folder);
      if (code === 0 && lines.length === 0) {
        // Jest passes if no test is selected.
        throw new Error(requested.property ? "no property's name contains this text" : `no property ran:\n${output}`);
      }
      sum(totals, lines);
      const minutes = ((performance.now() - started) / 60_000).toFixed(1);
      console.log(
        `${minutes} min  seed ${seed}: ${totals.runs} runs, ${totals.faults} faults, ${totals.violations} violations`,
      );
      for (const line of lines.filter(({ violation }) => violation)) {
        console.log(`\nVIOLATION  ${line.property}\n${line.violation.text}\nrepeat: ${repeatCommand(line)}\n`);
      }
      if (code !== 0 && totals.violations === 0)
        throw new Error(`the tests failed outside of the properties:\n${output}`);
    } while (totals.violations === 0 && requested.seed === undefined && performance.now() < end);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const [suite, runs] of Object.entries(totals.of)) console.log(`${runs} ${suites[suite]}`);
  console.log(`done: ${totals.runs} runs, ${totals.faults} faults injected, ${totals.violations} violations`);
  process.exitCode = totals.violations > 0 ? 1 : 0;
}

try {
  await main();
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}
