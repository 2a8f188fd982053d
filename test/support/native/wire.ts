/** What goes between an engine and the plugin, spelled out: the tests share no marks with the sources. */
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { seeded } from "../ids";
import { secretMark } from "../marks";

export type Values = Record<string, unknown>;

export { unknown } from "../marks";

/** A secret value. */
export const secret = (value: unknown) => ({ [secretMark]: "1b47061264138c4ac30d75fd1eb44270", value });

/** The value without any mark. */
export function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  if (secretMark in value) return unmarked((value as Values).value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unmarked(member)]));
}

export function struct(values: Values): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

export function valuesOf(properties: Struct | undefined): Values {
  if (!properties) throw new Error("the answer has no properties");
  return properties.toJavaScript();
}

/** The answer of a check. */
export interface Checked {
  readonly inputs: Values;
  /** With the properties that the failures name. */
  readonly reasons: string[];
  /** Those properties, of which the engine prints the values. */
  readonly properties: string[];
}

export const checkedBy = (inputs: Values, failures: readonly { property: string; reason: string }[]): Checked => ({
  inputs,
  reasons: failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`)),
  properties: failures.map(({ property }) => property),
});

export const urnOf = (type: string, name: string): string => `urn:pulumi:dev::test::voiceplane:index:${type}::${name}`;

const { office, carrierA: carrier, crm, billing } = seeded;
/** Objects of the default seed. */
export const ids = { office, carrier, crm, billing } as const;
