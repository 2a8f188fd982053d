/** Sends operations to one control plane: over reused connections, and each as often as that is safe. */
import { problem } from "../values/diagnostic.js";
import { redact } from "../values/text.js";
import { version } from "../values/version.js";
import { operations, type OperationName } from "../contract/index.js";
import { readAnswer, type Answer } from "./answer.js";
import { Attempt, cancelled, type AttemptResult } from "./attempt.js";
import { openConnections, type Connections } from "./connections.js";
import { toError } from "./error-texts.js";
import { ConfigError } from "./errors.js";
import { Gate } from "./gate.js";
import { pathOf, type Api, type PathParameters, type SendOptions } from "./api.js";
import { isRateLimited, retryDelay } from "./retry.js";
import {
  addressOf,
  defaultDeps,
  defaultLimits,
  settingsProblems,
  type ClientDeps,
  type ClientLimits,
  type ClientSettings,
} from "./settings.js";

interface Request extends Pick<SendOptions, "timeoutMs"> {
  readonly operation: OperationName;
  readonly path: string;
  readonly body: string | null;
  /** ms since the epoch. */
  readonly startedAt: number;
}

/** A process needs one client for each organization: requests run concurrently and share the connections. */
export class Client implements Api {
  readonly #base: URL;
  readonly #address: string;
  readonly #token: string;
  readonly #deps: ClientDeps;
  readonly #limits: ClientLimits;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #gate: Gate;
  #opening: Promise<Connections> | undefined;
  #closing: Promise<void> | undefined;

  /** @throws ConfigError with everything that {@link settingsProblems} finds */
  constructor(settings: ClientSettings, deps: Partial<ClientDeps> = {}, limits: Partial<ClientLimits> = {}) {
    this.#deps = { ...defaultDeps, ...deps };
    const problems = settingsProblems(settings, this.#deps.env);
    if (problems.length > 0) throw new ConfigError(...problems);
    this.#base = new URL(settings.baseUrl);
    this.#address = addressOf(settings.baseUrl);
    this.#token = settings.token;
    this.#limits = { ...defaultLimits, ...limits };
    this.#gate = new Gate(this.#limits.connections, this.#deps);
    this.#headers = {
      authorization: `Bearer ${this.#token}`,
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": `pulumi-voiceplane/${version}`,
    };
  }

  async send(
    operation: OperationName,
    parameters: PathParameters,
    body?: object,
    { onRetry, timeoutMs }: SendOptions = {},
  ): Promise<unknown> {
    if (this.#gate.isStopped())
      throw new ConfigError(problem("cancelled", "The update was cancelled, and nothing was sent."));
    const { now, random, tokenSource } = this.#deps;
    const request: Request = {
      operation,
      path: pathOf(operation, parameters),
      body: body === undefined ? null : JSON.stringify(body),
      startedAt: now(),
      timeoutMs,
    };
    let mayHaveBeenApplied = false;
    for (let attempts = 1; ; attempts++) {
      const answer = await this.#attempt(request, attempts);
      if (answer.kind === "success") return answer.data;
      const situation = { attempts, remainingMs: this.#remainingMs(request), random: random() };
      const delayMs = this.#gate.isStopped() ? undefined : retryDelay(operation, answer, situation, this.#limits);
      const facts = { ...request, attempts, mayHaveBeenApplied, base: this.#base, token: this.#token, tokenSource };
      const error = toError(facts, answer);
      if (delayMs === undefined) throw error;
      onRetry?.(`${error.diagnostic.text}; attempt ${attempts + 1} follows within ${Math.ceil(delayMs / 1000)} s`);
      await this.#gate.pause(delayMs);
      // A sleep may end late, with no time left for another attempt.
      if (this.#gate.isStopped() || this.#remainingMs(request) <= 0) throw error;
      mayHaveBeenApplied = error.outcome === "unknown";
    }
  }

  /** Lets the requests that have left end, and no other one leave. Later calls of {@link send} are refused. */
  stop(): void {
    this.#gate.stop();
  }

  /** As {@link stop}; then it closes the connections. */
  close(): Promise<void> {
    this.stop();
    // If opening failed, a request has already failed with the reason.
    return (this.#closing ??= Promise.resolve(this.#opening).then(
      (connections) => connections?.close(),
      () => undefined,
    ));
  }

  /** The time that is left for all attempts and waits. The caller's own time is never longer. */
  #remainingMs({ startedAt, timeoutMs }: Request): number {
    const { deadlineMs, maxHoldMs } = this.#limits;
    const ms = timeoutMs ?? deadlineMs + (this.#gate.wasHeldSince(startedAt) ? maxHoldMs : 0);
    return startedAt + ms - this.#deps.now();
  }

  async #attempt(request: Request, number: number): Promise<Answer> {
    const { dispatcher, env, now, debug } = this.#deps;
    const connections = dispatcher ?? (await (this.#opening ??= openConnections(this.#base, this.#limits, env)));
    const mayLeave = await this.#gate.enter(() => this.#remainingMs(request) + now());
    const startedAt = now();
    const result = mayLeave ? await this.#exchange(request, connections) : this.#whyLate();
    const answer = readAnswer(result, request.operation, now());
    this.#hold(answer);
    if (env.VOICEPLANE_DEBUG === "1") {
      const { method } = operations[request.operation];
      const end = result.kind === "answered" ? result.status : (result.error.code ?? result.kind);
      const text = `${method} ${request.path}, attempt ${number}: ${end} after ${Math.round(now() - startedAt)} ms`;
      debug(redact(`voiceplane: ${text}`, [this.#token]));
    }
    return answer;
  }

  #whyLate(): AttemptResult {
    const message = "its turn did not come in time: lower the parallelism, or run it again later";
    return { kind: "late", error: this.#gate.isStopped() ? cancelled : { message, code: "TIMEOUT" } };
  }

  /** Holds all requests for as long as the server asks, unless that is longer than any may wait: then each fails with its own answer. */
  #hold(answer: Answer): void {
    if (answer.kind !== "refusal" || ![429, 503].includes(answer.status)) return;
    const { retryAfterMs = 0 } = answer;
    if (retryAfterMs > 0 ? retryAfterMs <= this.#limits.maxHoldMs : isRateLimited(answer))
      this.#gate.hold(retryAfterMs);
  }

  #exchange(request: Request, connections: Pick<Connections, "dispatch">): Promise<AttemptResult> {
    const { operation, path, body, timeoutMs } = request;
    const { method, idempotent } = operations[operation];
    const headers = { ...this.#headers, ...(body !== null && { "content-type": "application/json" }) };
    // A lost rotation is not sent again, so its only attempt has all the time that the caller gives.
    const longestMs = (idempotent ? undefined : timeoutMs) ?? this.#limits.attemptTimeoutMs;
    const ms = Math.min(longestMs, this.#remainingMs(request));
    return new Promise((resolve) => {
      const attempt = new Attempt(this.#limits.maxResponseBytes, {
        onEnd: (result) => {
          stopTimer();
          resolve(result);
        },
        onFree: () => {
          this.#gate.leave();
        },
        mayLeave: () => !this.#gate.isStopped(),
      });
      const stopTimer = this.#deps.startTimer(ms, () => {
        attempt.stop({ message: `no complete answer within ${Math.round(ms) / 1000} s`, code: "TIMEOUT" });
      });
      const { origin } = this.#base;
      const target = { origin, path: this.#address.slice(origin.length) + path, method, idempotent };
      // Only the timer above ends an attempt. The transport's own limits may be shorter.
      const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
      connections.dispatch({ ...target, headers, body, ...unlimited }, attempt);
    });
  }
}
