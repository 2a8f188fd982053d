/**
 * The memory of this machine, see `lifecycle/pending.ts`: a file for each state and target from which a request has left, named by both, in a folder
 * for each month. Its name says all that is decided, and its text is for messages alone. No process changes another's file, so any number of them may
 * share the folder. A second file, whose name ends in ".waits", says that this machine was about to send a request.
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { placeOnLinux, processExists, stateFolder } from "../machine.js";
import type { PendingRequests, Target } from "../lifecycle/context.js";
import { codeOf, messageOf, parseJson, tried } from "../values/any.js";
import { given, type Environment } from "../values/environment.js";

/** Where the id of a process means something. */
const processPlace = placeOnLinux() ?? "here";

/** How many months stay, the present one included. Only a state from a very old backup is older. */
const monthsKept = 13;

export function pendingRequestsOn(env: Environment, now: () => Date = () => new Date()): RequestMemory {
  /** The states with a pending operation of the engine. */
  let pendingIds: ReadonlySet<string> | undefined;
  /** The names in all months, as they were at the first question about another target. */
  let names: readonly string[] | undefined;
  /** Folders that have something new which may not be on the disk yet. */
  const unsynced = new Set<string>();
  const find = (name: string): string | undefined => {
    const folder = folderOf(env);
    requireUsable(folder);
    const found = monthsIn(folder).find((month) => isThere(join(folder, month, name)));
    return found === undefined ? undefined : join(folder, found, name);
  };
  /** Makes this month's folder, and removes what is older than all months that stay. */
  const makeMonth = (): string => {
    const folder = folderOf(env);
    const month = join(folder, monthOf(now()));
    // A new file or folder is on the disk only once the folder that it is in has been synced.
    for (let path = month; !isThere(path); path = dirname(path)) unsynced.add(dirname(path));
    requireUsable(folder);
    mkdirSync(month, { recursive: true, mode: 0o700 });
    removeOldMonths(folder, now());
    return month;
  };
  return {
    isPending(id, target) {
      pendingIds ??= pendingIn(env);
      return pendingIds.has(id) || find(fileNameOf(id, target)) !== undefined;
    },
    sentElsewhere(id, target) {
      const folder = folderOf(env);
      names ??= monthsIn(folder).flatMap((month) => readdirSync(join(folder, month)));
      const [own, prefix] = [fileNameOf(id, target), `${idName(id)}.`];
      const other = names.find((name) => name.startsWith(prefix) && name !== own && !name.endsWith(waits));
      return other && (readPending(find(other))?.address ?? "another address");
    },
    hasSentNothing: (id, target) =>
      find(fileNameOf(id, target)) === undefined && find(fileNameOf(id, target) + waits) !== undefined,
    isUnderWay(id, target) {
      const content = readPending(find(fileNameOf(id, target)));
      return content?.place === processPlace && processExists(content.pid);
    },
    prepare(id, target) {
      const name = fileNameOf(id, target) + waits;
      createFile(join(makeMonth(), name), "");
      return () => {
        const file = find(name);
        if (file !== undefined) rmSync(file, { force: true });
      };
    },
    begin(id, target, isDurable) {
      const month = makeMonth();
      const file = join(month, fileNameOf(id, target));
      const content = { address: target.address, pid: process.pid, place: processPlace };
      const isMade = createFile(file, JSON.stringify(content));
      if (isDurable) {
        unsynced.add(month);
        for (const each of unsynced) syncFolder(each);
        unsynced.clear();
      }
      // The file of an earlier attempt, or of a run that died, stays.
      return () => {
        if (isMade) rmSync(file, { force: true });
      };
    },
  };
}

/** The memory, with what only commands ask. */
interface RequestMemory extends PendingRequests {
  /** Whether this machine was about to send a request from this state, and none has left. */
  hasSentNothing(stateId: string, target: Target): boolean;
  /** Whether the process lives that has sent a request from this state. */
  isUnderWay(stateId: string, target: Target): boolean;
}

const pendingSchema = z.object({ address: z.string(), pid: z.number(), place: z.string() });

const readPending = (path = "") =>
  pendingSchema.safeParse(parseJson(tried(() => readFileSync(path, "utf8")) ?? "")).data;

/** Why this machine cannot remember what it sends. Changes nothing. */
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

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The id in a file's name: one that we have made. In a state that a person has edited, it may be any text. */
const idName = (id: string): string => (/^([\da-f]{16}|[\da-f]{64})$/.test(id) ? id : hashOf(id));

const fileNameOf = (id: string, { organization, address }: Target): string =>
  `${idName(id)}.${hashOf(JSON.stringify([organization, address])).slice(0, 16)}`;

const waits = ".waits";

const isName = (name: string): boolean => /^([\da-f]{16}|[\da-f]{64})\.[\da-f]{16}(\.waits)?$/.test(name);

/** The name of a month's folder, in UTC. */
const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

/** The months that have a folder. A folder of this name may have other folders and files, which are never touched. */
const monthsIn = (folder: string): string[] =>
  isThere(folder) ? readdirSync(folder).filter((name) => /^\d{4}-\d{2}$/.test(name)) : [];

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** @throws Error if the folder cannot be used, or could not be made */
function requireUsable(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) {
    let parent = dirname(folder);
    while (!isThere(parent)) parent = dirname(parent);
    accessSync(`${parent}/`, constants.W_OK | constants.X_OK);
    return;
  }
  if (!found.isDirectory() || (process.getuid !== undefined && found.uid !== process.getuid()))
    throw new Error(`${folder} is not a folder of this user`);
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Whether the file is new: an earlier attempt of the same request may have made it. */
function createFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Writes a folder onto the disk, where the platform can open folders. */
function syncFolder(folder: string): void {
  const file = tried(() => openSync(folder, "r"));
  if (file === undefined) return;
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function removeOldMonths(folder: string, today: Date): void {
  const oldest = monthOf(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsKept + 1)));
  for (const month of monthsIn(folder).filter((name) => name < oldest))
    tried(() => {
      const path = join(folder, month);
      for (const name of readdirSync(path).filter(isName)) rmSync(join(path, name), { force: true });
      rmdirSync(path);
    });
}
