import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

// This file and its imports run on any Node on PATH, also on one that is too old for the project.

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = [22, 19];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const PARENT_POLL_MS = 500;

function readLock(file) {
  const name = path.join(root, file);
  return existsSync(name) ? JSON.parse(readFileSync(name, "utf8")).packages : undefined;
}

/** Whether node_modules matches package-lock.json, according to npm's own list of installed packages. */
function isInstalled() {
  const installed = readLock("node_modules/.package-lock.json");
  if (!installed) return false;
  return Object.entries(readLock("package-lock.json")).every(([folder, wanted]) => {
    if (folder === "") return true;
    const found = installed[folder];
    return found ? found.version === wanted.version : wanted.optional === true;
  });
}

/** The command that runs npm: the npm that started this process, if there is one. Yarn and pnpm have this variable too. */
function npmCommand() {
  const script = process.env.npm_execpath;
  return script && path.basename(script) === "npm-cli.js" ? [process.execPath, script] : ["npm"];
}

/** Runs npm in the project's root. */
export function npm(args, options) {
  const [command, ...before] = npmCommand();
  return run(command, [...before, ...args], { cwd: root, ...options });
}

/**
 * Installs the project's dependencies if they are missing.
 *
 * @throws {Error} with the end of npm's output.
 */
async function install({ log, signal }) {
  if (isInstalled()) return "already installed";
  log.update("npm ci");
  const { code, tail } = await npm(["ci"], { signal, killSignal: "SIGINT" });
  if (code !== 0) throw new Error(`npm ci failed:\n${tail}`);
  return "npm ci";
}

/** The Node to continue with: the project's own, or this one if that does not run here and this one is new enough. */
export function projectNode({ execPath, version } = process) {
  const own = path.join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(own) && spawnSync(own, ["--version"]).status === 0) return own;
  const [major, minor] = version.slice(1).split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return execPath;
  const why = existsSync(own)
    ? `, because ${own} does not run here: it is made for glibc, which Alpine does not have`
    : "";
  throw new Error(`Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${version}${why}`);
}

/** The lists of hosts without a proxy, with this machine: the engine and its programs talk to each other there. */
export function withoutProxy({ NO_PROXY, no_proxy, no_grpc_proxy }) {
  const list = (...given) => [given.find(Boolean) ?? [], "localhost", "127.0.0.1", "::1"].flat().join(",");
  return {
    NO_PROXY: list(NO_PROXY, no_proxy),
    no_proxy: list(no_proxy, NO_PROXY),
    no_grpc_proxy: list(no_grpc_proxy, no_proxy, NO_PROXY),
  };
}

/** The environment of everything that the project runs, with its own Node and tools first on PATH. */
function projectEnv(node) {
  const folders = [path.dirname(node), path.join(root, "node_modules", ".bin"), process.env.PATH];
  return { ...process.env, ...withoutProxy(process.env), PATH: folders.join(path.delimiter) };
}

/**
 * Calls back on each signal, and when the parent has ended. npm runs a script through a shell, and a signal to npm
 * alone ends both without informing the script.
 *
 * @param {(signal: NodeJS.Signals) => void} callback
 * @returns {() => void} stops it
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
 * Runs a script on the project's Node and returns its exit code. The script has its own process group, because a
 * terminal sends Ctrl-C to a whole group: each signal reaches it once, from here. It also ends when this process ends,
 * which closes the channel between them.
 */
function continueOn(node, script, args, onTakeOver) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [path.join(root, script), ...args], {
      cwd: root,
      env: projectEnv(node),
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      detached: true,
    });
    const end = onStop((signal) => child.kill(signal));
    child.on("message", onTakeOver);
    child.once("error", reject);
    child.once("close", (code) => {
      end();
      resolve(code ?? 1);
    });
  });
}

/** Installs, reports it, and runs the rest of a command on the project's Node. Returns the exit code. */
export async function bootstrap({ log, script, args, installed }) {
  const interrupt = new AbortController();
  const end = onStop(() => interrupt.abort());
  const ahead = new AbortController();
  interrupt.signal.addEventListener("abort", () => ahead.abort());
  try {
    if (!isInstalled()) void buildAhead(ahead.signal);
    installed(await install({ log, signal: interrupt.signal }));
    end();
    return await continueOn(projectNode(), script, args, () => ahead.abort());
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    log.line("stopped");
    return 130;
  } finally {
    end();
    ahead.abort();
  }
}

/**
 * A build of the engine needs nothing of the installation, so it begins beside it on a machine that will need one. Its errors are reported by
 * the build that follows, which goes on where this one was.
 */
async function buildAhead(signal) {
  try {
    const { buildIfNeeded } = await import("./engine/ahead.mjs");
    await buildIfNeeded({ env: process.env, signal });
  } catch {
    // This Node may be too old for it.
  }
}

/** For the script that `bootstrap` runs, before it builds the engine itself, or when it needs no build. */
export const takeOver = () => void process.send?.("take over");

/**
 * For the script that `bootstrap` runs: aborts on the first signal, or when the starter has ended. Later signals are
 * ignored.
 */
export function interruption() {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of SIGNALS) process.on(signal, abort);
  process.once("disconnect", abort);
  process.channel?.unref();
  return controller.signal;
}
