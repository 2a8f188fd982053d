import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { cpSync, existsSync, linkSync, mkdirSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./folders";
import { ended, type Finished } from "./processes";
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

/** A process whose output is collected from the start. */
export class Running {
  readonly finished: Promise<Finished>;

  constructor(readonly child: ChildProcess) {
    this.finished = ended(child);
  }

  /** The address that the control plane prints once it listens. Rejects if the process ends before. */
  async url(): Promise<string> {
    return this.#printed((seen) => /at (http:\S+) \(/.exec(seen)?.[1]);
  }

  /** The first complete line. */
  async json(): Promise<Record<string, unknown>> {
    return this.#printed((seen) => {
      const end = seen.indexOf("\n");
      return end < 0 ? undefined : (JSON.parse(seen.slice(0, end)) as Record<string, unknown>);
    });
  }

  async #printed<T>(find: (seen: string) => T | undefined): Promise<T> {
    const printed = new Promise<T>((found) => {
      let seen = "";
      this.child.stdout?.on("data", (chunk: Buffer) => {
        seen += chunk.toString();
        const result = find(seen);
        if (result !== undefined) found(result);
      });
    });
    const ended = this.finished.then(({ stderr }) => {
      throw new Error(`it ended early: ${stderr}`);
    });
    return Promise.race([printed, ended]);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export function start(compiled: Compiled, args: readonly string[], options: SpawnOptions = {}): Running {
  const env = { NODE_COMPILE_CACHE: join(compiled.folder, "compiled"), ...(options.env ?? process.env) };
  return new Running(
    spawn(process.execPath, [compiled.entry, ...args], { ...options, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
}
