/** The pages of the resources, and those that the Pulumi Registry shows. */
import { resources } from "../../../src/resources/index.js";
import type { PackageSchema, Property } from "../../support/resources/generators.js";
import { read, schemaBlocks } from "../../support/docs/documents";

const schema = JSON.parse(read("schema.json")) as PackageSchema;

/** The text below a heading, up to the next one of its level. */
function section(page: string, title: string): string {
  return new RegExp(`^## ${title}\\n(.*?)(?=^## |(?![^]))`, "ms").exec(page)?.[1] ?? "";
}

/** The cells of the rows below a heading whose first cell is code. */
const rows = (text: string): string[][] =>
  [...text.matchAll(/^\| `\w+`.*$/gm)].map(([row]) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));

const secretsOf = (properties: Readonly<Record<string, Property>>): string[] =>
  Object.keys(properties).filter((name) => properties[name]?.secret === true);

const pages = Object.entries(resources).map(([type, { path }]) => {
  const { inputProperties, requiredInputs, properties } = schema.resources[`voiceplane:index:${type}`] ?? {
    inputProperties: {},
    requiredInputs: [],
    properties: {},
  };
  return { type, page: read(`docs/reference/${path}.md`), inputProperties, requiredInputs, properties };
});

describe.each(pages)("the page of $type", ({ page, inputProperties, requiredInputs, properties }) => {
  test("lists the arguments that the package schema has, and which are required", () => {
    const listed = rows(section(page, "Arguments"));
    expect(listed.map(([, name]) => name)).toEqual(Object.keys(inputProperties).map((name) => `\`${name}\``));
    expect(listed.flatMap(([, name = "", required]) => (required === "yes" ? [name] : []))).toEqual(
      requiredInputs.map((name) => `\`${name}\``),
    );
  });

  test("lists the outputs that the package schema has, and which are secret", () => {
    const listed = rows(section(page, "Outputs"));
    expect(listed.map(([, name]) => name)).toEqual(Object.keys(properties).map((name) => `\`${name}\``));
    expect(listed.flatMap(([, name = "", text = ""]) => (text.endsWith(" Secret.") ? [name] : []))).toEqual(
      secretsOf(properties).map((name) => `\`${name}\``),
    );
  });

  test("has an example in each language, and the sections that people look for, in this order", () => {
    const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title = ""]) => title);
    const expected = ["Example", "Adopt an existing one", "Arguments", "Outputs", "Requests", "Errors"];
    expect(titles.filter((title) => expected.includes(title))).toEqual(expected);
    const languages = [...section(page, "Example").matchAll(/^### (.*)\n\n```(\w+)/gm)].map(([, ...found]) => found);
    expect(languages).toEqual([
      ["TypeScript", "ts"],
      ["Python", "python"],
      ["Go", "go"],
      ["YAML", "yaml"],
      ["Organization file", "yaml"],
    ]);
  });
});

test("each resource of the package schema has an example in the four languages of the registry", () => {
  const types = Object.keys(schema.resources).map((token) => token.replace("voiceplane:index:", "schema.json#"));
  expect(schemaBlocks.map(({ file, language }) => [file, language])).toEqual(
    types.flatMap((file) => ["typescript", "python", "go", "yaml"].map((language) => [file, language])),
  );
});

test.each(["docs/_index.md", "docs/installation-configuration.md"])(
  "%s has the front matter that the registry asks for",
  (file) => {
    const [, frontMatter = ""] = /^---\n(.*?)\n---\n/s.exec(read(file)) ?? [];
    expect(frontMatter).toMatch(/^title: Voiceplane.*\nmeta_desc: .{50,160}\nlayout: package$/);
  },
);

test("the registry's first page shows all resources in each language, and says so to the chooser", () => {
  const page = read("docs/_index.md");
  const [, languages = "", choices = ""] =
    /\{\{< chooser language "(.*?)" >\}\}(.*)\{\{< \/chooser >\}\}/s.exec(page) ?? [];
  const programs = [
    ...choices.matchAll(/\{\{% choosable language (\w+) %\}\}\n\n```(\w+)(.*?)```\n\n\{\{% \/choosable %\}\}/gs),
  ];
  expect(programs.map(([, language, fence]) => [language, fence])).toEqual(
    languages.split(",").map((language) => [language, language]),
  );
  expect(languages).toBe("typescript,python,go,yaml");
  for (const [, , , program = ""] of programs) {
    for (const type of Object.keys(resources)) expect(program).toContain(type);
  }
});

test("the registry's page on configuration has every option", () => {
  const listed = rows(read("docs/installation-configuration.md").replaceAll("`voiceplane:", "`"));
  expect(listed.map(([, name]) => name)).toEqual(Object.keys(schema.config.variables).map((name) => `\`${name}\``));
});
