import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

// This file and what it imports run on whatever Node is on PATH, also on one that the project itself is too new for.

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = [22, 19];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_POLL_MS = 500;

function readLock(file) {
  const name = path.join(root, file);
  return existsSync(name) ? JSON.parse(readFileSync(name, "utf8")).packages : undefined;
}

/** Whether node_modules holds what package-lock.json says; npm keeps a list of what it has installed. */
function isInstalled() {
  const installed = readLock("node_modules/.package-lock.json");
  if (!installed) return false;
  return Object.entries(readLock("package-lock.json")).every(([folder, wanted]) => {
    if (folder === "") return true;
    const found = installed[folder];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/** npm, as a command and the arguments before its own: the npm that runs us, if one does. */
function npmCommand() {
  const script = process.env.npm_execpath;
  return script?.endsWith(".js") ? [process.execPath, script] : ["npm"];
}

/** Runs npm in the project's root. */
export function npm(args, options) {
  const [command, ...before] = npmCommand();
  return run(command, [...before, ...args], { cwd: root, ...options });
}

/**
 * Installs the project's dependencies unless they are there.
 *
 * @throws {Error} with the end of npm's output.
 */
async function install({ log, signal }) {
  if (isInstalled()) return "already there";
  log.update("npm ci");
  const { code, tail } = await npm(["ci"], { signal, killSignal: "SIGINT" });
  if (code !== 0) throw new Error(`npm ci failed:\n${tail}`);
  return "npm ci";
}

/** The Node to go on with: the one that the project has installed for itself, or this one if it is new enough. */
function projectNode() {
  const own = path.join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(own)) return own;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath;
  throw new Error(`Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.version}`);
}

/** The environment for everything that the project runs: its own Node and tools first on PATH. */
function projectEnv(node) {
  const folders = [path.dirname(node), path.join(root, "node_modules", ".bin"), process.env.PATH];
  return { ...process.env, PATH: folders.join(path.delimiter) };
}

/**
 * Calls back on each signal, and when the parent is gone: npm runs a script by a shell, and a signal for npm alone ends the
 * two without a word to the script.
 *
 * @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} ends it
 */
function onStop(callback) {
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    callback("SIGTERM");
  }, PARENT_POLL_MS).unref();
  for (const signal of SIGNALS) process.on(signal, callback);
  return () => {
    clearInterval(poll);
    for (const signal of SIGNALS) process.off(signal, callback);
  };
}

/**
 * Runs a script on the project's Node and gives its exit code. The script is a process group of its own, since a
 * terminal sends Ctrl-C to a whole group: so each signal reaches it once, from here. It ends too when this process is gone,
 * which closes the channel between them.
 */
function continueOn(node, script, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [path.join(root, script), ...args], {
      cwd: root,
      env: projectEnv(node),
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      detached: true,
    });
    const end = onStop((signal) => child.kill(signal));
    child.once("error", reject);
    child.once("close", (code) => {
      end();
      resolve(code ?? 1);
    });
  });
}

/** Installs, says so, and runs the rest of a command on the project's Node. The result is the exit code. */
export async function bootstrap({ log, script, args, installed }) {
  const interrupt = new AbortController();
  const end = onStop(() => interrupt.abort());
  try {
    installed(await install({ log, signal: interrupt.signal }));
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    log.line("stopped");
    return 130;
  } finally {
    end();
  }
  return continueOn(projectNode(), script, args);
}

/** For the script that `bootstrap` runs: aborts on the first signal, or when the starter is gone; later ones are nothing. */
export function interruption() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of SIGNALS) process.on(signal, abort);
  process.once("disconnect", abort);
  process.channel?.unref();
  return controller.signal;
}
