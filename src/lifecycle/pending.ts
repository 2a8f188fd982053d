/**
 * Requests that have left, and whose results no state has. Each state of a resource has a random `requestId`. Before a request leaves, this machine remembers
 * the id of the state that it starts from. A state that still has that id has not taken the result: the process died, the state was not saved,
 * or an older state was restored. It then counts as uncertain. A create starts from no state, and the engine keeps what it began. No object,
 * address, clock, order or count is evidence.
 */
import { randomBytes } from "node:crypto";
import type { Api } from "../client/operations.js";
import { operations } from "../contract/index.js";
import { messageOf } from "../values/any.js";
import type { Context, PendingRequests } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import { warnOnce } from "./messages.js";
import type { OrganizationScoped } from "./object.js";

export const newRequestId = (): string => randomBytes(8).toString("hex");

/** The state, as uncertain if a request that started from it may have been carried out. */
export function withDoubt<State extends OrganizationScoped>(
  ctx: Context,
  lifecycle: Pick<Lifecycle, "mark" | "isUncertain">,
  state: State,
): State {
  const isPending = (id: string) => remembering(ctx, () => ctx.pending.isPending(id)) ?? false;
  return doubted({ isPending }, lifecycle, state);
}

/** The same without a context, for the report. A state without an id was edited. */
export function doubted<State extends OrganizationScoped>(
  { isPending }: Pick<PendingRequests, "isPending">,
  { mark, isUncertain }: Pick<Lifecycle, "mark" | "isUncertain">,
  state: State,
): State {
  const { requestId } = state;
  if (typeof requestId !== "string" || isUncertain(state) || !isPending(requestId)) return state;
  return { ...state, ...mark };
}

/**
 * The id of one request, which its state gets, and the context to send it with. This machine remembers the state that the request starts from
 * immediately before the bytes leave, and forgets it if they surely had no effect.
 */
export function requestFrom(ctx: Context, old: OrganizationScoped | undefined) {
  const requestId = newRequestId();
  const before = old?.requestId;
  const api: Api = {
    send: (operation, parameters, body, options) => {
      const begin = () => {
        const isDurable = !operations[operation].idempotent;
        const takeBack = before && remembering(ctx, () => ctx.pending.begin(before, isDurable));
        return () => {
          if (takeBack) remembering(ctx, takeBack);
        };
      };
      return ctx.api.send(operation, parameters, body, { ...options, requestId, begin });
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
