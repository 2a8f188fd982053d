/**
 * RetentionPolicy: how long an organization keeps one kind of data.
 *
 *   create          PUT /v1/retention-policies/{resource}
 *   update          the same PUT, for a change of retentionDays or enabled, a due reassertOn, or a lost answer; else nothing
 *   read            nothing: the interface cannot be asked
 *   delete          nothing for onDelete "retain"; the PUT with enabled false for "disable"; the PUT with its values otherwise
 */
import { z } from "zod";
import { putRetentionPolicy } from "../api/operations.js";
import type { RetentionPolicyBody, RetentionResource } from "../contract.js";
import {
  agree,
  applying,
  containsUnknown,
  type Context,
  type Lifecycle,
  type MaybeUncertain,
  type Owned,
  type Problem,
} from "../lifecycle.js";
import { problemsOf } from "../problems.js";
import { isDue, reassertion, type Due } from "../schedule.js";
import * as fields from "./fields.js";

export const retentionPolicyArgs = z.strictObject({
  resource: fields.retentionResource,
  retentionDays: fields.days,
  enabled: fields.enabled.optional(),
  onDelete: fields.retentionOnDelete.optional(),
  allowShortening: fields.allowShortening.optional(),
  reassertAfter: fields.wholeDays.optional(),
});
type Args = z.infer<typeof retentionPolicyArgs>;

interface Setting {
  resource: RetentionResource;
  retentionDays: number;
  enabled: boolean;
}

export type RetentionPolicyInputs = Args & Owned & Due & { enabled: boolean; onDelete: OnDelete; reassertOn?: string };
type OnDelete = NonNullable<Args["onDelete"]>;

export type RetentionPolicyState = Setting & Owned & Due & MaybeUncertain & { onDelete: OnDelete };

export const retentionPolicy: Lifecycle<RetentionPolicyInputs, RetentionPolicyState> = {
  type: "RetentionPolicy",
  identity: "resource",

  check(ctx, olds, news) {
    const problems = problemsOf(retentionPolicyArgs, news, "RetentionPolicy");
    const args = news as Args;
    const inputs: RetentionPolicyInputs = {
      ...args,
      account: ctx.account,
      enabled: args.enabled ?? true,
      onDelete: args.onDelete ?? "retain",
      ...reassertion(ctx.now(), olds, args.reassertAfter),
    };
    // Whatever the organization's name: two names may stand for one, and a move should not shorten by the way either.
    const before = olds.resource === inputs.resource ? olds.retentionDays : undefined;
    // Only of what is right otherwise: no step to or from a wrong number of days should be allowed.
    return { inputs, problems: problems.length > 0 ? problems : shortening(before, inputs.resource, inputs) };
  },

  diff(_ctx, state, inputs) {
    return { changes: mustSend(state, inputs) || !agree(state, inputs, ["onDelete"]) };
  },

  async create(ctx, inputs) {
    return put(ctx, inputs);
  },

  async read(_ctx, state) {
    return Promise.resolve(state);
  },

  async update(ctx, state, inputs) {
    return mustSend(state, inputs) ? put(ctx, inputs, state) : stateOf(inputs);
  },

  async delete(ctx, state) {
    const { onDelete } = state;
    if (onDelete === "retain") return;
    const last = onDelete === "disable" ? { retentionDays: state.retentionDays, enabled: false } : onDelete;
    await putRetentionPolicy(ctx.api, state.resource, bodyOf(last));
  },
};

async function put(
  ctx: Context,
  inputs: RetentionPolicyInputs,
  old?: RetentionPolicyState,
): Promise<RetentionPolicyState> {
  const state = stateOf(inputs);
  await applying(state, old, () => putRetentionPolicy(ctx.api, inputs.resource, bodyOf(inputs)));
  return state;
}

function bodyOf({ retentionDays, enabled }: Pick<Setting, "retentionDays" | "enabled">): RetentionPolicyBody {
  return { retention_days: retentionDays, enabled };
}

function stateOf(inputs: RetentionPolicyInputs): RetentionPolicyState {
  const { account, resource, retentionDays, enabled, onDelete, __due } = inputs;
  return { account, resource, retentionDays, enabled, onDelete, ...(__due && { __due }) };
}

function mustSend(state: RetentionPolicyState, inputs: RetentionPolicyInputs): boolean {
  return !agree(state, inputs, ["retentionDays", "enabled"]) || isDue(state, inputs) || state.uncertain !== undefined;
}

/** Fewer days delete data for good, so each such step has to be named; a step named once licenses no other. */
export function shortening(
  before: number | undefined,
  resource: RetentionResource,
  { retentionDays, onDelete, allowShortening }: Pick<Args, "retentionDays" | "onDelete" | "allowShortening">,
): Problem[] {
  const steps = [{ property: "retentionDays", from: before, to: retentionDays }];
  const undone = onDelete ?? "retain";
  if (typeof undone === "object") {
    steps.push({ property: "onDelete.retentionDays", from: retentionDays, to: undone.retentionDays });
  }
  // What is not known yet may allow the step; the up will tell.
  if (containsUnknown(allowShortening)) return [];
  const allowed = [allowShortening ?? []].flat();
  return steps.flatMap(({ property, from, to }) => {
    if (typeof from !== "number" || typeof to !== "number" || to >= from) return [];
    if (allowed.some((step) => step.from === from && step.to === to)) return [];
    const reason =
      `${from} => ${to} deletes ${resource} older than ${to} days for good. ` +
      `If that is meant, add allowShortening: { from: ${from}, to: ${to} }`;
    return [{ property, reason }];
  });
}
