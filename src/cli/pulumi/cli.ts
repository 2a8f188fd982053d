/** Runs the Pulumi CLI: detached for a preview or an update, and as a child for a question. */
import { execFile, spawn, type ExecFileException } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { compact, textIn } from "../../values/any.js";
import { given, pathIn, type Environment } from "../../values/environment.js";
import { documentIn, isFile, pulumiHome } from "./files.js";

export interface Finished {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly folder: string;
  readonly env: Environment;
  /** A folder for its output. */
  readonly files: string;
  /** Each abort sends the CLI one SIGINT. After the first, the CLI finishes the calls in progress; the second stops it. */
  readonly signals: readonly AbortSignal[];
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
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
    withOutput(join(files, "stderr"), (stderr) => runDetached(args, options, stdout, stderr)),
  );
}

async function runDetached(
  args: readonly string[],
  options: RunOptions,
  stdout: Output,
  stderr: Output,
): Promise<Finished> {
  const child = spawn(cliOf(options.env), [...args, "--non-interactive", "--color", "never"], {
    cwd: options.folder,
    // If a user has set this variable, the CLI's own log, which has secrets in plain text, would be among the errors.
    env: { ...withDirectLoopback(options.env), PULUMI_OPTION_LOGTOSTDERR: "false" },
    detached: true,
    // On Windows, a detached program gets a window of its own.
    windowsHide: true,
    stdio: ["ignore", stdout.fd, stderr.fd],
  });
  // On Windows, a SIGINT ends the CLI at once, which loses a rotation in progress. So only the second abort sends one there.
  const signals = (options.platform ?? process.platform) === "win32" ? options.signals.slice(1) : options.signals;
  const interrupt = () => child.kill("SIGINT");
  const finished = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      reject(new Error(code === "ENOENT" ? "there is no pulumi on PATH" : `pulumi cannot be started (${code})`));
    });
    child.once("exit", resolve);
  });
  for (const signal of signals) {
    // A signal that is aborted already sends no event.
    if (signal.aborted) interrupt();
    else signal.addEventListener("abort", interrupt, { once: true });
  }
  try {
    return { code: await finished, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", interrupt);
  }
}

interface Output {
  readonly fd: number;
  /** What was written so far. */
  text(): string;
}

/**
 * Runs the action with a file that has no name any more, so that it is gone when the last of the two processes ends, in whatever way. Debug
 * messages of Pulumi's SDK, which are among the events, contain secrets in plain text.
 */
async function withOutput<T>(path: string, action: (output: Output) => Promise<T>): Promise<T> {
  const fd = openSync(path, "wx", 0o600);
  // The child moves the place of the first descriptor.
  const reader = openSync(path, "r");
  let isNamed = false;
  try {
    rmSync(path);
  } catch {
    // On Windows, an open file keeps its name.
    isNamed = true;
  }
  try {
    return await action({ fd, text: () => readFileSync(reader, "utf8") });
  } finally {
    closeSync(reader);
    closeSync(fd);
    if (isNamed) rmSync(path, { force: true });
  }
}

/**
 * Programs and providers talk to the engine through 127.0.0.1. Node would send that to a proxy too, so this machine is added to the lists
 * of hosts that are reached directly.
 */
function withDirectLoopback(env: Environment): Environment {
  const direct = (...lists: readonly (string | undefined)[]) => {
    const own = lists.find((list) => given(list) !== undefined);
    return compact(own, ...loopbackNames).join(",");
  };
  const { NO_PROXY, no_proxy, no_grpc_proxy } = env;
  return {
    ...env,
    NO_PROXY: direct(NO_PROXY, no_proxy),
    no_proxy: direct(no_proxy, NO_PROXY),
    no_grpc_proxy: direct(no_grpc_proxy, no_proxy, NO_PROXY),
  };
}

const loopbackNames = ["localhost", "127.0.0.1", "::1"];

/**
 * The program to start: the first one on PATH. npx puts npm's package `pulumi` first, which passes no signal on to the CLI that it has downloaded,
 * so that CLI is started in its place.
 */
export function cliOf(env: Environment): string {
  const program = process.platform === "win32" ? "pulumi.exe" : "pulumi";
  for (const folder of pathIn(env).split(delimiter)) {
    const npmVersion = npmVersionIn(folder);
    if (npmVersion !== undefined) {
      const version = given(env.PULUMI_VERSION) ?? npmVersion;
      const downloaded = join(pulumiHome(env), "versions", version, "bin", program);
      // The package downloads the CLI in its first run, so that run is the package's own.
      return isFile(downloaded) ? downloaded : "pulumi";
    }
    // The CLI runs in the project's folder, and a relative folder of PATH is one of the current folder.
    const file = resolve(folder, program);
    if (folder !== "" && isFile(file)) return file;
  }
  // No folder has it: the start of this name fails, and says so.
  return "pulumi";
}

/** Whether PATH has a CLI that can be started. */
export const hasInstalledCli = (env: Environment): boolean => cliOf(env) !== "pulumi";

/** The version of npm's package `pulumi`, if this folder has its program. */
function npmVersionIn(folder: string): string | undefined {
  if (!folder.endsWith(join("node_modules", ".bin"))) return undefined;
  return textIn(documentIn(join(folder, "../pulumi/package.json")), "version");
}

/** The first error of the CLI, or of npm's package, which writes "pulumi: …", with the list of errors that may be below it. Without an error, the first line. */
export function firstError(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const start = lines.findIndex((line) => /^(error|pulumi): /.test(line));
  const [first = "", ...after] = lines.slice(Math.max(0, start));
  const end = after.findIndex((line) => !/^\s+(\d+\)|\*) /.test(line));
  const list = end < 0 ? after : after.slice(0, end);
  return [first.replace(/^error: /, ""), ...list].join("\n");
}

export type PulumiAnswer =
  | { readonly kind: "done"; readonly stdout: string }
  | { readonly kind: "missing" }
  /** `why` is, for example, "exit code 255". `error` is what the CLI printed: it may contain values of the configuration that the command reads. */
  | { readonly kind: "failed"; readonly why: string; readonly error?: string };

/** Runs `pulumi` in a folder; never rejects. */
export type QueryPulumi = (args: readonly string[], folder: string) => Promise<PulumiAnswer>;

/** Long enough for a slow backend or secrets manager. */
const timeoutMs = 30_000;

export function queryPulumi(env: Environment): QueryPulumi {
  return (args, folder) =>
    new Promise((resolve) => {
      const options = {
        cwd: folder,
        env: { ...withDirectLoopback(env), PULUMI_SKIP_UPDATE_CHECK: "1" },
        timeout: timeoutMs,
        windowsHide: true,
        maxBuffer: 256 * 1024 * 1024, // The export of 10,000 resources has 17 MB.
      };
      const child = execFile(cliOf(env), [...args, "--non-interactive"], options, (error, stdout, stderr) => {
        if (!error) resolve({ kind: "done", stdout });
        else if (error.code === "ENOENT") resolve({ kind: "missing" });
        else resolve({ kind: "failed", why: reasonOf(error), error: firstError(stderr) });
      });
      // The CLI must not wait for a passphrase.
      child.stdin?.end();
    });
}

/** The name of the stack that commands without `--stack` use. */
export async function selectedStack(pulumi: QueryPulumi, folder: string): Promise<string | undefined> {
  const answer = await pulumi(["stack", "--show-name"], folder);
  return answer.kind === "done" ? answer.stdout.trim() : undefined;
}

function reasonOf({ killed, code, signal }: ExecFileException): string {
  if (killed === true) return `no answer within ${timeoutMs / 1000} s`;
  return typeof code === "number" ? `exit code ${code}` : String(signal ?? code);
}
