/**
 * One configured provider, whichever protocol the engine talks to it in: its settings and its client, what its lifecycles are given, and what
 * becomes of a request that may have been carried out. It lasts as long as one operation of the engine.
 */
import { isDeepStrictEqual } from "node:util";
import { Client } from "../client/client.js";
import { ConfigError } from "../client/errors.js";
import type { Api, OnRetry } from "../client/api.js";
import { plannedRequest } from "../client/planned-request.js";
import { operations } from "../contract/index.js";
import { newRun, type Context, type Log, type Run } from "../lifecycle/context.js";
import { LostAnswerError } from "../lifecycle/lost-answer.js";
import type { OrganizationScoped } from "../lifecycle/object.js";
import { problem } from "../values/diagnostic.js";
import type { Environment } from "../values/environment.js";
import { approvalIn, type Approval } from "./plan.js";
import { readSettings, requireOrganization, type ProviderSettings } from "./settings.js";

/** One call of the engine: how to reach the user, and what the engine says of the resource. */
export interface Call {
  readonly log: Log;
  readonly onRetry: OnRetry;
  /** The resource's URN, or its name. */
  readonly name?: string | undefined;
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
  readonly #run: Run = newRun();
  readonly #env: Environment;
  readonly #approve: Approval;
  #settings: ProviderSettings;
  #client: Client | undefined;
  #isCancelled = false;

  constructor(env: Environment) {
    this.#env = env;
    this.#approve = approvalIn(env);
    this.#settings = readSettings(() => undefined, env);
  }

  get settings(): ProviderSettings {
    return this.#settings;
  }

  /** It never fails: `check` says what is wrong with the settings. */
  configure(settings: ProviderSettings): void {
    // The dynamic provider is configured once for each type, and all of them share the connections.
    if (!isDeepStrictEqual(settings, this.#settings)) this.#client = undefined;
    this.#settings = settings;
  }

  context(call: Call): Context {
    const { organization, address, providerName, namedNow } = this.#settings;
    return {
      organization,
      address,
      isExplicit: providerName !== undefined,
      api: this.api(call),
      log: call.log,
      run: this.#run,
      name: call.name,
      now: () => namedNow ?? new Date(),
    };
  }

  /** The context of a verb over a state, which needs to know whose the object is. @throws ConfigError */
  contextOfState(call: Call): Context {
    requireOrganization(this.#settings);
    return this.context(call);
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
    requireOrganization(this.#settings);
    try {
      return store(await verb());
    } catch (error) {
      throw error instanceof LostAnswerError ? partialError(error, partial) : error;
    }
  }

  /** Sends nothing new. What has left ends: a rotation whose answer comes a second later keeps its secret. */
  cancel(): void {
    this.#isCancelled = true;
    this.#client?.stop();
  }

  /** @throws ConfigError if the request must not be sent */
  #clientFor(isRead: boolean): Client {
    // The engine may have begun another operation before it was interrupted.
    if (this.#isCancelled)
      throw new ConfigError(problem("cancelled", "The update was cancelled, and nothing was sent."));
    const { client, tokenSource, problems: all } = this.#settings;
    const problems = all.filter(({ code }) => !(isRead && code === "organization-missing"));
    if (problems.length > 0) throw new ConfigError(...problems);
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
