/** What a client is given: the address and the token, with the problems they can have, its limits, and everything outside the process. */
import type { Dispatcher } from "undici";
import { containsRange, parseAddressOrCidr, parseCidr } from "../contract/cidr.js";
import { compact } from "../values/any.js";
import { warning, problem, type Diagnostic } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";
import { invisibleIn } from "../values/text.js";
import { defaultRetryLimits, type RetryLimits } from "./retry.js";
import type { StoppedMs } from "./stopped.js";

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
  const ofBaseUrl = baseUrlProblems(baseUrl, allowInsecureHttp);
  const ofCertificate = ofBaseUrl.length > 0 ? undefined : certificateProblem(new URL(baseUrl), allowInsecureHttp, env);
  return compact(...ofBaseUrl, ofCertificate, tokenProblem(token));
}

/** Without the check of the certificate, whoever can answer in place of the server gets the token. */
function certificateProblem(url: URL, allowInsecureHttp: boolean, env: Environment): Diagnostic | undefined {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== "0" || url.protocol === "http:" || isLoopback(url) || allowInsecureHttp)
    return undefined;
  return problem(
    "certificate-unchecked",
    "NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of the server's certificate, so another machine could read the token; unset it: " +
      "NODE_EXTRA_CA_CERTS names an authority of your own (or allow it with allowInsecureHttp).",
  );
}

function tokenProblem(token: string): Diagnostic | undefined {
  const text = whyTokenIsWrong(token);
  return text === undefined ? undefined : problem("token", text);
}

/** Why a token cannot be sent in a header. Does not contain the token. */
function whyTokenIsWrong(token: string): string | undefined {
  if (token === "") return "The token is empty; it should be the organization's API token.";
  const invisible = invisibleIn(token);
  if (/[^\S\ufeff]/.test(token))
    return 'The token contains white space, perhaps "Bearer" or a line end copied with it; remove it.';
  if (invisible !== undefined) return `The token has ${invisible}, perhaps copied with it; remove it.`;
  if (/^(["'`]).*\1$/.test(token)) return "The token is in quotes; remove them.";
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : "The token contains characters that cannot occur in an HTTP header; copy it again: only ASCII letters, digits and signs are valid.";
}

function baseUrlProblems(baseUrl: string, allowInsecureHttp: boolean): Diagnostic[] {
  if (baseUrl === "")
    return [problem("base-url-missing", "The base URL is missing; it should look like https://api.example.com.")];
  return whyBaseUrlIsWrong(baseUrl, allowInsecureHttp).map((text) => problem("base-url", text));
}

function whyBaseUrlIsWrong(baseUrl: string, allowInsecureHttp: boolean): string[] {
  const invisible = invisibleIn(baseUrl);
  // The parser of URLs drops most invisible characters.
  if (invisible !== undefined) return [`The base URL has ${invisible}, perhaps copied with it; remove it.`];
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) return ["The base URL is not an absolute URL; it should look like https://api.example.com."];
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return ["The base URL has a scheme that is not HTTP; it should begin with https://."];
  const hasUser = url.username !== "" || url.password !== "";
  const isInsecure = url.protocol === "http:" && !isLoopback(url) && !allowInsecureHttp;
  return compact(
    hasUser && "The base URL contains a user name or password; remove it; the token has its own setting.",
    // `search` and `hash` are empty for a lone "?" or "#", which is wrong too.
    /[?#]/.test(baseUrl) && "The base URL has a query or fragment; it should end with its path.",
    isInsecure &&
      "The base URL is plain http to another machine, which would expose the token on the network; it should begin with https:// (or allow it with allowInsecureHttp).",
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

/** The proxy variables of the environment that are set. */
export function proxiesSet(env: Environment): string[] {
  return ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].filter((name) => env[name]);
}

/** The warning about a range in NO_PROXY that contains the server's address: the transport compares names and single addresses only. */
export function noProxyWarning(baseUrl: string, env: Environment): Diagnostic | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const proxies = proxiesSet(env).filter((name) => protocol === "https:" || /^http_/i.test(name));
  const variable = ["no_proxy", "NO_PROXY"].find((name) => env[name]);
  const address = parseAddressOrCidr(hostname.replace(/^\[(.*)\]$/, "$1"));
  if (proxies.length === 0 || variable === undefined || address === undefined) return undefined;
  const entries = (env[variable] ?? "").split(/[,\s]+/);
  const range = entries.find((entry) => {
    const cidr = parseCidr(entry);
    return cidr !== undefined && containsRange(cidr, address);
  });
  if (range === undefined || entries.includes(hostname)) return undefined;
  return warning(
    "proxy-range",
    `${variable} has the range ${range}, which is not read: requests to ${hostname} go through the proxy of ` +
      `${proxies.join(" and ")}. Add ${hostname} to ${variable}.`,
  );
}

export interface ConnectionLimits {
  /** Connections open at a time; further requests wait. */
  readonly connections: number;
  /** Time for name resolution, connecting and TLS, ms. */
  readonly connectTimeoutMs: number;
}

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
  readonly organization?: string | undefined;
  /** A sentence on where the token came from, for a 401 and a 403. */
  readonly tokenSource?: string | undefined;
  /** After a stop, only GETs are sent. */
  readonly stoppedMs?: StoppedMs | undefined;
}

export const defaultDeps: ClientDeps = {
  // Unlike Date.now, this does not jump when the system's clock is set.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
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
