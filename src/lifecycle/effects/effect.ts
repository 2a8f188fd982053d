/** What a change does to its object at worst: a provider warns of it, and a report sorts changes by it. */
import { isDeepStrictEqual } from "node:util";
import { warning, type Diagnostic } from "../../values/diagnostic.js";
import type { Values } from "../../values/any.js";
import { riskCodes } from "../../values/codes.js";
import { containsHidden, containsUnknown, unknownValue } from "../../values/engine.js";
import type { Lifecycle } from "../lifecycle.js";
import { objectText, type OrganizationScoped, type ResourceName } from "../object.js";
import type { Readers } from "../readers.js";

type SpacedLabel<Label extends string> = Label extends `${infer Word}-${infer Rest}`
  ? `${Word} ${SpacedLabel<Rest>}`
  : Label;

/** Why a change needs a look before it is applied. */
export type Risk = SpacedLabel<keyof typeof riskCodes>;

/** The worst first. */
export const risks = Object.keys(riskCodes).map((label) => label.replaceAll("-", " ")) as readonly Risk[];

/** As `--fail-on`, JSON and the codes of warnings spell it. */
export const labelOf = (risk: Risk) => risk.replaceAll(" ", "-") as keyof typeof riskCodes;

/** Whether the values were adopted, and no request has sent any. */
export const isUnconfirmed = (state: Values = {}): boolean => state.confirmed === false;

/** Why a value cannot be seen, to follow "is"; undefined if it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (containsHidden(value)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

export const membersOf = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};

type Rule = Pick<
  Readers,
  "isUncertain" | "bodyProperties" | "sentProperties" | "secretCopy" | "requestRisks" | "valuesOnDelete" | "everSends"
>;

export interface ObjectChange {
  readonly verb: "create" | "update" | "delete";
  /** Whether it sends a request. */
  readonly sends: boolean;
  /** The state of the object; undefined if none is known, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** What is declared; of a delete, the state. */
  readonly inputs: Values;
  /** Whether requests go to another address than the last ones, so that the server may be another one. */
  readonly moved: boolean;
}

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
