/**
 * A zod object as zod's own JSON Schema. Named types are in `$defs`. Each property has its text as `description`, and its `docs`.
 *
 * @param source `toJSONSchema` of zod, and `documentedText` of src/schema/documentation.ts
 */
function jsonSchemaOf(schema, { toJSONSchema, documentedText }) {
  const {
    $ref,
    $defs = {},
    ...written
  } = toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      jsonSchema.description = documentedText(zodSchema);
    },
  });
  // Of a type with a name, zod writes a reference to it.
  const own = nameOf({ $ref });
  const { [own]: found = written, ...others } = $defs;
  return { ...found, $defs: others };
}

/** The properties of a JSON Schema, in order. */
const propertiesOf = ({ properties, required = [] }) =>
  Object.entries(properties).map(([name, type]) => {
    if (type.docs?.doc === undefined) throw new Error(`${name} has no documentation: wrap it in documented()`);
    return { name, type, optional: !required.includes(name), text: type.description, ...type.docs };
  });

/** The name of the type of a property. */
const nameOf = ({ $ref }) => $ref?.replace("#/$defs/", "");

module.exports = { jsonSchemaOf, nameOf, propertiesOf };
