/** What a client is given: the address and the token, with the problems they can have, its limits, and everything outside the process. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { compact } from "../values/any.js";
import { problem, type Diagnostic } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";

export interface ClientSettings {
  /** Absolute http(s) address. A path prefix is kept. A trailing slash makes no difference. */
  readonly baseUrl: string;
  readonly token: string;
  /** Allows `http:` to another machine, where anybody on the network path can read the token. Default: false. */
  readonly allowInsecureHttp?: boolean;
}

/** Each problem without any value: a misplaced one may be the token. */
export function settingsProblems(
  { baseUrl, token, allowInsecureHttp = false }: ClientSettings,
  env: Environment = {},
): Diagnostic[] {
  const ofBaseUrl = baseUrlProblems(baseUrl, allowInsecureHttp, env).map((text) => problem("base-url", text));
  const ofToken = tokenProblem(token);
  return compact(...ofBaseUrl, ofToken !== undefined && problem("token", ofToken));
}

/** Why a token cannot be sent in a header. Does not contain the token. */
function tokenProblem(token: string): string | undefined {
  if (token === "") return "The token is empty; it should be the organization's API token.";
  return /^(?!["'`])[\x21-\x7e]+$/.test(token)
    ? undefined
    : "The token contains white space, a quote at its start or a character that is not ASCII, perhaps copied with it; remove it.";
}

function baseUrlProblems(baseUrl: string, allowInsecureHttp: boolean, env: Environment): string[] {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return ["The base URL is no absolute http or https URL; it should look like https://api.example.com."];
  const mayBeRead = !isLoopback(url) && !allowInsecureHttp;
  return compact(
    (url.username !== "" || url.password !== "") &&
      "The base URL contains a user name or password; remove it; the token has its own setting.",
    // `search` and `hash` are empty for a lone "?" or "#", which is wrong too.
    /[?#]/.test(baseUrl) && "The base URL has a query or fragment; it should end with its path.",
    mayBeRead &&
      url.protocol === "http:" &&
      "The base URL is plain http to another machine, which would expose the token on the network; it should begin with https:// (or allow it with allowInsecureHttp).",
    mayBeRead &&
      url.protocol === "https:" &&
      env.NODE_TLS_REJECT_UNAUTHORIZED === "0" &&
      "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of the server's certificate, so another machine could read the token; unset it (or allow it with allowInsecureHttp).",
  );
}

/** Whether an address stays on this machine. The URL parser writes every form of 127.0.0.1 in the same way. */
export function isLoopback(url: URL): boolean {
  return url.hostname === "localhost" || url.hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
}

/** Origin and path prefix of a valid base URL, the same for each spelling of an address. */
export function addressOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** What tests and `doctor` may change. */
export const defaultLimits = {
  /** Attempts in all, including the first one: about eight seconds of waits, enough for a server to restart, and not too long for a person who waits. */
  maxAttempts: 7,
  /** The same if the last answer was 429. Only the deadline limits these: many servers do not say when a limit ends. */
  maxRateLimitedAttempts: Number.POSITIVE_INFINITY,
  /** Time for one call of `Client.send`, including all attempts and waits, ms. */
  deadlineMs: 60_000,
  /** Time for one attempt as a whole, ms. */
  attemptTimeoutMs: 20_000,
  /** Connections open at a time; further requests wait. */
  connections: 32,
  /** Longest body of an answer, bytes. */
  maxResponseBytes: 4 * 1024 * 1024,
};
export type ClientLimits = Readonly<typeof defaultLimits>;

/** The clock, randomness, connections and output that the client uses; tests replace them. */
export interface ClientDeps {
  /** Sends the requests instead of the client's own connections; its owner closes it. */
  readonly dispatcher?: Dispatcher;
  /** ms since the epoch; must not run backwards. */
  readonly now: () => number;
  /** Ends early if the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Calls back after `ms`, unless the function that it returns is called first. */
  readonly startTimer: (ms: number, elapsed: () => void) => () => void;
  /** VOICEPLANE_DEBUG and the proxies. Default: the process's own. */
  readonly env: Environment;
  /** Called with one line for each attempt if VOICEPLANE_DEBUG is 1, without secrets. Default: standard error. */
  readonly debug: (line: string) => void;
  /** A sentence on where the token came from, for a 401 and a 403. */
  readonly tokenSource?: string | undefined;
}

export const defaultDeps: ClientDeps = {
  // Unlike Date.now, this does not jump when the system's clock is set.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
  random: Math.random,
  startTimer: (ms, elapsed) => {
    // A timeout of a program may be longer than Node's timers can take, which would then elapse at once.
    const timer = setTimeout(elapsed, Math.min(ms, 2 ** 31 - 1));
    return () => {
      clearTimeout(timer);
    };
  },
  env: process.env,
  debug: (line) => process.stderr.write(`${line}\n`),
};
