import { randomUUID } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The holder of a lock updates it every HEARTBEAT. A lock that is older than STALE belongs to a process that has ended.
 */
const HEARTBEAT_MS = 2_000;
const STALE_MS = 20_000;
const POLL_MS = 500;

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

export async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** How long ago a file or folder was changed, in milliseconds. undefined if it does not exist. */
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

/** Keeps a lock that another process has taken over. */
async function unlock(lock, owner) {
  if ((await readFile(lock, "utf8").catch(() => "")) === owner) await rm(lock, { force: true });
}

/**
 * Runs `action` while no other process holds the same lock file. A process that is suspended for longer than STALE,
 * such as on a sleeping laptop, loses its lock without noticing. Two may then run at once, so `action` must allow that.
 * The lock only prevents double work.
 */
async function withLock(lock, { log, signal }, action) {
  const owner = `${process.pid} ${randomUUID()}\n`;
  let announced = false;
  while (!(await tryLock(lock, owner))) {
    if ((await ageOf(lock)) > STALE_MS) {
      await rm(lock, { force: true });
      continue;
    }
    if (!announced) log.update("waiting for another process that is getting the same engine");
    announced = true;
    await sleep(POLL_MS, undefined, { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {}); // The lock is missing if another process took it over as stale.
  }, HEARTBEAT_MS);
  try {
    return await action();
  } finally {
    clearInterval(heartbeat);
    await unlock(lock, owner);
  }
}

/** Removes work folders of killed processes. A recent one may be in use. */
async function removeLeftovers(root, prefix) {
  for (const name of await readdir(root)) {
    const folder = path.join(root, name);
    if (name.startsWith(prefix) && (await ageOf(folder)) > LEFTOVER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the folder `name` of the cache, and fills it with `fill` if it is missing. The folder is either complete or
 * missing: `fill` works in a temporary folder next to it, which is renamed at the end. If several processes do this,
 * the first one wins.
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
    if (await exists(folder)) return; // The process that held the lock has filled it.
    await removeLeftovers(root, `${name}.tmp-`);
    const temporary = await mkdtemp(path.join(root, `${name}.tmp-`));
    try {
      await fill(temporary);
      await rename(temporary, folder);
    } catch (error) {
      // Another process may have filled it meanwhile, in spite of this error.
      if (signal?.aborted || !(await exists(folder))) throw error;
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return folder;
}
