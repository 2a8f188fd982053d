import { spawn } from "node:child_process";

/** After one SIGINT the engine finishes its current calls. The client's deadline limits how long that takes. */
const FINISH_MS = 90_000;
const TERMINATE_MS = 10_000;

/**
 * Runs a command of the engine, or one that runs it, and shows its output.
 *
 * On abort it gets one SIGINT, so that the engine saves its current operations. If it does not end, it gets a second
 * one, on which it stops (and ends its plugins), and is finally killed.
 *
 * @returns {Promise<number | null>} the exit code. null after a kill.
 */
export function runEngine(command, args, { cwd, env, signal, quiet = false }) {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const output = quiet ? "ignore" : "inherit";
    // In a group of its own it does not get the terminal's signals too: the second one would stop it at once.
    const detached = process.platform !== "win32";
    const child = spawn(command, args, { cwd, env, detached, stdio: ["ignore", output, "inherit"] });
    const timers = [];
    const interrupt = () => {
      // On Windows this would end it at once. There, it gets the terminal's Ctrl-C itself.
      if (process.platform !== "win32") child.kill("SIGINT");
      timers.push(setTimeout(() => child.kill("SIGINT"), FINISH_MS));
      timers.push(setTimeout(() => child.kill("SIGKILL"), FINISH_MS + TERMINATE_MS));
    };
    const settle = () => {
      signal.removeEventListener("abort", interrupt);
      for (const timer of timers) clearTimeout(timer);
    };
    signal.addEventListener("abort", interrupt, { once: true });
    child.once("error", (error) => {
      settle();
      reject(error);
    });
    child.once("close", (code) => {
      settle();
      resolve(code);
    });
  });
}
