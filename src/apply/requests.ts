/** What the provider logged of the requests of a run. */
import { appendFileSync, readFileSync } from "node:fs";
import { readRequestLog } from "../client/request-log.js";
import { operations } from "../contract/index.js";

export interface RequestCounts {
  /** Attempts that left for the server. */
  readonly requests: number;
  /** Rotations that the server confirmed. */
  readonly rotations: number;
}

export function countRequests(file: string): RequestCounts {
  const attempts = sentIn(file);
  const rotations = attempts.filter(({ operation, succeeded }) => operation === "rotateWebhookSecret" && succeeded);
  return { requests: attempts.length, rotations: rotations.length };
}

/** Whether a rotation of the webhook left for the server. Of an id that is not known, it may have. */
export function rotationsSent(file: string): (webhook: string | undefined) => boolean {
  const paths = new Set(sentIn(file).map(({ path }) => path));
  const [before = "", after = ""] = operations.rotateWebhookSecret.path.split(/\{.*\}/);
  return (webhook) => webhook === undefined || paths.has(before + encodeURIComponent(webhook) + after);
}

/** Statuses of requests that the server refuses until a person changes something. */
const lastingRefusals: ReadonlySet<number | undefined> = new Set([400, 401, 402, 403, 404, 422]);

/** Whether changes were refused, each of which the server would refuse again. */
export function refusedForGood(file: string): boolean {
  // Of each request the last attempt. A list that is refused fails no run.
  const last = new Map(
    readRequestLog(file)
      .filter(({ operation }) => operation !== "listWebhooks")
      .map((line) => [`${line.operation} ${line.path}`, line]),
  );
  const failed = [...last.values()].filter(({ succeeded }) => !succeeded);
  return failed.length > 0 && failed.every(({ status }) => lastingRefusals.has(status));
}

/** Appends the lines to a file of the user's. Like the provider, it never fails a run for that. */
export function appendRequests(file: string, to: string): void {
  try {
    appendFileSync(to, readFileSync(file), { mode: 0o600 });
  } catch {
    // No request was made, or there is no room.
  }
}

const sentIn = (file: string) => readRequestLog(file).filter(({ result }) => result !== "not-sent");
