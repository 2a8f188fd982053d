/** Sends operations to one control plane: over reused connections, and each as often as that is safe. */
import { inspect } from "node:util";
import { problem } from "../values/diagnostic.js";
import { operations, type Method, type OperationName } from "../contract/index.js";
import { readAnswer, type ParsedAnswer } from "./answer.js";
import { Attempt, cancelled, notSent, type AttemptResult } from "./attempt.js";
import { openConnections, type Connections } from "./connections.js";
import { ConfigError, toError } from "./errors.js";
import { pathOf, type Api, type PathParameters, type SendOptions } from "./operations.js";
import { addWait, Queue, type Queued } from "./queue.js";
import { version } from "../values/version.js";
import { attemptObserver } from "./attempts-seen.js";
import { outcomeOfAttempt, type FailedAnswer } from "./refusal.js";
import { isRateLimited, retryDecision, type RetryDecision } from "./retry.js";
import { stopText } from "./stopped.js";
import {
  addressOf,
  defaultDeps,
  defaultLimits,
  settingsProblems,
  type ClientDeps,
  type ClientLimits,
  type ClientSettings,
} from "./settings.js";

interface Request extends Queued, Pick<SendOptions, "requestId" | "begin" | "timeoutMs"> {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
}

/**
 * A process needs one client for each organization: requests run concurrently and share the connections.
 * Every 2xx is a success, unless it says that it failed or a setting's answer is not JSON. Redirects are refused, because they would send the token elsewhere.
 */
export class Client implements Api {
  readonly #base: URL;
  readonly #address: string;
  readonly #token: string;
  readonly #deps: ClientDeps;
  readonly #limits: ClientLimits;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #observe: ReturnType<typeof attemptObserver>;
  readonly #queue: Queue;
  #connections: Pick<Connections, "dispatch"> | undefined;
  #opening: Promise<Connections> | undefined;
  #closing: Promise<void> | undefined;
  #isAborted = false;
  readonly #stops = new Set<() => void>();

  /** @throws ConfigError with everything that {@link settingsProblems} finds */
  constructor(settings: ClientSettings, deps: Partial<ClientDeps> = {}, limits: Partial<ClientLimits> = {}) {
    const problems = settingsProblems(settings, deps.env ?? defaultDeps.env);
    if (problems.length > 0) throw new ConfigError(...problems);
    this.#base = new URL(settings.baseUrl);
    this.#address = addressOf(settings.baseUrl);
    this.#token = settings.token;
    this.#deps = { ...defaultDeps, ...deps };
    this.#limits = { ...defaultLimits, ...limits };
    this.#queue = new Queue(this.#limits.connections, this.#deps);
    this.#observe = attemptObserver(this.#deps, this.#token);
    this.#headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": `pulumi-voiceplane/${version}`,
    };
    this.#connections = this.#deps.dispatcher;
  }

  async send(
    operation: OperationName,
    parameters: PathParameters,
    body?: object,
    { requestId, begin, onRetry, onEnvelope, timeoutMs }: SendOptions = {},
  ): Promise<unknown> {
    if (this.#isClosed()) throw new ConfigError(problem("bug", closed));
    const request: Request = {
      operation,
      method: operations[operation].method,
      path: pathOf(operation, parameters),
      body: body === undefined ? null : JSON.stringify(body),
      requestId,
      begin,
      timeoutMs,
      deadline: this.#deps.now() + (timeoutMs ?? this.#limits.deadlineMs),
      extraWaitMs: timeoutMs === undefined ? this.#limits.maxRateLimitWaitMs : 0,
    };
    let mayHaveBeenApplied = false;
    for (let attempts = 1; ; attempts++) {
      const answer = await this.#attempt(request, attempts);
      if (answer.kind === "success") {
        if (answer.isEnvelope === true) onEnvelope?.();
        return answer.data;
      }
      const decision = this.#decide(request, answer, attempts);
      const { env, tokenSource } = this.#deps;
      const facts = { ...request, attempts, mayHaveBeenApplied, base: this.#base, env, tokenSource };
      const error = toError(facts, answer, this.#token, decision);
      if (!decision.retry) throw error;
      const seconds = Math.ceil(decision.delayMs / 1000);
      onRetry?.(`${error.diagnostic.text}; attempt ${attempts + 1} follows within ${seconds} s`);
      await this.#wait(decision.delayMs);
      if (isRateLimited(answer)) addWait(request, decision.delayMs);
      // A sleep may end late, with no time left for another attempt.
      if (this.#isClosed() || request.deadline <= this.#deps.now()) throw error;
      mayHaveBeenApplied = error.outcome === "unknown";
    }
  }

  /** Lets running requests end, then closes the connections. Requests that wait, and later calls of {@link send}, are refused. */
  close(): Promise<void> {
    this.#queue.stop();
    // If opening failed, a request has already failed with the reason.
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

  /** What a logger prints: no token. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: this.#address };
  }

  [inspect.custom](): string {
    return `Client ${inspect(this.toJSON())}`;
  }

  #isClosed(): boolean {
    return this.#closing !== undefined;
  }

  #decide(request: Request, failed: FailedAnswer, attempts: number): RetryDecision {
    if (this.#isAborted || this.#whyStopped(request) !== undefined) return { retry: false, why: "final" };
    const extraWaitMs = isRateLimited(failed) ? request.extraWaitMs : 0;
    const remainingMs = request.deadline - this.#deps.now() + extraWaitMs;
    const situation = { attempts, remainingMs, random: this.#deps.random() };
    return retryDecision(request.operation, failed, situation, this.#limits);
  }

  async #attempt(request: Request, number: number): Promise<ParsedAnswer> {
    this.#connections ??= await (this.#opening ??= openConnections(this.#base, this.#limits, this.#deps.env));
    const turn = await this.#queue.turn(request);
    const startedAt = this.#deps.now();
    // It has waited for its turn until its deadline: another attempt would come too late.
    if (turn === "late") request.deadline = startedAt;
    // A lost rotation is not sent again, so its only attempt has all the time that the caller gives.
    const callersMs = operations[request.operation].idempotent ? undefined : request.timeoutMs;
    const ms = Math.min(callersMs ?? this.#limits.attemptTimeoutMs, request.deadline - startedAt);
    let takeBack: (() => void) | undefined;
    const beforeSending = (): string | undefined => {
      const whyStopped = this.#whyStopped(request);
      if (whyStopped === undefined) takeBack = request.begin?.();
      return whyStopped;
    };
    const result: AttemptResult =
      turn === "now"
        ? await this.#exchange(request, ms, this.#connections, beforeSending)
        : { kind: "not-sent", error: notSent[turn] };
    const now = this.#deps.now();
    const answer = readAnswer(result, request.operation, now, this.#limits.maxResponseBytes);
    this.#adjustQueue(answer);
    if (answer.kind !== "success" && outcomeOfAttempt(answer) !== "unknown") takeBack?.();
    this.#observe({ request, number, startedAt, endedAt: now, result, answer });
    return answer;
  }

  /** Why a request must not leave any more. */
  #whyStopped({ method }: Request): string | undefined {
    const stoppedMs = method === "GET" ? undefined : this.#deps.stoppedMs?.();
    return stoppedMs === undefined ? undefined : stopText(stoppedMs);
  }

  /** Holds all requests for as long as the server asks, unless that is longer than any request may wait: then each fails with its own answer. */
  #adjustQueue(answer: ParsedAnswer): void {
    if (answer.kind === "success") this.#queue.succeeded();
    if (answer.kind !== "refusal" || ![429, 503].includes(answer.status)) return;
    const { retryAfterMs = 0 } = answer;
    if (retryAfterMs > 0 && retryAfterMs <= this.#limits.maxRateLimitWaitMs) this.#queue.hold(retryAfterMs);
  }

  #exchange(
    request: Request,
    ms: number,
    connections: Pick<Connections, "dispatch">,
    beforeSending: () => string | undefined,
  ): Promise<AttemptResult> {
    const { operation, method, path, body } = request;
    const { idempotent } = operations[operation];
    const headers = { ...this.#headers, ...(body !== null && { "content-type": "application/json" }) };
    return new Promise((resolve) => {
      const onEnd = (result: AttemptResult) => {
        stopTimer();
        this.#stops.delete(abort);
        resolve(result);
      };
      const onFree = (): void => {
        this.#queue.free();
      };
      const attempt = new Attempt(this.#limits.maxResponseBytes, { onEnd, onFree, beforeSending });
      const abort = () => {
        attempt.stop(cancelled);
      };
      this.#stops.add(abort);
      const stopTimer = this.#deps.startTimer(ms, () => {
        attempt.stop({ message: `no complete answer within ${Math.round(ms) / 1000} s`, code: "TIMEOUT" });
      });
      if (this.#isAborted) {
        abort();
        onFree();
      } else {
        const { origin } = this.#base;
        const target = { origin, path: this.#address.slice(origin.length) + path, method, idempotent };
        // Only the timer above ends an attempt. The transport's own limits may be shorter.
        const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
        connections.dispatch({ ...target, headers, body, ...unlimited }, attempt);
      }
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

const closed = "The client is closed. This is a bug of pulumi-voiceplane: please report it.";
