/**
 * Compares the outputs of a stack with the secrets of its webhooks, and returns names alone. The engine registers outputs at the end
 * of an update: after one that ended before, they have secrets that were rotated since.
 */
import { isObject, parseJson } from "../../values/any.js";
import { contains, isMarked } from "../../values/engine.js";
import { resourceTypeOf } from "../../resources/index.js";
import type { Values } from "../../resources/lifecycle.js";

/** An output that still has the previous secret of webhooks. */
export interface StaleOutput {
  /** As `pulumi stack output` names it. */
  readonly output: string;
  /** The names of the webhooks' resources. */
  readonly resources: readonly string[];
}

/** Most names in a sentence. */
const maxNames = 4;

export function staleText({ output, resources }: StaleOutput): string {
  const more = resources.length - maxNames;
  const names = resources.slice(0, maxNames).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `the stack output ${output} has a secret that was rotated since: ${names}`;
}

/** Why nobody knows whether an output is stale. */
export const notCompared =
  "the stack's outputs were not compared with the secrets, because they cannot be decrypted here";

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly outputs?: Values | null | undefined;
  readonly delete?: boolean | null | undefined;
}

/**
 * An output with a previous secret, also as a part of a longer text, is stale if no output has the current one: a program may export
 * both.
 *
 * @returns undefined if the outputs are encrypted
 */
export function staleOutputsIn(
  resources: readonly Resource[],
  nameOf: (urn: string) => string,
): readonly StaleOutput[] | undefined {
  const { outputs: registered } = resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
  const rotated = resources.filter(
    ({ type, outputs, delete: isDeleted }) =>
      resourceTypeOf(type) === "WebhookSecret" && isDeleted !== true && outputs?.previousSecret !== undefined,
  );
  if (rotated.length === 0) return [];
  if (contains(registered, (part) => isMarked(part) && isObject(part) && "ciphertext" in part)) return undefined;
  const outputs = Object.entries(registered ?? {}).map(([output, value]) => ({
    output,
    text: textsIn(value).join("\n"),
  }));
  const dead = rotated.flatMap(({ urn, outputs: own }) => {
    const [current] = textsIn(own?.secret);
    const [previous] = textsIn(own?.previousSecret);
    if (current === undefined || previous === undefined || previous.length < minLength) return [];
    return outputs.some(({ text }) => text.includes(current)) ? [] : [{ name: nameOf(urn), secret: previous }];
  });
  return outputs
    .map(({ output, text }) => ({
      output,
      resources: dead.filter(({ secret }) => text.includes(secret)).map(({ name }) => name),
    }))
    .filter(({ resources: names }) => names.length > 0);
}

/** A shorter secret may be a part of any text. */
const minLength = 8;

/** Each string of a value, at any depth, also of secrets that are not encrypted. */
function textsIn(value: unknown): string[] {
  const parts = [value];
  for (const part of parts) {
    if (typeof part !== "object" || part === null) continue;
    if (!isMarked(part)) for (const member of Object.values(part)) parts.push(member);
    else if ("plaintext" in part && typeof part.plaintext === "string") parts.push(parseJson(part.plaintext));
  }
  return parts.filter((part) => typeof part === "string");
}
