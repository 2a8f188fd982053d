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

const folder = path.join(root, ".voiceplane", "test");
const log = createProgress(process.stdout);
const signal = interruption();

/** Fails with what a program has said unless it ends well. */
async function command(name, ...args) {
  const { code, tail } = await run(name, args, { cwd: root, signal });
  if (code !== 0) throw new Error(tail);
}

async function script(name) {
  const { code, tail } = await npm(["run", name], { signal });
  if (code !== 0) throw new Error(tail);
}

/** What the tests of the real engine are told; filled by the checks before them. */
const testEnv = {};

/** In this order. A failure ends none of the others: one run shows all that is wrong. */
const checks = {
  types: () => script("typecheck"),
  lint: () => command("eslint", "."),
  format: () => command("prettier", "--check", "."),
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

async function runCheck(name, check) {
  log.update(name);
  const started = performance.now();
  try {
    await check();
    log.line(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    log.line(`FAILED  ${name}\n${error.message}\n`);
    return false;
  }
}

async function main() {
  await mkdir(folder, { recursive: true });
  let passed = 1; // the installation, without which nothing gets here
  let failed = 0;
  for (const [name, check] of Object.entries(checks)) {
    if (await runCheck(name, check)) passed += 1;
    else failed += 1;
  }
  const tests = await runJest({
    args: process.argv.slice(2),
    report: path.join(folder, "jest.json"),
    env: testEnv,
    root,
    signal,
  });
  passed += tests.passed;
  failed += tests.failed;
  log.line(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

try {
  await main();
} catch (error) {
  log.line(signal.aborted ? "stopped" : error.message);
  process.exitCode = signal.aborted ? 130 : 1;
}
