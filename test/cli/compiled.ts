import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { transformSync } from "@swc/core";

const root = resolve(__dirname, "../..");

/** A compiled copy of the sources, so that tests need no build and no `dist`. */
export interface Compiled {
  readonly folder: string;
  readonly entry: string;
  remove(): void;
}

export function compile(): Compiled {
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-cli-"));
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  for (const name of names.filter((candidate) => candidate.endsWith(".ts"))) {
    const target = join(folder, "dist", name.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const { code } = transformSync(readFileSync(join(root, "src", name), "utf8"), {
      configFile: false,
      swcrc: false,
      jsc: { target: "es2023", parser: { syntax: "typescript" } },
      // As tsc compiles it: `import()` stays, and commands load late.
      module: { type: "commonjs", ignoreDynamic: true, exportInteropAnnotation: true },
    });
    writeFileSync(target, code);
  }
  return {
    folder,
    entry: join(folder, "dist/cli/index.js"),
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that is watched from its first byte, so that no output is missed. */
export class Running {
  readonly finished: Promise<Finished>;

  constructor(readonly child: ChildProcess) {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error("the process needs pipes");
    this.finished = Promise.all([once(child, "close"), text(stdout), text(stderr)]).then(
      ([[code, signal], out, err]) => ({
        code: code as number | null,
        signal: signal as NodeJS.Signals | null,
        stdout: out,
        stderr: err,
      }),
    );
  }

  /** The address that the control plane prints once it listens; rejects where the process ends without. */
  async url(): Promise<string> {
    return this.#printed((seen) => /at (http:\S+) \(/.exec(seen)?.[1]);
  }

  /** The first line, once it is whole. */
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

export function start(compiled: Compiled, args: string[]): Running {
  return new Running(spawn(process.execPath, [compiled.entry, ...args], { stdio: ["ignore", "pipe", "pipe"] }));
}
