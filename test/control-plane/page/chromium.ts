import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const script = resolve(__dirname, "../../../tools/chromium.mjs");

/**
 * A browser's path, as tools/chromium.mjs finds it.
 *
 * @returns undefined if there is none. A line on stderr then says that tests are skipped.
 * @throws Error if CHROMIUM names no file
 */
export function findChromium(): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  if (process.env.CHROMIUM) throw new Error(stderr.trim());
  process.stderr.write(`SKIPPED: the tests of the page in a browser: ${stderr}`);
  return undefined;
}
