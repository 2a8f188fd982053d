/**
 * Prints the path of a browser for the tests and pictures of the control plane's page: the file in CHROMIUM, or else
 * the browser of the development dependencies, or else an installed Chrome or Chromium.
 *
 *     CHROMIUM="$(node tools/chromium.mjs)"
 *
 * Without a browser, it exits with 1 and says what to do.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { cached } from "./engine/cache.mjs";
import { printFound } from "./progress.mjs";
import { isMain, run } from "./run.mjs";

const packageFolder = path.resolve(import.meta.dirname, "../node_modules/@sparticuz/chromium");

/** Where systems install it. */
const installed = [
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Starts the browser with its own libraries and fonts, so that it draws the same on every machine. */
const launcher = `#!/bin/sh
folder="$(dirname "$(realpath "$0")")"
export LD_LIBRARY_PATH="$folder/al2023/lib" FONTCONFIG_FILE="$folder/fonts.conf"
exec "$folder/chromium" "$@"
`;

const fontsConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

async function unpack(folder, log) {
  log.update("unpacking a browser");
  const { default: chromium, inflate } = await import("@sparticuz/chromium");
  const outside = process.env.TMPDIR;
  process.env.TMPDIR = folder; // The package has no other way to set the folder.
  try {
    await chromium.executablePath();
    await inflate(path.join(packageFolder, "bin/al2023.tar.br"));
  } finally {
    if (outside === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outside;
  }
  await writeFile(path.join(folder, "fonts.conf"), fontsConfiguration);
  await writeFile(path.join(folder, "chrome"), launcher, { mode: 0o755 });
  const { code, tail } = await run(path.join(folder, "chrome"), ["--version"]);
  if (code !== 0) throw new Error(`the browser of @sparticuz/chromium does not start here:\n${tail}`);
}

/** The browser of the development dependencies, for Linux on x64 only. It is unpacked once, next to the engines. */
async function packagedBrowser(log) {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, "package.json"), "utf8"));
  return path.join(
    await cached(`chromium-${version}`, { env: process.env }, (folder) => unpack(folder, log)),
    "chrome",
  );
}

/**
 * @param {object} log
 * @returns {Promise<string>} the browser's path
 * @throws {Error} that says what to do, if there is none
 */
export async function findChromium(log) {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) {
    if (!existsSync(CHROMIUM)) throw new Error("CHROMIUM names no file");
    return CHROMIUM;
  }
  let reason = "";
  try {
    const packaged = await packagedBrowser(log);
    if (packaged) return packaged;
  } catch (error) {
    reason = `${error.message}\n`;
  }
  const found = installed.find(existsSync);
  if (found === undefined) throw new Error(`${reason}install Chrome or Chromium, or name one by CHROMIUM`);
  return found;
}

if (isMain(import.meta.url)) await printFound(findChromium);
