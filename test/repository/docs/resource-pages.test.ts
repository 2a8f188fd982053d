/** The pages of the resources, and those that the Pulumi Registry shows. schemas.test.ts checks the tables, which are written. */
import { resources } from "../../../src/resources/index.js";
import { read } from "../../support/repository";

/** The text below a heading, up to the next one of its level. */
function section(page: string, title: string): string {
  return new RegExp(`^## ${title}\\n(.*?)(?=^## |(?![^]))`, "ms").exec(page)?.[1] ?? "";
}

const pages = Object.entries(resources).map(([type, { path }]) => ({ type, page: read(`docs/reference/${path}.md`) }));

test.each(pages)(
  "the page of $type has an example in each language, and the sections that people look for, in this order",
  ({ page }) => {
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

/** Lists of the resources that are written by hand, and the line for one of them. */
const lists: Record<string, (type: string, path: string, section: string) => string> = {
  "README.md": (type, path) => `[${type}](docs/reference/${path}.md)`,
  "CHANGELOG.md": (type) => type,
  "docs/README.md": (type, path) => `[${type}](reference/${path}.md)`,
  "docs/_index.md": (type) => `(\`${type}\`)`,
  "docs/reference/interface.md": (type, path) => `[${type}](${path}.md#requests)`,
  "docs/operate/undo.md": (type) => type,
  "docs/guides/adopt-an-organization.md": (_type, _path, section) => `\n${section}:\n`,
  "docs/reference/organization-file.md": (_type, _path, section) => `\n${section}:\n`,
  "templates/organization.yaml": (_type, _path, section) => `\n${section}: {}\n`,
  "organization.yaml": (_type, _path, section) => `\n${section}:\n`,
  "test/engine/secrets/updates.test.ts": (type) => `new ${type}(`,
  "examples/minimal/index.ts": (type) => `new ${type}(`,
  "examples/organization/index.ts": (_type, _path, section) => `\n  ${section}: {\n`,
  "examples/pulumi-yaml/Pulumi.yaml": (_type, _path, section) => `\n      ${section}:\n`,
  "examples/python/main.py": (_type, _path, section) => `\n            "${section}": {\n`,
};

test.each(Object.keys(lists))("%s lists every resource", (file) => {
  const lines = Object.entries(resources).map(([type, { path, section }]) => lists[file]?.(type, path, section.name));
  const text = read(file);
  expect(lines.filter((line) => !text.includes(line ?? ""))).toEqual([]);
});
