import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Chromium's path: CHROMIUM where that is set, else one of the usual places. A pipeline (CI=true) that runs as root on a
 * Debian gets it installed; nobody's own machine is changed.
 *
 * @returns undefined where there is none, which is then told on stderr: a skipped test is not to be overlooked
 * @throws Error where CHROMIUM names no file
 */
export function findChromium(): string | undefined {
  const { CHROMIUM, CI } = process.env;
  if (CHROMIUM !== undefined && CHROMIUM !== "") {
    if (!existsSync(CHROMIUM)) throw new Error("CHROMIUM names no file");
    return CHROMIUM;
  }
  const found = usual.find(existsSync);
  if (found !== undefined) return found;
  if (CI === "true" && process.getuid?.() === 0) install();
  const installed = usual.find(existsSync);
  if (installed === undefined) {
    process.stderr.write(
      "SKIPPED: the tests of the page in a browser, for want of Chromium: apt-get install chromium, or set CHROMIUM\n",
    );
  }
  return installed;
}

/** Where this fails, as on another system or without a network, the caller finds no browser. */
function install(): void {
  const options = { timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  spawnSync("apt-get", ["update"], options);
  spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"], options);
}
