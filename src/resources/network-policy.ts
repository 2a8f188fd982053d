/**
 * NetworkPolicy: the name and source range of a network policy that exists already.
 *
 *   create, update  PATCH /v1/network-policies/{network_policy_id} with every declared field; an update only for a change
 *                   of a declared field, a due reassertOn, or a lost answer
 *   read            nothing: the interface has no way to ask
 *   delete          nothing for onDelete "retain"; the PATCH with its fields otherwise
 *
 * A field that is no longer declared is no longer managed: nothing is sent for it.
 */
import { z } from "zod";
import { canonicalCidr, contains, overlaps, parseAddressOrCidr, parseCidr } from "../cidr.js";
import { patchNetworkPolicy } from "../client/operations.js";
import type { NetworkPolicyBody } from "../contract.js";
import * as fields from "./fields.js";
import { shown } from "./fields.js";
import { warn, type Problem } from "./lifecycle.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const networkPolicyArgs = z.strictObject({
  networkPolicyId: shown(
    fields.id,
    "The policy's id, as the platform shows it. It has to exist. Another id is another policy.",
  ),
  name: shown(fields.policyName, "The policy's name. Default: not managed.").optional(),
  sourceCidr: shown(
    fields.cidr,
    "The range that the policy is about. Default: not managed. Risk: a range without the pipeline's own address may lock it out.",
  ).optional(),
  mustInclude: shown(
    fields.addresses,
    "What sourceCidr has to contain, such as the pipeline's own address; otherwise it is refused at preview. Default: none.",
  ).optional(),
  mustExclude: shown(
    fields.addresses,
    "What sourceCidr must not contain; otherwise it is refused at preview. Default: none.",
  ).optional(),
  onDelete: shown(
    fields.networkOnDelete,
    'What happens when the entry is removed or the stack destroyed. Default: "retain", which sends nothing. Risk: another range ' +
      "may lock the pipeline out.",
  ).optional(),
  ...fields.reassertion,
});
type Args = z.infer<typeof networkPolicyArgs>;
type Fields = Pick<Args, "name" | "sourceCidr">;

export type NetworkPolicyInputs = SettingInputs<Args>;
export type NetworkPolicyState = SettingState<Args, "networkPolicyId" | "name" | "sourceCidr">;

export const networkPolicy = setting<Args, "networkPolicyId", "name" | "sourceCidr">({
  type: "NetworkPolicy",
  identity: "networkPolicyId",
  args: networkPolicyArgs,
  sent: ["name", "sourceCidr"],

  normalize(args) {
    const { onDelete } = args;
    return { ...canonical(args), onDelete: typeof onDelete === "object" ? canonical(onDelete) : onDelete };
  },

  problems: ({ args }) => contradictions(args),

  compared: (inputs) => (["name", "sourceCidr"] as const).filter((field) => inputs[field] !== undefined),

  async send(ctx, inputs) {
    const data = await patchNetworkPolicy(ctx.api, inputs.networkPolicyId, bodyOf(inputs));
    if (!isDenying(data)) return;
    const message =
      "the server says that this policy denies its range. mustInclude then names addresses that are denied, and " +
      "mustExclude ones that are not.";
    warn(ctx, networkPolicy, inputs, message);
  },

  async undo({ api }, { networkPolicyId, onDelete }) {
    await patchNetworkPolicy(api, networkPolicyId, bodyOf(onDelete as Fields));
  },
});

function bodyOf({ name, sourceCidr }: Fields): NetworkPolicyBody {
  return { ...(name !== undefined && { name }), ...(sourceCidr !== undefined && { source_cidr: sourceCidr }) };
}

/** With the range in canonical spelling, so that another spelling is no change. */
function canonical<T extends Fields>(values: T): T {
  return typeof values.sourceCidr === "string"
    ? { ...values, sourceCidr: canonicalCidr(values.sourceCidr) ?? values.sourceCidr }
    : values;
}

/** Problems between fields that are each valid by themselves. */
export function contradictions(args: Omit<Args, "networkPolicyId">): Problem[] {
  const problems = lockouts(args);
  if (args.name !== undefined || args.sourceCidr !== undefined) return problems;
  const reason = "declare name, sourceCidr or both: otherwise there is nothing to manage";
  return [{ property: "", reason }, ...problems];
}

/** A range without the pipeline's own address locks the pipeline out. It is refused before anything is sent. */
function lockouts({ sourceCidr, onDelete, mustInclude, mustExclude }: Omit<Args, "networkPolicyId">): Problem[] {
  const ranges = [{ property: "sourceCidr", text: sourceCidr }];
  const undone = onDelete ?? "retain";
  if (typeof undone === "object") ranges.push({ property: "onDelete.sourceCidr", text: undone.sourceCidr });
  if (sourceCidr === undefined && (mustInclude ?? mustExclude) !== undefined) {
    const property = mustInclude ? "mustInclude" : "mustExclude";
    return [{ property, reason: "has an effect only with a sourceCidr" }];
  }
  return ranges.flatMap(({ property, text }) => {
    const range = typeof text === "string" ? parseCidr(text) : undefined;
    if (!range || !text) return [];
    const left = addressesOf(mustInclude).filter(([, inner]) => !contains(range, inner));
    const kept = addressesOf(mustExclude).filter(([, inner]) => overlaps(range, inner));
    const reasons = [
      ...left.map(([must]) => `${text} does not contain ${must}, which mustInclude says it must`),
      ...kept.map(([must]) => `${text} reaches ${must}, which mustExclude says it must not`),
    ];
    return reasons.map((reason) => ({ property, reason }));
  });
}

/** The entries that are known and valid. Check has refused invalid ones. */
function addressesOf(list: string[] | undefined) {
  if (!Array.isArray(list)) return [];
  return list.flatMap((text) => {
    // The unknown value of the engine is no address, and invalid entries may be no text.
    const range = typeof text === "string" ? parseAddressOrCidr(text) : undefined;
    return range ? [[text, range] as const] : [];
  });
}

function isDenying(data: unknown): boolean {
  return typeof data === "object" && data !== null && "action" in data && data.action === "deny";
}
