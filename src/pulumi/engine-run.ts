/**
 * Notes between the processes of one engine run: the program and each provider. A provider that has to delete an object needs
 * to know what the others declare.
 *
 * Each process appends its notes to a file of its own, named by the engine's port and the process. A file counts while its
 * process is alive. All processes of a run are alive until the last delete, so notes never reach a later run.
 */
import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineRun } from "../resources/lifecycle.js";

type Writer = "provider" | "program";

/** For programs and providers that no engine has started: notes stay in the process. */
export function singleProcessRun(): EngineRun {
  const providers = new Set<string>();
  return {
    note: (text) => void providers.add(text),
    notes: () => ({ providers, program: new Set() }),
  };
}

/**
 * @param port the engine's port, which identifies the run
 * @param parent contains the folder of the notes. Default: the system's temporary folder
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
          const lines = readFileSync(join(folder, file.name), "utf8").split("\n");
          for (const line of lines) if (line) noted[file.writer].add(line);
        }
      });
      for (const text of written) noted[writer].add(text);
      return { providers: noted.provider, program: noted.program, ...(failure && { failure }) };
    },
  };
}

function filesIn(folder: string): { name: string; port: number; writer: Writer; pid: number }[] {
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
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Other users of the machine must not be able to write notes: a note can prevent a delete. */
function requirePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (process.getuid === undefined) return;
  if (uid !== process.getuid() || (mode & 0o077) !== 0) throw new Error("others may write to it");
}

/** Removes files of ended processes, and that of an earlier process with the same id. */
function removeStale(folder: string, own: string): void {
  rmSync(own, { force: true });
  for (const { name, pid } of filesIn(folder)) if (!isAlive(pid)) rmSync(join(folder, name), { force: true });
}

function unusable(folder: string, error: unknown): Error {
  const reason = error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  return new Error(
    `what the program declares is not known, because ${folder} cannot be used (${reason}): remove it, or set TMPDIR to ` +
      "a folder in which this user may write",
  );
}
