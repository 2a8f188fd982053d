/** Everything of `npm test` after the installation, on the project's own Node. See ../test.mjs. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { interruption, npm, root } from "../bootstrap.mjs";
import { getEngine } from "../engine/index.mjs";
import { pack } from "../pack.mjs";
import { createProgress } from "../progress.mjs";
import { run } from "../run.mjs";
import { runJest } from "./jest.mjs";
import { enterSurroundings } from "./surroundings.mjs";

const folder = path.join(root, ".voiceplane", "test");
const log = createProgress(process.stdout);
const signal = interruption();

/** Fails with what a program has said unless it ends well. */
async function commandWith(extraEnv, name, ...args) {
  const { code, tail } = await run(name, args, { cwd: root, env: { ...process.env, ...extraEnv }, signal });
  if (code !== 0) throw new Error(tail);
}

const command = (name, ...args) => commandWith({}, name, ...args);

async function script(name) {
  const { code, tail } = await npm(["run", name], { signal });
  if (code !== 0) throw new Error(tail);
}

/** What the tests of the real engine are told; filled by the checks before them. */
const testEnv = {};

/** A failure ends none of the others: one run shows all that is wrong. */
const ofTheSources = {
  types: () => script("typecheck"),
  format: () => command("prettier", "--check", "."),
};

/** In this order, which the tests wait for. */
const ofThePackage = {
  build: () => script("build"),
  engine: async () => {
    testEnv.VOICEPLANE_ENGINE = (await getEngine({ log, signal })).dir;
  },
  pack: async () => {
    testEnv.VOICEPLANE_TARBALL = await pack(path.join(folder, "package"), signal);
  },
  "package, as npm sees it": () => command("publint", "run", testEnv.VOICEPLANE_TARBALL ?? "no package"),
  "package, as TypeScript sees it": () =>
    // "node16" is how Node and bundlers find the types; the older way knows no `exports` at all.
    command("attw", "--profile", "node16", testEnv.VOICEPLANE_TARBALL ?? "no package"),
};

/** Runs a check to its end. The result tells it: `ok` or not, and the line for the log. */
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

async function main() {
  await mkdir(folder, { recursive: true });
  const counts = { passed: 1, failed: 0, skipped: 0 }; // the installation, without which nothing gets here
  const tell = ({ ok, line }) => {
    log.line(line);
    counts[ok ? "passed" : "failed"] += 1;
  };

  const inTurn = async (checks) => {
    for (const [name, check] of Object.entries(checks)) {
      log.update(name);
      tell(await outcomeOf(name, check));
    }
  };

  // It takes longest, and nothing waits for it: it goes on beside the tests.
  // With more room for what is young, less of its time goes into collecting garbage.
  const lint = outcomeOf("lint", () => commandWith({ NODE_OPTIONS: "--max-semi-space-size=64" }, "eslint", "."));
  lint.catch(() => {}); // An interruption, which the others tell.
  await Promise.all([inTurn(ofTheSources), inTurn(ofThePackage)]);
  const report = path.join(folder, "jest.json");
  const tests = await runJest({ args: process.argv.slice(2), report, env: testEnv, root, signal });
  tell(await lint);

  for (const name of Object.keys(counts)) counts[name] += tests[name];
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
