/**
 * Writes what follows from the sources: schema.json, organization.schema.json and the files of src/program/generated from the
 * properties of the resources and of the organization file; the tables of docs/reference from these, and from the commands and the
 * contract; and llms.txt, the list of the pages. The examples are those of docs/reference.
 *
 *     npm run schema                               reads the sources: no build is needed
 *     node tools/write-schemas.mjs --check         fails where a file is not what would be written
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import esbuild from "esbuild";
import prettier from "prettier";
import { root } from "./bootstrap.mjs";

const require = createRequire(import.meta.url);
const { classFiles, enumsText } = require("./schemas/classes.cjs");
const { llmsText } = require("./schemas/llms.cjs");
const { packageSchema } = require("./schemas/package.cjs");
const { moduleFiles } = require("./schemas/modules.cjs");
const { pageFiles, programsIn } = require("./schemas/pages.cjs");
const { referenceFiles } = require("./schemas/reference.cjs");

/** By the path of the resource. */
const textsOf = (file) => `export { texts as "${path.basename(path.dirname(file))}" } from "./${file}";`;

/** From the sources, not from dist: they may not compile before the classes are written. */
async function readSource() {
  const outfile = path.join(root, "node_modules/.cache/write-schemas.cjs");
  const contents = [
    "src/resources/index",
    "src/schema/documentation",
    "src/organization-file/schema",
    "src/contract/index",
    "src/values/codes",
    "src/cli/commands/index",
    "src/cli/commands/preview",
  ]
    .map((name) => `export * from "./${name}.ts";`)
    .concat('export { toJSONSchema } from "zod";')
    .concat(globSync("src/resources/*/texts.ts", { cwd: root }).map(textsOf))
    .join("\n");
  const stdin = { contents, resolveDir: root, loader: "ts" };
  mkdirSync(path.dirname(outfile), { recursive: true });
  await esbuild.build({ stdin, outfile, bundle: true, platform: "node", format: "cjs", packages: "external" });
  return require(outfile);
}

const read = (file) => readFileSync(path.join(root, file), "utf8");

/** Undefined if there is no such file. */
const readIfThere = (file) => (existsSync(path.join(root, file)) ? read(file) : undefined);

/** The examples of the pages, by the type that they show. */
function examplesOf(resources) {
  const pages = Object.entries(resources).map(([type, { path }]) => [type, path]);
  const all = [...pages, ["Organization", "organization-file"]];
  return Object.fromEntries(
    all.map(([type, page]) => [type, programsIn(readIfThere(`docs/reference/${page}.md`) ?? "")]),
  );
}

async function formatted(file, text) {
  const filepath = path.join(root, file);
  const parser = file.endsWith(".txt") ? { parser: "markdown" } : {};
  return prettier.format(text, { ...(await prettier.resolveConfig(filepath)), filepath, ...parser });
}

const sources = await readSource();
const resourceTexts = Object.fromEntries(
  Object.entries(sources.resources).map(([type, { path }]) => [type, sources[path]]),
);
const source = { ...sources, resourceTexts, examples: examplesOf(sources.resources) };
const manifest = JSON.parse(read("package.json"));
const schema = packageSchema(source, manifest);
const texts = {
  "schema.json": JSON.stringify(schema),
  "organization.schema.json": JSON.stringify(source.organizationJsonSchema()),
  ...classFiles(source),
  "src/program/generated/enums.ts": enumsText(schema),
  "src/values/version.ts": `/** Written by \`npm run schema\` from package.json. */\nexport const version = "${manifest.version}";\n`,
  ...moduleFiles(source, schema.types, manifest),
  ...pageFiles(source, readIfThere),
  ...(await referenceFiles(source, read)),
};
const written = Object.keys(texts).filter((file) => file.endsWith(".md"));
const found = globSync("docs/{,guides/,operate/,reference/}*.md", { cwd: root, exclude: ["docs/README.md"] });
const pages = [...new Set([...found, ...written])].sort();
texts["llms.txt"] = llmsText(manifest, pages, (page) => texts[page] ?? read(page));
const stale = [];
for (const [file, text] of Object.entries(texts)) {
  const written = await formatted(file, text);
  if (!existsSync(path.join(root, file)) || written !== read(file)) stale.push([file, written]);
}
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(`run \`npm run schema\`: ${stale.map(([file]) => file).join(", ")} would change`);
    process.exitCode = 1;
  }
} else {
  for (const [file, text] of stale) writeFileSync(path.join(root, file), text);
}
