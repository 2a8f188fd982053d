/**
 * TrunkOutboundAuth: whether a SIP trunk has outbound authentication. The interface can clear it and nothing else.
 *
 *   create, update  DELETE /v1/trunks/{trunk_id}/outbound-auth where cleared is true: on create, when cleared becomes true,
 *                   for a change of triggers, a due reassertOn, or a lost answer; nothing where cleared is false
 *   read            nothing: the interface cannot be asked
 *   delete          nothing for onDelete "retain"; the DELETE for "clear", where a 404 is as good
 */
import { z } from "zod";
import { clearTrunkOutboundAuth } from "../client/operations.js";
import {
  sameValues,
  sendKeepingOldState,
  warnerOf,
  type Context,
  type Lifecycle,
  type MaybeUncertain,
  type OrganizationScoped,
} from "./lifecycle.js";
import { problemsOf } from "./problems.js";
import { isDue, reassertion, type Due } from "./schedule.js";
import * as fields from "./fields.js";

export const trunkOutboundAuthArgs = z.strictObject({
  trunkId: fields.id,
  cleared: fields.flag,
  triggers: fields.triggers.optional(),
  onDelete: fields.trunkOnDelete.optional(),
  reassertAfter: fields.wholeDays.optional(),
  reassertUnattended: fields.flag.optional(),
});
type Args = z.infer<typeof trunkOutboundAuthArgs>;
type OnDelete = NonNullable<Args["onDelete"]>;

export type TrunkOutboundAuthInputs = Args & OrganizationScoped & Due & { onDelete: OnDelete; reassertOn?: string };

export type TrunkOutboundAuthState = Pick<Args, "trunkId" | "cleared" | "triggers"> &
  OrganizationScoped &
  Due &
  MaybeUncertain & { onDelete: OnDelete };

export const trunkOutboundAuth: Lifecycle<TrunkOutboundAuthInputs, TrunkOutboundAuthState> = {
  type: "TrunkOutboundAuth",
  identity: "trunkId",
  date: "reassertOn",

  check(ctx, olds, news) {
    const problems = problemsOf(trunkOutboundAuthArgs, news, "TrunkOutboundAuth");
    const args = news as Args;
    const inputs: TrunkOutboundAuthInputs = {
      ...args,
      account: ctx.account,
      onDelete: args.onDelete ?? "retain",
      ...reassertion(ctx.now(), olds, args.reassertAfter, warnerOf(ctx, trunkOutboundAuth, args)),
    };
    return { inputs, problems };
  },

  diff(_ctx, state, inputs) {
    return { changes: mustSend(state, inputs) || !sameValues(state, inputs, ["cleared", "triggers", "onDelete"]) };
  },

  async create(ctx, inputs) {
    return inputs.cleared ? clear(ctx, inputs) : stateOf(inputs);
  },

  async read(_ctx, state) {
    return Promise.resolve(state);
  },

  async update(ctx, state, inputs) {
    return mustSend(state, inputs) ? clear(ctx, inputs, state) : stateOf(inputs);
  },

  async delete(ctx, state) {
    if (state.onDelete === "retain") return;
    try {
      await clearTrunkOutboundAuth(ctx.api, state.trunkId);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  },
};

async function clear(
  ctx: Context,
  inputs: TrunkOutboundAuthInputs,
  old?: TrunkOutboundAuthState,
): Promise<TrunkOutboundAuthState> {
  const state = stateOf(inputs);
  await sendKeepingOldState(state, old, () => clearTrunkOutboundAuth(ctx.api, inputs.trunkId));
  return state;
}

function stateOf({
  account,
  trunkId,
  cleared,
  triggers,
  onDelete,
  __due,
}: TrunkOutboundAuthInputs): TrunkOutboundAuthState {
  return { account, trunkId, cleared, ...(triggers && { triggers }), onDelete, ...(__due && { __due }) };
}

/** With `cleared: false` nothing is ever sent by an update: the credentials are somebody else's. */
function mustSend(state: TrunkOutboundAuthState, inputs: TrunkOutboundAuthInputs): boolean {
  if (!inputs.cleared) return false;
  return !sameValues(state, inputs, ["cleared", "triggers"]) || isDue(state, inputs) || state.uncertain !== undefined;
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 404;
}
