/**
 * What the processes of one engine run tell each other. The program is one process and each provider another, and a provider
 * that is asked to delete has to know what the program and the other providers declare.
 *
 * Each process appends its notes to a file of its own, named by the engine's port and the process. A file counts while its
 * process is alive, which all of a run are until the last delete: so notes never reach a later run.
 */
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineRun } from "../resources/lifecycle.js";

export type Writer = "provider" | "program";

/** A run of one process alone: for programs and providers that no engine has started. */
export function singleProcessRun(): EngineRun {
  const providers = new Set<string>();
  return {
    note: (text) => void providers.add(text),
    notes: () => ({ providers, program: new Set() }),
  };
}

/**
 * @param port where the engine listens: no two runs at a time have the same
 * @param writer what this process is
 * @param parent where the folder of the notes is, or is made
 */
export function joinRun(port: number, writer: Writer, parent: string = tmpdir()): EngineRun {
  const folder = join(parent, `voiceplane-${process.getuid?.() ?? "notes"}`);
  const own = join(folder, `${port}.${writer}.${process.pid}`);
  const written = new Set<string>();
  let failure: Error | undefined;
  const trying = (action: () => void): void => {
    if (failure) return;
    try {
      action();
    } catch (error) {
      failure = unusable(folder, error);
    }
  };
  trying(() => {
    requirePrivate(folder);
    removeStale(folder, own);
  });
  return {
    note(text) {
      if (written.has(text)) return;
      written.add(text);
      trying(() => {
        appendFileSync(own, `${text}\n`, { mode: 0o600 });
      });
    },
    notes() {
      const noted = { provider: new Set<string>(), program: new Set<string>() };
      trying(() => {
        for (const file of filesIn(folder)) {
          if (file.port !== port || !isAlive(file.pid)) continue;
          for (const line of readFileSync(join(folder, file.name), "utf8").split("\n"))
            if (line) noted[file.writer].add(line);
        }
      });
      for (const text of written) noted[writer].add(text);
      return { providers: noted.provider, program: noted.program, ...(failure && { failure }) };
    },
  };
}

interface NoteFile {
  readonly name: string;
  readonly port: number;
  readonly writer: Writer;
  readonly pid: number;
}

function filesIn(folder: string): NoteFile[] {
  return readdirSync(folder).flatMap((name) => {
    const [, port, writer, pid] = /^(\d+)\.(provider|program)\.(\d+)$/.exec(name) ?? [];
    if (writer === undefined) return [];
    return [{ name, port: Number(port), writer: writer as Writer, pid: Number(pid) }];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, and it is somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Others of this machine must not be able to write notes: a note keeps a delete from acting. */
function requirePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (process.getuid === undefined) return;
  if (uid !== process.getuid() || (mode & 0o077) !== 0) throw new Error("others may write to it");
}

/** Files of processes that are gone, and one that an earlier process of the same id has left. */
function removeStale(folder: string, own: string): void {
  rmSync(own, { force: true });
  for (const { name, pid } of filesIn(folder)) if (!isAlive(pid)) rmSync(join(folder, name), { force: true });
}

function unusable(folder: string, error: unknown): Error {
  const reason = error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  return new Error(
    `what the program declares cannot be told, because ${folder} cannot be used (${reason}): remove it, or let TMPDIR name ` +
      "a folder in which this user may write",
  );
}
