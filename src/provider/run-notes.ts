/**
 * Notes between the processes of one engine run: the program and each provider. A provider that has to delete an object needs
 * to know what the others declare.
 *
 * Each process appends its notes, a line of JSON each, to a file of its own, named by the engine's port, the process, and where that runs: another
 * container may share the folder, and its ports and process ids mean nothing here. A file counts if its process is alive when it is
 * first read. All processes of a run are alive until the last delete, so notes never reach a later run.
 */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { inTemporaryFolder, placeOnLinux, privateFolder, processExists } from "../machine.js";
import { codeOf, messageOf } from "../values/any.js";
import { errorOf } from "../values/diagnostic.js";
import type { EngineRun } from "../lifecycle/context.js";
import { noteIn, noteLine, NoteSet } from "../lifecycle/notes.js";

type Writer = "provider" | "program";

/**
 * @param port the engine's port, which identifies the run
 * @param parent contains the folder of the notes, which is this user's alone: a note can prevent a delete. No other folder stands in for it,
 * because all processes of a run must find the same one. Default: the system's temporary folder
 */
export function joinRun(port: number, writer: Writer, parent: string = tmpdir()): EngineRun {
  // Other users may have a folder there too.
  const folder = join(parent, `voiceplane-notes-${process.getuid?.() ?? "user"}`);
  const own = join(folder, [port, writer, process.pid, placeName].join("."));
  const noted = { provider: new NoteSet(), program: new NoteSet() };
  const written = new Set<string>();
  const readers = new Map<string, () => string[]>();
  let whyIncomplete: Error | undefined;
  /** After the first failure notes may be missing, so nothing else is tried. */
  const trying = (action: () => void): void => {
    if (whyIncomplete) return;
    try {
      inTemporaryFolder(action);
    } catch (error) {
      whyIncomplete = errorOf("program-unknown", `what the program declares is not known: ${messageOf(error)}`);
    }
  };
  trying(() => {
    privateFolder(folder, "remove it, or set TMPDIR to a folder in which this user may write");
    removeStale(folder, own);
  });
  return {
    note(note) {
      const line = noteLine(note);
      if (written.has(line)) return;
      written.add(line);
      noted[writer].add(note);
      trying(() => {
        appendFileSync(own, `${line}\n`, { mode: 0o600 });
      });
    },
    notes() {
      trying(() => {
        for (const file of filesIn(folder)) {
          const path = join(folder, file.name);
          if (file.port !== port || path === own) continue;
          const read = readers.get(path) ?? (processExists(file.pid) ? newLinesOf(path) : undefined);
          if (!read) continue;
          readers.set(path, read);
          for (const note of read().map(noteIn)) if (note) noted[file.writer].add(note);
        }
      });
      return { providers: noted.provider, program: noted.program, whyIncomplete };
    },
  };
}

/** Reads the lines that were added since the last call: a run of thousands of resources asks for the notes before each delete. */
function newLinesOf(path: string): () => string[] {
  const decoder = new StringDecoder();
  let offset = 0;
  let begun = "";
  return () => {
    const file = openIfThere(path);
    if (file === undefined) return [];
    try {
      const added = Buffer.alloc(Math.max(0, fstatSync(file).size - offset));
      const length = readSync(file, added, 0, added.length, offset);
      offset += length;
      const lines = (begun + decoder.write(added.subarray(0, length))).split("\n");
      begun = lines.pop() ?? "";
      return lines;
    } finally {
      closeSync(file);
    }
  };
}

/** Undefined if the file is gone: its process may have ended since, and a new run may have removed it. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

interface NotesFile {
  readonly name: string;
  readonly port: number;
  readonly writer: Writer;
  readonly pid: number;
}

/** Only here do process ids and ports mean the same as in this process. */
const ownPlace = placeOnLinux();
const placeName = ownPlace === undefined ? "here" : createHash("sha256").update(ownPlace).digest("hex").slice(0, 16);

/** The files of processes that run in the same place. */
function filesIn(folder: string): NotesFile[] {
  return readdirSync(folder).flatMap((name) => {
    const [, port, writer, pid, where] = /^(\d+)\.(provider|program)\.(\d+)\.(\w+)$/.exec(name) ?? [];
    if (where !== placeName) return [];
    return [{ name, port: Number(port), writer: writer as Writer, pid: Number(pid) }];
  });
}

/** Longer than any run takes. */
const longestRunMs = 30 * 86_400_000;

/**
 * Removes the files of processes that have ended. With the id of this process, these are an earlier process, and a provider's own earlier runs,
 * because an engine can attach to a provider that runs already. Nobody sees from here whether a process of another container is alive, so its file
 * is removed by age.
 */
function removeStale(folder: string, own: string): void {
  rmSync(own, { force: true });
  const here = new Map(filesIn(folder).map((file) => [file.name, file]));
  for (const name of readdirSync(folder)) {
    const [path, file] = [join(folder, name), here.get(name)];
    if (file === undefined ? isOld(path) : hasEnded(file)) rmSync(path, { force: true });
  }
}

function hasEnded({ pid, writer }: NotesFile): boolean {
  return pid === process.pid ? writer === "provider" : !processExists(pid);
}

function isOld(path: string): boolean {
  return Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > longestRunMs;
}
