import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { compiledFor, engineEnvironment, sharedInstallation } from "../../support/engine/installation";

jest.setTimeout(300_000);

const example = resolve(__dirname, "../../../examples/testing/typescript");

test("the tests in examples/testing/typescript pass with the package as users get it, and leave nothing behind", () => {
  const folder = mkdtempSync(join(sharedInstallation(), "testing-typescript-"));
  cpSync(example, folder, { recursive: true });
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...engineEnvironment(folder), TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: compiledFor(folder) },
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("# pass 4\n# fail 0\n")]);
  expect(readdirSync(folder).sort()).toEqual([".home", ...readdirSync(example)].sort());
});
