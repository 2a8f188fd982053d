import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runPulumi } from "../../src/engine/cli";
import { temporaryFolder } from "../support/folders";

/** The files of the folder that this process has open, also those whose name is gone (Linux only). */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return []; // The one of this listing.
    }
  });
}

test("where the second file for the output cannot be made, the first one is closed and no process starts", async () => {
  const files = temporaryFolder();
  writeFileSync(join(files, "stderr"), "");
  const run = runPulumi(["version"], { folder: files, env: { PATH: "/nowhere" }, files, signals: [] });
  await expect(run).rejects.toThrow(/^EEXIST: file already exists/);
  expect(openIn(files)).toEqual([]);
});
