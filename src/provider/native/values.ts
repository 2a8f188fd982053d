/** The engine's structs as plain values, and back. */
import { isMarked, isSecret, markSecret } from "../../values/engine.js";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Values } from "../../values/any.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";

/** The properties of a resource, as the lifecycles know them. */
export interface Properties {
  readonly values: Values;
  /** The properties that are secret, as a whole or in a part. */
  readonly secrets: ReadonlySet<string>;
}

/** The values of a struct. Secrets become plain at any depth, and unknown values stay as they are. */
export function plainProperties(struct: Struct | undefined): Properties {
  const secrets = new Set<string>();
  const entries = Object.entries(struct?.toJavaScript() ?? {}).map(([key, value]) => [
    key,
    plainValue(value, () => secrets.add(key)),
  ]);
  return { values: Object.fromEntries(entries) as Values, secrets };
}

/** The values of a struct that `check` has validated. */
export function propertiesOf(struct: Struct | undefined): Properties & { readonly values: OrganizationScoped } {
  return plainProperties(struct) as Properties & { readonly values: OrganizationScoped };
}

function plainValue(value: unknown, onSecret: () => void): unknown {
  if (isSecret(value)) {
    onSecret();
    return plainValue(value.value, onSecret);
  }
  // Files and references to other resources are not valid anywhere, so the schemas refuse them.
  if (typeof value !== "object" || value === null || isMarked(value)) return value;
  if (Array.isArray(value)) return value.map((item) => plainValue(item, onSecret));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member, onSecret)]));
}

/** A struct in which these properties are secret as a whole: the engine keeps a property secret only if it is so in every answer. */
export function structOf(values: Values, secrets: Iterable<string> = []): Struct {
  const hidden = new Set(secrets);
  const entries = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, hidden.has(key) ? markSecret(defined(value)) : defined(value)]);
  return Struct.fromJavaScript(Object.fromEntries(entries) as Record<string, JavaScriptValue>);
}

/** The value without undefined members, which a struct cannot have. */
function defined(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(defined);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, defined(member)]));
}
