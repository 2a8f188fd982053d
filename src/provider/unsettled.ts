/**
 * The memory of this machine, see `resources/unsettled.ts`: a folder for each object, and in it an empty file for each request, named
 * `<row>.<request>`. A file is there as a whole or not at all, and no process changes another's: so any number of them may share it.
 */
import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, lstatSync, openSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { z } from "zod";
import { makeFolder, privateFolder } from "../machine.js";
import { adoptedRow, noRow, type ObjectName, type Unsettled } from "../resources/memory.js";
import { codeOf, parseJson, tried } from "../values/any.js";
import { given, type Environment } from "../values/environment.js";

/** By object. A restored state is older than that only if its backup is. */
const remembered = 20;

export function unsettledOn(env: Environment): Unsettled {
  const root = stateFolder(env);
  let elsewhere: ReadonlySet<string> | undefined;
  let isPrivate = false;
  const folderOf = (object: ObjectName): string => {
    if (!isPrivate) privateFolder(root, "it is another user's, or others may write to it");
    isPrivate = true;
    return join(root, createHash("sha256").update(keyOf(object)).digest("hex").slice(0, 32));
  };
  return {
    isOpen(object, row) {
      elsewhere ??= pendingIn(env);
      if (elsewhere.has(JSON.stringify([rowless(object), row]))) return true;
      if (!existsSync(root)) return false;
      const folder = folderOf(object);
      const names = namesIn(folder);
      // This row was saved: so the create that made it, or the first update of an imported row, is settled. A later create supersedes it.
      for (const name of names.filter((each) => /^(new|imported)\./.test(each) && each.endsWith(`.${row}`))) {
        create(join(folder, `saved.${row}`));
        rmSync(join(folder, name), { force: true });
      }
      return names.some((name) => name.startsWith(`${row}.`));
    },
    announce(object, { since, id, isDurable }) {
      const folder = folderOf(object);
      const isNew = makeFolder(folder, 0o700);
      const names = namesIn(folder);
      // No other row of the object is current after it: one that a rename or a replacement has left, or that a backup has.
      const made = names.map((name) => name.slice(name.indexOf(".") + 1));
      const current =
        since === adoptedRow ? [] : made.filter((row) => !names.some((each) => each.startsWith(`${row}.`)));
      const added = [...new Set([since, ...current])].map((row) => join(folder, `${row}.${id}`)).filter(create);
      if (isDurable) for (const each of [folder, ...(isNew ? [root] : [])]) sync(each);
      prune(folder, names);
      return () => {
        for (const path of added) rmSync(path, { force: true });
      };
    },
  };
}

/** `VOICEPLANE_STATE_DIR`, or the platform's folder for the state of programs. */
export function stateFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const own = given(env.VOICEPLANE_STATE_DIR);
  if (own !== undefined) return resolve(own);
  // An unknown user of a container has no home: then nothing can be remembered, which a warning says.
  const home = given(env.HOME) ?? tried(homedir) ?? "/";
  if (platform === "darwin") return join(home, "Library/Application Support/voiceplane");
  if (platform === "win32") return join(given(env.LOCALAPPDATA) ?? join(home, "AppData/Local"), "voiceplane");
  const { XDG_STATE_HOME: named = "" } = env;
  return join(isAbsolute(named) ? named : join(home, ".local/state"), "voiceplane");
}

/** Servers accept several spellings of an id. */
const rowless = ({ type, organization, id }: Pick<ObjectName, "type" | "organization" | "id">): string =>
  [type, organization, id].join("\n").toLowerCase();

const keyOf = (object: ObjectName): string => `${rowless(object)}\n${object.address}`;

const pendingOperations = z.array(z.tuple([z.string(), z.string(), z.string(), z.string()]));

/** The variable in which `preview` and `apply` pass the pending operations of the engine's state: another machine may have died. */
export const pendingVariable = "VOICEPLANE_UNSETTLED";

function pendingIn(env: Environment): ReadonlySet<string> {
  const { data } = pendingOperations.safeParse(parseJson(given(env[pendingVariable]) ?? "[]"));
  if (data === undefined) throw new Error(`${pendingVariable} is not what voiceplane sets`);
  return new Set(
    data.map(([type, organization, id, row]) => JSON.stringify([rowless({ type, organization, id }), row || noRow])),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
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

/** Onto the disk, where the platform can open a folder. */
function sync(folder: string): void {
  const file = tried(() => openSync(folder, "r"));
  if (file === undefined) return;
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function prune(folder: string, names: readonly string[]): void {
  if (names.length < remembered) return;
  const aged = names.map((name) => ({
    path: join(folder, name),
    at: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { path } of aged.sort((a, b) => b.at - a.at).slice(remembered)) rmSync(path, { force: true });
}
