/**
 * Prints the path of `promtool` for the tests of alert rules: this machine's, or else that of Debian's package `prometheus`, which
 * is unpacked next to the engines. Nothing is installed.
 *
 *     node tools/promtool.mjs
 */
import { readdir } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { cached, exists } from "./engine/cache.mjs";
import { createProgress } from "./progress.mjs";
import { isMain, run } from "./run.mjs";

async function unpack(folder) {
  const steps = [
    ["apt-get", ["download", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20", "prometheus"]],
    ["dpkg-deb", (files) => ["--extract", ...files.filter((file) => file.endsWith(".deb")), folder]],
  ];
  for (const [command, args] of steps) {
    const given = typeof args === "function" ? args(await readdir(folder)) : args;
    const { code, tail } = await run(command, given, { cwd: folder, timeout: 120_000 });
    if (code !== 0) throw new Error(tail);
  }
}

/** @returns {Promise<string>} the path of promtool */
export async function findPromtool({ log, env = process.env }) {
  for (const folder of (env.PATH ?? "").split(path.delimiter)) {
    if (await exists(path.join(folder, "promtool"))) return path.join(folder, "promtool");
  }
  log.update("getting promtool");
  try {
    return path.join(await cached("promtool-debian", { env, log }, unpack), "usr/bin/promtool");
  } catch (error) {
    const problem = "there is no promtool, and Debian's package is not available here: install Prometheus";
    throw new Error(`${problem} (${error.message})`, { cause: error });
  }
}

if (isMain(import.meta.url)) {
  const log = createProgress(process.stderr);
  try {
    const file = await findPromtool({ log });
    log.stop();
    console.log(file);
  } catch (error) {
    log.line(error.message);
    process.exitCode = 1;
  }
}
