/** What a client is given beside its settings: limits, and everything outside the process that it uses. */
import type { Dispatcher } from "undici";
import type { Environment } from "../values/environment.js";
import type { ConnectionLimits } from "./connections.js";
import { defaultRetryLimits, type RetryLimits } from "./retry.js";
import type { StoppedMs } from "./stopped.js";

export interface ClientLimits extends ConnectionLimits, RetryLimits {
  /** Time for one call of `Client.send`, including all attempts and waits, ms. */
  readonly deadlineMs: number;
  /** Time that waiting after a 429 may add to that, ms: a limit per minute ends only after the minute. */
  readonly maxRateLimitWaitMs: number;
  /** Time for one attempt as a whole, ms. */
  readonly attemptTimeoutMs: number;
  /** Longest body of an answer, bytes, also after decompression. */
  readonly maxResponseBytes: number;
}

export const defaultLimits: ClientLimits = {
  ...defaultRetryLimits,
  deadlineMs: 60_000,
  maxRateLimitWaitMs: 120_000,
  attemptTimeoutMs: 20_000,
  connectTimeoutMs: 10_000,
  connections: 32,
  maxResponseBytes: 4 * 1024 * 1024,
};

/** The clock, randomness, connections and output that the client uses; tests replace them. */
export interface ClientDeps {
  /** Sends the requests instead of the client's own connections; its owner closes it. */
  readonly dispatcher?: Dispatcher;
  /** ms since the epoch; must not run backwards. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Calls back after `ms`, unless the function that it returns is called first. */
  startTimer(ms: number, elapsed: () => void): () => void;
  /** VOICEPLANE_DEBUG, VOICEPLANE_REQUEST_LOG and the proxies. Default: the process's own. */
  readonly env: Environment;
  /** Called with one line for each attempt if VOICEPLANE_DEBUG is 1, without secrets. Default: standard error. */
  readonly debug: (line: string) => void;
  /** The organization's name, for the request log. */
  readonly organization?: string | undefined;
  /** A sentence on where the token came from, for a 401 and a 403. */
  readonly tokenSource?: string | undefined;
  /** After a stop, only GETs are sent. */
  readonly stoppedMs?: StoppedMs | undefined;
}

/** Node's own limit, ms: 24 days. */
const maxTimerMs = 2 ** 31 - 1;

export const defaultDeps: ClientDeps = {
  // Unlike Date.now, this does not jump when the system's clock is set.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  startTimer: (ms, elapsed) => {
    // A caller may give a request more time than a timer can take.
    const timer = setTimeout(elapsed, Math.min(ms, maxTimerMs));
    return () => {
      clearTimeout(timer);
    };
  },
  env: process.env,
  debug: (line) => process.stderr.write(`${line}\n`),
};
