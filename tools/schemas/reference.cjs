/**
 * Writes the sections of docs/reference that follow from the commands and the contract.
 */
const { cell, code, prose, table, withSections } = require("./markdown.cjs");
const { configuration, configurationOfPrograms, variableOf } = require("./package-texts.cjs");

/**
 * @param source the exports of src/cli and src/contract
 * @param {(file: string) => string} read gives a page as it is
 * @returns {Promise<Record<string, string>>} texts by path, not formatted
 */
async function referenceFiles(source, read) {
  const commands = await Promise.all(Object.entries(source.commands).map(commandSection));
  const sections = {
    "docs/reference/commands.md": { "Exit codes": exitCodes(source), ...Object.fromEntries(commands) },
    "docs/reference/configuration.md": {
      Keys: keyTable({ ...configuration, ...configurationOfPrograms }),
    },

    "docs/reference/interface.md": { Operations: operationTable(source.operations) },
    "docs/guides/review-changes-in-pull-requests.md": { "### Risks": riskTable(source.riskCodes) },
    "docs/reference/messages.md": { Codes: codeList(source, read("docs/reference/messages.md")) },
  };
  return Object.fromEntries(
    Object.entries(sections).map(([file, written]) => [file, withSections(read(file), written)]),
  );
}

async function commandSection([name, { load }]) {
  const loaded = await load();
  const { help } = loaded;
  const command = loaded.command(process);
  const shown = command.createHelp();
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .map((argument) => [shown.argumentTerm(argument), shown.argumentDescription(argument)]),
    ...command.options.map((option) => [shown.optionTerm(option), shown.optionDescription(option)]),
  ];
  const codes = Object.entries(help.exitCodes).map(([exitCode, meaning]) => `**${exitCode}** ${cell(meaning)}`);
  const examples = Object.entries(help.examples).map(([what, line]) => `# ${what}\n${line}`);
  const content = [
    `${code(`voiceplane ${name} ${command.usage()}`)}: ${prose(command.description())}`,
    `\`\`\`sh\n${examples.join("\n")}\n\`\`\``,
    table(
      ["option", "meaning"],
      [...rows.map(([term, text]) => [code(term), cell(text)]), ["exit code", codes.join("; ")]],
    ),
  ];
  return [name, content.join("\n\n")];
}

function exitCodes({ failOnHelp }) {
  const [, words] = failOnHelp;
  return [
    table(
      ["code", "meaning"],
      [
        ["0", "The command did its job, also if there are changes."],
        ["1", "It failed, or it found mistakes: the text says which."],
        ["2", "It stopped before sending anything, or found what `--fail-on` names."],
      ],
    ),
    table(
      [code("--fail-on"), "exit code 2 for"],
      Object.entries(words).map(([word, meaning]) => [code(word), cell(meaning)]),
    ),
  ].join("\n\n");
}

function keyTable(keys) {
  const rows = Object.entries(keys).map(([key, { description }]) => [
    code(`voiceplane:${key}`),
    variableOf[key] === undefined ? "" : code(variableOf[key]),
    cell(`${variableOf[key] === undefined ? "" : "Required. "}${description}`),
  ]);
  return table(["key", "environment variable", "meaning"], rows);
}

const riskTable = (risks) =>
  table(
    ["label, the most severe first", "when"],
    Object.entries(risks).map(([name, when]) => [name.replaceAll("-", " "), cell(when)]),
  );

/** The codes that the page has no row for: a risk is explained elsewhere, and the messages of the others say all. */
function codeList({ codes, riskCodes }, page) {
  const withoutList = withSections(page, { Codes: "" });
  const rest = Object.keys(codes).filter((name) => !withoutList.includes(code(`[${name}]`)));
  const listed = (names) => names.map((name) => code(`[${name}]`)).join(", ");
  const [ofRisks, others] = [true, false].map((isRisk) => rest.filter((name) => name in riskCodes === isRisk));
  return [
    `These are [risks](../guides/review-changes-in-pull-requests.md#risks): ${listed(ofRisks)}. Where a request replaces what cannot be read, compare ` +
      "it with the platform's pages, or [adopt](../guides/adopt-an-organization.md) the setting.",
    `These need no more than their message: ${listed(others)}.`,
  ].join("\n\n");
}

const operationTable = (operations) =>
  table(
    ["request", "what the token needs"],
    Object.values(operations).map(({ method, path, access }) => [code(`${method} ${path}`), access]),
  );

module.exports = { referenceFiles };
