import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

/** A work folder of this age belongs to a process that has ended: no download or build takes that long. */
const LEFTOVER_MS = 3_600_000;

/** The user's cache folder for engines: $XDG_CACHE_HOME/voiceplane/engine, or ~/.cache if that is not set. */
export function cacheFolder(env = process.env) {
  return path.join(env.XDG_CACHE_HOME || path.join(home(), ".cache"), "voiceplane", "engine");
}

function home() {
  try {
    return homedir();
  } catch {
    throw new Error("this user has no home folder for the cache of engines: set HOME or XDG_CACHE_HOME");
  }
}

/** Removes work folders of killed processes. A recent one may be in use. */
async function removeLeftovers(root, prefix) {
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    const changed = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Infinity;
    if (name.startsWith(prefix) && Date.now() - changed > LEFTOVER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the folder `name` of the cache, and fills it with `fill` if it is missing. The folder is either complete or
 * missing: `fill` works in a temporary folder next to it, which is renamed at the end. If several processes do this at
 * once, each does the work, and the first one wins.
 *
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder's path
 */
export async function cached(name, { env, signal }, fill) {
  const root = cacheFolder(env);
  const folder = path.join(root, name);
  if (existsSync(folder)) return folder;

  await mkdir(root, { recursive: true });
  await removeLeftovers(root, `${name}.tmp-`);
  const temporary = await mkdtemp(path.join(root, `${name}.tmp-`));
  try {
    await fill(temporary);
    await rename(temporary, folder);
  } catch (error) {
    // Another process may have filled it meanwhile, in spite of this error.
    if (signal?.aborted || !existsSync(folder)) throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}
