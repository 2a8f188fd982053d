/** The folders that applies write to. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homeOf } from "../engine/backend.js";
import { inTemporaryFolder } from "../engine/files.js";
import { codeOf, tried } from "../../values.js";

/** Also its parents, one by one: Node's own recursive mkdir never ends where a parent refuses children, as below /proc. */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

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
 * The private folder of this user's applies on this machine, below the system's temporary folder. If another user has made the one there, it is in
 * the home. From then on it is always that one, whatever the other user does: two applies with two folders would not see each other's locks.
 *
 * @throws Error if other users could write to it
 */
export function privateFolder(parent: string = tmpdir(), home: string = homeOf(process.env)): string {
  const fallback = join(home, ".cache/voiceplane/apply");
  if (existsSync(fallback)) return requirePrivate(fallback);
  const folder = join(parent, `voiceplane-apply-${process.getuid?.() ?? "user"}`);
  inTemporaryFolder(() => {
    makeFolder(folder, 0o700);
  });
  const isForeign = process.getuid !== undefined && lstatSync(folder).uid !== process.getuid();
  // In a home that cannot be written to, the temporary folder is the one to correct.
  if (isForeign)
    tried(() => {
      makeFolder(fallback, 0o700);
    });
  return requirePrivate(isForeign && existsSync(fallback) ? fallback : folder);
}

function requirePrivate(folder: string): string {
  const { mode, uid } = lstatSync(folder);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
    throw new Error(`${folder} is not private: remove it, or set TMPDIR to a folder in which this user may write`);
  }
  return folder;
}

/** How long the output of a failed run is kept. */
const keptDays = 30;

/** A new folder for the files of one run. Those of long ago are removed. */
export function runFolder(parent: string): string {
  const folder = inTemporaryFolder(() => mkdtempSync(join(parent, "run-")));
  // The file system's time: by a wrong clock of this process, another run that goes on would be of long ago.
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
