/** Writes the classes of the resources and the interfaces of their arguments. */
const { description } = require("./descriptions.cjs");
const { literal, typescript } = require("./examples.cjs");
const { namedTypes, propertiesOf, typeOf } = require("./model.cjs");

/** Longest line of a comment, columns. */
const width = 120;

/**
 * @param source `resources`, `organizationArgs()`, `docsOf` and `textOf` of src, and `resourceTexts`
 * @returns {Record<string, string>} texts by path, not formatted
 */
function classFiles(source) {
  const tables = Object.entries(source.resources).map(([type, entry]) => {
    const [args, outputs] = [propertiesOf(entry.args, source), propertiesOf(entry.outputs, source)];
    return { type, entry, texts: source.resourceTexts[type], args, outputs, types: namedTypes([...args, ...outputs]) };
  });
  const shared = new Map(tables.flatMap(({ types }) => [...types]));
  const classes = tables.map(({ type }) => type);
  const links = new Set([...classes, ...shared.keys()]);
  const categoryOf = (name) => {
    const [category, ...others] = tables.filter(({ types }) => types.has(name)).map(({ texts }) => texts.category);
    return others.length === 0 ? category : "Common";
  };
  const declared = [...shared.values()].map((type) => declarationOf(type, categoryOf(type.typeName), links));
  return {
    "src/program/generated/types.ts": [header("src/resources"), inputs, ...declared].join("\n"),
    ...Object.fromEntries(
      tables.map((table) => [`src/program/generated/${table.entry.path}.ts`, classFile(table, links)]),
    ),
    "src/program/generated/organization-args.ts": organizationFile(source, shared, links),
  };
}

const inputs = 'import type { Input } from "@pulumi/pulumi/output";\n';
const header = (path) => `// Written from ${path} by \`npm run schema\`: change it there.`;
const typeImport = (names) =>
  names.length === 0 ? "" : `import type { ${[...names].sort().join(", ")} } from "./types.js";\n`;

function classFile({ type, entry, texts, args, outputs, types }, links) {
  const { path, lifecycle } = entry;
  const secretArgs = args.filter(({ secret }) => secret).map(({ name }) => name);
  const own = outputs
    .map(({ name }) => name)
    .filter((name) => name !== "organization" && !Object.hasOwn(entry.args.shape, name));
  const secretOutputs = outputs.filter(({ secret }) => secret).map(({ name }) => name);
  const declaration = {
    type,
    path,
    identity: lifecycle.identity,
    hasOnDelete: Object.hasOwn(entry.args.shape, "onDelete"),
    ...(own.length > 0 && { outputs: own }),
    ...(secretArgs.length > 0 && { secretArgs }),
    ...(secretOutputs.length > 0 && { secretOutputs }),
  };
  return `${header(`src/resources/${path}.ts and tools/schemas/resource-texts.ts`)}
import type { Input, Output } from "@pulumi/pulumi/output";
import { CustomResource, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicProvider, type EngineProvider } from "../engine-provider.js";
import { noteDeclared, registration, type ResourceClass } from "../register.js";
${typeImport([...types.keys()].filter((name) => isUsed(name, [...args, ...outputs])))}
${comment(`What a \`${type}\` declares.`, { category: texts.category, links })}
export interface ${type}Args {
${args.map((property) => argument(property, inputOf, links)).join("\n")}
}

const declaration: ResourceClass = ${literal(declaration)};

${comment(description(texts), { category: texts.category, links, example: `\`\`\`ts\n${typescript([{ type, ...texts.example }], "pulumi-voiceplane")}\n\`\`\`` })}
export class ${type} extends CustomResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicProvider;
${outputs.map((property) => output(property, links)).join("\n")}

  /**
   * Declares the resource. The update sends.
   * @param name Its name in the stack. A new name is a create and a delete, unless \`opts.aliases\` has the old one.
   * @param args What to declare.
   * @param opts The engine's options. \`provider\`: another organization, see {@link Provider}.
   */
  constructor(name: string, args: ${type}Args, opts?: CustomResourceOptions) {
    const declared = { ...declaration, engineProvider: new.target.engineProvider, name, args, opts };
    super(...registration(declared));
    noteDeclared(declared, this);
  }
}
`;
}

/** The arguments of the component: sections and names are plain, the values of entries may be outputs of other resources. */
function organizationFile(source, shared, links) {
  const args = typeOf(source.organizationArgs(), source);
  const own = [...namedTypes([{ type: args }])].filter(([name]) => name !== args.typeName && !shared.has(name));
  const all = [...own.map(([, type]) => type), args];
  const used = [...shared.keys()].filter((name) => all.some(({ properties }) => isUsed(name, properties ?? [])));
  const category = "Organizations";
  const section = (property) => argument(property, plainOf, links);
  return `${header("src/organization-file/schema.ts")}
${inputs}${typeImport(used)}
${own.map(([, type]) => declarationOf(type, category, links)).join("\n")}
${comment(args.typeDoc, { category, links })}
export interface ${args.typeName} {
${args.properties.map(section).join("\n")}
}
`;
}

/** Whether these properties name the type themselves, not only inside another named type. */
function isUsed(name, properties) {
  const within = (type) =>
    type.typeName === undefined
      ? [type.element, ...(type.options ?? [])].some((part) => part && within(part))
      : type.typeName === name;
  return properties.some(({ type }) => within(type));
}

function declarationOf({ typeName, typeDoc, typeFrom, ...type }, category, links) {
  if (typeFrom !== undefined) return `export type { ${typeName} } from "../../${typeFrom.replace(/ts$/, "js")}";\n`;
  const text = comment(typeDoc, { category, links });
  if (type.kind !== "object") return `${text}\nexport type ${typeName} = ${typeText(type, inputOf)};\n`;
  const body = type.properties.map((property) => argument(property, inputOf, links));
  return `${text}\nexport interface ${typeName} {\n${body.join("\n")}\n}\n`;
}

function argument({ name, type, optional, text }, write, links) {
  const written = write(type);
  return `${comment(text, { links, indent: 2 })}\n  ${name}${optional ? "?" : ""}: ${written}${optional ? " | undefined" : ""};`;
}

function output({ name, type, optional, doc, secret }, links) {
  const text = `${doc}${secret ? " Secret." : ""}`;
  const written = `${plainOf(type)}${optional && type.kind !== "any" ? " | undefined" : ""}`;
  return `${comment(text, { links, indent: 2 })}\n  declare readonly ${name}: Output<${written}>;`;
}

const plainOf = (type) => typeText(type, plainOf);
const inputOf = (type) => `Input<${typeText(type, inputOf)}>`;

/** @param write how parts of the type are written */
function typeText(type, write) {
  if (type.typeName !== undefined) return type.typeName;
  switch (type.kind) {
    case "integer":
      return "number";
    case "any":
      return "unknown";
    case "literals":
      return type.values.map((value) => JSON.stringify(value)).join(" | ");
    case "union":
      return type.options.map((option) => typeText(option, write)).join(" | ");
    case "array":
      return `${write(type.element)}[]`;
    case "map":
      if (!type.values) return `Record<string, ${write(type.element)}>`;
      return `Partial<Record<${type.values.map((key) => JSON.stringify(key)).join(" | ")}, ${write(type.element)} | undefined>>`;
    default:
      return type.kind;
  }
}

function comment(text, { category, links = new Set(), indent = 0, example: code }) {
  const space = " ".repeat(indent);
  const linked = text.replaceAll(/`([A-Z]\w+)`/g, (whole, name) => (links.has(name) ? `{@link ${name}}` : whole));
  const tag = category === undefined ? "" : ` @category ${category}`;
  const line = `${space}/** ${linked}${tag} */`;
  if (line.length <= width && !line.includes("\n") && code === undefined) return line;
  const lines = linked.split("\n").flatMap((each) => wrap(each, width - indent - 3));
  const rest = [...(code === undefined ? [] : ["", "@example", "", ...code.split("\n")]), ...(tag && ["", tag.trim()])];
  const body = [...lines, ...rest].map((each) => `${space} *${each === "" ? "" : " "}${each}`);
  return [`${space}/**`, ...body, `${space} */`].join("\n");
}

/** The later lines of a list's item are indented. */
function wrap(text, columns) {
  const indent = text.startsWith("- ") ? "  " : "";
  return text.split(" ").reduce((lines, word) => {
    const line = `${lines.at(-1) ?? ""} ${word}`;
    return lines.length > 0 && line.length <= columns
      ? [...lines.slice(0, -1), line]
      : [...lines, lines.length === 0 ? word : `${indent}${word}`];
  }, []);
}

module.exports = { classFiles };
