/**
 * NetworkPolicy: the name and source range of a network policy that exists already.
 *
 *   create, update  PATCH /v1/network-policies/{network_policy_id} with every declared field; an update only for a change
 *                   of a declared field, a due reassertOn, or a lost answer
 *   read            nothing: the interface cannot be asked
 *   delete          nothing for onDelete "retain"; the PATCH with its fields otherwise
 *
 * A field that is no longer declared is no longer managed: nothing is sent for it.
 */
import { containsUnknown } from "../engine-values.js";
import { z } from "zod";
import { patchNetworkPolicy } from "../client/operations.js";
import type { NetworkPolicyBody } from "../contract.js";
import {
  sameValues,
  sendKeepingOldState,
  identityOf,
  warnerOf,
  type Context,
  type Lifecycle,
  type MaybeUncertain,
  type OrganizationScoped,
  type Problem,
} from "./lifecycle.js";
import { problemsOf } from "./problems.js";
import { isDue, reassertion, type Due } from "./schedule.js";
import { canonicalCidr, contains, overlaps, parseAddressOrCidr, parseCidr } from "../cidr.js";
import * as fields from "./fields.js";

export const networkPolicyArgs = z.strictObject({
  networkPolicyId: fields.id,
  name: fields.policyName.optional(),
  sourceCidr: fields.cidr.optional(),
  mustInclude: fields.addresses.optional(),
  mustExclude: fields.addresses.optional(),
  onDelete: fields.networkOnDelete.optional(),
  reassertAfter: fields.wholeDays.optional(),
  reassertUnattended: fields.flag.optional(),
});
type Args = z.infer<typeof networkPolicyArgs>;
type Fields = Pick<Args, "name" | "sourceCidr">;
type OnDelete = NonNullable<Args["onDelete"]>;

export type NetworkPolicyInputs = Args & OrganizationScoped & Due & { onDelete: OnDelete; reassertOn?: string };

export type NetworkPolicyState = Fields &
  OrganizationScoped &
  Due &
  MaybeUncertain & { networkPolicyId: string; onDelete: OnDelete };

export const networkPolicy: Lifecycle<NetworkPolicyInputs, NetworkPolicyState> = {
  type: "NetworkPolicy",
  identity: "networkPolicyId",
  date: "reassertOn",

  check(ctx, olds, news) {
    const problems = problemsOf(networkPolicyArgs, news, "NetworkPolicy");
    const args = news as Args;
    const inputs: NetworkPolicyInputs = {
      ...canonical(args),
      account: ctx.account,
      onDelete: canonicalOnDelete(args.onDelete ?? "retain"),
      ...reassertion(ctx.now(), olds, args.reassertAfter, warnerOf(ctx, networkPolicy, args)),
    };
    return { inputs, problems: [...problems, ...contradictions(args)] };
  },

  diff(_ctx, state, inputs) {
    return { changes: mustSend(state, inputs) || !sameValues(state, inputs, ["name", "sourceCidr", "onDelete"]) };
  },

  async create(ctx, inputs) {
    return patch(ctx, inputs);
  },

  async read(_ctx, state) {
    return Promise.resolve(state);
  },

  async update(ctx, state, inputs) {
    return mustSend(state, inputs) ? patch(ctx, inputs, state) : stateOf(inputs);
  },

  async delete(ctx, state) {
    if (state.onDelete === "retain") return;
    await patchNetworkPolicy(ctx.api, state.networkPolicyId, bodyOf(state.onDelete));
  },
};

async function patch(ctx: Context, inputs: NetworkPolicyInputs, old?: NetworkPolicyState): Promise<NetworkPolicyState> {
  const state = stateOf(inputs);
  const data = await sendKeepingOldState(state, old, () =>
    patchNetworkPolicy(ctx.api, inputs.networkPolicyId, bodyOf(inputs)),
  );
  if (isDenying(data)) {
    ctx.log.warn(
      `${identityOf(networkPolicy, inputs)}: the server says that this policy denies its range. ` +
        `mustInclude then names addresses that are shut out, and mustExclude ones that are not.`,
    );
  }
  return state;
}

function bodyOf({ name, sourceCidr }: Fields): NetworkPolicyBody {
  return { ...(name !== undefined && { name }), ...(sourceCidr !== undefined && { source_cidr: sourceCidr }) };
}

function stateOf({
  account,
  networkPolicyId,
  name,
  sourceCidr,
  onDelete,
  __due,
}: NetworkPolicyInputs): NetworkPolicyState {
  return {
    account,
    networkPolicyId,
    ...(name !== undefined && { name }),
    ...(sourceCidr !== undefined && { sourceCidr }),
    onDelete,
    ...(__due && { __due }),
  };
}

function mustSend(state: NetworkPolicyState, inputs: NetworkPolicyInputs): boolean {
  const declared = (["name", "sourceCidr"] as const).filter((field) => inputs[field] !== undefined);
  return !sameValues(state, inputs, declared) || isDue(state, inputs) || state.uncertain !== undefined;
}

/** One spelling for a range, so that another spelling of the same one is no difference. */
function canonical<T extends Fields>(values: T): T {
  return typeof values.sourceCidr === "string"
    ? { ...values, sourceCidr: canonicalCidr(values.sourceCidr) ?? values.sourceCidr }
    : values;
}

function canonicalOnDelete(onDelete: OnDelete): OnDelete {
  return typeof onDelete === "object" ? canonical(onDelete) : onDelete;
}

/** What is wrong with fields that are each right by themselves. */
export function contradictions(args: Omit<Args, "networkPolicyId">): Problem[] {
  return [...nothingManaged(args), ...lockouts(args)];
}

function nothingManaged({ name, sourceCidr }: Fields): Problem[] {
  if (name !== undefined || sourceCidr !== undefined) return [];
  return [{ property: "", reason: "declare name, sourceCidr or both: otherwise there is nothing to manage" }];
}

/** A range that leaves out the pipeline which sets it locks that pipeline out: said before anything is sent. */
function lockouts({ sourceCidr, onDelete, mustInclude, mustExclude }: Omit<Args, "networkPolicyId">): Problem[] {
  const ranges = [{ property: "sourceCidr", text: sourceCidr }];
  const undone = onDelete ?? "retain";
  if (typeof undone === "object") ranges.push({ property: "onDelete.sourceCidr", text: undone.sourceCidr });
  if (sourceCidr === undefined && (mustInclude ?? mustExclude) !== undefined) {
    return [
      { property: mustInclude ? "mustInclude" : "mustExclude", reason: "says something only beside a sourceCidr" },
    ];
  }
  return ranges.flatMap(({ property, text }) => {
    const range = typeof text === "string" ? parseCidr(text) : undefined;
    if (!range || !text) return [];
    const left = addressesOf(mustInclude).filter(([, inner]) => !contains(range, inner));
    const kept = addressesOf(mustExclude).filter(([, inner]) => overlaps(range, inner));
    return [
      ...left.map(([must]) => ({
        property,
        reason: `${text} does not contain ${must}, which mustInclude says it must`,
      })),
      ...kept.map(([must]) => ({ property, reason: `${text} reaches ${must}, which mustExclude says it must not` })),
    ];
  });
}

/** Those entries that can be read; the others are unknown yet, or check has refused them already. */
function addressesOf(list: string[] | undefined) {
  if (!Array.isArray(list)) return [];
  return list
    .filter((text) => typeof text === "string" && !containsUnknown(text))
    .flatMap((text) => {
      const range = parseAddressOrCidr(text);
      return range ? [[text, range] as const] : [];
    });
}

function isDenying(data: unknown): boolean {
  return typeof data === "object" && data !== null && "action" in data && data.action === "deny";
}
