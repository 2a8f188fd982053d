/** Finds what a verb would send or refuse by running it against an API that only records. So previews, reports and updates agree. */
import type { Api } from "../client/operations.js";
import { pathOf } from "../client/operations.js";
import type { OperationName } from "../contract/index.js";
import { forgetful, singleProcessRun, type Context, type PendingRequests } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import type { Values } from "../values/any.js";
import type { OrganizationScoped } from "./object.js";
import type { Diagnostic } from "../values/diagnostic.js";

export interface PlannedRequest {
  readonly operation: OperationName;
  readonly body: Values;
}

/** Runs a verb without sending or logging: the lifecycle gets empty answers. Requests for the list of webhooks are not recorded. */
export async function recordRequests<Result>(
  ctx: Omit<Context, "api" | "log">,
  verb: (ctx: Context) => Promise<Result>,
): Promise<{ readonly requests: readonly PlannedRequest[]; readonly result: Result }> {
  const requests: PlannedRequest[] = [];
  const api: Api = {
    send: (operation, parameters, body = {}) => {
      // Fails for an id that cannot be sent, as the client does.
      pathOf(operation, parameters);
      if (operation !== "listWebhooks") requests.push({ operation, body: body as Values });
      return Promise.resolve(undefined);
    },
  };
  const pending = { ...forgetful, isPending: ctx.pending.isPending.bind(ctx.pending) };
  return { result: await verb({ ...ctx, api, pending, log: silent }), requests };
}

const silent = { info: () => undefined, warn: () => undefined };

/** What a context has of a run in which nothing else happens. */
const aloneInRun = () => ({ run: singleProcessRun(), pending: forgetful, now: () => new Date(0) });

/** The problems of a new object's arguments by themselves. What depends on the organization, the state or the run is for the preview. */
export function problemsOfArgs(lifecycle: Lifecycle, args: Values): readonly Diagnostic[] {
  const api = { send: () => Promise.reject(new Error("unused")) };
  return lifecycle.check({ organization: "", address: "", api, log: silent, ...aloneInRun() }, {}, args).problems;
}

export type Verb = "create" | "update" | "delete";

interface DryRun {
  readonly verb: Verb;
  /** The old outputs; not used by a create. */
  readonly state: Values;
  /** The new inputs; not used by a delete. */
  readonly inputs: Values;
}

/**
 * The requests that change something, in order; undefined if these values are not from the lifecycle. Assumes that the program
 * no longer declares the object of a delete.
 */
export async function dryRun(
  lifecycle: Lifecycle,
  { verb, ...values }: DryRun,
  pending: PendingRequests = forgetful,
): Promise<readonly PlannedRequest[] | undefined> {
  const state = values.state as OrganizationScoped & Values;
  const inputs = values.inputs as OrganizationScoped & Values;
  const { organization, address = organization, [lifecycle.identity]: id } = verb === "create" ? inputs : state;
  if (typeof organization !== "string" || typeof id !== "string" || id === "") return undefined;
  const verbs = {
    create: (ctx: Context) => lifecycle.create(ctx, inputs),
    update: (ctx: Context) => lifecycle.update(ctx, state, inputs),
    delete: (ctx: Context) => lifecycle.delete(ctx, state),
  } satisfies Record<Verb, unknown>;
  try {
    const { requests } = await recordRequests<unknown>(
      { organization, address, ...aloneInRun(), pending },
      verbs[verb],
    );
    return requests;
  } catch {
    return undefined;
  }
}
