/** What a change of a NetworkPolicy does: which addresses it admits from then on. It assumes that a policy admits its range. */
import { containsRange, parseCidr, type Range } from "../../contract/cidr.js";
import type { Values } from "../../values/any.js";
import { hiddenAs, type Risk } from "../../lifecycle/effects/risk.js";
import type { Loosens } from "../../lifecycle/effects/guards.js";

/** A range that is sent again, or is not known, may do both: the server may have had another one. */
export function rangeRisks({ sourceCidr }: Values, current: Values | undefined): Risk[] {
  if (sourceCidr === undefined) return [];
  const [old, fresh] = [rangeOf(current?.sourceCidr), rangeOf(sourceCidr)];
  const isNarrower = !old || !fresh || containsRange(old, fresh) || !containsRange(fresh, old);
  const isWider = !old || !fresh || containsRange(fresh, old) || !containsRange(old, fresh);
  return [...(isNarrower ? (["narrows access"] as const) : []), ...(isWider ? (["widens access"] as const) : [])];
}

const rangeOf = (cidr: unknown): Range | undefined => (typeof cidr === "string" ? parseCidr(cidr) : undefined);

/** Whether the new list lacks an address of the old one. */
export const namesFewer: Loosens = ({ old, fresh }) =>
  [old, fresh].some(hiddenAs) ||
  [old].flat().some((address) => address !== undefined && ![fresh].flat().includes(address));
