/** Values that a preview does not show: secrets, and what is not known before the update. */
import { containsUnknown, isMarked, unknownValue } from "../../engine-values.js";
import { type Values } from "../../resources/lifecycle.js";

/** How the CLI writes a secret in the document of a preview. */
const secretText = "[secret]";

/** Deeper than any value of the four resources; what is below is not looked at, and counts as hidden. */
const maxDepth = 32;

/** The values with every secret replaced by the CLI's own word for one. */
export function withoutSecrets(values: Values): Values {
  return mapped(values, (value) => (isMarked(value) ? secretText : value));
}

/** Secrets as unknown values, which they are to a reader: a secret that changed looks like one that did not. */
export function secretsAsUnknown(values: Values): Values {
  return mapped(values, (value) => (value === secretText ? unknownValue : value));
}

/** Why a value cannot be seen, in words that follow "is"; undefined where it can. */
export function hiddenAs(value: unknown): "a secret value" | "not known yet" | undefined {
  if (containsSecret(value)) return "a secret value";
  return containsUnknown(value) ? "not known yet" : undefined;
}

function containsSecret(value: unknown): boolean {
  if (value === secretText) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsSecret);
}

type Replace = (value: unknown) => unknown;

function mapped(values: Values, replace: Replace, depth = 0): Values {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, below(replace(value), replace, depth)]));
}

function below(value: unknown, replace: Replace, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return secretText;
  if (!Array.isArray(value)) return mapped(value as Values, replace, depth + 1);
  return value.map((item) => below(replace(item), replace, depth + 1));
}
