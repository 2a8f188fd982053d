/** What a verb would send: it runs against an API that only records, so that previews, reports and updates agree. */
import { pathOf, type Api } from "../client/client.js";
import type { OperationName } from "../contract/index.js";
import { singleProcessRun, type Context, type Lifecycle, type OrganizationScoped, type Values } from "./lifecycle.js";

export interface PlannedRequest {
  readonly operation: OperationName;
  readonly body: Values;
}

/** Runs a verb without sending or logging. To the lifecycle, each answer is empty. The list of webhooks is not recorded. */
export async function recordRequests<Result>(
  ctx: Omit<Context, "api" | "log">,
  verb: (ctx: Context) => Promise<Result>,
): Promise<{ readonly requests: readonly PlannedRequest[]; readonly result: Result }> {
  const requests: PlannedRequest[] = [];
  const api: Api = {
    send: (operation, parameters, body = {}) => {
      // An id that cannot be sent fails here as it would in the client.
      pathOf(operation, parameters);
      if (operation !== "listWebhooks") requests.push({ operation, body: body as Values });
      return Promise.resolve(undefined);
    },
  };
  const log = { info: () => undefined, warn: () => undefined };
  return { result: await verb({ ...ctx, api, log }), requests };
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
  { verb, ...values }: DryRun,
): Promise<readonly PlannedRequest[] | undefined> {
  const state = values.state as OrganizationScoped & Values;
  const inputs = values.inputs as OrganizationScoped & Values;
  const { account, [lifecycle.identity]: id } = verb === "create" ? inputs : state;
  if (typeof account !== "string" || typeof id !== "string" || id === "") return undefined;
  const verbs = {
    create: (ctx: Context) => lifecycle.create(ctx, inputs),
    update: (ctx: Context) => lifecycle.update(ctx, state, inputs),
    delete: (ctx: Context) => lifecycle.delete(ctx, state),
  } satisfies Record<Verb, unknown>;
  try {
    const ctx = { account, address: "", run: singleProcessRun(), now: () => new Date(0) };
    const { requests } = await recordRequests<unknown>(ctx, verbs[verb]);
    return requests;
  } catch {
    return undefined;
  }
}
