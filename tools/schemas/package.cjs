/** Writes the Pulumi package schema, from which the engine and the SDKs of other languages know the plugin. */
const { jsonSchemaOf, nameOf, propertiesOf } = require("./properties.cjs");
const texts = require("./package-texts.cjs");

const token = (name) => `voiceplane:index:${name}`;
const any = { $ref: "pulumi.json#/Any" };

/**
 * @param source as for `classFiles`
 * @param manifest package.json
 */
function packageSchema(source, manifest) {
  const types = {};
  const about = packageOf(manifest);
  const describe = (type, text) =>
    `${text}\n\n${exampleUsage(source.examples[type], about.language.go.importBasePath)}`;
  const resources = Object.entries(source.resources).map(([type, entry]) => {
    const resource = resourceOf(type, entry, source, types);
    return [token(type), { description: describe(type, texts.description(source.resourceTexts[type])), ...resource }];
  });
  const sections = jsonSchemaOf(source.organizationArgs(), source);
  // Known when the program runs: the names of entries become names of resources.
  const plain = (type, name) => ({ ...specOf(type, name, { types, defs: sections.$defs }), plain: true });
  const inputs = objectOf("Organization", sections, plain, ({ text }) => text);
  const outputs = Object.fromEntries(
    Object.values(source.resources).flatMap(({ section }) =>
      Object.entries(section.outputs ?? {}).map(([output, { doc, isPlain }]) => [output, textsByKey(doc, isPlain)]),
    ),
  );
  const typeNames = Object.keys(source.resources).map((type) => `\`${type}\``);
  const organization = {
    isComponent: true,
    description: describe("Organization", `${texts.componentDescription}${typeNames.join(", ")}.`),
    inputProperties: inputs.properties,
    properties: outputs,
    required: Object.keys(outputs),
    requiredInputs: inputs.required,
  };
  // A provider that a program declares has its name as the organization. One that is called default and had another one would look like the engine's own.
  const ofProvider = { ...texts.configuration };
  delete ofProvider.organization;
  return {
    ...about,
    config: { variables: texts.configuration },
    provider: { description: texts.providerDescription, inputProperties: ofProvider },
    resources: { ...Object.fromEntries(resources), [token("Organization")]: organization },
    functions: { [token("listWebhooks")]: texts.listWebhooks },
    types: Object.fromEntries(Object.entries(types).sort(([a], [b]) => a.localeCompare(b))),
  };
}

const textsByKey = (description, isPlain) => ({
  type: "object",
  additionalProperties: { type: "string" },
  ...(!isPlain && { secret: true }),
  description,
});

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
      nodejs: { packageName: "pulumi-voiceplane", respectSchemaVersion: true },
      python: { packageName: "pulumi_voiceplane", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { importBasePath: `${url ?? "pulumi-voiceplane"}/sdk/go/voiceplane`, respectSchemaVersion: true },
      csharp: { namespaces: { voiceplane: "Voiceplane" }, respectSchemaVersion: true },
    },
  };
}

/**
 * With the marks that the registry reads, and that the generators of SDKs remove together with the programs of other languages. They
 * leave the newer marks of the registry, `PulumiCodeChooser`, in the comments of an SDK.
 */
function exampleUsage(programs, goPath) {
  const shown = Object.entries(programs).filter(([, text]) => text !== undefined);
  const fences = shown.map(([language, text]) => `\`\`\`${language}\n${text}\`\`\``);
  const written = [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    ...fences,
    "{{% /example %}}",
    "{{% /examples %}}",
  ];
  return written
    .join("\n\n")
    .replace('from "pulumi-voiceplane"', 'from "pulumi-voiceplane/native"')
    .replace('"pulumi-voiceplane/sdk/go/voiceplane"', `"${goPath}"`);
}

function resourceOf(type, { args, outputs, lifecycle }, source, types) {
  const declared = jsonSchemaOf(args, source);
  const spec = (property, name) => specOf(property, name, { types, defs: declared.$defs });
  const input = objectOf(type, declared, spec, ({ text }) => text);
  for (const { name, fallback } of propertiesOf(declared)) {
    if (fallback !== undefined) input.properties[name].default = fallback;
  }
  // Not replaceOnChanges: the SDKs would then overrule the provider's diff.
  input.properties[lifecycle.identity].willReplaceOnChanges = true;
  const answered = jsonSchemaOf(outputs, source);
  const typeDocOf = (name) =>
    name === undefined || types[token(name)] ? "" : `\n\n${answered.$defs[name].docs.typeDoc}`;
  const textOf = (property) => `${property.doc}${typeDocOf(nameOf(property.type))}`;
  const output = objectOf(type, answered, (property) => outputSpec(property, answered.$defs), textOf);
  return {
    inputProperties: input.properties,
    requiredInputs: input.required,
    properties: output.properties,
    required: output.required,
    // What can be imported can be listed.
    ...(lifecycle.import && { listInputs: { type: "object" } }),
    aliases: [{ type: `pulumi-nodejs:dynamic/voiceplane:${type}` }],
  };
}

function objectOf(owner, schema, spec, textOf) {
  const entries = propertiesOf(schema).map((property) => {
    const { name, type, secret, plain } = property;
    const written = spec(type, `${owner}${name.slice(0, 1).toUpperCase()}${name.slice(1)}`);
    return [name, { ...written, ...(secret && { secret }), ...(plain && { plain }), description: textOf(property) }];
  });
  return { properties: Object.fromEntries(entries), required: schema.required ?? [] };
}

/**
 * @param type JSON Schema
 * @param name of the enum, where the type itself has none
 * @param {{ types: object, defs: object }} known `types` of the package, to which new ones are added
 */
function specOf(type, name, known) {
  const { types, defs } = known;
  const named = nameOf(type);
  const referTo = (typeName, make) => {
    types[token(typeName)] ??= make();
    return { $ref: `#/types/${token(typeName)}` };
  };
  if (named !== undefined) {
    const { enum: values, properties, docs } = defs[named];
    if (values) return { type: "string", ...referTo(named, () => enumOf(values, docs.typeDoc)) };
    if (!properties) return specOf(defs[named], name, known);
    return referTo(named, () => {
      const inner = (property, propertyName) => specOf(property, propertyName, known);
      const object = objectOf(named, defs[named], inner, ({ text }) => text);
      return { type: "object", description: docs.typeDoc, ...object };
    });
  }
  if (type.anyOf)
    return unionOf(type.anyOf.map((option) => ("const" in option ? { type: "string" } : specOf(option, name, known))));
  if (type.enum) {
    const written = enumOf(type.enum, "The values that are allowed.");
    const [like] = Object.entries(types).find(([, other]) => same(other, written)) ?? [];
    return { type: "string", ...referTo(like?.slice(token("").length) ?? name, () => written) };
  }
  if (type.type === "array") return { type: "array", items: specOf(type.items, name, known) };
  if (type.type !== "object") return type.type ? { type: type.type } : any;
  // In a map whose keys are known, all have the same type.
  const element = type.properties ? Object.values(type.properties)[0] : type.additionalProperties;
  return { type: "object", additionalProperties: specOf(element, name, known) };
}

const enumOf = (values, text) => ({ type: "string", description: text, enum: values.map((value) => ({ value })) });

/** Texts of a union are any string: the provider says which. */
function unionOf(options) {
  const different = options.filter((option, index) => index === options.findIndex((other) => same(option, other)));
  return different.length === 1 ? different[0] : { oneOf: different };
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Enums are for inputs only: in YAML, an output of an enum's type cannot be an input that is a string. */
function outputSpec(type, defs) {
  const written = defs?.[nameOf(type)] ?? type;
  if (written.anyOf || written.properties) throw new Error("an output is a value, or a list or a map of values");
  if (written.type === "array") return { type: "array", items: outputSpec(written.items, defs) };
  if (written.type === "object")
    return { type: "object", additionalProperties: outputSpec(written.additionalProperties, defs) };
  return written.type ? { type: written.type } : any;
}

module.exports = { outputSpec, packageOf, packageSchema };
