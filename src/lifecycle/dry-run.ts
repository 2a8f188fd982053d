/** Finds what a verb would send or refuse by running it against an API that only records. So previews, reports and updates agree. */
import type { Api } from "../client/api.js";
import { anyRequest, plannedRequest, type PlannedRequest } from "../client/planned-request.js";
import { operations } from "../contract/index.js";
import type { Values } from "../values/any.js";
import type { Diagnostic } from "../values/diagnostic.js";
import { newRun, silent, type Context } from "./context.js";
import { hiddenAs } from "./effects/risk.js";
import type { Lifecycle } from "./lifecycle.js";
import type { OrganizationScoped } from "./object.js";

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
  // What is only asked for leaves no trace in the run.
  return { result: await verb({ ...ctx, api, run: newRun(), log: silent }), requests };
}

/** The problems of a new object's arguments by themselves. What depends on the organization, the state or the run is for the preview. */
export function problemsOfArgs(lifecycle: Lifecycle, args: Values): readonly Diagnostic[] {
  const api = { send: () => Promise.reject(new Error("unused")) };
  const ctx = { organization: "", address: "", api, log: silent, run: newRun(), now: () => new Date() };
  return lifecycle.check(ctx, {}, args).problems;
}

export type Verb = "create" | "update" | "delete";

interface DryRun {
  readonly verb: Verb;
  /** The old outputs; not used by a create. */
  readonly state: Values;
  /** The new inputs; not used by a delete. */
  readonly inputs: Values;
  /** Where the requests go; undefined if that is not known. */
  readonly address?: string | undefined;
}

/** What a verb sends. */
interface Planned {
  readonly requests: readonly PlannedRequest[];
  /** False if these values are not from the lifecycle. Then the request stands for any request of its operation. */
  readonly isReadable: boolean;
}

/** The requests that change something, in order. Assumes that the program no longer declares the object of a delete. */
export async function dryRun(lifecycle: Lifecycle, { verb, address, ...values }: DryRun): Promise<Planned> {
  const state = values.state as OrganizationScoped & Values;
  const inputs = values.inputs as OrganizationScoped & Values;
  const { organization, [lifecycle.identity]: id } = verb === "create" ? inputs : state;
  const owner = { ...(isKnown(organization) && { organization }), ...(isKnown(address) && { address }) };
  const verbs = {
    create: (ctx: Context) => lifecycle.create(ctx, inputs),
    update: (ctx: Context) => lifecycle.update(ctx, state, inputs),
    delete: (ctx: Context) => lifecycle.delete(ctx, state),
  } satisfies Record<Verb, unknown>;
  try {
    if (typeof organization !== "string" || typeof id !== "string" || id === "")
      throw new Error("not from the lifecycle");
    const ctx = { organization, address: address ?? "", run: newRun(), now: () => new Date() };
    const { requests } = await recordRequests<unknown>(ctx, verbs[verb]);
    return { requests: requests.map((request) => ({ ...request, ...owner })), isReadable: true };
  } catch {
    return { requests: [anyRequest(lifecycle.operation, owner)], isReadable: false };
  }
}

const isKnown = (value: unknown): boolean => value !== undefined && hiddenAs(value) === undefined;
