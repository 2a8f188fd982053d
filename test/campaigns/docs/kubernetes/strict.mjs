/**
 * Makes strict JSON schemas of Kubernetes' own: a field that they do not know is an error. A cluster drops such a field without
 * a word.
 *
 *     node strict.mjs pulumi.com_stacks.yaml > stack.schema.json
 *
 * writes the schema of the operator's Stack, from its CRD. Descriptions and the status are left out, and parts that occur
 * several times are written once.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parse } from "yaml";

/** Calls `change` for each schema below one, innermost first. */
function map(schema, change) {
  const all = (schemas) => Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, map(each, change)]));
  const { properties, items, additionalProperties: more, allOf } = schema;
  return change({
    ...schema,
    ...(properties && { properties: all(properties) }),
    ...(items && { items: map(items, change) }),
    ...(typeof more === "object" && { additionalProperties: map(more, change) }),
    ...(allOf && { allOf: allOf.map((each) => map(each, change)) }),
  });
}

export function strict(schema) {
  return map(schema, (part) => {
    if (part["x-kubernetes-int-or-string"]) return { anyOf: [{ type: "integer" }, { type: "string" }] };
    // Where a reference stands beside a default, OpenAPI wraps it.
    if (part.allOf?.length === 1) return part.allOf[0];
    const own = Object.fromEntries(Object.entries(part).filter(([name]) => !/^(description|default|x-.*)$/.test(name)));
    const isPending = part["x-kubernetes-preserve-unknown-fields"] || own.additionalProperties !== undefined;
    return own.properties && !isPending ? { ...own, additionalProperties: false } : own;
  });
}

/** The same schema, with each part that occurs more than once under `definitions`. */
function shared(schema) {
  const counts = new Map();
  const parts = (part) => {
    const text = JSON.stringify(part);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return part;
  };
  map(schema, parts);
  const names = [...counts].filter(([text, count]) => count > 1 && text.length > 120).map(([text]) => text);
  const definitions = {};
  const refer = (part) => {
    const inner = replace(part);
    const index = names.indexOf(JSON.stringify(part));
    if (index < 0) return inner;
    definitions[`part${index}`] = inner;
    return { $ref: `#/definitions/part${index}` };
  };
  const replace = ({ properties, items, additionalProperties: more, ...rest }) => ({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, refer(part)])),
    }),
    ...(items && { items: refer(items) }),
    ...(more !== undefined && { additionalProperties: typeof more === "object" ? refer(more) : more }),
  });
  return { ...replace(schema), definitions };
}

function stackSchema(file) {
  const crd = parse(readFileSync(file, "utf8"));
  const { schema } = crd.spec.versions.find(({ name }) => name === "v1");
  const { apiVersion, kind, spec } = schema.openAPIV3Schema.properties;
  const metadata = {
    type: "object",
    properties: { name: { type: "string" }, namespace: { type: "string" } },
    required: ["name"],
  };
  return shared(strict({ ...schema.openAPIV3Schema, properties: { apiVersion, kind, metadata, spec } }));
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(stackSchema(process.argv[2])));
