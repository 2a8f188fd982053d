import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, runFolder } from "../../src/apply/files";
import { recordFile } from "../../src/apply/record";
import { testOnLinux } from "../support/machine";
import { temporaryFolder } from "../support/project-folder";

test("a folder is made with its parents, and its own rights", () => {
  const folder = join(temporaryFolder(), "one/two/three");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

testOnLinux("a record where nothing can be written fails at once", async () => {
  await expect(recordFile("/proc/self/none/deeper/record.json").write("{}")).rejects.toThrow(/ENOENT|EACCES|EPERM/);
});

test("a process whose clock is wrong leaves the folder of a run that goes on", () => {
  const parent = temporaryFolder();
  const other = runFolder(parent);
  jest.useFakeTimers({ now: Date.now() + 31 * 86_400_000 });
  try {
    runFolder(parent);
  } finally {
    jest.useRealTimers();
  }
  expect(existsSync(other)).toBe(true);
});
