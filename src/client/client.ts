/** Sends operations to one control plane: over connections that are kept, and each as often as it is safe. */
import { inspect } from "node:util";
import type { Dispatcher } from "undici";
import { operations, type Method, type OperationName } from "../contract/index.js";
import { readAnswer, type ParsedAnswer } from "./answer.js";
import { Attempt, header, type AttemptResult } from "./attempt.js";
import { connectionsOver, openConnections, type ConnectionLimits, type Connections } from "./connections.js";
import { ConfigError, outcomeOfAttempt, toError } from "./errors.js";
import { debugLines, type OnAttempt } from "./observers.js";
import { redact } from "./redact.js";
import { requestLog } from "./request-log.js";
import { defaultRetryLimits, httpDate, retryDecision, type RetryDecision, type RetryLimits } from "./retry.js";
import { addressOf, settingsProblems, type ClientSettings } from "./settings.js";

/** What the operations need of a client. */
export interface Api {
  /**
   * Sends one request, as often as it is safe, and resolves to the answer's `data`: undefined if there is none, the whole
   * JSON if it is not the contract's envelope. Members beside `data` count for a GET and a POST. Rejects only with ApiError, TransportError or ConfigError.
   */
  send(operation: OperationName, parameters: PathParameters, body?: object): Promise<unknown>;
  /** The server's time by the Date header of its last answer; undefined if it sent none. */
  serverTime?(): Date | undefined;
}

/** What stands for the braces of an operation's path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** Each operation's path: what stands before the braces, the name in them, and what stands after them. */
const paths = Object.fromEntries(
  Object.entries(operations).map(([operation, { path }]) => [operation, path.split(/[{}]/)]),
) as unknown as Readonly<Record<OperationName, readonly [before: string, name?: string, after?: string]>>;

/** The operation's path. Each parameter becomes exactly one segment; one that cannot is a ConfigError. */
export function pathOf(operation: OperationName, parameters: PathParameters): string {
  const [before, name, after = ""] = paths[operation];
  if (name === undefined) return before;
  const parameter = parameters[name] ?? "";
  const problem = segmentProblem(parameter);
  if (problem !== undefined) throw new ConfigError([`The id in ${before}{id}${after} ${problem}.`]);
  return before + encodeURIComponent(parameter) + after;
}

function segmentProblem(parameter: string): string | undefined {
  if (parameter === "") return "is empty";
  // Servers resolve these even if they are percent-encoded.
  if (parameter === "." || parameter === "..") return "is made of dots only, which means another path";
  return parameter.isWellFormed() ? undefined : "is not valid Unicode";
}

export interface ClientLimits extends ConnectionLimits, RetryLimits {
  /** Time for one call of {@link Client.send}, including all attempts and waits, ms. */
  readonly deadlineMs: number;
  /** Time that waits after a 429 may add to that, ms: a limit for a minute ends only after that minute. */
  readonly maxRateLimitWaitMs: number;
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

/** The clock, chance, connections and output that the client uses; tests bring their own. */
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
  /** Gets one line for each attempt, without secrets. Default: standard error if VOICEPLANE_DEBUG is 1. */
  readonly debug?: ((line: string) => void) | undefined;
  /** Gets each attempt when it has ended. Must not throw. */
  readonly onAttempt?: OnAttempt | undefined;
}

const defaultDeps: ClientDeps = {
  // Unlike Date.now, this does not jump when the system's clock is set.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  startTimer,
  debug: process.env.VOICEPLANE_DEBUG === "1" ? (line) => process.stderr.write(`${line}\n`) : undefined,
};

interface Timer {
  readonly end: number;
  readonly elapsed: () => void;
}

const timers = new Set<Timer>();
let ticks: NodeJS.Timeout | undefined;
const tickMs = 250;

/** All long timers share one of Node's, and may elapse a tick late. The connections keep the process alive, not the timer. */
function startTimer(ms: number, elapsed: () => void): () => void {
  if (ms < 10 * tickMs) {
    const timeout = setTimeout(elapsed, ms);
    return () => {
      clearTimeout(timeout);
    };
  }
  const timer = { end: performance.now() + ms, elapsed };
  timers.add(timer);
  ticks ??= setInterval(tick, tickMs).unref();
  return () => {
    timers.delete(timer);
  };
}

function tick(): void {
  const now = performance.now();
  for (const timer of timers) {
    if (timer.end > now) continue;
    timers.delete(timer);
    timer.elapsed();
  }
  if (timers.size > 0) return;
  clearInterval(ticks);
  ticks = undefined;
}

/** Gets the reason and the wait before each further attempt, as one line without secrets. */
export type OnRetry = (message: string) => void;

interface Request {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
  readonly onRetry: OnRetry | undefined;
  deadline: number;
}

/**
 * One client for each organization is enough for a process: requests run at the same time and share the connections.
 * Every 2xx is a success, unless its JSON says `success: false`. Redirects are refused, so the token goes nowhere else.
 */
export class Client implements Api {
  readonly #base: URL;
  readonly #address: string;
  readonly #token: string;
  readonly #deps: ClientDeps;
  readonly #limits: ClientLimits;
  /** Origin and path prefix, which all requests share. */
  readonly #origin: string;
  readonly #prefix: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #headersOfBody: Readonly<Record<string, string>>;
  readonly #observers: readonly OnAttempt[];
  #connections: Connections | undefined;
  #opening: Promise<Connections> | undefined;
  #closing: Promise<void> | undefined;
  #isAborted = false;
  /** Ends the running attempts and waits. */
  readonly #stops = new Set<() => void>();
  /** How far the server's clock is ahead of `deps.now`, ms. */
  #serverAheadMs: number | undefined;

  /** @throws ConfigError with everything that {@link settingsProblems} finds */
  constructor(settings: ClientSettings, deps: Partial<ClientDeps> = {}, limits: Partial<ClientLimits> = {}) {
    const problems = settingsProblems(settings);
    if (problems.length > 0) throw new ConfigError(problems);
    this.#base = new URL(settings.baseUrl);
    this.#address = addressOf(settings.baseUrl);
    this.#token = settings.token;
    this.#deps = { ...defaultDeps, ...deps };
    this.#limits = { ...defaultLimits, ...limits };
    const { debug, onAttempt } = this.#deps;
    const observers = [debug && debugLines(debug), requestLog(process.env.VOICEPLANE_REQUEST_LOG), onAttempt];
    this.#observers = observers.filter((observer) => observer !== undefined);
    this.#origin = this.#base.origin;
    this.#prefix = this.#address.slice(this.#origin.length);
    this.#headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "pulumi-voiceplane",
    };
    this.#headersOfBody = { ...this.#headers, "content-type": "application/json" };
    if (this.#deps.dispatcher) this.#connections = connectionsOver(this.#deps.dispatcher);
  }

  async send(operation: OperationName, parameters: PathParameters, body?: object, onRetry?: OnRetry): Promise<unknown> {
    if (this.#isClosed()) throw new ConfigError(["The client is closed."]);
    const request: Request = {
      operation,
      method: operations[operation].method,
      path: pathOf(operation, parameters),
      body: body === undefined ? null : JSON.stringify(body),
      onRetry,
      deadline: this.#deps.now() + this.#limits.deadlineMs,
    };
    let mayHaveBeenApplied = false;
    let extraWaitMs = this.#limits.maxRateLimitWaitMs;
    for (let attempts = 1; ; attempts++) {
      const answer = await this.#attempt(request, attempts);
      if (answer.kind === "success") return answer.data;
      const isRateLimited = answer.kind === "refusal" && answer.status === 429;
      const remainingMs = request.deadline - this.#deps.now() + (isRateLimited ? extraWaitMs : 0);
      const situation = { attempts, remainingMs, random: this.#deps.random() };
      const decision: RetryDecision = this.#isAborted
        ? { retry: false, why: "final" }
        : retryDecision(request.operation, answer, situation, this.#limits);
      const facts = { ...request, attempts, mayHaveBeenApplied, base: this.#base };
      const error = toError(facts, answer, this.#token, decision);
      if (!decision.retry) throw error;
      const seconds = Math.ceil(decision.delayMs / 1000);
      request.onRetry?.(`${error.summary}; attempt ${attempts + 1} follows within ${seconds} s`);
      await this.#wait(decision.delayMs);
      if (isRateLimited) {
        const addedMs = Math.min(decision.delayMs, extraWaitMs);
        extraWaitMs -= addedMs;
        request.deadline += addedMs;
      }
      // A sleep may end late, with no time left for another attempt.
      if (this.#isClosed() || request.deadline <= this.#deps.now()) throw error;
      mayHaveBeenApplied = error.outcome === "unknown";
    }
  }

  serverTime(): Date | undefined {
    return this.#serverAheadMs === undefined ? undefined : new Date(this.#deps.now() + this.#serverAheadMs);
  }

  /** Lets running requests end, then closes the connections. Later calls of {@link send} are refused. */
  close(): Promise<void> {
    // If connections could not be opened, a request has failed with the reason.
    const opened = this.#opening?.catch(() => undefined);
    return (this.#closing ??= Promise.resolve(opened).then((connections) => connections?.close()));
  }

  /**
   * Ends running requests and waits at once, and refuses later calls of {@link send}. The outcome of a request that may have
   * been sent is unknown.
   */
  abort(): void {
    this.#isAborted = true;
    for (const stop of this.#stops) stop();
    void this.close();
  }

  /** Only the address is shown. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: this.#address };
  }

  [inspect.custom](): string {
    return `Client ${inspect(this.toJSON())}`;
  }

  #isClosed(): boolean {
    return this.#closing !== undefined;
  }

  async #attempt(request: Request, number: number): Promise<ParsedAnswer> {
    this.#connections ??= await (this.#opening ??= openConnections(this.#base, this.#limits));
    const startedAt = this.#deps.now();
    const ms = Math.min(this.#limits.attemptTimeoutMs, request.deadline - startedAt);
    const result = await this.#exchange(request, ms, this.#connections);
    const now = this.#deps.now();
    const date = result.kind === "answered" ? httpDate(header(result.headers, "date") ?? "") : undefined;
    if (date !== undefined) this.#serverAheadMs = date - now;
    const answer = readAnswer(result, request.method, now, this.#limits.maxResponseBytes);
    if (this.#observers.length > 0) this.#observe(request, number, startedAt, now, result, answer);
    return answer;
  }

  #observe(
    { operation, method, path }: Request,
    number: number,
    startedAt: number,
    endedAt: number,
    result: AttemptResult,
    answer: ParsedAnswer,
  ): void {
    const clean = (text: string) => redact(text, [this.#token]);
    const [status, code] = result.kind === "answered" ? [result.status] : [undefined, result.error.code];
    const attempt = {
      ...{ operation, method, number, startedAt, endedAt, status },
      address: clean(this.#address),
      path: clean(path),
      result: result.kind,
      code: code && clean(code),
      outcome: answer.kind === "success" ? answer.kind : outcomeOfAttempt(answer),
    };
    for (const observer of this.#observers) observer(attempt);
  }

  #exchange({ method, path, body }: Request, ms: number, connections: Connections): Promise<AttemptResult> {
    const headers = body === null ? this.#headers : this.#headersOfBody;
    return new Promise((resolve) => {
      const attempt = new Attempt(this.#limits.maxResponseBytes, (result) => {
        stopTimer();
        this.#stops.delete(abort);
        resolve(result);
      });
      const abort = () => {
        attempt.stop({ message: "the update was cancelled", code: "CANCELLED" });
      };
      this.#stops.add(abort);
      const stopTimer = this.#deps.startTimer(ms, () => {
        attempt.stop({ message: `no complete answer within ${Math.round(ms) / 1000} s`, code: "TIMEOUT" });
      });
      if (this.#isAborted) abort();
      else connections.dispatch({ origin: this.#origin, path: this.#prefix + path, method, headers, body }, attempt);
    });
  }

  /** Sleeps, unless {@link abort} ends it. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#stops.delete(end);
        resolve();
      };
      this.#stops.add(end);
      void this.#deps.sleep(ms).then(end);
    });
  }
}
