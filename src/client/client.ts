/** The one thing that talks to a control plane: over kept connections, each request as often as is safe. */
import { inspect } from "node:util";
import { operations, type Method, type OperationName } from "../contract.js";
import type { Api } from "./api.js";
import { readAnswer, type ParsedAnswer } from "./answer.js";
import { borrowed, openConnections, type ConnectionLimits, type Connections } from "./connections.js";
import { ApiError, ConfigError, TransportError, outcomeOf } from "./errors.js";
import { attemptEvents, requestEvents, type RequestEvent } from "./events.js";
import { Attempt, header, type AttemptResult } from "./attempt.js";
import { outcomeOfReading, toError } from "./failure.js";
import { retryDecision, defaultRetryLimits, httpDate, type RetryLimits } from "./retry.js";
import { addressOf, prefixOf, settingsProblems, type ClientSettings } from "./settings.js";
import { TokenSource } from "./token.js";
import type { Dispatcher } from "undici";

export interface ClientLimits extends ConnectionLimits, RetryLimits {
  /** Time for one call of {@link Client.send}, all attempts and waits included, ms. */
  readonly deadlineMs: number;
  /** Time that waits after a 429 may add to that, ms: limits for a minute are lifted only after it. */
  readonly maxRateLimitWaitMs: number;
  /** Longest body of an answer, bytes, after decompression too. */
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

/** What the client uses of the world around it. */
export interface ClientDeps {
  /** Carries the requests in place of connections of the client's own; whoever gives it closes it. */
  readonly dispatcher?: Dispatcher;
  /** ms since the epoch; must not run backwards. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** In [0, 1). */
  random(): number;
  /** Calls back after `ms`, unless the function that it returns is called first. */
  startTimer(ms: number, elapsed: () => void): () => void;
}

const realWorld: ClientDeps = {
  // Unlike Date.now, this does not jump when the system's clock is set.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
  startTimer: (ms, elapsed) => {
    const timer = setTimeout(elapsed, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

interface Request {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly body: string | undefined;
  readonly startedAt: number;
  deadline: number;
}

interface Success {
  readonly status: number;
  readonly data: unknown;
  readonly attempts: number;
}

/**
 * Sends the operations. One for each organization is enough for a process: requests may run at the same time, and share
 * the connections.
 *
 * Every 2xx is a success, unless its JSON says `success: false`. Redirects are refused, so the token goes nowhere else.
 * What is tried again, and when, is in `retry.ts`.
 */
export class Client implements Api {
  readonly #base: URL;
  readonly #prefix: string;
  readonly #token: TokenSource;
  readonly #deps: ClientDeps;
  readonly #limits: ClientLimits;
  #opening: Promise<Connections> | undefined;
  #connections: Connections | undefined;
  #closing: Promise<void> | undefined;
  /** By how much the server's clock is ahead of `deps.now`, ms. */
  #serverAheadMs: number | undefined;

  /** @throws ConfigError with everything that {@link settingsProblems} finds */
  constructor(settings: ClientSettings, deps: Partial<ClientDeps> = {}, limits: Partial<ClientLimits> = {}) {
    const problems = settingsProblems(settings);
    if (problems.length > 0) throw new ConfigError(problems);
    this.#base = new URL(settings.baseUrl);
    this.#prefix = prefixOf(this.#base);
    this.#token = new TokenSource(settings.token);
    this.#deps = { ...realWorld, ...deps };
    this.#limits = { ...defaultLimits, ...limits };
  }

  async send(operation: OperationName, path: string, body?: object): Promise<unknown> {
    if (this.#closing) throw new ConfigError(["The client is closed."]);
    const startedAt = this.#deps.now();
    const request: Request = {
      operation,
      method: operations[operation].method,
      path,
      body: body === undefined ? undefined : JSON.stringify(body),
      startedAt,
      deadline: startedAt + this.#limits.deadlineMs,
    };
    if (!requestEvents.hasSubscribers) return (await this.#try(request)).data;
    try {
      const { status, data, attempts } = await this.#try(request);
      requestEvents.publish(this.#event(request, attempts, startedAt, status, "success"));
      return data;
    } catch (error) {
      const status = error instanceof ApiError ? error.status : undefined;
      const attempts = error instanceof ApiError || error instanceof TransportError ? error.attempts : 0;
      requestEvents.publish(this.#event(request, attempts, startedAt, status, outcomeOf(error)));
      throw error;
    }
  }

  serverTime(): Date | undefined {
    return this.#serverAheadMs === undefined ? undefined : new Date(this.#deps.now() + this.#serverAheadMs);
  }

  /** Lets the requests under way end, then closes the connections. Later calls of {@link send} are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Only the address is shown. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: addressOf(this.#base.href) };
  }

  [inspect.custom](): string {
    return `Client ${inspect(this.toJSON())}`;
  }

  async #close(): Promise<void> {
    // Connections that could not be opened have told so to the request that wanted them.
    const connections = await this.#opening?.catch(() => undefined);
    await connections?.close();
  }

  async #try(request: Request): Promise<Success> {
    const known = this.#token.get();
    let token = typeof known === "string" ? known : await this.#inTime(request, known);
    let askedAgain = false;
    let mayHaveBeenApplied = false;
    let patienceMs = this.#limits.maxRateLimitWaitMs;
    for (let attempts = 1; ; attempts++) {
      const reading = await this.#attempt(request, token, attempts);
      if (reading.kind === "success") return { status: reading.status, data: reading.data, attempts };
      if (reading.kind === "refusal" && reading.status === 401 && !askedAgain) {
        askedAgain = true;
        const other = await this.#inTime(request, this.#token.replace(token)).catch((error: unknown) => {
          // That the function failed is worth less than that the request may have been carried out before.
          if (mayHaveBeenApplied) return undefined;
          throw error;
        });
        if (other !== undefined) {
          token = other;
          continue;
        }
      }
      const isRateLimited = reading.kind === "refusal" && reading.status === 429;
      const remainingMs = this.#remaining(request) + (isRateLimited ? patienceMs : 0);
      const situation = { attempts, remainingMs, random: this.#deps.random() };
      const verdict = retryDecision(request.operation, reading, situation, this.#limits);
      const fail = (why: Parameters<typeof toError>[3]) =>
        toError({ ...request, attempts, mayHaveBeenApplied }, reading, this.#token.known, why, this.#base);
      if (!verdict.retry) throw fail(verdict.why);
      await this.#deps.sleep(verdict.delayMs);
      if (isRateLimited) {
        const added = Math.min(verdict.delayMs, patienceMs);
        patienceMs -= added;
        request.deadline += added;
      }
      // A sleep may end late; what is left then is too short for an attempt.
      if (this.#closing || this.#remaining(request) <= 0) throw fail("deadline");
      mayHaveBeenApplied ||= outcomeOfReading(reading) === "unknown";
    }
  }

  async #attempt(request: Request, token: string, attempt: number): Promise<ParsedAnswer> {
    const startedAt = attemptEvents.hasSubscribers ? this.#deps.now() : 0;
    const ended = await this.#exchange(request, token);
    this.#noteTime(ended);
    const reading = readAnswer(ended, request.method, () => this.#deps.now(), this.#limits.maxResponseBytes);
    if (attemptEvents.hasSubscribers) {
      const status = ended.kind === "answered" ? ended.status : undefined;
      attemptEvents.publish(this.#event(request, attempt, startedAt, status, outcomeOfReading(reading)));
    }
    return reading;
  }

  #noteTime(ended: AttemptResult): void {
    const date = ended.kind === "answered" ? httpDate(header(ended.headers, "date") ?? "") : undefined;
    if (date !== undefined) this.#serverAheadMs = date - this.#deps.now();
  }

  async #exchange(request: Request, token: string): Promise<AttemptResult> {
    const connections = this.#connections ?? (await this.#open());
    const ms = Math.min(this.#limits.attemptTimeoutMs, this.#remaining(request));
    const headers = [
      "authorization",
      `Bearer ${token}`,
      "accept",
      "application/json",
      "user-agent",
      "pulumi-voiceplane",
    ];
    if (request.body !== undefined) headers.push("content-type", "application/json");
    return new Promise((resolve) => {
      const exchange = new Attempt(this.#limits.maxResponseBytes, (ended) => {
        stopTimer();
        resolve(ended);
      });
      const stopTimer = this.#deps.startTimer(ms, () => {
        exchange.stop({ message: `no complete answer within ${Math.round(ms) / 1000} s`, code: "TIMEOUT" });
      });
      connections.for(request.method).dispatch(
        {
          origin: this.#base.origin,
          path: this.#prefix + request.path,
          method: request.method,
          headers,
          body: request.body ?? null,
        },
        exchange,
      );
    });
  }

  async #open(): Promise<Connections> {
    const { dispatcher } = this.#deps;
    this.#opening ??= dispatcher ? Promise.resolve(borrowed(dispatcher)) : openConnections(this.#base, this.#limits);
    this.#connections = await this.#opening;
    return this.#connections;
  }

  /** A function that never gives a token must not hold up its request for longer than the request may take. */
  #inTime<T>(request: Request, value: Promise<T>): Promise<T> {
    let stopTimer: () => void = () => undefined;
    const late = new Promise<never>((_resolve, reject) => {
      stopTimer = this.#deps.startTimer(this.#remaining(request), () => {
        reject(new ConfigError(["The function that gets the token did not answer in time."]));
      });
    });
    return Promise.race([value, late]).finally(stopTimer);
  }

  #remaining(request: Request): number {
    return request.deadline - this.#deps.now();
  }

  #event(
    { operation, method, path }: Request,
    attempt: number,
    startedAt: number,
    status: number | undefined,
    outcome: RequestEvent["outcome"],
  ): RequestEvent {
    return { operation, method, path, attempt, status, outcome, duration: this.#deps.now() - startedAt };
  }
}
