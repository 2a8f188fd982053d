/**
 * `npm test`: installs, checks, builds, gets an engine and runs the tests, without any other setup.
 *
 *     npm test                      everything that a change should pass before it is committed
 *     npm run test:all              that, then the campaigns: faults, pipelines, rare layouts, the linter, and a minute of soak
 *     npm test -- test/unit/client  the checks, and the tests that match
 */
import process from "node:process";
import { bootstrap } from "./bootstrap.mjs";
import { createProgress } from "./progress.mjs";

const log = createProgress(process.stdout);
try {
  process.exitCode = await bootstrap({
    log,
    script: "tools/test/index.mjs",
    args: process.argv.slice(2),
    installed: (how) => log.line(`ok      install (${how})`),
  });
} catch (error) {
  log.line(`FAILED  install\n${error.message}`);
  log.line("0 passed, 1 failed, 0 skipped");
  process.exitCode = 1;
}
