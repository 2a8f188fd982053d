import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocks } from "../../support/docs/documents";
import { sharedInstallation } from "../../support/engine/installation";

jest.setTimeout(300_000);

test("the unit tests of docs/guides/test-your-stack.md pass without settings, with the package as users get it", () => {
  const folder = mkdtempSync(join(sharedInstallation(), "unit-tests-"));
  const files = blocks.filter(
    ({ file, role }) =>
      file === "docs/guides/test-your-stack.md" && ["package.json", "index.js", "index.test.js"].includes(role),
  );
  for (const { role, text } of files) writeFileSync(join(folder, role), text);

  const settings = /^(VOICEPLANE|PULUMI)_/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)));
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: folder,
    encoding: "utf8",
    env,
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("# pass 3\n# fail 0\n")]);
});
