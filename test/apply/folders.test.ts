import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../src/apply/files";
import { recordFile } from "../../src/apply/record";
import { temporaryFolder } from "./folders";

test("a folder is made with its parents, and its own rights", () => {
  const folder = join(temporaryFolder(), "one/two/three");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

(existsSync("/proc/self") ? test : test.skip)("a record where nothing can be written fails at once", async () => {
  await expect(recordFile("/proc/self/none/deeper/record.json").write("{}")).rejects.toThrow(/ENOENT|EACCES|EPERM/);
});
