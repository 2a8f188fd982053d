import { join } from "node:path";
import { configurationOf, importsConfiguration, readProjectFile } from "../../../../src/cli/pulumi/project";
import { temporaryFolder, write } from "../../../support/folders";

/** What the stack dev of the project has. */
function configured(name: string, config: string, ofStack = "") {
  const folder = temporaryFolder();
  write(folder, { "Pulumi.yaml": `name: ${name}\nruntime: yaml\nconfig: ${config}\n`, "Pulumi.dev.yaml": ofStack });
  const stackFile = join(folder, "Pulumi.dev.yaml");
  const project = readProjectFile(join(folder, "Pulumi.yaml"));
  return { values: Object.fromEntries(configurationOf(project, stackFile)), imports: importsConfiguration(stackFile) };
}

const plain = (text: string | undefined) => ({ isSecret: false, text });

test("each value of a stack has its whole key, its text, and whether it is a secret", () => {
  const file = "config:\n  a:organization: &name acme\n  again: *name\n  n: 5\n  s: {secure: v1}\n  map: {a: 1}\n";
  expect(configured("p", "{}", file)).toEqual({
    values: {
      "a:organization": plain("acme"),
      "p:again": plain("acme"),
      "p:n": plain("5"),
      "p:s": { isSecret: true, text: undefined },
      "p:map": plain(undefined),
    },
    imports: false,
  });
  expect(configured("p", "{}", "environment: [shared]\n").imports).toBe(true);
});

test.each([
  ["a key of another project", "other", "{organization: mine}", undefined],
  ["a key of the project voiceplane itself", "voiceplane", "{organization: mine}", "mine"],
  ["the default of its key", "voiceplane", "{organization: {type: string, default: mine}}", "mine"],
  ["a default of a namespace's key", "voiceplane", '{"voiceplane:organization": {default: mine}}', undefined],
  ["a value of a namespace's key", "other", '{"voiceplane:organization": {value: mine}}', "mine"],
  ["an older project, whose config is a folder", "voiceplane", "stacks", undefined],
])("%s in Pulumi.yaml", (_what, name, config, text) => {
  expect(configured(name, config).values["voiceplane:organization"]?.text).toBe(text);
});

test("a stack's file overrides Pulumi.yaml", () => {
  const { values } = configured("p", "{a: {value: all}, b: {value: all}}", '{"config":{"p:a":"one"}}');
  expect(values).toEqual({ "p:a": plain("one"), "p:b": plain("all") });
});
