/**
 * One configured provider, whichever protocol the engine talks to it in: its settings and its client, what its lifecycles are given, and what
 * becomes of a request that may have been carried out. It lasts as long as one operation of the engine.
 */
import { isDeepStrictEqual } from "node:util";
import type { Api, OnRetry } from "../client/operations.js";
import { Client } from "../client/client.js";
import { ConfigError } from "../client/errors.js";
import { plannedRequest } from "../client/planned-request.js";
import { operations } from "../contract/index.js";
import {
  singleProcessRun,
  type Context,
  type EngineRun,
  type Log,
  type PendingRequests,
} from "../lifecycle/context.js";
import { LostAnswerError } from "../lifecycle/lost-answer.js";
import type { OrganizationScoped } from "../lifecycle/object.js";
import { problem } from "../values/diagnostic.js";
import { skipsCheckpoints, type Environment } from "../values/environment.js";
import { portOf } from "./engine-watch.js";
import { pendingRequestsOn } from "./pending.js";
import { approvalIn, type Approval } from "./plan.js";
import { joinRun } from "./run-notes.js";
import { problemsWithoutStack, readSettings, requireOrganization, type ProviderSettings } from "./settings.js";

/** One call of the engine: how to reach the user, and what the engine says of the resource. */
export interface Call {
  readonly log: Log;
  readonly onRetry: OnRetry;
  readonly name?: string;
  /** The resource's own limit for all attempts of a request. */
  readonly timeoutMs?: number | undefined;
}

/** What a protocol makes of a state. */
interface Protocol<Stored> {
  readonly store: (state: OrganizationScoped) => Stored;
  /** The error with which the engine stores this state of a resource whose request may have been carried out. */
  readonly partial: (message: string, state: OrganizationScoped) => Error;
}

export class Session {
  /** What the other processes of the run note, and this one. */
  readonly run: EngineRun;
  readonly #env: Environment;
  readonly #pending: PendingRequests;
  readonly #approve: Approval;
  #settings: ProviderSettings;
  #client: Client | undefined;
  #isStateless = false;
  #isCancelled = false;

  /** @param engine its address; undefined in a process that no engine has started */
  constructor(env: Environment, engine?: string) {
    this.#env = env;
    this.#pending = pendingRequestsOn(env);
    this.#approve = approvalIn(env);
    this.#settings = readSettings(() => undefined, env);
    this.run = engine === undefined ? singleProcessRun() : joinRun(portOf(engine), "provider");
  }

  get settings(): ProviderSettings {
    return this.#settings;
  }

  /** It never fails: `check` says what is wrong with the settings. */
  configure(settings: ProviderSettings, { isStateless = false } = {}): void {
    // The dynamic provider is configured once for each type, and all of them share the connections.
    if (!isDeepStrictEqual(settings, this.#settings)) this.#client = undefined;
    this.#settings = isStateless ? { ...settings, problems: problemsWithoutStack(settings) } : settings;
    this.#isStateless = isStateless;
  }

  context(call: Call): Context {
    const { organization, address, providerName } = this.#settings;
    return {
      organization,
      address,
      isExplicit: providerName !== undefined,
      api: this.api(call),
      log: call.log,
      run: this.run,
      name: call.name,
      pending: this.#pending,
      unsaved: this.#isStateless ? "stateless" : skipsCheckpoints(this.#env) ? "checkpoints" : undefined,
      now: () => this.#settings.namedNow ?? new Date(),
    };
  }

  api({ onRetry, timeoutMs }: Pick<Call, "onRetry" | "timeoutMs">): Api {
    return {
      send: async (operation, parameters, body, options) => {
        const { organization, address } = this.#settings;
        // A GET changes nothing, and needs no name for its object.
        const isRead = operations[operation].method === "GET";
        if (!isRead) this.#approve(plannedRequest(operation, parameters, body, { organization, address }));
        return this.#clientFor(isRead).send(operation, parameters, body, { ...options, onRetry, timeoutMs });
      },
    };
  }

  /**
   * Runs a create or an update. If its request may have been carried out, the engine stores what is known, and updates the resource next time.
   *
   * @returns what the engine stores
   */
  async carryOut<Stored>(
    verb: () => Promise<OrganizationScoped>,
    { store, partial }: Protocol<Stored>,
  ): Promise<Stored> {
    // Without a stack, no state keeps the organization.
    if (!this.#isStateless) requireOrganization(this.#settings);
    try {
      return store(await verb());
    } catch (error) {
      throw error instanceof LostAnswerError ? partialError(error, partial) : error;
    }
  }

  /** Lets the requests that have left end, and sends none afterwards. */
  cancel(): void {
    this.#isCancelled = true;
    this.#client?.stop();
  }

  /** @throws ConfigError if the request must not be sent */
  #clientFor(isRead: boolean): Client {
    // The engine may have begun another operation before it was interrupted.
    if (this.#isCancelled)
      throw new ConfigError(problem("cancelled", "The update was cancelled, and nothing was sent."));
    const problems = this.#settings.problems.filter(({ code }) => !(isRead && code === "organization-missing"));
    if (problems.length > 0) throw new ConfigError(...problems);
    const { client, tokenSource } = this.#settings;
    return (this.#client ??= new Client(client, { env: this.#env, tokenSource }));
  }
}

/** The error itself if its state cannot be stored: without an answer, the engine would wait forever. */
function partialError(error: LostAnswerError, partial: Protocol<unknown>["partial"]): Error {
  try {
    return partial(error.message, error.state);
  } catch {
    return error;
  }
}
