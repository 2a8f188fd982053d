/**
 * Runs the Pulumi CLI detached, with its output in files. The CLI survives the death of this process: on pipes it would die by the
 * first write, and with it the answer to a rotation.
 */
import { spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../apply/errors.js";
import type { Environment } from "./environment.js";

export interface Finished {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly env: Environment;
  /** A private folder for the output. */
  readonly files: string;
  /** Each abort sends one SIGINT: after the first the CLI ends the calls under way, the second stops it. */
  readonly signals: readonly AbortSignal[];
  readonly onStart?: (pid: number) => void | Promise<void>;
}

/** @throws Error if there is no `pulumi` on PATH, or it cannot be started */
export async function runPulumi(args: readonly string[], options: RunOptions): Promise<Finished> {
  const { files } = options;
  return withOutput(join(files, "stdout"), (stdout) =>
    withOutput(join(files, "stderr"), (stderr) => run(args, options, { stdout, stderr })),
  );
}

interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

async function run(args: readonly string[], options: RunOptions, { stdout, stderr }: Outputs): Promise<Finished> {
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd: options.folder,
    env: { ...options.env },
    detached: true,
    stdio: ["ignore", stdout.fd, stderr.fd],
  });
  const interrupt = () => child.kill("SIGINT");
  const finished = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) => {
      const code = codeOf(error) ?? error.message;
      reject(new Error(code === "ENOENT" ? "there is no pulumi on PATH" : `pulumi cannot be started (${code})`));
    });
    child.once("exit", resolve);
  });
  finished.catch(() => undefined);
  const aborted = options.signals.filter((signal) => signal.aborted);
  for (const signal of options.signals) signal.addEventListener("abort", interrupt, { once: true });
  try {
    if (child.pid !== undefined) await options.onStart?.(child.pid);
    // Those of before have no event any more.
    aborted.forEach(interrupt);
    return { code: await finished, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const signal of options.signals) signal.removeEventListener("abort", interrupt);
  }
}

interface Output {
  readonly fd: number;
  text(): string;
}

/**
 * A file without a name. Events hold secrets in clear, in debug messages of Pulumi's SDK: without a name they are gone with the
 * last of the two processes, however these end.
 */
async function withOutput<T>(path: string, action: (output: Output) => Promise<T>): Promise<T> {
  const fd = openSync(path, "wx+", 0o600);
  let isNamed = false;
  try {
    rmSync(path);
  } catch {
    // Windows keeps the name of an open file.
    isNamed = true;
  }
  const text = () => {
    const buffer = Buffer.alloc(fstatSync(fd).size);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(fd, buffer, length, buffer.length - length, length);
    }
    return buffer.toString("utf8", 0, length);
  };
  try {
    return await action({ fd, text });
  } finally {
    closeSync(fd);
    if (isNamed) rmSync(path, { force: true });
  }
}
