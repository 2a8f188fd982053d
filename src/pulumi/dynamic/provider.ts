/**
 * The dynamic door: a lifecycle as Pulumi's dynamic ResourceProvider. What the engine is known to do decides the shape:
 * - `configure` is called once, the provider is used before it resolves, and a throw leaves it unconfigured: so it is
 *   synchronous and only notes what it was given.
 * - A check failure that names a property prints the property's value: so the name goes into the reason.
 * - Errors of most verbs are printed with their stack: so stacks are tidied.
 * - An output stays secret across every verb only if it is returned wrapped.
 */
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Api } from "../../client/client.js";
import { Client } from "../../client/client.js";
import { ConfigError } from "../../client/errors.js";
import { markSecret } from "../../engine-values.js";
import { joinRun, singleProcessRun } from "../engine-run.js";
import {
  identityOf,
  UncertainError,
  type Context,
  type Lifecycle,
  type Log,
  type OrganizationScoped,
  type Problem,
  type Values,
} from "../../resources/lifecycle.js";
import { readSettings, type ProviderSettings } from "../settings.js";
import { engineAddress, portOf, watchEngine } from "./engine-watch.js";

const providerKey = "__provider";

/** The class's word that destroy was to send nothing when the resource was declared. */
const retainedKey = "__retained";

// Shared by the resources of this process, which lives for one operation of one provider.
const engine = engineAddress();
const run = engine === undefined ? singleProcessRun() : joinRun(portOf(engine), "provider");
const clients = new Map<string, Client>();
let watched = false;

/** The engine shows what a provider process prints as messages of the stack. */
const log: Log = {
  info: (message) => {
    console.info(`voiceplane: ${message}`);
  },
  warn: (message) => {
    console.warn(`warning: voiceplane: ${message}`);
  },
};

export function dynamicProvider(lifecycle: Lifecycle): dynamic.ResourceProvider {
  let settings: ProviderSettings = readSettings(() => undefined, process.env);

  const api: Api = {
    send: (...request) => clientOf(settings).send(...request),
    serverTime: () => clientOf(settings).serverTime(),
  };

  const context = (): Context => ({
    account: settings.account,
    address: settings.address,
    api,
    log,
    run,
    now: () => new Date(),
  });

  /**
   * For verbs over state. Without an address the state's object would pass for another organization's, and a destroy would
   * forget what it has to undo.
   */
  const knownContext = (): Context => {
    if (settings.account === "") {
      throw new ConfigError(settings.problems.length > 0 ? settings.problems : ["The base URL is not known."]);
    }
    return context();
  };

  return {
    // Declared async by the interface; nothing here waits, see above.
    // eslint-disable-next-line @typescript-eslint/require-await
    async configure({ config }) {
      exitWhenEngineDies();
      settings = readSettings((key) => config.get(`voiceplane:${key}`), process.env);
    },

    async check(olds: Values, news: Values) {
      return withCleanErrors(() => {
        const { inputs, problems } = lifecycle.check(context(), olds, withoutInternals(news));
        const all = [
          ...settings.problems.map((reason) => ({ property: "", reason })),
          ...problems,
          ...lateOnDelete(news),
        ];
        return { inputs, failures: all.map(failureOf) };
      });
    },

    async diff(_id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      return withCleanErrors(() => lifecycle.diff(context(), olds, news));
    },

    async create(inputs: OrganizationScoped) {
      const id = idOf(lifecycle, inputs);
      return withCleanErrors(
        async () => ({ id, outs: markSecrets(await lifecycle.create(context(), inputs)) }),
        id,
        inputs,
      );
    },

    async read(id: string, state: OrganizationScoped) {
      return withCleanErrors(async () => {
        const current = await lifecycle.read(knownContext(), state);
        return current ? { id, props: markSecrets(current) } : {};
      });
    },

    async update(id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      return withCleanErrors(
        async () => ({ outs: markSecrets(await lifecycle.update(knownContext(), olds, news)) }),
        id,
        news,
      );
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

  /** Runs a verb; whatever it throws reaches the engine as a message without a stack, with the state that is to be kept. */
  async function withCleanErrors<T>(verb: () => T | Promise<T>, id?: string, inputs?: Values): Promise<T> {
    try {
      return await verb();
    } catch (error) {
      if (error instanceof UncertainError && id !== undefined && inputs !== undefined) {
        const properties = { ...markSecrets(error.state), [providerKey]: inputs[providerKey] };
        throw new EngineError(error.message, { id, properties, reasons: [error.message] });
      }
      throw new EngineError(error instanceof Error ? error.message : String(error));
    }
  }
}

function exitWhenEngineDies(): void {
  if (watched || engine === undefined) return;
  watched = true;
  watchEngine(engine, () => process.exit(1));
}

/** What the engine prints, and the half-made state that it keeps where there is one. */
class EngineError extends Error {
  constructor(message: string, halfMade?: { id: string; properties: Values; reasons: string[] }) {
    super(message);
    this.stack = "";
    for (const [key, value] of Object.entries(halfMade ?? {})) {
      // The state holds secrets. The engine's host reads it by name; no way of printing the error calls a getter.
      Object.defineProperty(this, key, { get: () => value });
    }
  }

  override toString(): string {
    return toldByEngine;
  }
}

/** How the SDK begins the line that it prints of an error, beside handing it to the engine, which prints it as well. */
const toldByEngine = "voiceplane: see the error of the resource";

const printError = console.error;
console.error = (...parts: unknown[]) => {
  if (!String(parts[0]).startsWith(toldByEngine)) printError(...parts);
};

function clientOf(settings: ProviderSettings): Client {
  if (settings.problems.length > 0) throw new ConfigError([...settings.problems]);
  const key = JSON.stringify(settings.client);
  const client = clients.get(key) ?? new Client(settings.client);
  clients.set(key, client);
  return client;
}

function idOf(lifecycle: Lifecycle, inputs: Values): string {
  const id = inputs[lifecycle.identity];
  if (typeof id !== "string") throw new EngineError(`${identityOf(lifecycle, inputs)}: has no id`);
  return id;
}

function withoutInternals(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !key.startsWith("__")));
}

/** A transform comes after the class has told the engine that destroy calls nobody, so what it adds would never be done. */
function lateOnDelete({ onDelete = "retain", [retainedKey]: isRetained }: Values): Problem[] {
  if (isRetained !== true || onDelete === "retain") return [];
  const reason =
    "comes from a transform, which is too late: destroy would not do it. Write it in the resource's own arguments, or give " +
    "the resource the option retainOnDelete: false";
  return [{ property: "onDelete", reason }];
}

function failureOf({ property, reason }: Problem): dynamic.CheckFailure {
  return { property: "", reason: property === "" ? reason : `${property}: ${reason}` };
}
