/**
 * A lifecycle as Pulumi's dynamic ResourceProvider. The engine's behaviour explains its form:
 * - The engine uses the provider before `configure` resolves, and a throw leaves it unconfigured: so it is synchronous and only
 *   stores the settings.
 * - The engine prints the stacks of most errors: so errors have none.
 * - An output stays secret in every verb only if it is returned with the engine's mark.
 */
import { flushCompileCache, getCompileCacheDir } from "node:module";
import { messageOf } from "../../values/any.js";
import { markSecret } from "../../values/engine.js";
import { skipsCheckpoints } from "../../values/environment.js";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Api } from "../../client/api.js";
import { Client } from "../../client/client.js";
import { ConfigError } from "../../client/errors.js";
import { watchForStops } from "../../client/stopped.js";
import { engineText } from "../engine-text.js";
import { joinRun } from "../run-notes.js";
import { pendingRequestsOn } from "../pending.js";
import { identityOf, type OrganizationScoped } from "../../lifecycle/object.js";
import { singleProcessRun, type Context, type Log } from "../../lifecycle/context.js";
import { LostAnswerError } from "../../lifecycle/lost-answer.js";
import type { Lifecycle, Values } from "../../lifecycle/lifecycle.js";
import { checkResource, failureOf } from "../check.js";
import {
  noteProvider,
  readSettings,
  requestProblems,
  requireOrganization,
  type ProviderSettings,
} from "../settings.js";
import { engineAddress, portOf } from "../engine-watch.js";

const providerKey = "__provider";

// Shared by the resources of this process, which lives for one operation of one provider.
const engine = engineAddress();
const run = engine === undefined ? singleProcessRun() : joinRun(portOf(engine), "provider");
const clients = new Map<string, Client>();
const pending = pendingRequestsOn(process.env);
const stoppedMs = engine === undefined ? undefined : watchForStops();

// The engine ends this process by a signal. Node writes the compile cache of NODE_COMPILE_CACHE only if a process exits on its own.
// At once: everything is loaded by now, and an update of a few resources ends within a tenth of a second.
if (getCompileCacheDir() !== undefined) setImmediate(flushCompileCache);

/** The engine shows the output of a provider's process as messages of the stack. */
const log: Log = {
  info: (message) => {
    console.info(`voiceplane: ${engineText(message)}`);
  },
  warn: (message) => {
    console.warn(`warning: voiceplane: ${engineText(message)}`);
  },
};

const waitingLineMs = 5000;
let waitingLineAt = -Infinity;

/** Says that requests wait. Many may wait for one server, so at most one line in 5 s. */
function sayWaiting(message: string): void {
  if (performance.now() - waitingLineAt < waitingLineMs) return;
  waitingLineAt = performance.now();
  log.info(message);
}

export function dynamicProvider(lifecycle: Lifecycle): dynamic.ResourceProvider {
  let settings: ProviderSettings = readSettings(() => undefined, process.env);

  const api: Api = {
    send: (operation, parameters, body, options) =>
      clientOf(settings).send(operation, parameters, body, { ...options, onRetry: sayWaiting }),
  };

  const context = (): Context => ({
    organization: settings.organization,
    address: settings.address,
    isExplicit: settings.providerName !== undefined,
    api,
    log,
    run,
    pending,
    unsaved: skipsCheckpoints(process.env) ? "checkpoints" : undefined,
    now: () => settings.namedNow ?? new Date(),
  });

  const knownContext = (): Context => {
    requireOrganization(settings);
    return context();
  };

  return {
    configure({ config }) {
      settings = readSettings((key) => config.get(`voiceplane:${key}`), process.env);
      if (settings.providerName !== undefined) noteProvider(run, "used", settings.providerName);
      return Promise.resolve();
    },

    async check(olds: Values, news: Values) {
      return withCleanErrors(() => {
        const { inputs, problems } = checkResource(lifecycle, context(), settings, olds, news);
        // Secrets come here without their marks.
        return { inputs, failures: problems.map((problem) => failureOf(problem, news, () => true)) };
      });
    },

    async diff(_id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      return withCleanErrors(() => {
        const diff = lifecycle.diff(context(), olds, news);
        // The native provider has left this state. Refresh and destroy find this provider only through the text that an update adds.
        return providerKey in olds ? diff : { ...diff, changes: true };
      });
    },

    async create(inputs: OrganizationScoped) {
      const create = async () => {
        const id = idOf(lifecycle, inputs);
        return { id, outs: markSecrets(await lifecycle.create(context(), inputs)) };
      };
      return withCleanErrors(create, inputs);
    },

    async read(id: string, state: OrganizationScoped) {
      return withCleanErrors(async () => {
        return { id, props: markSecrets(await lifecycle.read(knownContext(), state)) };
      });
    },

    async update(id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      const update = async () => ({ outs: markSecrets(await lifecycle.update(knownContext(), olds, news)) });
      return withCleanErrors(update, news, id);
    },

    async delete(_id: string, state: OrganizationScoped) {
      return withCleanErrors(() => lifecycle.delete(knownContext(), state));
    },
  };

  function markSecrets(state: OrganizationScoped): Values {
    const secrets = new Set(lifecycle.secrets ?? []);
    return Object.fromEntries(
      Object.entries(state).map(([key, value]) => [key, secrets.has(key) ? markSecret(value) : (value as unknown)]),
    );
  }

  /** Runs a verb. Its errors reach the engine without a stack and with the state to keep. Without an answer, the engine would hang. */
  async function withCleanErrors<T>(
    verb: () => T | Promise<T>,
    inputs?: OrganizationScoped & Values,
    id?: string,
  ): Promise<T> {
    try {
      return await verb();
    } catch (error) {
      throw new ErrorForEngine(messageOf(error), partialOf(error, inputs, id));
    }
  }

  function partialOf(error: unknown, inputs?: OrganizationScoped & Values, id?: string): PartialState | undefined {
    try {
      if (!(error instanceof LostAnswerError) || inputs === undefined) return undefined;
      const properties = { ...markSecrets(error.state), [providerKey]: inputs[providerKey] };
      return { id: id ?? idOf(lifecycle, inputs), properties };
    } catch {
      return undefined;
    }
  }
}

/** The state to keep of a resource whose request may have been carried out. */
interface PartialState {
  readonly id: string;
  readonly properties: Values;
}

/** An error as the engine prints it, with the partial state to keep if there is one. */
class ErrorForEngine extends Error {
  constructor(message: string, partial?: PartialState) {
    super(engineText(message));
    this.stack = "";
    for (const [key, value] of Object.entries(partial ? { ...partial, reasons: [this.message] } : {})) {
      // The state holds secrets. The engine's host reads it by name. Printing the error does not call a getter.
      Object.defineProperty(this, key, { get: () => value });
    }
  }

  override toString(): string {
    return printedByEngine;
  }
}

/** The SDK prints errors and also returns them to the engine, which prints them too. Its line begins with this, and is dropped. */
const printedByEngine = "voiceplane: see the error of the resource";

const printError = console.error;
console.error = (...parts: unknown[]) => {
  const [first] = parts;
  if (typeof first !== "string" || !first.startsWith(printedByEngine)) printError(...parts);
};

function clientOf(settings: ProviderSettings): Client {
  const problems = requestProblems(run, settings, process.env);
  if (problems.length > 0) throw new ConfigError([...problems]);
  const key = JSON.stringify(settings.client);
  const { organization, tokenSource } = settings;
  const client = clients.get(key) ?? new Client(settings.client, { organization, tokenSource, stoppedMs });
  clients.set(key, client);
  return client;
}

function idOf(lifecycle: Lifecycle, inputs: Values): string {
  const id = inputs[lifecycle.identity];
  if (typeof id !== "string") throw new ErrorForEngine(`${identityOf(lifecycle, inputs)}: has no id`);
  return id;
}
