import { randomUUID } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A holder touches its lock every BEAT; one that was not touched for STALE is left from a process that is gone. */
const BEAT_MS = 2_000;
const STALE_MS = 20_000;
const POLL_MS = 500;

/** A work folder of this age is left from a process that is gone: no download or build takes that long. */
const LEFTOVER_MS = 3_600_000;

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

/** How long ago a file or a folder was touched, in milliseconds; undefined where there is none. */
async function ageOf(file) {
  const status = await stat(file).catch(() => undefined);
  return status && Date.now() - status.mtimeMs;
}

async function tryLock(lock, owner) {
  try {
    await writeFile(lock, owner, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  }
}

/** Not one that somebody else has taken over. */
async function unlock(lock, owner) {
  if ((await readFile(lock, "utf8").catch(() => "")) === owner) await rm(lock, { force: true });
}

/**
 * Runs `action` while no other process holds the same lock file. A holder that stands still for longer than STALE, as
 * where a laptop sleeps, loses its lock and does not know: two may then be at work. So `action` must bear company; what
 * the lock saves is that all do the same work.
 */
async function withLock(lock, { log, signal }, action) {
  const owner = `${process.pid} ${randomUUID()}\n`;
  let told = false;
  while (!(await tryLock(lock, owner))) {
    if ((await ageOf(lock)) > STALE_MS) {
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
    await unlock(lock, owner);
  }
}

/** Those of processes that were killed; a young one may be at work. */
async function removeLeftovers(root, prefix) {
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    if (name.startsWith(prefix) && (await ageOf(folder)) > LEFTOVER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The folder `name` of the cache, filled by `fill` where it is not there yet. It appears whole or not at all: `fill`
 * works in a folder of its own beside it, which is renamed when everything is done: who is first there has made it for all.
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
      await rename(temporary, folder);
    } catch (error) {
      // Whatever went wrong here, another process may have done it by now.
      if (signal?.aborted || !(await exists(folder))) throw error;
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return folder;
}
