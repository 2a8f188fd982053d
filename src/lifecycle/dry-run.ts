/** Finds what a verb would send or refuse by running it against an API that only records. So previews, reports and updates agree. */
import type { Api } from "../client/operations.js";
import { anyRequest, plannedRequest, type PlannedRequest } from "../client/planned-request.js";
import { operations } from "../contract/index.js";
import { hiddenAs } from "./effects/effect.js";
import { forgetful, singleProcessRun, type Context, type PendingRequests } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import type { Values } from "../values/any.js";
import type { OrganizationScoped } from "./object.js";
import { dueBefore } from "./schedule.js";
import type { Diagnostic } from "../values/diagnostic.js";

/** Runs a verb without sending or logging: the lifecycle gets empty answers. A GET changes nothing, and is not recorded. */
export async function recordRequests<Result>(
  ctx: Omit<Context, "api" | "log">,
  verb: (ctx: Context) => Promise<Result>,
): Promise<{ readonly requests: readonly PlannedRequest[]; readonly result: Result }> {
  const requests: PlannedRequest[] = [];
  const api: Api = {
    send: (operation, parameters, body) => {
      // Fails for an id that cannot be sent, as the client does.
      const request = plannedRequest(operation, parameters, body);
      if (operations[operation].method !== "GET") requests.push(request);
      return Promise.resolve(undefined);
    },
  };
  const memory = ctx.pending;
  const pending: PendingRequests = {
    ...forgetful,
    isPending: (...of) => memory.isPending(...of),
    sentElsewhere: (...of) => memory.sentElsewhere(...of),
  };
  return { result: await verb({ ...ctx, api, pending, log: silent }), requests };
}

const silent = { info: () => undefined, warn: () => undefined };

/** The members of a context for a run in which nothing else happens. */
const aloneInRun = () => ({ run: singleProcessRun(), pending: forgetful, now: () => new Date(0) });

/** The problems of a new object's arguments by themselves. What depends on the organization, the state or the run is for the preview. */
export function problemsOfArgs(lifecycle: Lifecycle, args: Values): readonly Diagnostic[] {
  const api = { send: () => Promise.reject(new Error("unused")) };
  return lifecycle.check({ organization: "", address: "", api, log: silent, ...aloneInRun() }, {}, args).problems;
}

export type Verb = "create" | "update" | "replace" | "delete";

interface DryRun {
  /** A replacement is a create after a diff of the old state. The delete that belongs to it is a verb of its own. */
  readonly verb: Verb;
  /** The old outputs; not used by a create. */
  readonly state: Values;
  /** The old inputs; used by a replacement only. */
  readonly olds?: Values | undefined;
  /** The new inputs; not used by a delete. */
  readonly inputs: Values;
  /** Where the requests go; undefined if that is not known. */
  readonly address?: string | undefined;
}

/** What a verb sends. */
export interface Planned {
  readonly requests: readonly PlannedRequest[];
  /** False if these values are not from the lifecycle. Then the request stands for any request of its operation. */
  readonly isReadable: boolean;
}

/** The requests that change something, in order. Assumes that the program no longer declares the object of a delete. */
export async function dryRun(
  lifecycle: Lifecycle,
  { verb, address, ...values }: DryRun,
  pending: PendingRequests = forgetful,
): Promise<Planned> {
  const state = values.state as OrganizationScoped & Values;
  const inputs = values.inputs as OrganizationScoped & Values;
  const { organization, [lifecycle.identity]: id } = verb === "create" || verb === "replace" ? inputs : state;
  const owner = { ...(isKnown(organization) && { organization }), ...(isKnown(address) && { address }) };
  const verbs = {
    create: (ctx: Context) => lifecycle.create(ctx, inputs),
    update: (ctx: Context) => lifecycle.update(ctx, state, inputs),
    replace: (ctx: Context) => {
      lifecycle.diff(ctx, state, { ...inputs, ...dueBefore(lifecycle.date, values.olds ?? {}, inputs) });
      return lifecycle.create(ctx, inputs);
    },
    delete: (ctx: Context) => lifecycle.delete(ctx, state),
  } satisfies Record<Verb, unknown>;
  try {
    if (typeof organization !== "string" || typeof id !== "string" || id === "")
      throw new Error("not from the lifecycle");
    const ctx = { organization, address: address ?? "", ...aloneInRun(), pending };
    const { requests } = await recordRequests<unknown>(ctx, verbs[verb]);
    return { requests: requests.map((request) => ({ ...request, ...owner })), isReadable: true };
  } catch {
    return { requests: [anyRequest(lifecycle.operation, owner)], isReadable: false };
  }
}

const isKnown = (value: unknown): boolean => value !== undefined && hiddenAs(value) === undefined;
