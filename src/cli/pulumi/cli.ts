/** Runs the Pulumi CLI. */
import { spawn } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import { compact, parseJson, textIn } from "../../values/any.js";
import { given, pathIn, type Environment } from "../../values/environment.js";
import { documentIn, isFile, pulumiHome } from "./project.js";

export interface Finished {
  /** null if a signal ended it. */
  readonly code: number | null;
  /** Empty if it was shown. */
  readonly stdout: string;
  readonly stderr: string;
  /** The program that was started. */
  readonly cli: string;
}

/** This process was asked to stop while the CLI ran, so nothing of what would follow begins. */
export class Interrupted extends Error {
  override readonly message = "interrupted; nothing was sent";
}

/** What runs the CLI. Tests replace it. */
export type Pulumi = (args: readonly string[], options?: { readonly isShown?: boolean }) => Promise<Finished>;

/**
 * The CLI in a folder. Each SIGINT and SIGTERM of this process sends it one SIGINT: after the first it finishes the calls in progress, and the
 * second stops it. It is in a group of its own, so that a terminal's Ctrl-C reaches it once.
 *
 * @throws Interrupted after a signal, unless the CLI's output is shown; Error if it cannot be started
 */
export const pulumiIn =
  (folder: string, env: Environment): Pulumi =>
  async (args, { isShown = false } = {}) => {
    const cli = cliOf(env);
    const isWindows = process.platform === "win32";
    const child = spawn(cli, [...args, ...(isShown ? [] : ["--non-interactive", "--color", "never"])], {
      cwd: folder,
      // If a user has set the second variable, the CLI's own log, which has secrets in plain text, would be among the errors.
      env: { PULUMI_SKIP_UPDATE_CHECK: "1", ...withDirectLoopback(env), PULUMI_OPTION_LOGTOSTDERR: "false" },
      detached: !isWindows,
      windowsHide: true,
      stdio: isShown ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    const texts = [child.stdout, child.stderr].map(textOf);
    const interruption = new AbortController();
    const interrupt = (): void => {
      interruption.abort();
      // On Windows the console has sent it already, and this call would end it at once.
      if (!isWindows) child.kill("SIGINT");
    };
    process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
    try {
      const code = await new Promise<number | null>((done, failed) => {
        child.once("error", (error: NodeJS.ErrnoException) => {
          const reason = error.code ?? error.message;
          failed(
            new Error(reason === "ENOENT" ? "there is no pulumi on PATH" : `${cli} cannot be started (${reason})`),
          );
        });
        child.once("close", done);
      });
      if (interruption.signal.aborted && !isShown) throw new Interrupted();
      const [stdout = "", stderr = ""] = texts.map((text) => text());
      return { code, stdout, stderr, cli };
    } finally {
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    }
  };

function textOf(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/**
 * Programs and providers talk to the engine through 127.0.0.1. Node would send that to a proxy too, so this machine is added to the hosts
 * that are reached directly.
 */
function withDirectLoopback(env: Environment): Environment {
  const lists = [env.NO_PROXY, env.no_proxy, env.no_grpc_proxy].map(given);
  const direct = [...new Set(compact(...lists, "localhost", "127.0.0.1", "::1"))].join(",");
  return { ...env, NO_PROXY: direct, no_proxy: direct, no_grpc_proxy: direct };
}

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
      return isFile(downloaded) ? downloaded : join(folder, "pulumi");
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

/** The JSON that a command has printed. In its first run, npm's package prints lines about a download before it. */
export function jsonIn(stdout: string): unknown {
  const start = stdout.search(/^[[{]/m);
  return start < 0 ? undefined : parseJson(stdout.slice(start));
}

/** The first error of the CLI, or of npm's package, which writes "pulumi: …". Without an error, the first line. */
export function firstError(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const found = lines.find((line) => /^(error|pulumi): /.test(line)) ?? lines[0] ?? "";
  return found.replace(/^error: /, "");
}

/** What a command that has failed says, such as "/usr/bin/pulumi: no stack named 'dev' found". */
export const failureOf = ({ cli, code, stderr }: Finished): string =>
  `${cli}: ${given(firstError(stderr)) ?? `exit code ${String(code)}`}`;

/** The name of the stack that commands without `--stack` use. */
export async function selectedStack(pulumi: Pulumi): Promise<string | undefined> {
  const { code, stdout } = await pulumi(["stack", "--show-name"]);
  return code === 0 ? given(stdout.trim().split("\n").at(-1)) : undefined;
}
