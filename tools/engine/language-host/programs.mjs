import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";

/** The exit code of a program that has already reported its error to the user. */
const EXIT_ERROR_ALREADY_SHOWN = 32;

const children = new Set();

/** Stops every program that this host has started. */
export function stopChildren() {
  for (const child of children) child.kill("SIGTERM");
}

export function start(command, args, options) {
  const child = spawn(command, args, options);
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** The option `nodeargs` under `runtime:`: arguments of Node itself. */
export const nodeArgs = (options) => (options.nodeargs ?? "").split(" ").filter((arg) => arg !== "");

/** A program of the SDK, such as "cmd/run", resolved as the user's program itself would. */
export function findInSdk(name, directory) {
  try {
    return createRequire(path.join(directory, "index.js")).resolve(`@pulumi/pulumi/${name}`);
  } catch {
    throw new Error(`@pulumi/pulumi is not installed in ${directory}. Run "npm install" there (or "pulumi install").`);
  }
}

/**
 * Runs a Node program with the engine until it ends.
 *
 * @returns `error` is "" on success. `bail` means that the program has already reported its error to the user.
 */
export async function runProgram(program) {
  const { directory, options } = program;
  const flags = {
    monitor: program.monitor,
    engine: program.engine,
    organization: program.organization,
    project: program.project,
    stack: program.stack,
    "root-directory": program.rootDirectory,
    pwd: directory,
    parallel: program.parallel,
  };
  const runnerArgs = Object.entries(flags).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []));
  if (program.dryRun) runnerArgs.push("--dry-run");

  const child = start(
    process.execPath,
    [...nodeArgs(options), findInSdk("cmd/run", directory), ...runnerArgs, program.entryPoint || ".", ...program.args],
    {
      cwd: directory,
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        // Configuration is passed in the environment: as arguments, its secrets would show in the process list.
        PULUMI_CONFIG: JSON.stringify(program.config),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(program.secretKeys),
        PULUMI_NODEJS_TYPESCRIPT: String(options.typescript !== false),
      },
    },
  );
  const [code, signal] = await once(child, "close");
  if (code === 0) return { error: "", bail: false };
  if (code === EXIT_ERROR_ALREADY_SHOWN) return { error: "", bail: true };
  return { error: `the program ended with ${signal ?? `exit code ${code}`}`, bail: false };
}

/** Runs the package manager's `install` in a folder. */
export async function installDependencies({ directory, manager, onStdout, onStderr }) {
  const child = start(manager, ["install"], { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", onStdout);
  child.stderr.on("data", onStderr);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`"${manager} install" in ${directory} ended with exit code ${code}`);
}
