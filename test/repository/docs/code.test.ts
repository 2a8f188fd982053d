import ts from "typescript";
import { parseDocument } from "yaml";
import { readOrganizationFile } from "../../../src/organization-file/reader";
import { blocks, schemaBlocks } from "../../support/docs/documents";
import { read } from "../../support/repository";

const organizations = blocks.filter(
  ({ language, role }) => language === "yaml" && (role === "" || /organization.*\.yaml$/.test(role)),
);
const data = [...blocks, ...schemaBlocks].filter(({ language }) => ["json", "yaml"].includes(language));
const pythonPrograms = [...blocks, ...schemaBlocks].filter(({ language }) => language === "python");
const scripts = blocks.filter(({ language }) => language === "js");

test.each(scripts)("the program in $file:$line has no syntax error", ({ text }) => {
  const { diagnostics: found } = ts.transpileModule(text, { reportDiagnostics: true });
  expect(found?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

test.each(pythonPrograms)(
  "the arguments of the Python in $file:$line are in schema.json, and none is missing",
  ({ text }) => {
    const { resources } = JSON.parse(read("schema.json")) as {
      resources: Record<string, { inputProperties: Record<string, unknown>; requiredInputs?: string[] } | undefined>;
    };
    const calls = [...text.matchAll(/voiceplane\.(\w+)\(\s*"[\w-]+",(.*?)\)$/gms)];
    expect(calls).not.toEqual([]);
    for (const [, name = "", args = ""] of calls) {
      const { inputProperties = {}, requiredInputs = [] } = resources[`voiceplane:index:${name}`] ?? {};
      const given = [...args.matchAll(/(\w+)=/g)].map((match) => match[1]);
      expect(Object.keys(inputProperties).map(snakeCase)).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(requiredInputs.map(snakeCase)));
    }
  },
);

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test.each(data)("the $language in $file:$line can be parsed", ({ text }) => {
  // JSON is a subset of YAML.
  expect(parseDocument(text).errors).toEqual([]);
});

const own = { file: "organization.yaml", line: 1, text: read("organization.yaml") };

test.each([...organizations, own])("the organization file in $file:$line is valid", ({ text }) => {
  expect(readOrganizationFile(text)).toHaveProperty("organization");
});
