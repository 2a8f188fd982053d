/** Runs the Pulumi CLI: detached for an update, and as a child for commands that only read. */
import { execFile, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseJson, type Environment } from "../values.js";

export interface Finished {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly env: Environment;
  /** A folder for the output that only its owner may read. */
  readonly files: string;
  /** Each abort sends one SIGINT. After the first, the CLI finishes the calls in progress; the second stops it. */
  readonly signals: readonly AbortSignal[];
  readonly onStart?: (pid: number) => void | Promise<void>;
}

/**
 * Runs the CLI detached, with its output in files, so that it survives if this process is killed. With pipes, its next write would
 * end it, and the answer to a rotation would be lost.
 *
 * @throws Error if there is no `pulumi` on PATH, or it cannot be started
 */
export async function runPulumi(args: readonly string[], options: RunOptions): Promise<Finished> {
  const { files } = options;
  return withOutput(join(files, "stdout"), (stdout) =>
    withOutput(join(files, "stderr"), (stderr) => run(args, options, stdout, stderr)),
  );
}

async function run(args: readonly string[], options: RunOptions, stdout: Output, stderr: Output): Promise<Finished> {
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
    // Signals that were aborted before have no event.
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
 * A file without a name. Events contain secrets in plain text, in debug messages of Pulumi's SDK. Without a name, the file is gone
 * when the last of the two processes ends, in whatever way.
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
  /** `why` is such as "exit code 255", without the CLI's output, which may contain configuration values. */
  | { readonly kind: "failed"; readonly why: string; readonly stackProblem?: StackProblem };

/** The CLI found no stack: there is none of the name, or none is selected. */
export type StackProblem = "unknown" | "unselected";

/** Undefined if the error is another one. The exit code is 255 or 6, depending on the version. */
export function stackProblemIn(stderr: string): StackProblem | undefined {
  if (stderr.includes("no stack named")) return "unknown";
  return stderr.includes("no stack selected") ? "unselected" : undefined;
}

/** Most names of stacks in a message. */
const maxStacks = 10;

/** The problem in words, with the stacks that there are. */
export async function stackProblemText(
  problem: StackProblem,
  stack: string | undefined,
  { pulumi, folder }: { readonly pulumi: QueryPulumi; readonly folder: string },
): Promise<string> {
  const what = problem === "unselected" ? "no stack is selected" : `there is no stack ${stack ?? ""}`;
  const answer = await pulumi(["stack", "ls", "--json"], folder);
  const listed = stackList.safeParse(answer.kind === "done" ? parseJson(answer.stdout) : undefined);
  if (!listed.success) return what;
  const names = listed.data.map(({ name }) => name);
  if (names.length === 0) return `${what}, and the project has none: \`pulumi stack init dev\` creates one`;
  const left = names.length - maxStacks;
  return `${what}; the project has ${names.slice(0, maxStacks).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

const stackList = z.array(z.object({ name: z.string() }));

/** Runs `pulumi` in a project's folder; never rejects. */
export type QueryPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;

/** The selected stack, which commands without `--stack` use; undefined if there is none. */
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
        else {
          const stackProblem = stackProblemIn(stderr);
          resolve({ kind: "failed", why: reasonOf(error), ...(stackProblem && { stackProblem }) });
        }
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
  if (answer.kind === "failed" && answer.stackProblem) {
    throw new Error(await stackProblemText(answer.stackProblem, stack, { pulumi, folder }));
  }
  const what = answer.kind === "missing" ? "there is no `pulumi` on the PATH" : answer.why;
  throw new Error(
    `the state of ${stack === undefined ? "the selected stack" : `the stack ${stack}`} cannot be read: ${what}; ` +
      "name a stack with --stack, or pass the output of `pulumi stack export`",
  );
}
