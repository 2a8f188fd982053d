/** Everything of `npm test` after the installation, on the project's own Node. See ../test.mjs. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { interruption, npm, root, takeOver } from "../bootstrap.mjs";
import { getEngine } from "../engine/index.mjs";
import { pack } from "../pack.mjs";
import { createProgress } from "../progress.mjs";
import { run } from "../run.mjs";
import { runJest } from "./jest.mjs";
import { enterSurroundings, leftovers } from "./surroundings.mjs";

const folder = path.join(root, ".voiceplane", "test");
const log = createProgress(process.stdout);
const signal = interruption();

/** Fails with a program's output unless the program succeeds. */
async function command(name, args, env = {}) {
  const { code, tail } = await run(name, args, { cwd: root, env: { ...process.env, ...env }, signal });
  if (code !== 0) throw new Error(tail);
}

async function script(name) {
  const { code, tail } = await npm(["run", name], { signal });
  if (code !== 0) throw new Error(tail);
}

/** Environment variables for the tests with the real engine, set by the checks before them. */
const testEnv = {};

/** In this order. The tests start after them. A failed check does not stop the others, so that one run shows all failures. */
const checksBefore = {
  build: () => script("build"),
  engine: async () => {
    testEnv.VOICEPLANE_ENGINE = (await getEngine({ log, signal, yaml: true, onBuild: takeOver })).dir;
    takeOver();
  },
  pack: async () => {
    testEnv.VOICEPLANE_TARBALL = await pack(path.join(folder, "package"), signal);
  },
};

/** These run beside the tests. Their lines are printed after those of the tests. */
const checksBeside = {
  types: () => script("typecheck"),
  "package, as npm sees it": () => command("publint", ["run", testEnv.VOICEPLANE_TARBALL ?? "no package"]),
  "package, as TypeScript sees it": () => command("attw", [testEnv.VOICEPLANE_TARBALL ?? "no package"]),
};

/** `npm run test:all` runs these after the tests. The linter reads all types, which takes a minute where it has no cache. */
const checksAfter = {
  lint: () => script("lint"),
  soak: () => command(process.execPath, ["tools/soak.mjs", "--minutes", "1"], testEnv),
};

/** Runs a check to its end. Returns whether it is `ok`, and the line for the log. */
async function outcomeOf(name, check) {
  const started = performance.now();
  try {
    await check();
    return { ok: true, line: `ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)` };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, line: `FAILED  ${name}\n${error.message}\n` };
  }
}

/**
 * The runs of jest with their arguments. The folder of a test is its tier: `npm test` leaves the campaigns out, and `npm run test:all`
 * runs them after the others.
 */
function tiersOf([first, ...rest]) {
  const everyday = ["everyday", ["--testPathIgnorePatterns", "/node_modules/", "/test/campaigns/"]];
  if (first === undefined) return [everyday];
  return first === "--all" ? [everyday, ["campaigns", ["test/campaigns", ...rest]]] : [["chosen", [first, ...rest]]];
}

function requireNoLeftovers(surroundings) {
  const files = leftovers(surroundings);
  if (files.length > 0) throw new Error(`Tests have left these files:\n${files.map((file) => `  ${file}`).join("\n")}`);
}

async function main() {
  await mkdir(folder, { recursive: true });
  const counts = { passed: 1, failed: 0, skipped: 0 }; // the installation, which has succeeded
  const record = ({ ok, line }) => {
    log.line(line);
    counts[ok ? "passed" : "failed"] += 1;
  };

  const inOrder = async (checks) => {
    for (const [name, check] of Object.entries(checks)) {
      log.update(name);
      record(await outcomeOf(name, check));
    }
  };
  const jest = async () => {
    for (const [name, args] of tiersOf(process.argv.slice(2))) {
      const report = path.join(folder, `${name}.json`);
      const tests = await runJest({ args, report, env: testEnv, root, signal });
      for (const each of Object.keys(counts)) counts[each] += tests[each];
    }
  };

  await inOrder(checksBefore);
  const beside = Object.entries(checksBeside).map(([name, check]) => outcomeOf(name, check));
  const [, ...outcomes] = await Promise.all([jest(), ...beside]);
  outcomes.forEach(record);
  if (process.argv[2] === "--all") await inOrder(checksAfter);
  record(await outcomeOf("no test leaves a file", () => requireNoLeftovers(process.env.VOICEPLANE_SURROUNDINGS)));

  log.line(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed === 0 ? 0 : 1;
}

const removeSurroundings = await enterSurroundings();
try {
  await main();
} catch (error) {
  log.line(signal.aborted ? "stopped" : error.message);
  process.exitCode = signal.aborted ? 130 : 1;
} finally {
  removeSurroundings();
}
