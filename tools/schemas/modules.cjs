/** Writes the modules that name each resource: what a program imports, what the engine loads, and the package's exports of it. */
const { jsonSchemaOf, nameOf } = require("./properties.cjs");
const { header } = require("./text.cjs");

const lower = (text) => text[0].toLowerCase() + text.slice(1);

/**
 * @param source `resources` and `docsOf` of src
 * @param {object} types of the package schema
 * @param {object} manifest package.json
 * @returns {Record<string, string>} texts by path, not formatted
 */
function moduleFiles(source, types, manifest) {
  const tables = Object.entries(source.resources).map(([type, entry]) => ({ type, ...entry }));
  const generated = {
    "src/program/generated/organization-resources.ts": organizationResources(tables, source),
    "src/program/generated/index.ts": exportsText(tables, source, types),
    "src/program/generated/native.ts": nativeText(tables, source),
    "src/provider/dynamic/providers.ts": providersText(tables),
  };
  const paths = tables.map(({ type, path }) => [
    `src/provider/dynamic/${path}.ts`,
    `/** Named by the state of every stack that has this resource: this path stays for ever. */
import { ${lower(type)} } from "./providers.js";

export = ${lower(type)};
`,
  ]);
  return { ...generated, ...Object.fromEntries(paths), "package.json": manifestText(tables, manifest) };
}

/** The members of an Organization: what its sections declare, and its outputs. */
function organizationResources(tables, source) {
  const imports = tables.map(({ type, path }) => `import { ${type} } from "./${path}.js";`);
  const keyTypeOf = ({ args, section: { key } }) => nameOf(jsonSchemaOf(args, source).properties[key] ?? {});
  const keyTypes = tables.flatMap((table) => keyTypeOf(table) ?? []);
  const members = tables.map((table) => {
    const { type, section } = table;
    const { name, content } = section;
    const keyType = keyTypeOf(table);
    const written = keyType === undefined ? `Record<string, ${type}>` : `Partial<Record<${keyType}, ${type}>>`;
    return `  /** The ${content}, by key. */\n  readonly ${name}: ${written};`;
  });
  const outputs = tables.flatMap(({ section }) =>
    Object.entries(section.outputs ?? {}).map(
      ([output, { doc, isPlain }]) =>
        `  /** ${doc}${isPlain ? "" : " Secret."} */\n  readonly ${output}: Output<Record<string, string | undefined>>;`,
    ),
  );
  return `${header("src/resources")}
import type { Output } from "@pulumi/pulumi/output";
import { ComponentResource } from "@pulumi/pulumi/resource";
${imports.join("\n")}
${keyTypes.length > 0 ? `import type { ${keyTypes.join(", ")} } from "./types.js";` : ""}

export const classes = { ${tables.map(({ type }) => type).join(", ")} };

/** What an Organization declares, by the sections of its arguments. */
interface Members {
${[...members, ...outputs].join("\n")}
}

/**
 * The SDK's class, with the type of these members. A class between it and Organization would be a frame of the call stack, and the SDK would take
 * that for the user's line.
 */
export const OrganizationResources = ComponentResource as unknown as new (
  ...args: ConstructorParameters<typeof ComponentResource>
) => ComponentResource & Members;
`;
}

/** What programs import: the classes and types of the resources, and those of the organization's entries. */
function exportsText(tables, source, types) {
  const classes = tables.map(({ type, path }) => `export { ${type}, type ${type}Args } from "./${path}.js";`);
  const isEnum = (name) => types[`voiceplane:index:${name}`]?.enum !== undefined;
  const namedIn = (schemas) => schemas.flatMap((schema) => Object.keys(jsonSchemaOf(schema, source).$defs));
  const shared = new Set(
    namedIn(tables.flatMap(({ args, outputs }) => [args, outputs])).filter((name) => !isEnum(name)),
  );
  const ofEntries = namedIn([source.organizationArgs()]).filter((name) => !shared.has(name) && !isEnum(name));
  return `${header("src/resources")}
${classes.join("\n")}
export * from "./enums.js";
export type { ${["OrganizationArgs", ...ofEntries].sort().join(", ")} } from "./organization-args.js";
export type { ${[...shared].sort().join(", ")} } from "./types.js";
`;
}

function nativeText(tables, { resourceTexts }) {
  const classes = tables.map(
    ({ type }) => `/** {@link dynamic.${type}} over the plugin. @category ${resourceTexts[type].category} */
export class ${type} extends dynamic.${type} {
  /** @internal */
  static override readonly engineProvider = nativeEngineProvider;
}
`,
  );
  return `${header("src/resources")}
import { nativeEngineProvider } from "../engine-provider.js";
import * as dynamic from "./index.js";

export * from "./enums.js";
export type * from "./index.js";

${classes.join("\n")}
`;
}

function providersText(tables) {
  const providers = tables.map(
    ({ type }) => `export const ${lower(type)} = dynamicProvider(resources.${type}.lifecycle);`,
  );
  return `${header("src/resources")}
/** The providers of all types, as one module: they share their connections, and the package has them as one file. */
import "../supported-node.js";
import "../engine-watch.js";
import { resources } from "../../resources/index.js";
import { dynamicProvider } from "./provider.js";

${providers.join("\n")}
`;
}

/** The path of each dynamic provider is frozen in the states, so each is an export of its own. */
function manifestText(tables, manifest) {
  const others = Object.entries(manifest.exports).filter(([name]) => !name.startsWith("./dynamic/"));
  const at = others.findIndex(([name]) => name.endsWith(".json"));
  const dynamic = tables.map(({ path }) => {
    const file = `./dist/provider/dynamic/${path}`;
    return [`./dynamic/${path}`, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  return JSON.stringify({ ...manifest, exports: Object.fromEntries(others.toSpliced(at, 0, ...dynamic)) });
}

module.exports = { moduleFiles };
