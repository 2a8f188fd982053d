/** What a report and the resources call a risk, what changes, and why a value cannot be seen. */
import type { Values } from "../../values/any.js";
import { riskCodes } from "../../values/codes.js";
import { containsHidden, containsUnknown } from "../../values/engine.js";

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
