// The machine that a benchmark runs on. Other load changes ratios too: the contenders do not lose the same share of their time.
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import process from "node:process";

const mostLoad = 1.5;

export function describeMachine() {
  return {
    date: new Date().toISOString(),
    node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    load: loadavg()[0],
  };
}

/** @throws {Error} on a busy machine, unless `--force` is on the command line */
export function requireQuietMachine(args = process.argv) {
  const load = loadavg()[0];
  console.log(`load of the last minute: ${load.toFixed(2)}`);
  if (load <= mostLoad || args.includes("--force")) return;
  throw new Error(`a load above ${mostLoad} makes the figures wrong: wait until the machine is quiet, or add --force`);
}
