/** Writes the tables and the texts of docs/reference that follow from a resource, and reads its examples. */
const { cell, code, table, withSections } = require("./markdown.cjs");
const { jsonSchemaOf, propertiesOf } = require("./properties.cjs");

/**
 * @param source `resources` and `documentedText` of src, `toJSONSchema` of zod, and `resourceTexts`
 * @param {(file: string) => string | undefined} read gives a page as it is; undefined if there is none
 * @returns {Record<string, string>} texts by path, not formatted
 */
function pageFiles(source, read) {
  const pages = Object.entries(source.resources).map(([type, { path, args, outputs }]) => {
    const file = `docs/reference/${path}.md`;
    const { summary, verbs, errors } = source.resourceTexts[type];
    const written = withSections(read(file) ?? newPage({ type, path, summary }), {
      Arguments: argumentTable(propertiesOf(jsonSchemaOf(args, source))),
      Outputs: outputTable(propertiesOf(jsonSchemaOf(outputs, source))),
      Requests: requestList(verbs),
      Errors: errors,
    });
    return [file, written];
  });
  return Object.fromEntries(pages);
}

/** A page without what is written by hand: a test names the examples that it lacks. */
const newPage = ({ type, path, summary }) => `# ${type}

<!-- Arguments, Outputs, Requests and Errors are written from src/resources/${path}/arguments.ts and src/resources/${path}/texts.ts by \`npm run schema\`. -->

${summary}

## Example

## Adopt an existing one

## Arguments

## Outputs

## Requests

## Errors
`;

/** By the words of users, not of the engine's protocol. */
const verbNames = { create: "create", update: "update", read: "refresh", delete: "destroy" };

const requestList = (verbs) =>
  Object.entries(verbs)
    .map(([verb, text]) => `- ${verbNames[verb]}: ${text}`)
    .join("\n");

function argumentTable(properties) {
  const rows = properties.map(({ name, optional, text }) => [code(name), optional ? "" : "yes", cell(text)]);
  return table(["argument", "required", "description"], rows);
}

function outputTable(properties) {
  const rows = properties.map(({ name, doc, secret }) => [code(name), cell(`${doc}${secret ? " Secret." : ""}`)]);
  return table(["output", "description"], rows);
}

const fences = { typescript: "ts", python: "python", go: "go", yaml: "yaml Pulumi.yaml" };

/** The first program of a page in each language of the package schema. */
function programsIn(page) {
  const programs = Object.entries(fences).map(([language, fence]) => [
    language,
    new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1],
  ]);
  return Object.fromEntries(programs);
}

module.exports = { pageFiles, programsIn };
