/** Writes an example in each language. An example is data: the resource's name, its arguments, comments and exports. */
const { stringify } = require("yaml");

/** @typedef {{ type: string, name: string, args: object, comments?: Record<string, string>, exports?: Record<string, string> }} Example */

const indented = (lines, by) => lines.map((line) => (line === "" ? "" : by + line));
const capitalized = (name) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
const camelCase = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
const snakeCase = (name) => name.replaceAll("-", "_").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The arguments, one a line, with the comments above them. */
const argumentLines = ({ args, comments = {} }, mark, write) =>
  Object.entries(args).flatMap(([key, value]) => [
    ...(comments[key] === undefined ? [] : [`${mark} ${comments[key]}`]),
    write(key, value),
  ]);

/** A value in one line, as JavaScript unless another function writes strings, numbers and booleans. */
function literal(value, scalar = JSON.stringify) {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, scalar)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return scalar(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${literal(member, scalar)}`,
  );
  return `{ ${members.join(", ")} }`;
}

const yamlLine = (key, value) =>
  `${key}: ${literal(value, (each) => stringify(each, { lineWidth: 0, version: "1.1" }).trimEnd())}`;

/**
 * @param {Example[]} examples
 * @param {string} from the package that the program imports
 */
function typescript(examples, from) {
  const body = examples.flatMap(({ type, name, exports: exported, ...example }) => {
    const variable = exported ? `const ${camelCase(name)} = ` : "";
    return [
      "",
      `${variable}new ${type}(${literal(name)}, {`,
      ...indented(
        argumentLines(example, "//", (key, value) => `${key}: ${literal(value)},`),
        "  ",
      ),
      "});",
      ...Object.entries(exported ?? {}).map(([key, output]) => `export const ${key} = ${camelCase(name)}.${output};`),
    ];
  });
  const types = new Set(examples.map(({ type }) => type));
  return [`import { ${[...types].join(", ")} } from "${from}";`, ...body].join("\n");
}

/** A project without code. */
function yaml(examples) {
  const resources = examples.flatMap(({ type, name, ...example }) => [
    `  ${name}:`,
    `    type: voiceplane:${type}`,
    "    properties:",
    ...indented(argumentLines(example, "#", yamlLine), "      "),
  ]);
  const outputs = examples.flatMap(({ name, exports: exported }) =>
    Object.entries(exported ?? {}).map(([key, output]) => `  ${key}: \${${name}.${output}}`),
  );
  return ["resources:", ...resources, ...(outputs.length > 0 ? ["outputs:", ...outputs] : [])].join("\n");
}

/** By the type in the package schema. A union has none: then by the value's. */
const goTypes = { string: "String", integer: "Int", number: "Float64", boolean: "Bool" };

/**
 * The SDKs for Python and Go have types for inputs, which the package schema decides.
 *
 * @param {object} schema the package schema
 */
function typedWriters(schema) {
  const inputsOf = (type) => schema.resources[`voiceplane:index:${type}`].inputProperties;
  const referred = ({ $ref = "" }) => schema.types[$ref.replace("#/types/", "")];
  const nameOf = ({ $ref }) => $ref.split(":").at(-1);

  function python(examples) {
    const write = (value, spec) => {
      if (typeof value === "boolean") return value ? "True" : "False";
      if (Array.isArray(value)) return `[${value.map((each) => write(each, spec.items)).join(", ")}]`;
      if (typeof value !== "object") return JSON.stringify(value);
      const properties = referred(spec)?.properties;
      const members = Object.entries(value).map(([key, member]) => [
        properties ? snakeCase(key) : key,
        write(member, properties?.[key] ?? spec.additionalProperties),
      ]);
      return `{${members.map(([key, member]) => `${literal(key)}: ${member}`).join(", ")}}`;
    };
    const body = examples.flatMap(({ type, name, exports: exported, ...example }) => {
      const inputs = inputsOf(type);
      return [
        "",
        `${exported ? `${snakeCase(name)} = ` : ""}voiceplane.${type}(`,
        `    ${literal(name)},`,
        ...indented(
          argumentLines(example, "#", (key, value) => `${snakeCase(key)}=${write(value, inputs[key])},`),
          "    ",
        ),
        ")",
        ...Object.entries(exported ?? {}).map(
          ([key, output]) => `pulumi.export(${literal(key)}, ${snakeCase(name)}.${snakeCase(output)})`,
        ),
      ];
    });
    const needsPulumi = examples.some(({ exports: exported }) => exported);
    return [...(needsPulumi ? ["import pulumi"] : []), "import pulumi_voiceplane as voiceplane", ...body].join("\n");
  }

  function goValue(value, spec) {
    const { plain, items, additionalProperties } = spec;
    const type = referred(spec);
    if (type?.enum) return `voiceplane.${nameOf(spec)}(${literal(value)})`;
    if (type) return [`voiceplane.${nameOf(spec)}Args{`, ...goMembers(value, type.properties), "}"].join("\n");
    if (Array.isArray(value)) {
      return `pulumi.${goTypes[items.type]}Array{${value.map((each) => goValue(each, items)).join(", ")}}`;
    }
    if (typeof value === "object") {
      const map = plain ? `map[string]voiceplane.${nameOf(additionalProperties)}Input` : "pulumi.Map";
      const members = Object.entries(value).map(
        ([key, member]) => `${literal(key)}: ${goValue(member, additionalProperties)},`,
      );
      return [
        `${map}{`,
        ...indented(
          members.flatMap((member) => member.split("\n")),
          "\t",
        ),
        "}",
      ].join("\n");
    }
    return `pulumi.${goTypes[spec.type ?? typeof value]}(${literal(value)})`;
  }

  /** The values are aligned as gofmt does it: a comment and a value of more than one line start a new column. */
  function goMembers(args, inputs, comments = {}) {
    const values = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, goValue(value, inputs[key])]));
    const isLong = (key) => values[key].includes("\n");
    const keys = Object.keys(values);
    const starts = keys.map((key, index) => index === 0 || key in comments || isLong(key) || isLong(keys[index - 1]));
    const columnOf = (key) => starts.slice(0, keys.indexOf(key) + 1).lastIndexOf(true);
    const widthOf = (key) =>
      Math.max(...keys.filter((each) => columnOf(each) === columnOf(key)).map(({ length }) => length));
    const write = (key, text) => `${`${capitalized(key)}:`.padEnd(widthOf(key) + 1)} ${text},`;
    const lines = argumentLines({ args: values, comments }, "//", write);
    return indented(
      lines.flatMap((line) => line.split("\n")),
      "\t",
    );
  }

  function go(examples) {
    const body = examples.flatMap(({ type, name, args, comments, exports: exported }, index) => {
      const variable = exported ? camelCase(name) : "_";
      const assign = exported || index === 0 ? ":=" : "=";
      const isLast = index === examples.length - 1;
      return [
        `${variable}, err ${assign} voiceplane.New${type}(ctx, ${literal(name)}, &voiceplane.${type}Args{`,
        ...goMembers(args, inputsOf(type), comments),
        "})",
        ...(isLast && !exported ? ["return err"] : ["if err != nil {", "\treturn err", "}"]),
        ...Object.entries(exported ?? {}).map(
          ([key, output]) => `ctx.Export(${literal(key)}, ${variable}.${capitalized(output)})`,
        ),
        ...(isLast && exported ? ["return nil"] : []),
      ];
    });
    return [
      "package main",
      "",
      "import (",
      ...[schema.language.go.importBasePath, "github.com/pulumi/pulumi/sdk/v3/go/pulumi"]
        .sort()
        .map((path) => `\t"${path}"`),
      ")",
      "",
      "func main() {",
      "\tpulumi.Run(func(ctx *pulumi.Context) error {",
      ...indented(body, "\t\t"),
      "\t})",
      "}",
    ].join("\n");
  }

  return { python, go };
}

/**
 * @param {Example[]} examples
 * @param {{ schema: object, from: string }} options
 * @returns {Record<"typescript" | "python" | "go" | "yaml", string>}
 */
function programs(examples, { schema, from }) {
  const { python, go } = typedWriters(schema);
  return { typescript: typescript(examples, from), python: python(examples), go: go(examples), yaml: yaml(examples) };
}

/** The example as an entry of an organization file. */
function organizationFile({ type, name, args, comments = {} }, { sections, isCleared }) {
  const [section, { names, key }] = Object.entries(sections).find(([, each]) => each.type === type);
  const entryNames = new Map(Object.entries(names).map(([ours, argument]) => [argument, ours]));
  const settings = Object.entries(args).filter(([argument]) => argument !== key);
  const entry = Object.fromEntries(
    settings.map(([argument, value]) => {
      const isTrunk = entryNames.get(argument) === "outboundAuth";
      const text = isTrunk ? Object.keys(isCleared).find((each) => isCleared[each] === value) : value;
      return [entryNames.get(argument) ?? argument, text];
    }),
  );
  const renamed = Object.entries(comments).map(([argument, text]) => [entryNames.get(argument) ?? argument, text]);
  const lines = argumentLines({ args: entry, comments: Object.fromEntries(renamed) }, "#", yamlLine);
  return [`${section}:`, `  ${key === undefined ? name : args[key]}:`, ...indented(lines, "    ")].join("\n");
}

module.exports = { literal, organizationFile, programs, typescript };
