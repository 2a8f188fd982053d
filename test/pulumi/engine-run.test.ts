import type { EngineRun } from "../../src/resources/lifecycle.js";
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinRun } from "../../src/pulumi/engine-run.js";

let folder: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "notes-"));
});

afterEach(async () => {
  for (const child of others.splice(0)) await end(child);
  rmSync(folder, { recursive: true, force: true });
});

const run = (port: number): EngineRun => joinRun(port, "provider", folder);
const notesFolder = (): string => join(folder, `voiceplane-${process.getuid?.() ?? "notes"}`);

/** Another process, which runs until it is killed. */
async function other(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ["-e", "console.log('up'); setInterval(() => {}, 1e6)"]);
  others.push(child);
  await once(child.stdout, "data");
  return child as ChildProcess & { pid: number };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

function noteAs(pid: number, port: number, writer: string, text: string): void {
  mkdirSync(notesFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(join(notesFolder(), `${port}.${writer}.${pid}`), `${text}\n`);
}

test("a process reads its own notes, and those of other processes of the same run", async () => {
  const { pid } = await other();
  const here = run(4001);
  noteAs(pid, 4001, "provider", "from a provider");
  noteAs(pid, 4001, "program", "from the program");
  noteAs(pid, 4002, "program", "from another run");
  here.note("own");
  const { providers, program } = here.notes();
  expect([...providers].sort()).toEqual(["from a provider", "own"]);
  expect([...program]).toEqual(["from the program"]);
});

test("notes are ignored once their process has ended, and the next run removes the file", async () => {
  const child = await other();
  const here = run(4001);
  noteAs(child.pid, 4001, "program", "from the program");
  await end(child);
  expect([...here.notes().program]).toEqual([]);
  run(4003);
  expect(readdirSync(notesFolder())).toEqual([]);
});

test("notes of an earlier process with the same id and port are ignored", () => {
  noteAs(process.pid, 4001, "provider", "left");
  expect([...run(4001).notes().providers]).toEqual([]);
});

test("only the user can read or write the notes", () => {
  if (process.getuid === undefined) return;
  chmodSync(folder, 0o755);
  run(4001).note("own");
  expect(readdirSync(notesFolder())).toHaveLength(1);

  chmodSync(notesFolder(), 0o777);
  const here = run(4001);
  here.note("own");
  const { providers, failure } = here.notes();
  expect([...providers]).toEqual(["own"]);
  expect(failure?.message).toBe(
    `what the program declares is not known, because ${notesFolder()} cannot be used (others may write to it): ` +
      "remove it, or set TMPDIR to a folder in which this user may write",
  );
});
