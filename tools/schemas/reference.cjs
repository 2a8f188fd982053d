/**
 * Writes the sections of docs/reference that follow from the commands and the contract.
 */
const { cell, code, table, withSections } = require("./markdown.cjs");
const { configuration, configurationOfPrograms, variableOf } = require("./package-texts.cjs");

/**
 * @param source the exports of src/cli and src/contract
 * @param {(file: string) => string} read gives a page as it is
 * @returns {Promise<Record<string, string>>} texts by path, not formatted
 */
async function referenceFiles(source, read) {
  const sections = {
    "docs/reference/commands.md": {
      Commands: await commandTable(source.commands),
      "Exit codes": exitCodes(source),
      Risks: riskTable(source.riskCodes),
    },
    "docs/reference/configuration.md": {
      Keys: keyTable({ ...configuration, ...configurationOfPrograms }),
    },
    "docs/reference/interface.md": { Operations: operationTable(source.operations) },
  };
  return Object.fromEntries(
    Object.entries(sections).map(([file, written]) => [file, withSections(read(file), written)]),
  );
}

/** What each command does, in the first sentence of its help. */
async function commandTable(commands) {
  const rows = Object.entries(commands).map(async ([name, { load }]) => {
    const [first = ""] = (await load())
      .command(process)
      .description()
      .split(/(?<=\.) /);
    return [code(name), cell(first)];
  });
  return table(["command", "what it does"], await Promise.all(rows));
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

const operationTable = (operations) =>
  table(
    ["request", "what the token needs"],
    Object.values(operations).map(({ method, path, access }) => [code(`${method} ${path}`), access]),
  );

module.exports = { referenceFiles };
