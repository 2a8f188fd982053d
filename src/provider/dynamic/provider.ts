/**
 * Translates between the SDK's protocol for dynamic resources and a lifecycle. The engine's behaviour explains its form:
 * - The engine uses the provider before `configure` resolves, and a throw leaves it unconfigured: so it is synchronous and only
 *   stores the settings.
 * - The engine prints the stacks of most errors: so errors have none.
 * - An output stays secret in every verb only if it is returned with the engine's mark.
 */
import { flushCompileCache, getCompileCacheDir } from "node:module";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import { objectText, type OrganizationScoped } from "../../lifecycle/object.js";
import { messageOf, textIn, type Values } from "../../values/any.js";
import { diagnosticText, errorOf } from "../../values/diagnostic.js";
import { declaredAsKey, markSecret } from "../../values/engine.js";
import { engineText } from "../../values/text.js";
import { checkResource, engineReason } from "../check.js";
import { Session, type Call } from "../session.js";
import { readSettings } from "../settings.js";

const providerKey = "__provider";

/** Shared by the resources of this process, which lives for one operation of one provider. */
const session = new Session(process.env);

// The engine ends this process by a signal, and Node writes the compile cache of NODE_COMPILE_CACHE only if a process exits on its own.
// Everything is loaded by now, and an update of a few resources ends within a tenth of a second, so it is written at once.
if (getCompileCacheDir() !== undefined) setImmediate(flushCompileCache);

const waitingLineMs = 5000;
let waitingLineAt = -Infinity;

/** The engine shows the output of a provider's process as messages of the stack. */
const call: Call = {
  log: {
    info: (message) => {
      console.info(`voiceplane: ${engineText(message)}`);
    },
    warn: (warning) => {
      console.warn(`warning: voiceplane: ${engineText(diagnosticText(warning))}`);
    },
  },
  // Many requests may wait for one server, so at most one line in 5 s says so.
  onRetry: (message) => {
    if (performance.now() - waitingLineAt < waitingLineMs) return;
    waitingLineAt = performance.now();
    call.log.info(message);
  },
};

export function dynamicProvider(lifecycle: Lifecycle): dynamic.ResourceProvider {
  return {
    configure({ config }) {
      session.configure(readSettings((key) => config.get(`voiceplane:${key}`), process.env));
      return Promise.resolve();
    },

    async check(olds: Values, news: Values) {
      return answerEngine(() => {
        const ctx = session.context({ ...call, name: textIn(news, declaredAsKey) });
        const { inputs, problems } = checkResource(lifecycle, ctx, session.settings, olds, news);
        return { inputs, failures: problems.map((each) => ({ property: "", reason: engineReason(each) })) };
      });
    },

    async diff(_id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      return answerEngine(() => {
        const diff = lifecycle.diff(session.context(call), olds, news);
        // The native provider has left this state. Refresh and destroy find this provider only through the text that an update adds.
        return providerKey in olds ? diff : { ...diff, changes: true };
      });
    },

    async create(inputs: OrganizationScoped) {
      return answerEngine(async () => {
        const id = idOf(inputs);
        return { id, outs: await carryOut(id, inputs, () => lifecycle.create(session.context(call), inputs)) };
      });
    },

    async read(id: string, state: OrganizationScoped) {
      return answerEngine(async () => {
        const props = markSecrets(await lifecycle.read(session.contextOfState(call), state));
        return { id, props };
      });
    },

    async update(id: string, olds: OrganizationScoped, news: OrganizationScoped) {
      return answerEngine(async () => ({
        outs: await carryOut(id, news, () => lifecycle.update(session.context(call), olds, news)),
      }));
    },

    async delete(_id: string, state: OrganizationScoped) {
      return answerEngine(() => lifecycle.delete(session.contextOfState(call), state));
    },
  };

  function carryOut(id: string, inputs: Values, verb: () => Promise<OrganizationScoped>): Promise<Values> {
    return session.carryOut(verb, {
      store: markSecrets,
      partial: (message, state) => {
        const properties = { ...markSecrets(state), [providerKey]: inputs[providerKey] };
        return new ErrorForEngine(message, { id, properties });
      },
    });
  }

  function markSecrets(state: OrganizationScoped): Values {
    const secrets = new Set(lifecycle.secrets ?? []);
    return Object.fromEntries(
      Object.entries(state).map(([key, value]) => [key, secrets.has(key) ? markSecret(value) : (value as unknown)]),
    );
  }

  function idOf(inputs: Values): string {
    const id = inputs[lifecycle.identity];
    if (typeof id !== "string") throw errorOf("state-incomplete", `${objectText(lifecycle, inputs)}: has no id`);
    return id;
  }
}

/** What a verb answers. Without an answer, the engine would wait forever. */
async function answerEngine<T>(verb: () => T | Promise<T>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw error instanceof ErrorForEngine ? error : new ErrorForEngine(messageOf(error));
  }
}

/** An error as the engine prints it, without a stack. It may have the state of a resource whose request may have been carried out. */
class ErrorForEngine extends Error {
  constructor(message: string, partial?: { readonly id: string; readonly properties: Values }) {
    super(engineText(message));
    this.name = "voiceplane";
    this.stack = "";
    const members = partial ? { ...partial, reasons: [this.message] } : {};
    for (const [key, value] of Object.entries(members)) {
      // The state may have secrets. The engine's host reads it by name, and whoever prints the error does not call a getter.
      Object.defineProperty(this, key, { get: () => value });
    }
  }
}
