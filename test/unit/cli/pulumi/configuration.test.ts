import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { readConfiguration } from "../../../../src/cli/pulumi/configuration";
import { configuredText, readProjectFile, type Project } from "../../../../src/cli/pulumi/project";
import { temporaryFolder } from "../../../support/folders";

function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

test("each value has its text, the place of its key and whether it is a secret", () => {
  const { values, imports } = readConfiguration(
    file(
      "Pulumi.dev.yaml",
      "config:\n  voiceplane:organization: &name acme\n  again: *name\n  n: 5\n  s: {secure: v1}\n  map: {a: 1}\n",
    ),
  );
  expect(Object.fromEntries(values)).toEqual({
    "voiceplane:organization": { text: "acme", secret: false, place: { line: 2, column: 3 } },
    again: { text: "acme", secret: false, place: { line: 3, column: 3 } },
    n: { text: "5", secret: false, place: { line: 4, column: 3 } },
    s: { text: undefined, secret: true, place: { line: 5, column: 3 } },
    map: { text: undefined, secret: false, place: { line: 6, column: 3 } },
  });
  expect(imports).toBe(false);
});

const ofYaml = (name: string, config: string) =>
  readProjectFile(file("Pulumi.yaml", `name: ${name}\nruntime: yaml\nconfig: ${config}\n`)) as Project;

test.each([
  ["a key of another project", "other", "{organization: mine}", undefined],
  ["a key of the project voiceplane itself", "voiceplane", "{organization: mine}", "mine"],
  ["the default of its key", "voiceplane", "{organization: {type: string, default: mine}}", "mine"],
  ["a default of a namespace's key", "voiceplane", '{"voiceplane:organization": {default: mine}}', undefined],
  ["a value of a namespace's key", "other", '{"voiceplane:organization": {value: mine}}', "mine"],
])("%s in Pulumi.yaml", (_what, name, config, text) => {
  const project = ofYaml(name, config);
  expect(configuredText(project, join(project.folder, "Pulumi.dev.yaml"), "organization")).toBe(text);
});

test("a stack's file overrides Pulumi.yaml", () => {
  const stackFile = file("Pulumi.dev.json", '{"config":{"voiceplane:organization":"one"}}');
  const project = ofYaml("p", '{"voiceplane:organization": {value: all}}');
  expect(configuredText(project, stackFile, "organization")).toBe("one");
});
