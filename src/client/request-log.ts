/**
 * The request log: lines of JSON in the file of VOICEPLANE_REQUEST_LOG. One before each attempt of a request that changes something,
 * and one for each attempt that has ended. So the log of a process that was killed names what it may have sent. `voiceplane apply`
 * reads it.
 */
import { appendFileSync } from "node:fs";
import { codeOf, isObject, messageOf, parseJson, tried } from "../values/any.js";
import { operations, type OperationName } from "../contract/index.js";
import { ConfigError } from "./errors.js";
import type { EndedAttempt } from "./observers.js";

interface Line extends Pick<EndedAttempt, "operation" | "method" | "path"> {
  /** Of the attempt: the same in both of its lines. */
  readonly id: string;
  /** Of a rotation, see {@link LoggedAttempt.since}. */
  readonly since?: string | null | undefined;
  /** The name of the provider's organization. */
  readonly organization?: string | undefined;
  /** ISO 8601, by this machine's clock. */
  readonly time: string;
  /** 1 for the first one. */
  readonly attempt: number;
}

/** Before the attempt. The first members are those that count if the rest of the line is missing. */
interface IntentLine extends Line {
  readonly intent: true;
}

/** After the attempt. Members may be added. */
interface AttemptLine extends Line, Pick<EndedAttempt, "result" | "outcome"> {
  /** Whether the answer is a success. */
  readonly succeeded: boolean;
  /** The answer's status, if there is one. */
  readonly status?: number | undefined;
  /** The transport's code, if there is no answer. */
  readonly code?: string | undefined;
  readonly ms: number;
  /** The server's time by its last answer with a date, ISO 8601. */
  readonly serverTime?: string | undefined;
}

type Announced = Pick<EndedAttempt, "operation" | "method" | "path" | "number"> & Pick<IntentLine, "id" | "since">;

export interface RequestLog {
  /**
   * Writes the line before an attempt of a request that changes something. That of a rotation is on the disk when this returns.
   *
   * @throws ConfigError if there is none for a rotation: if this process died, nobody would know of it
   */
  announce(attempt: Announced): void;
  /** Never fails: a request that was sent may have been carried out. */
  ended(attempt: EndedAttempt & Pick<IntentLine, "id" | "since">, serverTime: Date | undefined): void;
}

interface LogFacts {
  readonly organization?: string | undefined;
  readonly now?: () => Date;
}

/** Appends to `file`, which only its owner may read. Undefined without a file. */
export function requestLog(
  file: string | undefined,
  { organization, now = () => new Date() }: LogFacts = {},
): RequestLog | undefined {
  if (file === undefined || file === "") return undefined;
  const append = (line: IntentLine | AttemptLine, flush: boolean): void => {
    // Several processes append, and one may be killed meanwhile. So each entry is one write, and begins with a line end.
    appendFileSync(file, `\n${JSON.stringify(line)}\n`, { mode: 0o600, flush });
  };
  return {
    announce({ id, since, operation, method, path, number }) {
      if (method === "GET") return;
      const { idempotent } = operations[operation];
      const line = { since, operation, path, organization, method, attempt: number, time: now().toISOString() };
      try {
        append({ id, intent: true, ...line }, !idempotent);
      } catch (error) {
        if (idempotent) return;
        const why = `the request log ${file} cannot be written (${codeOf(error) ?? messageOf(error)})`;
        throw new ConfigError([
          `${method} ${path} was not sent: ${why}, and without a line there, nobody would know of the rotation if this process died.`,
        ]);
      }
    },
    ended(
      { id, since, operation, method, path, number, result, status, code, outcome, startedAt, endedAt },
      serverTime,
    ) {
      const line = { since, operation, method, path, attempt: number, result, status, code };
      const ended = { id, time: now().toISOString(), ...line, succeeded: outcome === "success", outcome };
      const ms = Math.round(endedAt - startedAt);
      try {
        append({ ...ended, ms, organization, serverTime: serverTime?.toISOString() }, false);
      } catch {
        // Without this line, the attempt counts as one without an answer.
      }
    },
  };
}

/** An attempt of a request, by one or both of its lines. */
export interface LoggedAttempt {
  readonly id: string;
  /** Of a rotation: the id of the one before it that the state had then; null if the state had none. */
  readonly since: string | null;
  readonly operation: OperationName;
  /** The id of its object. */
  readonly object: string;
  readonly organization: string | undefined;
  readonly succeeded: boolean;
  /** "unanswered": only the line before it is there. It may have been sent. */
  readonly outcome: EndedAttempt["outcome"] | "unanswered";
  readonly status: number | undefined;
  /** When it ended, or began, ISO 8601. */
  readonly time: string;
  readonly serverTime: string | undefined;
}

export interface LoggedRequests {
  /** In the order in which they ended or, if they did not, began. */
  readonly attempts: readonly LoggedAttempt[];
  /** How many lines cannot be read. Each may be about a request that was sent. */
  readonly unreadable: number;
}

/** Of the text of a request log. */
export function parseRequestLog(text: string): LoggedRequests {
  const written = text.split("\n").filter((line) => line.trim() !== "");
  const lines = written.flatMap((line) => parseLine(line) ?? []);
  const announced = new Set(lines.flatMap((line) => ("result" in line ? [] : line.id)));
  const ended = new Set(lines.flatMap((line) => ("result" in line ? line.id : [])));
  const attempts = lines.filter((line) => "result" in line || !ended.has(line.id)).map(attemptOf);
  // An answer without its end belongs to the line before its attempt, which then has no answer.
  const others = written.filter((line) => parseLine(line) === undefined && !announced.has(idIn(line)));
  return { attempts, unreadable: others.length };
}

const idIn = (line: string): string => /^\{"id":"([^"]*)"/.exec(line)?.[1] ?? "";

function attemptOf(line: IntentLine | AttemptLine): LoggedAttempt {
  const { id, since = null, operation, organization, time } = line;
  const facts = { id, since, operation, object: objectIn(line.path) ?? "", organization, time };
  if (!("result" in line)) {
    return { ...facts, succeeded: false, outcome: "unanswered", status: undefined, serverTime: undefined };
  }
  const { outcome, status, serverTime } = line;
  return { ...facts, succeeded: outcome === "success", outcome, status, serverTime };
}

/** The last parameter of the path; undefined if it is not percent-encoded correctly. */
const objectIn = (path: string): string | undefined => tried(() => decodeURIComponent(path.split("/")[3] ?? ""));

/** By what is counted; undefined if it cannot be read. Of a line that is cut off, only the beginning of an intent counts. */
function parseLine(line: string): IntentLine | AttemptLine | undefined {
  const parsed = parseJson(line) ?? parseJson(`${beginningOf(line)},"attempt":1,"time":""}`);
  if (!isObject(parsed)) return undefined;
  const { operation, path, time, id, since } = parsed;
  if (![id, operation, path, time, since ?? "", parsed.organization ?? ""].every((text) => typeof text === "string"))
    return undefined;
  if (!Object.hasOwn(operations, String(operation)) || objectIn(String(path)) === undefined) return undefined;
  // Without it, nobody could tell what became of the rotation.
  if (operation === "rotateWebhookSecret" && since === undefined) return undefined;
  const isAttempt = typeof parsed.result === "string" && typeof parsed.outcome === "string";
  return isAttempt || parsed.intent === true ? (parsed as unknown as IntentLine | AttemptLine) : undefined;
}

/** The members of an intent up to its path. */
const beginningOf = (line: string): string | undefined =>
  /^\{"id":"[^"]*","intent":true,(?:"since":[^,]*,)?"operation":"[^"]*","path":"[^"]*"/.exec(line)?.[0];
