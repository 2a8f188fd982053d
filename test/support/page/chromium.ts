import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { temporaryFolder } from "../folders";
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

/** On a busy machine the browser is ended before it has removed its lock. So that lies in a folder that goes with the run. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const folder = join(process.env.VOICEPLANE_SURROUNDINGS ?? temporaryFolder(), "browser");
  mkdirSync(folder, { recursive: true });
  const env = { ...(process.env as Record<string, string>), TMPDIR: folder };
  return chromium.launch({ executablePath, env, args: ["--disable-quic"] });
}
