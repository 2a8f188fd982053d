/** The marks and names of Pulumi's engine, which are the same in all of its protocols. */
import { hasMembers, type Values } from "./any.js";

/** A value that is unknown in a preview. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The member that marks secrets, assets and references. */
export const markKey = "4dabf18193072939515e22adb298388d";

const secretMark = "1b47061264138c4ac30d75fd1eb44270";

export function markSecret(value: unknown): object {
  return { [markKey]: secretMark, value };
}

/** Whether the value is secret; its `value` is then the plain one. */
export const isSecret = (value: unknown): value is { readonly value: unknown } =>
  hasMembers(value) && value[markKey] === secretMark && "value" in value;

export const isMarked = (value: unknown): boolean => hasMembers(value) && Object.hasOwn(value, markKey);

export const containsUnknown = (value: unknown): boolean => containsPart(value, (part) => part === unknownValue);

/** Whether the engine would read a part of the value as something other than plain data, such as an asset. */
export function containsEngineMark(value: unknown): boolean {
  return containsPart(value, (part) => part === unknownValue || isMarked(part));
}

/** Whether any part passes the test. Not recursive: a value may be nested deeper than the stack allows. */
export function containsPart(value: unknown, test: (part: unknown) => boolean): boolean {
  const parts = [value];
  for (const part of parts) {
    if (test(part)) return true;
    if (typeof part === "object" && part !== null) for (const member of Object.values(part)) parts.push(member);
  }
  return false;
}

/** Replaces a secret, as in the JSON of a preview. */
export const secretText = "[secret]";

/** Whether a text is hidden: the engine also replaces each secret of the configuration within a longer text. */
export const isHiddenText = (part: unknown): boolean => typeof part === "string" && part.includes(secretText);

export const containsHidden = (value: unknown): boolean => containsPart(value, isHiddenText);

/** A copy with {@link secretText} for each secret, in plain text or encrypted. */
export const withoutSecrets = (values: Values): Values =>
  replaced(values, (part) => (isMarked(part) ? secretText : part));

/** A copy with each {@link secretText} as an unknown value: in a preview, a changed secret looks like an unchanged one. */
export const secretsAsUnknown = (values: Values): Values =>
  replaced(values, (part) => (isHiddenText(part) ? unknownValue : part));

/** A copy with `replace` applied to every part, at any depth. */
export function replaced(values: Values, replace: (part: unknown) => unknown): Values {
  const copy = (value: unknown): unknown => {
    const part = replace(value);
    if (typeof part !== "object" || part === null) return part;
    return Array.isArray(part) ? part.map(copy) : copyOf(part);
  };
  const copyOf = (members: object) =>
    Object.fromEntries(Object.entries(members).map(([key, member]) => [key, copy(member)]));
  return copyOf(values);
}

/** Whether the engine made the provider itself. It adds the plugin's version or address to the name, if there is one. */
export function isDefaultProvider(name: string): boolean {
  return /^default($|_\d+_\d+_\d+|_.*\/)/.test(name);
}

/** The engine's names of a resource type. Frozen: they are in every stack's state. */
export const typeTokens = {
  dynamic: (type: string) => `pulumi-nodejs:dynamic/voiceplane:${type}`,
  native: (type: string) => `voiceplane:index:${type}`,
};

/**
 * The hidden input in which a class of the dynamic provider passes the resource's name: the protocol does not say who asks. `check` drops it, so no
 * state has it.
 */
export const declaredAsKey = "__declaredAs";

export const organizationType = typeTokens.native("Organization");

/** The parts of `urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME`. Only the name may contain "::". */
export function urnParts(urn: string) {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  const [type = "", ...parents] = types.split("$").reverse();
  return { stack, project, type, parents, name: name.join("::") };
}

/** Whether its parent is an Organization, which may be in a component itself. */
export const isInOrganization = (urn: string): boolean => urnParts(urn).parents[0] === organizationType;
