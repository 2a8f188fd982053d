/** The tools of this project, and tests that are skipped where a machine lacks what they need. */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, write } from "./folders";
import { start, type Running } from "./processes";
import { root } from "./repository";

export const engineScript = join(root, "tools/engine/index.mjs");

/** A clone of the project's tools, with these files, which may be run. */
export function clone(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  cpSync(join(root, "tools"), join(folder, "tools"), { recursive: true });
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
  const program = `import * as tools from ${JSON.stringify(join(root, "tools", module))};
    console.log(JSON.stringify(await (${expression})));`;
  const { code, stdout, stderr } = await startNode(["--input-type=module", "-e", program], env).finished;
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
}

interface Found {
  readonly file: string;
  /** What this machine lacks. */
  readonly missing?: string | undefined;
}

/** The path that a tool prints. It exits with 2 where the machine lacks something. */
export function get(tool: string, ...args: string[]): Found {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, tool), ...args], {
    encoding: "utf8",
  });
  if (status !== 0 && status !== 2) throw new Error(`${tool} fails:\n${stderr}`);
  return { file: stdout.trim(), ...(status === 2 && { missing: stderr.trim().split("\n")[0] ?? "" }) };
}

/** Go, on the machine's PATH. */
export const goOnPath: Pick<Found, "missing"> = {
  missing:
    spawnSync("go", ["version"]).status === 0 ? undefined : "there is no Go on PATH (https://go.dev/doc/install)",
};

/** A test, or a skipped one whose title says what is missing. On CI nothing is skipped: the test fails. */
export function testWith({ missing }: Pick<Found, "missing">, title: string, run: jest.ProvidesCallback): void {
  if (missing === undefined) {
    test(title, run);
    return;
  }
  if (process.env.CI) {
    test(title, () => {
      throw new Error(missing);
    });
    return;
  }
  process.stderr.write(`SKIPPED: ${title}: ${missing}\n`);
  test.skip(`${title}: NOT CHECKED, ${missing}`, run);
}
