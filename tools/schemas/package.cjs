/** Writes the Pulumi package schema, from which the engine and the SDKs of other languages know the plugin. */
const { description, exampleUsage } = require("./descriptions.cjs");
const { propertiesOf, typeOf } = require("./model.cjs");
const texts = require("./package-texts.cjs");

const token = (name) => `voiceplane:index:${name}`;

/**
 * @param source `resources`, `organizationArgs()`, `docsOf` and `textOf` of src, and `resourceTexts`
 * @param manifest package.json
 */
function packageSchema(source, manifest) {
  const types = {};
  const resources = Object.entries(source.resources).map(([type, entry]) => [
    token(type),
    resourceOf(type, entry, source, types),
  ]);
  const sections = typeOf(source.organizationArgs(), source).properties;
  const inputs = objectOf(sections, (property) => plain(specOf(property.type, `Organization${property.name}`, types)));
  const schema = {
    ...packageOf(manifest),
    config: { variables: texts.configuration },
    provider: { description: texts.providerDescription, inputProperties: texts.configuration },
    resources: {
      ...Object.fromEntries(resources),
      [token("Organization")]: { ...texts.componentOf(inputs.properties), requiredInputs: inputs.required },
    },
    functions: { [token("listWebhooks")]: texts.listWebhooks },
    types: Object.fromEntries(Object.entries(types).sort(([a], [b]) => a.localeCompare(b))),
  };
  const examples = {
    ...Object.fromEntries(Object.keys(source.resources).map((type) => [type, source.resourceTexts[type].example])),
    Organization: texts.componentExample,
  };
  for (const [type, example] of Object.entries(examples)) {
    schema.resources[token(type)].description += `\n\n${exampleUsage({ type, ...example }, schema)}`;
  }
  return schema;
}

/** Without a version: the plugin adds its own. Without addresses until package.json has a repository. */
function packageOf({ keywords, homepage, repository, license, ...manifest }) {
  const [url, owner] = /github\.com\/([^/]+)\/[^/]+?(?=(?:\.git)?$)/.exec(repository?.url) ?? [];
  return {
    name: "voiceplane",
    displayName: "Voiceplane",
    description: manifest.description,
    keywords: [...new Set([...keywords, "category/infrastructure", "kind/native"])],
    ...(url && { homepage: homepage ?? `https://${url}`, repository: `https://${url}` }),
    license,
    ...(url && {
      publisher: owner,
      logoUrl: `https://raw.${url.replace("github.com", "githubusercontent.com")}/HEAD/docs/images/logo.svg`,
      pluginDownloadURL: `github://api.${url}`,
    }),
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: "pulumi-voiceplane-sdk", respectSchemaVersion: true },
      python: { packageName: "pulumi_voiceplane", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { importBasePath: `${url ?? "pulumi-voiceplane"}/sdk/go/voiceplane`, respectSchemaVersion: true },
      csharp: { namespaces: { voiceplane: "Voiceplane" }, respectSchemaVersion: true },
    },
  };
}

function resourceOf(type, { args, outputs, lifecycle }, source, types) {
  const input = objectOf(propertiesOf(args, source), (property) => ({
    ...specOf(property.type, `${type}${capitalized(property.name)}`, types),
    ...(property.fallback !== undefined && { default: property.fallback }),
    // Not replaceOnChanges: the SDKs would then overrule the provider's diff.
    ...(property.name === lifecycle.identity && { willReplaceOnChanges: true }),
  }));
  const output = objectOf(propertiesOf(outputs, source), (property) => outputSpec(property.type), types);
  return {
    description: description(source.resourceTexts[type]),
    inputProperties: input.properties,
    requiredInputs: input.required,
    properties: output.properties,
    required: output.required,
    // What can be imported can be listed.
    ...(lifecycle.import && { listInputs: { type: "object" } }),
    aliases: [{ type: `pulumi-nodejs:dynamic/voiceplane:${type}` }],
  };
}

/** @param known types that the schema has; the documentation of any other goes to the property */
function objectOf(properties, spec, known) {
  const entries = properties.map((property) => {
    const { doc, text, secret, type } = property;
    const typeDoc = known && type.typeName && !known[token(type.typeName)] ? `\n\n${type.typeDoc}` : "";
    const written = { ...spec(property), ...(secret && { secret }) };
    return [property.name, { ...written, description: known ? `${doc}${typeDoc}` : text }];
  });
  const required = properties.filter(({ optional }) => !optional).map(({ name }) => name);
  return { properties: Object.fromEntries(entries), required };
}

/** @param name of the enum, where the type itself has none */
function specOf(type, name, types) {
  const inner = (part) => specOf(part, name, types);
  switch (type.kind) {
    case "any":
      return { $ref: "pulumi.json#/Any" };
    case "array":
      return { type: "array", items: inner(type.element) };
    case "map":
      return { type: "object", additionalProperties: inner(type.element) };
    case "union":
      return unionOf(type.options.map((option) => (option.kind === "literals" ? outputSpec(option) : inner(option))));
    case "literals":
      return { type: "string", ...referTo(type.typeName ?? enumLike(type, types) ?? name, types, () => enumOf(type)) };
    case "object":
      return referTo(type.typeName, types, () => {
        const { properties, required } = objectOf(type.properties, (property) =>
          specOf(property.type, `${type.typeName}${capitalized(property.name)}`, types),
        );
        return { type: "object", description: type.typeDoc, properties, required };
      });
    default:
      return { type: type.kind };
  }
}

function enumOf({ typeDoc = "The values that are allowed.", values }) {
  return { type: "string", description: typeDoc, enum: values.map((value) => ({ value })) };
}

/** The name of an enum without a name of its own that has these values already. */
function enumLike(type, types) {
  const [found] = Object.entries(types).find(([, other]) => same(other, enumOf(type))) ?? [];
  return found?.slice(token("").length);
}

function referTo(name, types, make) {
  types[token(name)] ??= make();
  return { $ref: `#/types/${token(name)}` };
}

/** Texts of a union are any string: the provider says which. */
function unionOf(options) {
  const different = options.filter((option, index) => index === options.findIndex((other) => same(option, other)));
  return different.length === 1 ? different[0] : { oneOf: different };
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Enums are for inputs only: in YAML, an output of an enum's type cannot be an input that is a string. */
function outputSpec({ kind }) {
  if (!["literals", "string", "integer", "number", "boolean", "any"].includes(kind)) {
    throw new Error(`tools/schemas does not know how to write an output that is a ${kind}`);
  }
  return kind === "any" ? { $ref: "pulumi.json#/Any" } : { type: kind === "literals" ? "string" : kind };
}

/** Known when the program runs: the names of entries become names of resources. */
function plain(spec) {
  return { ...spec, plain: true };
}

const capitalized = (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

module.exports = { packageSchema };
