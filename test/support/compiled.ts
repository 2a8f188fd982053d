import { execFileSync } from "node:child_process";
import { cpSync, existsSync, linkSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./folders";
import { start as startProcess, type Running } from "./processes";
import { root } from "./repository";

/** A compiled copy of the sources, so that tests need no build and no `dist`. */
interface Compiled {
  readonly folder: string;
  readonly entry: string;
}

/** Bundles the command once for all files of a run. Returns the bundle. */
function bundle(): string {
  const file = join(process.env.VOICEPLANE_SURROUNDINGS ?? temporaryFolder(), "voiceplane.js");
  if (existsSync(file)) return file;
  const made = `${file}.${process.pid}`;
  const options = ["--bundle", "--platform=node", "--log-level=error", `--outfile=${made}`];
  execFileSync(join(root, "node_modules/.bin/esbuild"), [join(root, "src/cli/index.ts"), ...options]);
  renameSync(made, file);
  return file;
}

/**
 * The folder is removed after the tests of the file.
 *
 * @param files more files and folders of the package that the command reads
 */
export function compile(...files: string[]): Compiled {
  const folder = temporaryFolder();
  const entry = join(folder, "dist/cli/index.js");
  mkdirSync(dirname(entry), { recursive: true });
  linkSync(bundle(), entry);
  for (const file of ["package.json", ...files]) cpSync(join(root, file), join(folder, file), { recursive: true });
  return { folder, entry };
}

/** Runs the command with these arguments, until the end of the test. */
export function start(
  compiled: Compiled,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Running {
  const env = { NODE_COMPILE_CACHE: join(compiled.folder, "compiled"), ...(options.env ?? process.env) };
  return startProcess(process.execPath, [compiled.entry, ...args], { ...options, env });
}
