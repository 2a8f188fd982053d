import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compiledFor, engineEnvironment, sharedInstallation } from "../../support/engine/installation";

jest.setTimeout(300_000);

const example = resolve(__dirname, "../../../examples/testing/typescript");

test("the tests in examples/testing/typescript pass with the package as users get it, are those of the README, and leave nothing behind", () => {
  const folder = mkdtempSync(join(sharedInstallation(), "testing-typescript-"));
  cpSync(example, folder, { recursive: true });
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...engineEnvironment(folder), TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: compiledFor(folder) },
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("# pass 4\n# fail 0\n")]);
  const page = readFileSync(join(example, "README.md"), "utf8");
  expect([...stdout.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name)).toEqual(
    [...page.matchAll(/^✔ (.*)$/gm)].map(([, name]) => name),
  );
  expect(readdirSync(folder).sort()).toEqual([".home", ".local", ...readdirSync(example)].sort());
});
