/** What a change does to its object, in words: a provider warns with it, and a report sorts it by its risks. */
import type { Values } from "../../values/any.js";
import { riskCodes } from "../../values/codes.js";
import { containsPart, containsUnknown, secretText } from "../../values/engine.js";

type SpacedLabel<Label extends string> = Label extends `${infer Word}-${infer Rest}`
  ? `${Word} ${SpacedLabel<Rest>}`
  : Label;

/** Why a change needs a look before it is applied. */
export type Risk = SpacedLabel<keyof typeof riskCodes>;

/** The worst first. */
export const risks = Object.keys(riskCodes).map((label) => label.replaceAll("-", " ")) as readonly Risk[];

/** As `--fail-on`, JSON and the codes of warnings spell it. */
export const labelOf = (risk: Risk) => risk.replaceAll(" ", "-") as keyof typeof riskCodes;

/**
 * The text has no full stop, and the object's name comes before it. Parts in backticks are code. The worst risk is the first: a provider's warning
 * has its code alone, so two things to see are two effects.
 */
export interface Effect {
  readonly text: string;
  readonly risks: readonly Risk[];
}

export const effect = (text: string, ...risks: Risk[]): Effect => ({ text, risks });

export interface ObjectChange {
  readonly verb: "create" | "update" | "delete";
  /** Whether it sends a request. */
  readonly sends: boolean;
  /** The state of the object; undefined if none is known, so that anything may be replaced. */
  readonly before: Values | undefined;
  /** Whether that state is uncertain. */
  readonly uncertain: boolean;
  /** What is declared; of a delete, the state. */
  readonly inputs: Values;
  /** Whether the declaration says that due requests need no approval. */
  readonly unattended: boolean;
  /** Whether requests go to another address than the last ones, so that the server may be another one. */
  readonly moved: boolean;
  /** Whether its request was sent, so that a text speaks of the past. */
  readonly applied?: boolean;
}

/** Whether the values were adopted, and no request has sent any. */
export const isUnconfirmed = (state: Values = {}): boolean => state.confirmed === false;

/** Why a value cannot be seen, to follow "is"; undefined if it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (containsPart(value, (part) => part === secretText)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

export const membersOf = (value: unknown): Values =>
  typeof value === "object" && value !== null ? (value as Values) : {};
