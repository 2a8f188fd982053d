/**
 * The request log: lines of JSON in the file of VOICEPLANE_REQUEST_LOG. One before each attempt of a request that changes something,
 * and one for each attempt that has ended. So the log of a process that was killed names what it may have sent. `voiceplane apply`
 * reads it.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { codeOf, isObject, messageOf, parseJson } from "../values.js";
import type { OperationName } from "../contract/index.js";
import { ConfigError } from "./errors.js";
import type { EndedAttempt } from "./observers.js";

interface Line extends Pick<EndedAttempt, "operation" | "method" | "path"> {
  /** The same in both lines of an attempt. */
  readonly id?: string | undefined;
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
  readonly id: string;
}

/** After the attempt. Members may be added. */
interface AttemptLine extends Line, Pick<EndedAttempt, "result"> {
  /** Whether the answer is a success. */
  readonly succeeded: boolean;
  /** What became of the request. Absent in the lines of version 0.1.0. */
  readonly outcome?: EndedAttempt["outcome"];
  /** The answer's status, if there is one. */
  readonly status?: number | undefined;
  /** The transport's code, if there is no answer. */
  readonly code?: string | undefined;
  readonly ms: number;
  /** The server's time by its last answer with a date, ISO 8601. */
  readonly serverTime?: string | undefined;
}

export type Announced = Pick<EndedAttempt, "operation" | "method" | "path" | "number">;

export interface RequestLog {
  /**
   * Writes the line before an attempt of a request that changes something.
   *
   * @returns its id; undefined where there is no line
   * @throws ConfigError if there is none for a rotation: if this process died, nobody would know of it
   */
  announce(attempt: Announced): string | undefined;
  /** Never fails: a request that was sent may have been carried out. */
  ended(attempt: EndedAttempt, id: string | undefined, serverTime: Date | undefined): void;
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
  const append = (line: IntentLine | AttemptLine): void => {
    // Several processes append, and one may have been killed at it: each line is one write, and begins on a line of its own.
    appendFileSync(file, `\n${JSON.stringify(line)}\n`, { mode: 0o600 });
  };
  return {
    announce({ operation, method, path, number }) {
      if (method === "GET") return undefined;
      const id = randomUUID();
      const time = now().toISOString();
      try {
        append({ intent: true, id, operation, path, organization, method, attempt: number, time });
        return id;
      } catch (error) {
        // A setting can be sent again without harm.
        if (operation !== "rotateWebhookSecret") return undefined;
        const why = `the request log ${file} cannot be written (${codeOf(error) ?? messageOf(error)})`;
        throw new ConfigError([
          `${method} ${path} was not sent: ${why}, and without a line there, nobody would know of the rotation if this process died.`,
        ]);
      }
    },
    ended({ operation, method, path, number, result, status, code, outcome, startedAt, endedAt }, id, serverTime) {
      const line = { operation, method, path, attempt: number, result, status, code };
      try {
        append({
          time: now().toISOString(),
          ...line,
          succeeded: outcome === "success",
          outcome,
          ms: Math.round(endedAt - startedAt),
          ...{ id, organization, serverTime: serverTime?.toISOString() },
        });
      } catch {
        // Without this line, the attempt counts as one without an answer.
      }
    },
  };
}

/** An attempt of a request, by one or both of its lines. */
export interface LoggedAttempt {
  readonly operation: OperationName;
  readonly path: string;
  readonly organization: string | undefined;
  readonly succeeded: boolean;
  /** "unanswered": only the line before it is there. It may have been sent. */
  readonly outcome: EndedAttempt["outcome"] | "unanswered";
  readonly status: number | undefined;
  /** When it ended, or began, ISO 8601. */
  readonly time: string;
  readonly serverTime: string | undefined;
}

/** The attempts in the file, in the order in which they ended or, if they did not, began; none if it is missing. */
export function readRequestLog(file: string): LoggedAttempt[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  const lines = text.split("\n").flatMap((line) => parseLine(line) ?? []);
  const ended = new Set(lines.flatMap((line) => ("result" in line ? (line.id ?? []) : [])));
  return lines.filter((line) => "result" in line || !ended.has(line.id)).map(attemptOf);
}

function attemptOf(line: IntentLine | AttemptLine): LoggedAttempt {
  const { operation, path, organization, time } = line;
  const facts = { operation, path, organization, time };
  if (!("result" in line)) {
    return { ...facts, succeeded: false, outcome: "unanswered", status: undefined, serverTime: undefined };
  }
  const { succeeded, status, serverTime } = line;
  return { ...facts, succeeded, outcome: line.outcome ?? outcomeIn(line), status, serverTime };
}

function outcomeIn({ result, succeeded, status = 0 }: AttemptLine): EndedAttempt["outcome"] {
  if (result === "answered" && status < 500) return succeeded ? "success" : "refused";
  return result === "not-sent" ? "not-sent" : "unknown";
}

/** By what is counted. Of a line that is cut off, only the beginning of an intent counts: never an answer. */
function parseLine(line: string): IntentLine | AttemptLine | undefined {
  const parsed = parseJson(line);
  if (isObject(parsed)) {
    const { operation, path, time } = parsed;
    if (![operation, path, time].every((text) => typeof text === "string")) return undefined;
    const isAttempt = typeof parsed.result === "string" && typeof parsed.succeeded === "boolean";
    const isIntent = parsed.intent === true && typeof parsed.id === "string";
    return isAttempt || isIntent ? (parsed as unknown as IntentLine | AttemptLine) : undefined;
  }
  const cut = /^(\{"intent":true,"id":"[^"]*","operation":"[^"]*","path":"[^"]*")/.exec(line)?.[1];
  return cut === undefined ? undefined : (parseJson(`${cut},"attempt":1,"time":""}`) as IntentLine);
}
