/**
 * Requests that have left, and whose results no state has. Each state of a resource has a random `requestId`. Before a request leaves, this machine remembers
 * the id of the state that it starts from, and its target. A state that still has that id has not taken the result: the process died, the state was not saved,
 * or an older state was restored. It then counts as uncertain. A create starts from no state, and the engine keeps what it began. No object,
 * clock, order or count is evidence.
 */
import { createHash, randomBytes } from "node:crypto";
import type { Api } from "../client/operations.js";
import { operations } from "../contract/index.js";
import { messageOf, type Values } from "../values/any.js";
import type { Context, PendingRequests, Target } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import { warnOnce } from "./messages.js";
import { objectText, type OrganizationScoped, type ResourceName } from "./object.js";

export const newRequestId = (): string => randomBytes(8).toString("hex");

/** What says which members of a state are no values of the object: the one that makes it uncertain, and those that an exported state hides. */
type Members = Pick<Lifecycle, "mark" | "secrets">;

/** What identifies a state: its `requestId`, or a hash of its values where a person has removed that. */
export function stateIdOf({ mark, secrets = [] }: Members, state: Values): string {
  if (typeof state.requestId === "string") return state.requestId;
  const others = new Set(["__provider", ...Object.keys(mark), ...secrets]);
  const members = Object.entries(state).filter(([key]) => !others.has(key));
  const text = JSON.stringify(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash("sha256").update(text).digest("hex");
}

/** The state, as uncertain if a request that started from it may have been carried out. */
export function withDoubt<State extends OrganizationScoped>(
  ctx: Context,
  lifecycle: Members & Pick<Lifecycle, "isUncertain"> & ResourceName,
  state: State,
): State {
  const isPending: PendingRequests["isPending"] = (...of) =>
    remembering(ctx, () => ctx.pending.isPending(...of)) ?? false;
  const found = markedIfPending({ isPending }, lifecycle, state, requestTarget(ctx, state));
  if (found === state && !lifecycle.isUncertain(state)) warnOfCopy(ctx, lifecycle, state);
  return found;
}

/** Where the requests for the object of a state go. For another organization's object, it is where its last request went. */
const requestTarget = ({ organization, address }: Context, state: OrganizationScoped): Target =>
  state.organization === organization
    ? { organization, address }
    : { organization: state.organization, address: state.address ?? "" };

/** What went to another target is no doubt about this object. It was sent by a copy of the stack, or before its address changed. */
function warnOfCopy(ctx: Context, lifecycle: ResourceName, state: OrganizationScoped): void {
  const { requestId: id } = state;
  // Without one, a state is known by its values, and two stacks may have states with the same values.
  if (typeof id !== "string") return;
  const address = remembering(ctx, () => ctx.pending.sentElsewhere(id, requestTarget(ctx, state)));
  if (address === undefined) return;
  const text =
    `${objectText(lifecycle, state)}: a request that started from this state has gone to ${address}, for example of a copy of this stack. ` +
    `It is not repeated here, at ${ctx.address}.`;
  warnOnce(ctx, `copy ${id}`, "sent-elsewhere", text);
}

/** As {@link withDoubt}, without its warnings, for a report, which has no context. */
export function markedIfPending<State extends OrganizationScoped>(
  { isPending }: Pick<PendingRequests, "isPending">,
  lifecycle: Members & Pick<Lifecycle, "isUncertain">,
  state: State,
  target: Target,
): State {
  if (lifecycle.isUncertain(state) || !isPending(stateIdOf(lifecycle, state), target)) return state;
  return { ...state, ...lifecycle.mark };
}

/**
 * The id of one request, which its state gets, and the context to send it with. This machine remembers the state that the request starts from
 * immediately before the bytes leave, and forgets it if they surely had no effect.
 */
export function requestFrom(ctx: Context, members: Members, old: OrganizationScoped | undefined) {
  const requestId = newRequestId();
  const before = old && stateIdOf(members, old);
  const api: Api = {
    send: async (operation, parameters, body, options) => {
      const settle = before && remembering(ctx, () => ctx.pending.prepare(before, ctx));
      const begin = () => {
        const isDurable = !operations[operation].idempotent;
        const takeBack = before && remembering(ctx, () => ctx.pending.begin(before, ctx, isDurable));
        return () => {
          if (takeBack) remembering(ctx, takeBack);
        };
      };
      try {
        return await ctx.api.send(operation, parameters, body, { ...options, requestId, begin });
      } finally {
        if (settle) remembering(ctx, settle);
      }
    },
  };
  return { requestId, ctx: { ...ctx, api } };
}

export const cannotRemember = (reason: string): string =>
  `this machine cannot remember what it sends (${reason}): if a run is killed, the next one does not know which requests left. ` +
  "Set VOICEPLANE_STATE_DIR to a folder in which this user may write.";

/** A memory that fails ends no run, and is reported once per run. */
function remembering<T>(ctx: Context, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    warnOnce(ctx, "memory", "memory-unwritable", cannotRemember(messageOf(error)));
    return undefined;
  }
}
