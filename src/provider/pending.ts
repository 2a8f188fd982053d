/**
 * The memory of this machine, see `lifecycle/pending.ts`: an empty file for each state from which a request has left, named by its id, in a folder
 * for each month. A file is there as a whole or not at all, and no process changes another's, so any number of them may share the folder.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makeFolder, stateFolder } from "../machine.js";
import type { PendingRequests } from "../lifecycle/context.js";
import { codeOf, messageOf, parseJson, tried } from "../values/any.js";
import { given, type Environment } from "../values/environment.js";

/** How many months stay, the present one included. Only a state from a very old backup is older. */
const monthsKept = 13;

export function pendingRequestsOn(env: Environment, now: () => Date = () => new Date()): PendingRequests {
  let pending: ReadonlySet<string> | undefined;
  let hasRemovedOld = false;
  const unsynced = new Set<string>();
  return {
    isPending(id) {
      pending ??= pendingIn(env);
      if (pending.has(id)) return true;
      const folder = folderOf(env);
      requireUsable(folder);
      return monthsIn(folder).some((month) => exists(join(folder, month, nameOf(id))));
    },
    begin(id, isDurable) {
      const folder = folderOf(env);
      const month = join(folder, monthOf(now()));
      // What is new in a folder is on the disk once the folder is.
      for (let path = month; !exists(path); path = dirname(path)) unsynced.add(dirname(path));
      makeFolder(folder, 0o700);
      requireUsable(folder);
      makeFolder(month, 0o700);
      if (!hasRemovedOld) removeOld(folder, now());
      hasRemovedOld = true;
      const file = join(month, nameOf(id));
      const isMade = create(file);
      if (isDurable) {
        for (const each of unsynced.add(month)) sync(each);
        unsynced.clear();
      }
      // The file of an earlier attempt, or of a run that died, stays.
      return () => {
        if (isMade) rmSync(file, { force: true });
      };
    },
  };
}

/** Why this machine cannot remember what it sends; undefined if it can. Changes nothing. */
export function whyForgetful(env: Environment): string | undefined {
  try {
    requireUsable(folderOf(env));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The folder of the files. The one above it may be a volume of another owner, or a link. */
const folderOf = (env: Environment): string => join(stateFolder(env), "requests");

/** The variable in which `preview` and `apply` pass the states with a pending operation of the engine: another machine may have died. */
export const pendingVariable = "VOICEPLANE_PENDING";

function pendingIn(env: Environment): ReadonlySet<string> {
  const { data } = z.array(z.string()).safeParse(parseJson(given(env[pendingVariable]) ?? "[]"));
  if (data === undefined) throw new Error(`${pendingVariable} is not what voiceplane sets`);
  return new Set(data);
}

/** The file's name: an id that we have made. In a state that a person has edited, it may be any text. */
const nameOf = (id: string): string => (/^[\da-f]{16}$/.test(id) ? id : createHash("sha256").update(id).digest("hex"));
const isName = (name: string): boolean => /^([\da-f]{16}|[\da-f]{64})$/.test(name);

/** The name of a month's folder, in UTC. */
const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

/** The months that have a folder. A folder of this name may have other folders and files, which are never touched. */
const monthsIn = (folder: string): string[] =>
  exists(folder) ? readdirSync(folder).filter((name) => /^\d{4}-\d{2}$/.test(name)) : [];

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** @throws Error if the folder cannot be used, or could not be made */
function requireUsable(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    let parent = dirname(folder);
    while (!exists(parent)) parent = dirname(parent);
    accessSync(`${parent}/`, constants.W_OK | constants.X_OK);
    return;
  }
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${folder} is not a folder of this user`);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Whether the file is new: an earlier attempt of the same request may have made it. */
function create(path: string): boolean {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes a folder onto the disk, where the platform can open folders. */
function sync(folder: string): void {
  const file = tried(() => openSync(folder, "r"));
  if (file === undefined) return;
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeOld(folder: string, today: Date): void {
  const oldest = monthOf(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsKept + 1)));
  for (const month of monthsIn(folder).filter((name) => name < oldest))
    tried(() => {
      const path = join(folder, month);
      for (const name of readdirSync(path).filter(isName)) rmSync(join(path, name), { force: true });
      rmdirSync(path);
    });
}
