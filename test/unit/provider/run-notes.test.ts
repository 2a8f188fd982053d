/** The notes between the processes of one run: which of them count, and for how long. */
import type { EngineRun } from "../../../src/lifecycle/context.js";
import { spawn, spawnSync } from "node:child_process";
import fs, { appendFileSync, chmodSync, mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import type { Note } from "../../../src/lifecycle/notes.js";
import { joinRun } from "../../../src/provider/run-notes.js";
import { temporaryFolder } from "../../support/folders";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** Another process of this run, and one that has ended. */
const other = process.ppid;
const ended = spawnSync(process.execPath, ["--version"]).pid;

const run = (port: number): EngineRun => joinRun(port, "provider", folder);
const notesFolder = (): string => join(folder, `voiceplane-notes-${process.getuid?.() ?? "user"}`);
const files = (): string[] => readdirSync(notesFolder());

const declared = (key: string): Note => ({ says: "declared", key });
const line = (key: string): string => `${JSON.stringify(declared(key))}\n`;

/** The keys that any test declares. */
const keys = ["own", "of a provider", "of the program", "of another run", "left", "first", "second", "third €"];

/** What a run reads. */
function read(reader: EngineRun) {
  const { providers, program, whyIncomplete } = reader.notes();
  const [provided, programmed] = [providers, program].map((notes) => keys.filter((key) => notes.has("declared", key)));
  return { providers: provided, program: programmed, whyIncomplete: whyIncomplete?.message };
}

/** Lines of another process, by default of one that declares an object. Their file, which it returns, is written where this one runs. */
function noteAs(
  pid: number,
  writer: "provider" | "program",
  note: string,
  { port = 4001, place = here(), text = JSON.stringify(declared(note)) } = {},
): string {
  mkdirSync(notesFolder(), { recursive: true, mode: 0o700 });
  const file = join(notesFolder(), `${port}.${writer}.${pid}.${place}`);
  appendFileSync(file, `${text}\n`);
  return file;
}

/** The last part of the names of files that are written in this container. */
function here(): string {
  const elsewhere = temporaryFolder();
  joinRun(1, "program", elsewhere).note(declared("own"));
  const [notes = ""] = readdirSync(elsewhere);
  return readdirSync(join(elsewhere, notes))[0]?.split(".")[3] ?? "";
}

test("a process reads its own notes, and those of other processes of the same run", () => {
  const reader = run(4001);
  noteAs(other, "provider", "of a provider");
  noteAs(other, "program", "of the program");
  noteAs(other, "program", "of another run", { port: 4002 });
  reader.note(declared("own"));
  expect(read(reader)).toEqual({ providers: ["own", "of a provider"], program: ["of the program"] });
});

test("notes are ignored once their process has ended, unless they were read before, and the next run removes the file", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  const [reader, late] = [run(4001), run(4001)];
  noteAs(child.pid ?? 0, "program", "of the program");
  reader.notes();
  child.kill();
  await once(child, "exit");
  expect(read(late)).toEqual({ providers: [], program: [] });
  run(4003);
  expect(files()).toEqual([]);
  expect(read(reader)).toEqual({ providers: [], program: ["of the program"] });
});

test("notes of an earlier process with the same id and port are ignored", () => {
  noteAs(process.pid, "provider", "left");
  expect(read(run(4001)).providers).toEqual([]);
});

test("a provider's process that joins another run leaves no notes in the one before, whose port a later run may have", () => {
  run(4001).note(declared("own"));
  joinRun(4001, "program", folder).note(declared("own"));
  const next = run(4002);
  expect(files().map((name) => name.split(".").slice(0, 2))).toEqual([["4001", "program"]]);
  next.note(declared("own"));
  expect(files()).toHaveLength(2);
});

test("a note counts as soon as it is complete, however often the notes were read before", () => {
  const reader = run(4001);
  const file = noteAs(other, "provider", "first");
  const third = Buffer.from(line("third €"));
  const inEuro = third.indexOf("€") + 1;
  const added = [
    [Buffer.concat([Buffer.from(line("second")), third.subarray(0, 5)]), ["first", "second"]],
    [third.subarray(5, inEuro), ["first", "second"]],
    [third.subarray(inEuro), ["first", "second", "third €"]],
  ] as const;
  expect(read(reader).providers).toEqual(["first"]);
  for (const [bytes, expected] of added) {
    appendFileSync(file, bytes);
    expect(read(reader).providers).toEqual(expected);
  }
});

test("many deletes read many notes once: each reads what was noted since the one before", () => {
  const reader = run(4001);
  const objects = Array.from(
    { length: 10_000 },
    (_, n) => `retentionpolicy "recordings-${n}" at https://api.example.com`,
  );
  const file = noteAs(other, "provider", "first", { text: objects.map(line).join("").trimEnd() });
  const reading = jest.spyOn(fs, "readSync");
  for (let n = 0; n < 200; n++) {
    appendFileSync(file, line(`delete ${n}`));
    expect(reader.notes().providers.has("declared", `delete ${n}`)).toBe(true);
  }
  const bytes = reading.mock.results.map(({ value }) => value as number);
  reading.mockRestore();
  const { providers } = reader.notes();
  expect(objects.filter((key) => !providers.has("declared", key))).toEqual([]);
  expect(bytes.reduce((sum, length) => sum + length)).toBe(statSync(file).size);
});

test("a line that is not whole, or of another version, is ignored, and those around it count", () => {
  const reader = run(4001);
  const others = ["", "first", '{"says":"declared"}', '{"says":"of a later version","key":"first"}'];
  noteAs(other, "provider", "", { text: [line("second").trimEnd(), ...others, line("third €").trimEnd()].join("\n") });
  expect(read(reader)).toEqual({ providers: ["second", "third €"], program: [] });
});

test("notes with one key are read apart from those of other kinds, each once and in their order", () => {
  const reader = run(4001);
  const days = [60, 90, 60].map((days) => ({ says: "days", key: "first", days }) as const);
  for (const note of [...days, { says: "called", key: "first", name: "a\nb" } as const]) reader.note(note);
  const { providers } = reader.notes();
  expect(providers.of("days", "first").map(({ days }) => days)).toEqual([60, 90]);
  expect(providers.of("called", "first")).toEqual([{ says: "called", key: "first", name: "a\nb" }]);
  expect(providers.has("declared", "first")).toBe(false);
});

test("a file of another container is neither read nor taken for one of an ended process; it is removed after a month", () => {
  const file = noteAs(ended, "program", "of another container", { place: "0123456789abcdef" });
  const [day, now] = [86_400, Date.now() / 1000];
  utimesSync(file, now - 29 * day, now - 29 * day);
  expect(read(run(4001)).program).toEqual([]);
  expect(files()).toHaveLength(1);
  utimesSync(file, now - 31 * day, now - 31 * day);
  run(4001);
  expect(files()).toEqual([]);
});

test("only the user can read or write the notes", () => {
  if (process.getuid === undefined) return;
  chmodSync(folder, 0o755);
  run(4001).note(declared("own"));
  expect(files()).toHaveLength(1);

  chmodSync(notesFolder(), 0o777);
  const reader = run(4001);
  reader.note(declared("own"));
  expect(read(reader)).toMatchObject({
    providers: ["own"],
    whyIncomplete:
      `what the program declares is not known: ${notesFolder()} is not private: ` +
      "remove it, or set TMPDIR to a folder in which this user may write [program-unknown]",
  });
});
