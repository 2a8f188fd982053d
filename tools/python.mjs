/**
 * Prints the Python of a virtual environment with what a requirements.txt names. It is made once, with `python3 -m venv` and pip, next
 * to the engines.
 *
 *     node tools/python.mjs examples/python/requirements.txt
 *
 * Exits with 2 where Python or its package index is missing, and with 1 where pip fails for another reason.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { cached } from "./engine/cache.mjs";
import { printFound } from "./progress.mjs";
import { run } from "./run.mjs";

/** What the SDK needs. */
const OLDEST_PYTHON = [3, 10];

/** What pip says where it gets nothing from the index. It would list versions that do not fit. */
const noIndex = /\(from versions: none\)|connection broken by/;

/** The machine lacks something that is not the project's. */
class NoPythonError extends Error {}

/** @returns {Promise<{version: string, prefix: string}>} of python3 on PATH, with the modules that make an environment. */
async function findPython() {
  const script = "import ensurepip, platform, sys, venv; print(platform.python_version(), sys.base_prefix)";
  const { code, stdout, tail } = await run("python3", ["-c", script]).catch(({ message }) => ({ tail: message }));
  if (code !== 0) throw new NoPythonError(tail.split("\n").at(-1));
  const [, version, prefix] = /^(\S+) (.*)$/.exec(stdout);
  const [major, minor] = version.split(".").map(Number);
  if (major !== OLDEST_PYTHON[0] || minor < OLDEST_PYTHON[1]) {
    throw new NoPythonError(`python3 is ${version}, ${OLDEST_PYTHON.join(".")} is needed`);
  }
  return { version, prefix };
}

async function install(folder, requirements, log) {
  log.update("making a Python environment");
  const made = await run("python3", ["-m", "venv", folder]);
  if (made.code !== 0) throw new NoPythonError(`python3 -m venv fails:\n${made.tail}`);
  const options = ["--no-input", "--disable-pip-version-check", "--retries", "1"];
  const { code, tail } = await run(pythonIn(folder), ["-m", "pip", "install", ...options, "-r", requirements]);
  if (code === 0) return;
  throw noIndex.test(tail) ? new NoPythonError("pip does not reach a package index") : new Error(tail);
}

const pythonIn = (folder) =>
  process.platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");

/** The path of Python. The environment has the versions that were the newest when it was made. */
async function pythonWith(requirements, log) {
  const { version, prefix } = await findPython();
  const key = hash("sha256", `${prefix}\n${await readFile(requirements, "utf8")}`).slice(0, 12);
  const name = `python-${version}-${process.platform}-${process.arch}-${key}`;
  return pythonIn(await cached(name, { env: process.env }, (folder) => install(folder, requirements, log)));
}

await printFound(
  (log) => pythonWith(process.argv[2], log),
  (error) => (error instanceof NoPythonError ? 2 : 1),
);
