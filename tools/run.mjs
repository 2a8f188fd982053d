import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const TAIL_LINES = 60;

/** Whether Node was started with this module, also by a path with a symbolic link in it. */
export function isMain(url) {
  const started = process.argv[1];
  return started !== undefined && existsSync(started) && realpathSync(started) === fileURLToPath(url);
}

/**
 * Runs a program to its end.
 *
 * @param {object} [options] as for `spawn`, and:
 * @param {(line: string) => void} [options.onLine] called for every line of its output as it arrives.
 * @param {number} [options.timeout] milliseconds after which it is killed. Default: none.
 * @param {boolean} [options.detached] it is killed together with the programs that it has started.
 * @returns {Promise<{code: number | null, stdout: string, tail: string}>} the exit code (null after a signal), all of
 *   stdout, and the last lines of both streams for an error message.
 * @throws {Error} if the program cannot be started.
 */
export function run(command, args, { onLine, timeout, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const kill = () => (options.detached ? process.kill(-child.pid, "SIGKILL") : child.kill(options.killSignal));
    if (options.detached) options.signal?.addEventListener("abort", kill);
    // The timer of spawn's own option outlives a program that cannot be started, and this process waits for it.
    const timer = timeout === undefined ? undefined : setTimeout(kill, timeout).unref();
    const out = [];
    const tail = [];
    const note = (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine?.(line);
    };
    createInterface(child.stdout).on("line", (line) => {
      out.push(line);
      note(line);
    });
    createInterface(child.stderr).on("line", note);
    child.once("error", (error) => reject(error.code === "ENOENT" ? missing(command, options.cwd) : error));
    child.once("close", (code) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", kill);
      resolve({ code, stdout: out.join("\n"), tail: tail.join("\n") });
    });
  });
}

/**
 * Node reports "spawn X ENOENT" for a missing program, a missing interpreter in a script's first line, and a missing
 * working folder.
 */
function missing(command, cwd) {
  if (cwd !== undefined && !existsSync(cwd)) return new Error(`there is no folder ${cwd} to run ${command} in`);
  const isName = path.basename(command) === command;
  return new Error(
    isName ? `${command} is not on PATH` : `${command}, or the interpreter that it needs, does not exist`,
  );
}
