/**
 * Writes the sections Example, Arguments and Outputs of the pages in docs/reference, and the program on the first page of the Pulumi
 * Registry. All other text of these pages is written by hand.
 */
const { organizationFile, programs } = require("./examples.cjs");
const { propertiesOf } = require("./model.cjs");

const registryPage = "docs/_index.md";

/**
 * @param source `resources`, `sections`, `isCleared`, `docsOf` and `textOf` of src, and `resourceTexts`
 * @param {object} schema the package schema
 * @param {(file: string) => string} read gives a page as it is
 * @returns {Record<string, string>} texts by path, not formatted
 */
function pageFiles(source, schema, read) {
  const pages = Object.entries(source.resources).map(([type, { path, args, outputs }]) => {
    const file = `docs/reference/${path}.md`;
    const sections = {
      Example: exampleSection({ type, ...source.resourceTexts[type].example }, source, schema),
      Arguments: argumentTable(propertiesOf(args, source)),
      Outputs: outputTable(propertiesOf(outputs, source)),
    };
    const written = Object.entries(sections).reduce(
      (text, [title, content]) => withSection(text, title, `${noteOf(title, path)}\n\n${content}`),
      read(file),
    );
    return [file, written];
  });
  return { ...Object.fromEntries(pages), [registryPage]: registryText(source, schema, read(registryPage)) };
}

function noteOf(title, path) {
  const source = title === "Example" ? "tools/schemas/resource-texts.ts" : `src/resources/${path}.ts`;
  return `<!-- Written from ${source} by \`npm run schema\`: change it there. -->`;
}

/** Replaces what is below a heading, up to the next one of its level. */
function withSection(text, title, content) {
  const section = new RegExp(`(?<=^## ${title}\\n)(.*?)(?=^## |(?![^]))`, "ms");
  if (!section.test(text)) throw new Error(`a page has no section "## ${title}"`);
  return text.replace(section, () => `\n${content}\n\n`);
}

function exampleSection(example, source, schema) {
  const { typescript, python, go, yaml } = programs([example], { schema, from: "pulumi-voiceplane" });
  const blocks = {
    TypeScript: `\`\`\`ts\n${typescript}`,
    Python: `\`\`\`python\n${python}`,
    Go: `\`\`\`go\n${go}`,
    YAML: `\`\`\`yaml Pulumi.yaml\n${yaml}`,
    "Organization file": `\`\`\`yaml organization.yaml\n${organizationFile(example, source)}`,
  };
  return Object.entries(blocks)
    .map(([title, block]) => `### ${title}\n\n${block}\n\`\`\``)
    .join("\n\n");
}

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Without the list of a type that has its own section. */
const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function argumentTable(properties) {
  const rows = properties.map(({ name, optional, text }) => [`\`${name}\``, optional ? "" : "yes", cell(text)]);
  return table(["argument", "required", "description"], rows);
}

function outputTable(properties) {
  const rows = properties.map(({ name, doc, secret }) => [`\`${name}\``, cell(`${doc}${secret ? " Secret." : ""}`)]);
  return table(["output", "description"], rows);
}

/** All resources in one program, which changes nothing that is in use. */
function registryText({ resourceTexts }, schema, text) {
  const examples = Object.entries(resourceTexts).map(([type, { adoption }]) => ({ type, ...adoption }));
  const written = programs(examples, { schema, from: "pulumi-voiceplane/native" });
  const choices = Object.entries(written).map(
    ([language, program]) =>
      `{{% choosable language ${language} %}}\n\n\`\`\`${language}${language === "yaml" ? " Pulumi.yaml" : ""}\n${program}\n\`\`\`\n\n{{% /choosable %}}`,
  );
  const open = `{{< chooser language "${Object.keys(written).join(",")}" >}}`;
  return text.replace(/\{\{< chooser .*?\{\{< \/chooser >\}\}/s, () =>
    [open, ...choices, "{{< /chooser >}}"].join("\n\n"),
  );
}

module.exports = { pageFiles };
