/**
 * What the client tells on `node:diagnostics_channel`, for whoever wants logs, metrics or traces of it. Nothing here holds
 * a header or a body.
 */
import { channel } from "node:diagnostics_channel";
import type { Method, OperationName } from "../contract.js";
import type { Outcome } from "./errors.js";

/** Published on `voiceplane:attempt` for every attempt, and on `voiceplane:request` for the request as a whole. */
export interface RequestEvent {
  readonly operation: OperationName;
  readonly method: Method;
  /** Relative to the base URL. */
  readonly path: string;
  /** Number of the attempt, from 1; for a request as a whole: how many there were. */
  readonly attempt: number;
  /** Undefined where there was no answer. */
  readonly status: number | undefined;
  readonly outcome: "success" | Outcome;
  /** ms; that of a request includes the waits between its attempts. */
  readonly duration: number;
}

export const attemptEvents = channel("voiceplane:attempt");
export const requestEvents = channel("voiceplane:request");
