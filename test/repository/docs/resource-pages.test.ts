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
