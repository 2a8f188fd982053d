/** Writes the classes of the resources and the interfaces of their arguments. */
const { jsonSchemaOf, nameOf, propertiesOf } = require("./properties.cjs");
const { description } = require("./package-texts.cjs");
const { comment, header } = require("./text.cjs");

const inputs = 'import type { Input } from "@pulumi/pulumi/output";\n';

/**
 * @param source `resources`, `organizationArgs()` and `documentedText` of src, `toJSONSchema` of zod, `resourceTexts`, and `examples`
 * @returns {Record<string, string>} texts by path, not formatted
 */
function classFiles(source) {
  const tables = Object.entries(source.resources).map(([type, entry]) => {
    const [args, outputs] = [entry.args, entry.outputs].map((each) => jsonSchemaOf(each, source));
    return { type, entry, args, outputs, defs: { ...args.$defs, ...outputs.$defs }, ...source.resourceTexts[type] };
  });
  const shared = Object.assign({}, ...tables.map(({ defs }) => defs));
  const links = new Set([...tables.map(({ type }) => type), ...Object.keys(shared)]);
  const declared = Object.entries(shared).map(([name, type]) => {
    const [category, ...others] = tables.filter(({ defs }) => name in defs).map((table) => table.category);
    return declaration(name, type, { category: others.length === 0 ? category : "Common", links });
  });
  const example = (type) => {
    const { typescript } = source.examples[type];
    return typescript && `\`\`\`ts\n${typescript}\`\`\``;
  };
  return {
    "src/program/generated/types.ts": [header("src/resources"), inputs, ...declared].join("\n"),
    ...Object.fromEntries(
      tables.map((table) => [
        `src/program/generated/${table.entry.path}.ts`,
        classFile({ ...table, example: example(table.type) }, links),
      ]),
    ),
    "src/program/generated/organization-args.ts": organizationFile(source, shared, links),
  };
}

/** The import of those types that the schemas name. */
function typeImport(types, ...schemas) {
  const text = JSON.stringify(schemas.map((schema) => ({ ...schema, $defs: undefined })));
  const used = Object.keys(types).filter((name) => text.includes(`"#/$defs/${name}"`));
  return used.length === 0 ? "" : `import type { ${used.sort().join(", ")} } from "./types.js";\n`;
}

function classFile(table, links) {
  const { type, category, example } = table;
  const [args, outputs] = [propertiesOf(table.args), propertiesOf(table.outputs)];
  return `${header(`src/resources/${table.entry.path}`)}
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "../engine-provider.js";
import { registration } from "../register.js";
${typeImport(table.defs, table.args, table.outputs)}
${comment(`What a \`${type}\` declares.`, { category, links })}
export interface ${type}Args {
${args.map((property) => argument(property, inputOf, links)).join("\n")}
}

${comment(description(table), { category, links, example })}
export class ${type} extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
${outputs.map((property) => output(property, links)).join("\n")}

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless \`opts.aliases\` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. \`provider\`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: ${type}Args, opts?: CustomResourceOptions) {
    super(...registration({ type: "${type}", engineProvider: new.target.engineProvider, name, args, opts }));
  }
}
`;
}

/** The arguments of the component: sections and names are plain, the values of entries may be outputs of other resources. */
function organizationFile(source, shared, links) {
  const schema = jsonSchemaOf(source.organizationArgs(), source);
  const { typeDoc } = source.docsOf(source.organizationArgs());
  const about = { category: "Organizations", links };
  const own = Object.entries(schema.$defs).filter(([name]) => !(name in shared));
  return `${header("src/resources and src/organization-file/schema.ts")}
${inputs}${typeImport(shared, schema, ...own.map(([, type]) => type))}
${own.map(([name, type]) => declaration(name, type, about)).join("\n")}
${comment(typeDoc, about)}
export interface OrganizationArgs {
${propertiesOf(schema)
  .map((property) => argument(property, plainOf, links))
  .join("\n")}
}
`;
}

/** A named type. */
function declaration(name, type, about) {
  const { typeDoc, typeFrom } = type.docs;
  // An import too, because other types may name it.
  if (typeFrom !== undefined)
    return `import type { ${name} } from "../../${typeFrom.replace(/ts$/, "js")}";\nexport type { ${name} };\n`;
  const text = comment(typeDoc, about);
  if (type.properties === undefined) return `${text}\nexport type ${name} = ${typeText(type, inputOf)};\n`;
  const body = propertiesOf(type).map((property) =>
    argument(property, property.plain ? plainOf : inputOf, about.links),
  );
  return `${text}\nexport interface ${name} {\n${body.join("\n")}\n}\n`;
}

function argument({ name, type, optional, text }, write, links) {
  const written = write(type);
  return `${comment(text, { links, indent: 2 })}\n  ${name}${optional ? "?" : ""}: ${written}${optional ? " | undefined" : ""};`;
}

function output({ name, type, optional, doc, secret }, links) {
  const text = `${doc}${secret ? " Secret." : ""}`;
  const written = plainOf(type);
  const missing = optional && written !== "unknown" ? " | undefined" : "";
  return `${comment(text, { links, indent: 2 })}\n  declare readonly ${name}: Output<${written}${missing}>;`;
}

const plainOf = (type) => typeText(type, plainOf);
const inputOf = (type) => `Input<${typeText(type, inputOf)}>`;

/** @param write how parts of the type are written */
function typeText(type, write) {
  if (type.$ref) return nameOf(type);
  if (type.anyOf) return type.anyOf.map((option) => typeText(option, write)).join(" | ");
  const literals = type.enum ?? ("const" in type ? [type.const] : undefined);
  if (literals) return literals.map((value) => JSON.stringify(value)).join(" | ");
  if (type.type === "array") {
    const item = write(type.items);
    return item.includes(" | ") && !item.startsWith("Input<") ? `(${item})[]` : `${item}[]`;
  }
  if (type.type !== "object") return { integer: "number", undefined: "unknown" }[type.type] ?? type.type;
  if (!type.properties) return `Record<string, ${write(type.additionalProperties)}>`;
  // A map whose keys are known: all have the same type.
  const keys = Object.keys(type.properties).map((key) => JSON.stringify(key));
  return `Partial<Record<${keys.join(" | ")}, ${write(Object.values(type.properties)[0])} | undefined>>`;
}

/** The enums of the package schema, by the names that `pulumi convert` writes into a program. */
function enumsText({ types }) {
  const enums = Object.entries(types).filter(([, type]) => type.enum);
  const declared = enums.map(([token, { description, enum: values }]) => {
    const name = token.split(":").at(-1);
    const members = values.map(
      ({ value }) => `  ${value[0].toUpperCase()}${value.slice(1)}: ${JSON.stringify(value)},`,
    );
    return `${comment(description, { category: "Common", links: new Set() })}
export const ${name} = {
${members.join("\n")}
} as const;
/** A value of {@link ${name}}. @category Common */
export type ${name} = (typeof ${name})[keyof typeof ${name}];
`;
  });
  return [header("schema.json"), ...declared].join("\n");
}

module.exports = { classFiles, enumsText };
