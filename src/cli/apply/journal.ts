/**
 * The journals of a stack: the request logs of its runs, a file for each in one folder. A file is there until a result that was written
 * has named what is in it, so what a run has sent is reported however it, its CLI or its record end.
 */
import { appendFileSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../machine.js";
import { codeOf, isObject, parseJson, tried } from "../../values/any.js";
import { parseRequestLog, type LoggedAttempt, type LoggedRequests } from "../../client/request-log.js";
import { areClocksApart } from "../../resources/schedule.js";
import { saveFolder } from "./files.js";
import { requireSame, type StackName } from "./record.js";

/** A journal, as it was when it was read. */
export interface Journal extends LoggedRequests {
  readonly file: string;
  readonly text: string;
  /** For people: what cannot be read, and may be about requests that were sent. */
  readonly problem: string | undefined;
}

export class Journals {
  readonly #folder: string;
  readonly #of: StackName;
  /** Those of earlier runs that no result has reported. */
  readonly #earlier: readonly string[];
  /** That of this run, once it has begun. */
  #own: string | undefined;

  /** @throws Error if the folder has the journal of another stack */
  constructor(folder: string, of: StackName) {
    this.#folder = folder;
    this.#of = of;
    const names = (tried(() => readdirSync(folder)) ?? []).filter((name) => isName.test(name));
    this.#earlier = names.map((name) => join(folder, name));
    for (const file of this.#earlier) {
      const header = headerOf(tried(() => readFileSync(file, "utf8")) ?? "");
      if (header) requireSame(header, of, `the journal ${file}`);
    }
  }

  /** Whether an earlier run has one that no result has reported. */
  get hasEarlier(): boolean {
    return this.#earlier.length > 0;
  }

  /**
   * Begins the journal of this run. It is on the disk before the CLI starts.
   *
   * @returns its file
   */
  begin(run: string): string {
    if (this.#own !== undefined) return this.#own;
    const file = join(this.#folder, run);
    makeFolder(this.#folder);
    writeFileSync(file, `${JSON.stringify({ journal: this.#of })}\n`, { flag: "wx", mode: 0o600, flush: true });
    saveFolder(this.#folder);
    this.#own = file;
    return file;
  }

  /** What this run has sent by now. */
  own(): Journal {
    return this.#own === undefined ? nothingSent : journalIn(this.#own);
  }

  /** What earlier runs have sent. The CLI of a run that died may still add to its own, until this run has the stack's lock. */
  earlier(): readonly Journal[] {
    return this.#earlier.map(journalIn);
  }

  /** Appends this run's lines to a file. */
  copyTo(file: string): void {
    appendTo(file, this.own().text);
  }

  /** A run that sent nothing leaves none. */
  dropIfEmpty(): void {
    if (this.#own !== undefined && withoutHeader(this.own().text).trim() === "") rmSync(this.#own, { force: true });
  }

  /**
   * After a result that was written has named what is in them. One that has more by now stays, and so does what cannot be read.
   *
   * @param log gets their lines, so that each run's are there once, also those of a run that was killed
   */
  remove(reported: readonly Journal[], log: string | undefined): void {
    for (const { file, text, problem } of reported) {
      if (file === "" || text !== tried(() => readFileSync(file, "utf8"))) continue;
      if (log !== undefined) appendTo(log, text);
      tried(() => {
        if (problem === undefined) rmSync(file);
        else renameSync(file, join(this.#folder, `unreadable-${file.slice(this.#folder.length + 1)}`));
      });
    }
    // Others may be there.
    tried(() => {
      rmdirSync(this.#folder);
    });
  }
}

const isName = /^run-\w+$/;

const nothingSent: Journal = { file: "", text: "", attempts: [], unreadable: 0, problem: undefined };

function journalIn(file: string): Journal {
  try {
    const text = readFileSync(file, "utf8");
    const requests = parseRequestLog(withoutHeader(text));
    const { unreadable } = requests;
    const problem = `${unreadable} ${unreadable === 1 ? "line" : "lines"} of the journal ${file} cannot be read`;
    return { file, text, ...requests, problem: unreadable > 0 ? problem : undefined };
  } catch (error) {
    const problem = `the journal ${file} cannot be read (${codeOf(error) ?? "unknown error"})`;
    return { file, text: "", attempts: [], unreadable: 1, problem };
  }
}

const header = /^\{"journal":.*\n/;

const withoutHeader = (text: string): string => text.replace(header, "");

/** Like the provider, it never fails a run for that. */
function appendTo(file: string, text: string): void {
  tried(() => {
    appendFileSync(file, withoutHeader(text), { mode: 0o600 });
  });
}

function headerOf(text: string): StackName | undefined {
  const line = parseJson(header.exec(text)?.[0] ?? "");
  return isObject(line) && isObject(line.journal) ? (line.journal as unknown as StackName) : undefined;
}

export const isRotation = ({ operation }: LoggedAttempt): boolean => operation === "rotateWebhookSecret";

/** Attempts of changes that may have been carried out. */
export const changesIn = (journals: readonly Journal[]): LoggedAttempt[] =>
  journals
    .flatMap(({ attempts }) => attempts)
    .filter(
      ({ operation, outcome }) => operation !== "listWebhooks" && outcome !== "refused" && outcome !== "not-sent",
    );

/** When a rotation was answered or sent, as its state has it: by the server's clock if the two are apart. */
export function timeOf({ time, serverTime }: Pick<LoggedAttempt, "time" | "serverTime">): string {
  return serverTime !== undefined && areClocksApart(new Date(time), new Date(serverTime)) ? serverTime : time;
}
