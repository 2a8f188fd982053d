import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, privateFolder, runFolder } from "../../../../src/cli/apply/files";
import { recordFile } from "../../../../src/cli/apply/record";
import { testOnLinux } from "../../../support/machine";
import { temporaryFolder } from "../../../support/project-folder";

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

/** Only root can make a folder of another user. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

describe("the private folder", () => {
  const own = `voiceplane-apply-${process.getuid?.() ?? "user"}`;

  test("is below the temporary folder, and no other user may write to it", () => {
    const [parent, home] = [temporaryFolder(), temporaryFolder()];
    expect(privateFolder(parent, home)).toBe(join(parent, own));
    chmodSync(join(parent, own), 0o777);
    expect(() => privateFolder(parent, home)).toThrow(
      `${join(parent, own)} is not private: remove it, or set TMPDIR to`,
    );
    expect(existsSync(join(home, ".cache"))).toBe(false);
  });

  testAsRoot("is in the home if another user has made that one, also after the other user has removed it", () => {
    const [parent, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(parent, own), { mode: 0o700 });
    chownSync(join(parent, own), 65534, 65534);
    const folder = join(home, ".cache/voiceplane/apply");
    expect(privateFolder(parent, home)).toBe(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    rmSync(join(parent, own), { recursive: true });
    expect(privateFolder(parent, home)).toBe(folder);
  });

  testAsRoot("of another user is an error where the home cannot be written to", () => {
    const [parent, home] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(parent, own), { mode: 0o700 });
    chownSync(join(parent, own), 65534, 65534);
    writeFileSync(join(home, ".cache"), "a file");
    expect(() => privateFolder(parent, home)).toThrow(
      `${join(parent, own)} is not private: remove it, or set TMPDIR to`,
    );
  });
});
