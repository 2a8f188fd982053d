/**
 * The journals of a stack: the request logs of its runs, a file for each. They are kept until a result has reported them, so what a
 * run has sent is known however it and its CLI end.
 */
import { appendFileSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tried } from "../values.js";
import { readRequestLog, type LoggedAttempt } from "../client/request-log.js";
import type { OperationName } from "../contract/index.js";
import { isOfSetting, type StackState } from "../engine/state.js";
import { areClocksApart } from "../resources/schedule.js";
import { makeFolder } from "./files.js";

export class Journals {
  /** The file of this run. */
  readonly file: string;
  readonly #folder: string;
  readonly #unreported: readonly string[];

  /** @param unreported the names of the journals that no result has reported */
  constructor(folder: string, run: string, unreported: readonly string[] = []) {
    this.file = join(folder, run);
    this.#folder = folder;
    this.#unreported = unreported;
  }

  /** Drops what was reported, and begins the journal of this run. */
  begin(): void {
    makeFolder(this.#folder);
    writeFileSync(this.file, "", { flag: "a", mode: 0o600 });
    this.#remove((path) => path !== this.file && !this.#earlierFiles().includes(path));
  }

  /** This run sent nothing: another one holds the stack. */
  drop(): void {
    rmSync(this.file, { force: true });
  }

  /** Everything is reported. */
  clear(): void {
    this.#remove(() => true);
    // Somebody may keep another file there.
    tried(() => {
      rmdirSync(this.#folder);
    });
  }

  /** What this run has sent by now. */
  own(): readonly LoggedAttempt[] {
    return readRequestLog(this.file);
  }

  /** What earlier runs sent that could not report it. A journal may be missing: of a run on another machine. */
  earlier(): readonly LoggedAttempt[] {
    return this.#earlierFiles().flatMap(readRequestLog);
  }

  /** Appends this run's to a file. Like the provider, it never fails a run for that. */
  copyTo(file: string): void {
    tried(() => {
      appendFileSync(file, readFileSync(this.file), { mode: 0o600 });
    });
  }

  /** The names are from a record, which a stranger may have written. */
  #earlierFiles(): string[] {
    return this.#unreported.filter((name) => isName.test(name)).map((name) => join(this.#folder, name));
  }

  #remove(isRemoved: (path: string) => boolean): void {
    const names = (tried(() => readdirSync(this.#folder)) ?? []).filter((name) => isName.test(name));
    for (const path of names.map((name) => join(this.#folder, name)).filter(isRemoved)) rmSync(path, { force: true });
  }
}

const isName = /^run-\w+$/;

/** A request that changes something, and may have been carried out. */
export interface Sent {
  readonly operation: OperationName;
  /** The object's id. */
  readonly id: string;
  readonly organization: string | undefined;
  readonly isConfirmed: boolean;
  /** Whether its process ended before it had an answer. */
  readonly isUnanswered: boolean;
  /** ISO 8601. A rotation that the state has is not earlier there. */
  readonly at: string;
}

/** Without what was not sent, what was refused, and what changes nothing. */
export function sentIn(attempts: readonly LoggedAttempt[]): Sent[] {
  return attempts.flatMap(({ operation, path, organization, succeeded, outcome, ...times }) => {
    if (operation === "listWebhooks" || outcome === "refused" || outcome === "not-sent") return [];
    const id = decodeURIComponent(path.split("/")[3] ?? "");
    const isUnanswered = outcome === "unanswered";
    const at = operation === "rotateWebhookSecret" ? timeOf(times) : times.time;
    return [{ operation, id, organization, isConfirmed: succeeded, isUnanswered, at }];
  });
}

/** As the provider dates a rotation. */
function timeOf({ time, serverTime }: Pick<LoggedAttempt, "time" | "serverTime">): string {
  return serverTime !== undefined && areClocksApart(new Date(time), new Date(serverTime)) ? serverTime : time;
}

/**
 * Settings of a run that did not end well which the server may have and the state has not: the answer is missing, or the provider
 * died before the engine had saved it.
 *
 * @param state after the run; undefined if it cannot be read
 */
export function unsavedSettings(attempts: readonly LoggedAttempt[], state: StackState | undefined): Sent[] {
  const last = new Map(sentIn(attempts).map((sent) => [`${sent.operation} ${sent.id} ${sent.organization}`, sent]));
  return [...last.values()].filter(
    (sent) => sent.operation !== "rotateWebhookSecret" && (sent.isUnanswered || !isSaved(sent, state)),
  );
}

/** The engine dates what it saves by this machine's clock. An object that it never saved is created again. */
function isSaved({ id, organization, at }: Sent, state: StackState | undefined): boolean {
  const objects = state?.objects.filter(
    (object) =>
      isOfSetting(object.urn) &&
      (object.id ?? id) === id &&
      (organization === undefined || object.organization === organization),
  );
  return objects?.every(({ uncertain, modified = "" }) => uncertain || Date.parse(modified) >= Date.parse(at)) ?? false;
}

/** Statuses of requests that the server refuses until a person changes something. */
const lastingRefusals: ReadonlySet<number | undefined> = new Set([400, 401, 402, 403, 404, 422]);

/** Whether changes were refused, each of which the server would refuse again. */
export function refusedForGood(attempts: readonly LoggedAttempt[]): boolean {
  // Of each request the last attempt. A list that is refused fails no run.
  const changes = attempts.filter(({ operation }) => operation !== "listWebhooks");
  const last = new Map(changes.map((attempt) => [`${attempt.operation} ${attempt.path}`, attempt]));
  const failed = [...last.values()].filter(({ succeeded }) => !succeeded);
  return failed.length > 0 && failed.every(({ status }) => lastingRefusals.has(status));
}
