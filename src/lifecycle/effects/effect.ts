/** What a change does to its object at worst: a provider warns of it, and a report sorts changes by it. */
import { isDeepStrictEqual } from "node:util";
import { warning, type Diagnostic } from "../../values/diagnostic.js";
import type { Values } from "../../values/any.js";
import { unknownValue } from "../../values/engine.js";
import type { Lifecycle } from "../lifecycle.js";
import { objectText, type OrganizationScoped, type ResourceName } from "../object.js";
import type { Readers } from "../readers.js";
import { hiddenAs, isUnconfirmed, labelOf, type ObjectChange, type Risk } from "./risk.js";

type Rule = Pick<
  Readers,
  "isUncertain" | "bodyProperties" | "sentProperties" | "secretCopy" | "requestRisks" | "valuesOnDelete" | "everSends"
>;

/** The values that a request sets. An `onDelete` that is hidden as a whole may set any. */
export function valuesSent(lifecycle: Rule, { verb, inputs }: Pick<ObjectChange, "verb" | "inputs">): Values {
  if (verb !== "delete") return inputs;
  return hiddenAs(inputs.onDelete) === undefined || typeof inputs.onDelete === "object"
    ? lifecycle.valuesOnDelete(inputs)
    : allOf(lifecycle, inputs.onDelete);
}

const allOf = ({ bodyProperties }: Rule, value: unknown): Values =>
  Object.fromEntries(bodyProperties.map((property) => [property, value]));

/** What any request for an object may do. */
export const worstRisks = (lifecycle: Rule): readonly Risk[] =>
  lifecycle.requestRisks(allOf(lifecycle, unknownValue), undefined);

/** Why a change needs a look: what its request does, or what is given up without one. */
export function changeRisks(lifecycle: Rule, change: ObjectChange): Risk[] {
  const { verb, sends, before, inputs, moved } = change;
  const { bodyProperties, sentProperties, secretCopy, isUncertain } = lifecycle;
  const isKnown = before !== undefined && !moved && !isUncertain(before) && !isUnconfirmed(before);
  const found: Risk[] = sends
    ? [...lifecycle.requestRisks(valuesSent(lifecycle, change), isKnown ? before : undefined)]
    : [];
  const isDropped = (property: string) => before?.[property] !== undefined && inputs[property] === undefined;
  if (verb === "update" && bodyProperties.some(isDropped)) found.push("stops managing");
  const hasSecret = before !== undefined && secretCopy?.isIn(before) === true;
  if (verb === "delete" && !sends) found.push(...(hasSecret ? (["forgets a secret"] as const) : []), "stops managing");
  if (verb === "create" && !sends && before !== undefined) {
    const differs = sentProperties.some(
      (property) => inputs[property] !== undefined && !isDeepStrictEqual(before[property], inputs[property]),
    );
    if (hasSecret) found.push("forgets a secret");
    else if (lifecycle.everSends?.(inputs) !== false && (differs || isUncertain(before))) found.push("weakens a guard");
  }
  return found;
}

/** The risks of the next request, as a warning: the engine shows it before it asks for approval. It has no value, because any may be secret. */
export function riskWarnings<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Rule & ResourceName & Pick<Lifecycle<Inputs, State>, "sends">,
  inputs: Inputs,
  state?: State,
): Diagnostic[] {
  if (!lifecycle.sends(inputs, state)) return [];
  const verb = state ? "update" : "create";
  const moved = inputs.__movedFrom !== undefined;
  const found = changeRisks(lifecycle, { verb, sends: true, before: state, inputs, moved });
  const [worst] = found;
  if (worst === undefined) return [];
  return [warning(labelOf(worst), `${objectText(lifecycle, inputs)}: this update ${found.join(", ")}.`)];
}
