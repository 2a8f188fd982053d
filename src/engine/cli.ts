/** Runs the Pulumi CLI: detached for a run, and for commands that only read. */
import { execFile, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../values.js";

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

/**
 * Runs the CLI detached, with its output in files, so that it survives the death of this process: on pipes it would die by the first
 * write, and with it the answer to a rotation.
 *
 * @throws Error if there is no `pulumi` on PATH, or it cannot be started
 */
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
    child.once("error", (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
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

export type PulumiAnswer =
  | { readonly kind: "done"; readonly stdout: string }
  | { readonly kind: "missing" }
  /** `why` is "exit code 255" or {@link noSuchStack}, without the CLI's output, which may hold configuration values. */
  | { readonly kind: "failed"; readonly why: string };

export const noSuchStack = "there is no such stack";

/** Runs `pulumi` in a project's folder; never rejects. */
export type QueryPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;

/** The stack that commands without `--stack` use; undefined if none is selected. */
export async function selectedStack(pulumi: QueryPulumi, folder: string): Promise<string | undefined> {
  const answer = await pulumi(["stack", "--show-name"], folder);
  return answer.kind === "done" ? answer.stdout.trim() : undefined;
}

/** Long enough for a slow backend or secrets manager. */
const timeoutMs = 30_000;

export function queryPulumi(env: NodeJS.ProcessEnv): QueryPulumi {
  return (args, folder) =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" },
        timeout: timeoutMs,
        maxBuffer: 256 * 1024 * 1024, // The export of 10,000 resources has 17 MB.
      };
      const child = execFile("pulumi", [...args, "--non-interactive"], options, (error, stdout, stderr) => {
        if (!error) resolve({ kind: "done", stdout });
        else if (error.code === "ENOENT") resolve({ kind: "missing" });
        // The exit code is 255 or 6, depending on the version.
        else if (stderr.includes("no stack named")) resolve({ kind: "failed", why: noSuchStack });
        else resolve({ kind: "failed", why: reasonOf(error) });
      });
      // The CLI must not wait for a passphrase.
      child.stdin?.end();
    });
}

function reasonOf({ killed, code, signal }: { killed?: boolean; code?: unknown; signal?: unknown }): string {
  if (killed === true) return `no answer within ${timeoutMs / 1000} s`;
  return typeof code === "number" ? `exit code ${code}` : String(signal ?? code);
}

/** @param stack undefined for the selected one */
export async function exportedState(pulumi: QueryPulumi, stack: string | undefined, folder: string): Promise<string> {
  const answer = await pulumi(["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])], folder);
  if (answer.kind === "done") return answer.stdout;
  const what = answer.kind === "missing" ? "there is no `pulumi` on the PATH" : answer.why;
  throw new Error(
    `the state of ${stack === undefined ? "the selected stack" : `the stack ${stack}`} cannot be read: ${what}; ` +
      "name a stack with --stack, or run `pulumi stack export` yourself and give its output",
  );
}
