/** What a step would send: the lifecycle runs against an API that only records, so that report and update agree. */
import { pathOf, type Api } from "../client/client.js";
import type { OperationName } from "../contract/index.js";
import { singleProcessRun } from "../provider/run-notes.js";
import type { Context, Lifecycle, OrganizationScoped, Values } from "./lifecycle.js";

export interface Sent {
  readonly operation: OperationName;
  readonly body: Values;
}

export type Verb = "create" | "update" | "delete";

export interface DryRun {
  readonly verb: Verb;
  /** The old outputs; not used by a create. */
  readonly state: Values;
  /** The new inputs; not used by a delete. */
  readonly inputs: Values;
}

/**
 * The requests that change something, in order; undefined if the lifecycle did not make these values. A delete is taken to be
 * of an object that the program no longer declares.
 */
export async function dryRun(
  lifecycle: Lifecycle,
  { verb, state, inputs }: DryRun,
): Promise<readonly Sent[] | undefined> {
  const sent: Sent[] = [];
  const api: Api = {
    send: (operation, parameters, body = {}) => {
      // An id that cannot be sent fails here as it would in the client.
      pathOf(operation, parameters);
      if (operation !== "listWebhooks") sent.push({ operation, body: body as Values });
      // To the lifecycles, this is an empty answer.
      return Promise.resolve(undefined);
    },
  };
  const owner = verb === "create" ? inputs : state;
  const { account } = owner;
  const id = owner[lifecycle.identity];
  if (typeof account !== "string" || typeof id !== "string" || id === "") return undefined;
  const context: Context = { account, address: "", api, log: silent, run: singleProcessRun(), now: () => new Date(0) };
  try {
    if (verb === "create") await lifecycle.create(context, inputs as OrganizationScoped);
    else if (verb === "update")
      await lifecycle.update(context, state as OrganizationScoped, inputs as OrganizationScoped);
    else await lifecycle.delete(context, state as OrganizationScoped);
  } catch {
    return undefined;
  }
  return sent;
}

const silent = { info: () => undefined, warn: () => undefined };
