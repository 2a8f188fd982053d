/** NetworkPolicy: the name and source range of an existing network policy. */
import { isObject, membersOf } from "../../values/any.js";
import {
  canonicalCidr,
  containsRange,
  formatRange,
  overlaps,
  parseAddressOrCidr,
  parseCidr,
  unmapped,
} from "../../contract/cidr.js";
import type { NetworkPolicyBody } from "../../contract/index.js";
import { networkPolicyArgs, type NetworkPolicyArgs as Args } from "./arguments.js";
import { namesFewer, rangeRisks } from "./effects.js";
import { problem, type Diagnostic } from "../../values/diagnostic.js";
import { setting } from "../../lifecycle/setting.js";

type Fields = Pick<Args, "name" | "sourceCidr">;

export const networkPolicyLifecycle = setting<Args, "networkPolicyId", "name" | "sourceCidr">({
  type: "NetworkPolicy",
  identity: "networkPolicyId",
  operation: "patchNetworkPolicy",
  args: networkPolicyArgs,
  properties: ["name", "sourceCidr"],

  normalize: (args) => ({ ...canonical(args), onDelete: canonical(args.onDelete) }),

  problems: ({ args }) => contradictions(args),

  compared: (inputs) => (["name", "sourceCidr"] as const).filter((field) => inputs[field] !== undefined),

  does: "sets",
  bodyProperties: ["name", "sourceCidr"],
  valuesOnDelete: ({ onDelete }) => membersOf(onDelete),
  requestRisks: rangeRisks,
  guards: { mustInclude: namesFewer, mustExclude: namesFewer },
  sent: ({ sourceCidr, name }) => [sourceCidr, name].filter((value) => typeof value === "string").join(" "),

  send: ({ api }, inputs) =>
    api.send("patchNetworkPolicy", { network_policy_id: inputs.networkPolicyId }, networkPolicyBody(inputs)),

  async sendOnDelete({ api }, { networkPolicyId, onDelete }) {
    // A preview may hide all of it.
    const fields = isObject(onDelete) ? onDelete : { name: onDelete, sourceCidr: onDelete };
    await api.send("patchNetworkPolicy", { network_policy_id: networkPolicyId }, networkPolicyBody(fields));
  },
});

function networkPolicyBody({ name, sourceCidr }: Fields): NetworkPolicyBody {
  // JSON leaves out what is undefined.
  return { name, source_cidr: sourceCidr };
}

/** The values with their range in canonical spelling: another spelling is not a change. */
function canonical<T>(values: T): T {
  return isObject(values) && typeof values.sourceCidr === "string"
    ? { ...values, sourceCidr: canonicalCidr(values.sourceCidr) ?? values.sourceCidr }
    : values;
}

function contradictions(args: Args): Diagnostic[] {
  const problems = lockouts(args);
  if (args.name !== undefined || args.sourceCidr !== undefined) return problems;
  const text = "declare name, sourceCidr or both: otherwise there is nothing to manage";
  return [problem("missing", text), ...problems];
}

/** A range without the pipeline's own address would lock the pipeline out. */
function lockouts({ sourceCidr, onDelete, mustInclude, mustExclude }: Args): Diagnostic[] {
  const ranges = [{ path: ["sourceCidr"], text: sourceCidr }];
  if (isObject(onDelete)) ranges.push({ path: ["onDelete", "sourceCidr"], text: onDelete.sourceCidr });
  const [list] = Object.entries({ mustInclude, mustExclude }).find(([, items]) => (items ?? []).length !== 0) ?? [];
  if (sourceCidr === undefined && list !== undefined)
    return [problem("wrong-range", "has an effect only with a sourceCidr", [list])];
  return ranges.flatMap(({ path, text }) => {
    const range = typeof text === "string" && parseCidr(text);
    if (!range) return [];
    const outside = validRanges(mustInclude).filter(([, inner]) => !containsRange(range, inner));
    const reached = validRanges(mustExclude).filter(([, inner]) => overlaps(range, inner));
    const ipv4 = unmapped(range);
    const lacking = (must: string): string =>
      ipv4 === undefined
        ? `${text} does not contain ${must}, which mustInclude requires`
        : `${text} does not surely contain ${must}, which mustInclude requires: write it as ${formatRange(ipv4)}`;
    return [
      ...outside.map(([must]) => problem("wrong-range", lacking(must), path)),
      ...reached.map(([must]) => problem("wrong-range", `${text} reaches ${must}, which mustExclude forbids`, path)),
    ];
  });
}

/** The ranges of the list that are known and valid. The schema reports invalid ones. */
function validRanges(list: string[] | undefined) {
  if (!Array.isArray(list)) return [];
  return list.flatMap((text) => {
    const range = typeof text === "string" ? parseAddressOrCidr(text) : undefined;
    return range ? [[text, range] as const] : [];
  });
}
