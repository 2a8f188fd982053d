/** The folders that applies write to. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeOf, inTemporaryFolder, makeFolder, ofThisUser, privateFolder } from "../../machine.js";
import { tried } from "../../values/any.js";

/** Has the names in a folder written to the disk. Not every system can. */
export function saveFolder(path: string): void {
  const folder = tried(() => openSync(path, "r"));
  if (folder === undefined) return;
  tried(() => {
    fsyncSync(folder);
  });
  closeSync(folder);
}

/**
 * The private folder of this user's applies on this machine: in the system's temporary folder, or in the home if another user has made the one
 * there. Once there is one in the home, it is always used: two applies with two folders would not see each other's locks.
 *
 * @throws Error if other users could write to it
 */
export function applyFolder(parent: string = tmpdir(), home: string = homeOf(process.env)): string {
  const [folder, fallback] = [join(parent, ofThisUser("apply")), join(home, ".cache/voiceplane/apply")];
  const owner = tried(() => lstatSync(folder).uid);
  const isForeign = process.getuid !== undefined && owner !== undefined && owner !== process.getuid();
  // If the home cannot be written to, the error has to name the temporary folder.
  if (isForeign)
    tried(() => {
      makeFolder(fallback, 0o700);
    });
  return privateFolder(existsSync(fallback) ? fallback : folder);
}

/** How long the output of a failed run is kept. */
const keptDays = 30;

/** A new folder for the files of one run. Those of long ago are removed. */
export function runFolder(parent: string): string {
  const folder = inTemporaryFolder(() => mkdtempSync(join(parent, "run-")));
  // The file system's time: with a wrong clock, this process could remove the folder of a run that has not ended.
  const now = statSync(folder).mtimeMs;
  for (const name of readdirSync(parent)) {
    const since = statSync(join(parent, name), { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - since > keptDays * 86_400_000) removeRunFolder(parent, name);
  }
  return folder;
}

/** @param name may be from a record, which a stranger may have written: only a folder of a run is removed */
export function removeRunFolder(parent: string, name: string): void {
  if (/^run-\w+$/.test(name)) rmSync(join(parent, name), { recursive: true, force: true });
}
