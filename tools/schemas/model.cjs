/**
 * The properties of a zod object as plain data, which the writers turn into TypeScript and into the package schema. This file
 * loads no zod: a test has another copy of it than the tool.
 */

/**
 * @typedef {{ kind: string, values?: unknown[], element?: Type, options?: Type[], properties?: Property[], typeName?: string, typeDoc?: string, typeFrom?: string }} Type
 * @typedef {{ name: string, type: Type, optional: boolean, doc: string, text: string, secret: boolean, fallback?: unknown }} Property
 */

/**
 * @param schema a zod object
 * @param documentation `docsOf` and `textOf` of src/resources/documentation.ts
 * @returns {Property[]}
 */
function propertiesOf(schema, documentation) {
  return Object.entries(schema.shape).map(([name, property]) => {
    const { doc, secret = false, fallback } = documentation.docsOf(property);
    if (doc === undefined) throw new Error(`${name} has no documentation: wrap it in documented()`);
    const optional = property.def.type === "optional";
    const text = documentation.textOf(property);
    return { name, type: typeOf(property, documentation), optional, doc, text, secret, fallback };
  });
}

/** @returns {Type} */
function typeOf(schema, documentation) {
  const { def } = schema;
  const { typeName, typeDoc, typeFrom } = documentation.docsOf(schema);
  const named = typeName === undefined ? {} : { typeName, typeDoc, typeFrom };
  const inner = (part) => typeOf(part, documentation);
  switch (def.type) {
    case "optional":
      return inner(def.innerType);
    case "string":
    case "boolean":
      return { kind: def.type };
    case "number":
      return { kind: schema.format === "safeint" ? "integer" : "number" };
    case "unknown":
      return { kind: "any" };
    case "enum":
      return { kind: "literals", values: Object.values(def.entries), ...named };
    case "literal":
      return { kind: "literals", values: def.values, ...named };
    case "array":
      return { kind: "array", element: inner(def.element) };
    case "record":
      return { kind: "map", element: inner(def.valueType), ...named };
    case "union":
      return { kind: "union", options: def.options.map(inner) };
    case "object":
      if (typeName === undefined) return mapOfKeys(Object.entries(def.shape), inner);
      return { kind: "object", properties: propertiesOf(schema, documentation), ...named };
    default:
      throw new Error(`${def.type}: tools/schemas does not know this type of zod`);
  }
}

/** An object without a name is a map whose keys are known. */
function mapOfKeys(entries, inner) {
  const [element, ...others] = entries.map(([, value]) => inner(value));
  if (others.some(({ typeName }) => typeName === undefined || typeName !== element.typeName)) {
    throw new Error("an object whose values have different types needs a name: wrap it in typeNamed()");
  }
  return { kind: "map", values: entries.map(([key]) => key), element };
}

/** All named types of these properties, the inner ones first. */
function namedTypes(properties) {
  const found = new Map();
  const visit = (type) => {
    for (const part of [type.element, ...(type.options ?? []), ...(type.properties ?? []).map((each) => each.type)]) {
      if (part) visit(part);
    }
    if (type.typeName !== undefined) found.set(type.typeName, type);
  };
  for (const { type } of properties) visit(type);
  return found;
}

module.exports = { propertiesOf, typeOf, namedTypes };
