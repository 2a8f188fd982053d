/**
 * Writes the sections Example, Arguments, Outputs, Requests and Errors of the pages of resources in docs/reference, and the program on
 * the first page of the Pulumi Registry. All other text of these pages is written by hand.
 */
const { organizationFile, programs } = require("./examples.cjs");
const { cell, code, table, withSections } = require("./markdown.cjs");
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
    const { example, verbs, errors } = source.resourceTexts[type];
    const written = withSections(read(file), {
      Example: exampleSection({ type, ...example }, source, schema),
      Arguments: argumentTable(propertiesOf(args, source)),
      Outputs: outputTable(propertiesOf(outputs, source)),
      Requests: requestList(verbs),
      Errors: errors,
    });
    return [file, written];
  });
  return { ...Object.fromEntries(pages), [registryPage]: registryText(source, schema, read(registryPage)) };
}

/** By the words of users, not of the engine's protocol. */
const verbNames = { create: "create", update: "update", read: "refresh", delete: "destroy" };

const requestList = (verbs) =>
  Object.entries(verbs)
    .map(([verb, text]) => `- ${verbNames[verb]}: ${text}`)
    .join("\n");

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

function argumentTable(properties) {
  const rows = properties.map(({ name, optional, text }) => [code(name), optional ? "" : "yes", cell(text)]);
  return table(["argument", "required", "description"], rows);
}

function outputTable(properties) {
  const rows = properties.map(({ name, doc, secret }) => [code(name), cell(`${doc}${secret ? " Secret." : ""}`)]);
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

module.exports = { pageFiles, verbNames };
