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
  const child = spawn("bash", ["-c", timed], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let memory;
  const sampling = setInterval(() => {
    const now = memoryOfTree(child.pid);
    if (now !== undefined) memory = Math.max(memory ?? 0, now);
  }, sampleMs);
  const closed = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  clearInterval(sampling);
  const times = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(stderr);
  if (code !== 0 || !times) throw new Error(`${command} ended with ${code}:\n${stdout}${stderr}`);
  const [wall, user, system] = times.slice(1).map(Number);
  return { wall, cpu: user + system, memory };
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
