/** The request log: a line of JSON for each attempt, in the file of VOICEPLANE_REQUEST_LOG. `voiceplane apply` counts them. */
import { appendFileSync, readFileSync } from "node:fs";
import * as z from "zod";
import type { OnAttempt } from "./observers.js";

/** One line. Members may be added. A reader needs those that are not optional. */
const lineSchema = z.object({
  /** When it ended, ISO 8601 by this machine's clock. */
  time: z.string().optional(),
  operation: z.string(),
  method: z.string().optional(),
  path: z.string(),
  /** 1 for the first one. */
  attempt: z.number().optional(),
  /** "answered", or why there is no answer. */
  result: z.string(),
  /** The answer's status, if there is one. */
  status: z.number().optional(),
  /** The transport's code, if there is no answer. */
  code: z.string().optional(),
  /** Whether the answer is a success. */
  succeeded: z.boolean(),
  ms: z.number().optional(),
});

export type LoggedAttempt = Readonly<z.infer<typeof lineSchema>>;

/** Appends to `file`, which only its owner may read. Undefined without a file. */
export function requestLog(file: string | undefined): OnAttempt | undefined {
  if (file === undefined || file === "") return undefined;
  return ({ operation, method, path, number, result, status, code, outcome, startedAt, endedAt }) => {
    const line: LoggedAttempt = {
      time: new Date(endedAt).toISOString(),
      ...{ operation, method, path, attempt: number, result, status, code, succeeded: outcome === "success" },
      ms: Math.round(endedAt - startedAt),
    };
    try {
      // Several processes append: one call writes a whole line.
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not fail a request that may have been carried out.
    }
  };
}

/** The attempts in the file; none if it is missing. A line that a killed process has not finished is left out. */
export function readRequestLog(file: string): LoggedAttempt[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [lineSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
