import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

/**
 * Counts a report of `jest --json`. A file that could not be loaded counts as one failed test, and so does a run
 * without any test. Skipped are the tests that jest calls pending or todo.
 *
 * @returns {{passed: number, failed: number, skipped: number}}
 */
export function countTests(report) {
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed, failed: passed + failed === 0 ? 1 : failed, skipped };
}

/**
 * Runs jest once and shows its output.
 *
 * @param {object} options
 * @param {string[]} options.args
 * @param {string} options.report the file for jest's own count
 * @param {NodeJS.ProcessEnv} options.env
 * @param {string} options.root
 * @param {AbortSignal} options.signal
 * @returns {Promise<ReturnType<typeof countTests>>}
 */
export async function runJest({ args, report, env, root, signal }) {
  await rm(report, { force: true });
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const child = spawn(process.execPath, [jest, "--json", `--outputFile=${report}`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    // With --json, jest also prints the whole report on stdout.
    stdio: ["ignore", "ignore", "inherit"],
    signal,
    killSignal: "SIGINT",
  });
  child.once("error", () => {}); // an abort; "close" follows
  const [code] = await once(child, "close");
  signal.throwIfAborted();
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = countTests(JSON.parse(await readFile(report, "utf8")));
  // Jest may also fail without a failed test, for example because of an open handle.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
