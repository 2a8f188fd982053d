/** What a tool of this project gets for the tests, and tests that are skipped where a machine lacks it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./repository";

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
