import type { YamlProgram } from "./project";

interface Declared {
  readonly type: string;
  readonly properties?: object;
  readonly options?: object;
}

/**
 * A program in YAML as one in JavaScript, so that a test declares for both providers once: one line for each resource, in
 * the same order. A resource has to be declared before those that name it.
 */
export function inJavaScript({ resources = {}, outputs = {} }: YamlProgram): string {
  const declared = Object.entries(resources).map(([name, resource]) => {
    const { type, properties = {}, options = {} } = resource as Declared;
    // "pulumi:providers:voiceplane" is the class Provider.
    const of = type.startsWith("pulumi:providers:") ? "Provider" : type.slice(type.lastIndexOf(":") + 1);
    return `$[${JSON.stringify(name)}] = new ${of}(${JSON.stringify(name)}, ${expression(properties)}, ${expression(options)});`;
  });
  const exported = Object.entries(outputs).map(
    ([name, value]) => `exports[${JSON.stringify(name)}] = ${expression(value)};`,
  );
  return ["const $ = {};", ...declared, ...exported, ""].join("\n");
}

function expression(value: unknown): string {
  const reference = typeof value === "string" ? /^\$\{([\w-]+)((?:\.\w+)*)\}$/.exec(value) : null;
  if (reference !== null) return `$[${JSON.stringify(reference[1])}]${reference[2] ?? ""}`;
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("fn::secret" in value) return `require("@pulumi/pulumi").secret(${expression(value["fn::secret"])})`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${expression(member)}`);
  return `{ ${members.join(", ")} }`;
}
