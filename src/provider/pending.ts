/**
 * The memory of this machine, see `lifecycle/pending.ts`: an empty file for each state from which a request has left, named by its id. A file
 * is there as a whole or not at all, and no process changes another's, so any number of them may share the folder.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makeFolder, stateFolder } from "../machine.js";
import type { PendingRequests } from "../lifecycle/context.js";
import { codeOf, messageOf, parseJson, tried } from "../values/any.js";
import { given, type Environment } from "../values/environment.js";

/** How many files stay, the newest ones. Only a state from a very old backup is older than all of them. */
const remembered = 2_000;

export function pendingRequestsOn(env: Environment): PendingRequests {
  const fileOf = (id: string): string => join(folderOf(env), isId.test(id) ? id : hash(id));
  let pending: ReadonlySet<string> | undefined;
  let isMine = false;
  return {
    isPending(id) {
      pending ??= pendingIn(env);
      if (pending.has(id)) return true;
      requireUsable(folderOf(env));
      return exists(fileOf(id));
    },
    begin(id, isDurable) {
      const folder = folderOf(env);
      const isNew = !exists(folder);
      if (!isMine) prune(ownFolder(folder));
      isMine = true;
      const file = fileOf(id);
      const isMade = create(file);
      if (isDurable) for (const each of [folder, ...(isNew ? [dirname(folder)] : [])]) sync(each);
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

/** An id that we have made. In a state that a person has edited, it may be any text. */
const isId = /^[\da-f]{16}$/;
const hash = (id: string): string => createHash("sha256").update(id).digest("hex");

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

function ownFolder(folder: string): string {
  makeFolder(folder, 0o700);
  requireUsable(folder);
  // A volume may give its group rights to what is in it, each time it is mounted.
  tried(() => {
    chmodSync(folder, 0o700);
  });
  return folder;
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

function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length < remembered) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { path } of aged.sort((a, b) => b.at - a.at).slice(remembered)) rmSync(path, { force: true });
}
