import { access, mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A holder touches its lock every BEAT; one that was not touched for STALE is left from a process that is gone. */
const BEAT_MS = 2_000;
const STALE_MS = 20_000;
const POLL_MS = 500;

/** The user's cache folder for engines: $XDG_CACHE_HOME/voiceplane/engine, ~/.cache where that is not set. */
export function cacheFolder(env = process.env) {
  return path.join(env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "voiceplane", "engine");
}

export async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function isStale(lock) {
  const status = await stat(lock).catch(() => undefined);
  return status !== undefined && Date.now() - status.mtimeMs > STALE_MS;
}

async function tryLock(lock) {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/**
 * Runs `action` while no other process runs one under the same lock file.
 * Two who find the same stale lock may both go on: the rename at the end of `cached` keeps even that harmless.
 */
async function withLock(lock, { log, signal }, action) {
  let told = false;
  while (!(await tryLock(lock))) {
    if (await isStale(lock)) {
      await rm(lock, { force: true });
      continue;
    }
    if (!told) log.update("waiting for another process that is getting the same engine");
    told = true;
    await sleep(POLL_MS, undefined, { signal });
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {}); // Gone means taken over as stale; see above.
  }, BEAT_MS);
  try {
    return await action();
  } finally {
    clearInterval(beat);
    await rm(lock, { force: true });
  }
}

async function removeLeftovers(root, prefix) {
  for (const name of await readdir(root)) {
    if (name.startsWith(prefix)) await rm(path.join(root, name), { recursive: true, force: true });
  }
}

/**
 * The folder `name` of the cache, filled by `fill` where it is not there yet. It appears whole or not at all: `fill`
 * works in a folder beside it, which is renamed when everything is done.
 *
 * @param {(folder: string) => Promise<void>} fill
 * @returns {Promise<string>} the folder's path
 */
export async function cached(name, { env, log, signal }, fill) {
  const root = cacheFolder(env);
  const folder = path.join(root, name);
  if (await exists(folder)) return folder;

  await mkdir(root, { recursive: true });
  await withLock(path.join(root, `${name}.lock`), { log, signal }, async () => {
    if (await exists(folder)) return; // Another process had the lock and has done it.
    await removeLeftovers(root, `${name}.tmp-`);
    const temporary = await mkdtemp(path.join(root, `${name}.tmp-`));
    try {
      await fill(temporary);
      await rename(temporary, folder).catch(async (error) => {
        if (!(await exists(folder))) throw error;
      });
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return folder;
}
