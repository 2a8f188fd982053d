// Measures one command: its time, and CPU and memory of all its processes.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const sampleMs = 100;

/**
 * @typedef {object} Figures
 * @property {number} wall seconds
 * @property {number} cpu seconds of all processes
 * @property {number | undefined} memory MiB that all processes had resident together, at most; undefined without /proc
 */

/** @returns {Promise<Figures>} */
export async function measure(command, cwd, env) {
  const timed = `TIMEFORMAT="took %R %U %S"; time ${command}`;
  let memory;
  const sample = (pid) => {
    const now = memoryOfTree(pid);
    if (now !== undefined) memory = Math.max(memory ?? 0, now);
  };
  const { stderr } = await bash(timed, cwd, env, sample);
  const [wall, user, system] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr).slice(1).map(Number);
  return { wall, cpu: user + system, memory };
}

/**
 * @param {(pid: number) => void} [sample] is called again and again while the command runs
 * @throws {Error} with its output if the command fails
 */
export async function bash(command, cwd, env, sample = () => undefined) {
  const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const sampling = setInterval(() => sample(child.pid), sampleMs);
  const closed = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${stdout}${stderr}`);
  return { stdout, stderr };
}

/** Resident memory of a process and its descendants, MiB; undefined without /proc. A process that ends meanwhile counts as 0. */
function memoryOfTree(pid) {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    // A process of Go starts others from any of its threads.
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
    );
    return children.reduce((sum, child) => sum + (memoryOfTree(Number(child)) ?? 0), (pages * 4096) / 2 ** 20);
  } catch {
    return undefined;
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
