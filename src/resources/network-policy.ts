/** NetworkPolicy: the name and source range of a network policy that exists already. */
import * as z from "zod";
import { canonicalCidr, contains, overlaps, parseAddressOrCidr, parseCidr } from "../contract/cidr.js";
import { patchNetworkPolicy } from "../client/operations.js";
import type { NetworkPolicyBody } from "../contract/index.js";
import * as fields from "./fields.js";
import { documented, type ResourceDocs } from "./documentation.js";
import { warn, type Problem } from "./lifecycle.js";
import { setting, type SettingInputs, type SettingState } from "./setting.js";

export const networkPolicyArgs = z.strictObject({
  networkPolicyId: documented(
    fields.id,
    "The policy's id, as the platform shows it. It has to exist. Another id is another policy.",
  ),
  name: documented(
    fields.policyName,
    "The policy's name. At least one of `name` and `sourceCidr` is required. Default: not managed.",
  ).optional(),
  sourceCidr: documented(
    fields.cidr,
    "The range that the policy is about, IPv4 or IPv6. Host bits and other spellings of the same range make no difference. At " +
      "least one of `name` and `sourceCidr` is required. Default: not managed. Risk: a range without the pipeline's own address " +
      "may lock it out.",
  ).optional(),
  mustInclude: documented(
    fields.addresses,
    "What `sourceCidr` has to contain, such as the pipeline's own address; otherwise it is refused at preview. Default: none.",
  ).optional(),
  mustExclude: documented(
    fields.addresses,
    "What `sourceCidr` must not reach; otherwise it is refused at preview. Default: none.",
  ).optional(),
  onDelete: documented(
    fields.networkOnDelete,
    'What happens when the policy is removed or the stack destroyed. `"retain"`: nothing is sent, the policy stays as last set. ' +
      'Fields: sets those. Default: `"retain"`. Risk: another range may lock the pipeline out.',
  ).optional(),
  ...fields.reassertion,
});
type Args = z.infer<typeof networkPolicyArgs>;

export const networkPolicyOutputs = z.object({
  networkPolicyId: documented(fields.id, "The policy's id."),
  name: documented(fields.policyName, "The policy's name as last sent; not set where it is not managed.").optional(),
  sourceCidr: documented(
    fields.cidr,
    "The range as last sent, in its canonical spelling; not set where it is not managed.",
  ).optional(),
  account: fields.account,
});

export const networkPolicyDocs: ResourceDocs<Args> = {
  category: "Network policies",
  summary: "The name and source range of a network policy that exists already.",
  verbs: {
    create: "`PATCH /v1/network-policies/{network_policy_id}` with every declared field; it adopts the policy.",
    update:
      "the same PATCH, where a declared field changed, a `reassertAfter` is due, or the last answer was lost. A field that is no " +
      "longer declared is no longer managed, and nothing is sent for it.",
    read: "nothing; the interface has no way to ask.",
    delete: 'nothing for `onDelete: "retain"`, the default; the PATCH with its fields otherwise.',
  },
  errors:
    "403 where the token has no networking permissions or the organization not the entitlement; some servers answer 500 for an " +
    "id that does not exist.",
  example: {
    name: "office",
    args: {
      networkPolicyId: "a0000000-0000-4000-8000-000000000001",
      sourceCidr: "203.0.113.0/24",
      mustInclude: ["203.0.113.7"],
    },
    comments: { mustInclude: "the pipeline, which would lock itself out" },
  },
};

type Fields = Pick<Args, "name" | "sourceCidr">;

export type NetworkPolicyInputs = SettingInputs<Args>;
export type NetworkPolicyState = SettingState<Args, "networkPolicyId" | "name" | "sourceCidr">;

export const networkPolicy = setting<Args, "networkPolicyId", "name" | "sourceCidr">({
  type: "NetworkPolicy",
  identity: "networkPolicyId",
  args: networkPolicyArgs,
  properties: ["name", "sourceCidr"],

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
    const range = typeof text === "string" && parseCidr(text);
    if (!range) return [];
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
