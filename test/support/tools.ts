import { cpSync } from "node:fs";
import path from "node:path";
import { temporaryFolder, write } from "./folders";
import { start, type Running } from "./processes";
import { root } from "./repository";

export const engineScript = path.join(root, "tools/engine/index.mjs");

/** A clone of the project's tools, with these files, which may be run. */
export function clone(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  cpSync(path.join(root, "tools"), path.join(folder, "tools"), { recursive: true });
  write(folder, files, 0o755);
  return folder;
}

/** Starts Node with these arguments, and only these environment variables. */
export const startNode = (args: readonly string[], env: Record<string, string>, cwd = root): Running =>
  start(process.execPath, args, { cwd, env });

/**
 * The value of an expression in which `tools` is a module of the tools folder. Runs in a process, because the modules
 * are ESM and the tests are not.
 */
export async function evaluate(module: string, expression: string, env: Record<string, string> = {}): Promise<unknown> {
  const program = `import * as tools from ${JSON.stringify(path.join(root, "tools", module))};
    console.log(JSON.stringify(await (${expression})));`;
  const { code, stdout, stderr } = await startNode(["--input-type=module", "-e", program], env).finished;
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}
