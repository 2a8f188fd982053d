import { globSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { parseDocument } from "yaml";
import { readOrganizationFile } from "../../../src/organization-file/reader";
import { blocks, read, root, schemaBlocks } from "../../support/docs/documents";

// Files of examples/delivery need packages that are not installed here. `npm run test:delivery` compiles them.
const programs = [...blocks, ...schemaBlocks].filter(
  ({ language, role }) =>
    ["ts", "typescript"].includes(language) && role !== "signature" && !role.startsWith("examples/delivery/"),
);
const organizations = blocks.filter(
  ({ language, role }) => language === "yaml" && (role === "" || /organization.*\.yaml$/.test(role)),
);
const data = [...blocks, ...schemaBlocks].filter(({ language }) => ["json", "yaml"].includes(language));
const pythonPrograms = [...blocks, ...schemaBlocks].filter(({ language }) => language === "python");
const scripts = blocks.filter(({ language }) => language === "js");

const examples = globSync(
  ["examples/*/index.ts", "examples/testing/typescript/*.ts", "examples/delivery/receiver.ts"],
  { cwd: root },
);

/** The blocks as modules next to the sources, `.mts` because users write them as ES modules. */
const virtual = new Map(programs.map(({ file, line, text }) => [moduleName(file, line), text]));

function moduleName(file: string, line: number): string {
  return join(root, "test", "docs", `${file.replaceAll(/[/#]/g, "-")}-${line}.mts`);
}

const compiled = compile();
const diagnostics = ts.getPreEmitDiagnostics(compiled);

function compile(): ts.Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  options.paths = {
    "pulumi-voiceplane": [join(root, "src/program/index.ts")],
    "pulumi-voiceplane/native": [join(root, "src/program/native.ts")],
    "pulumi-voiceplane/control-plane": [join(root, "src/control-plane/index.ts")],
  };
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.readFile = (file) => virtual.get(file) ?? readFile(file);
  host.fileExists = (file) => virtual.has(file) || fileExists(file);
  return ts.createProgram([...virtual.keys(), ...examples.map((file) => join(root, file))], options, host);
}

function problemsIn(name: string): string[] {
  if (!compiled.getSourceFile(name)) return ["not compiled at all"];
  return diagnostics
    .filter(({ file }) => file?.fileName === name)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("there are programs and organization files in the documents", () => {
  expect(programs.length).toBeGreaterThanOrEqual(6);
  expect(organizations.length).toBeGreaterThanOrEqual(1);
});

test.each(programs)("the program in $file:$line compiles against the sources", ({ file, line }) => {
  expect(problemsIn(moduleName(file, line))).toEqual([]);
});

test.each(scripts)("the program in $file:$line has no syntax error", ({ text }) => {
  const { diagnostics: found } = ts.transpileModule(text, { reportDiagnostics: true });
  expect(found?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

test.each(pythonPrograms)("the arguments of the Python in $file:$line are in schema.json", ({ text }) => {
  const { resources } = JSON.parse(read("schema.json")) as {
    resources: Record<string, { inputProperties: Record<string, unknown> } | undefined>;
  };
  const calls = [...text.matchAll(/voiceplane\.(\w+)\(\s*"[\w-]+",(.*?)\)$/gms)];
  expect(calls).not.toEqual([]);
  for (const [, name = "", args = ""] of calls) {
    const known = Object.keys(resources[`voiceplane:index:${name}`]?.inputProperties ?? {}).map(snakeCase);
    expect(known).toEqual(expect.arrayContaining([...args.matchAll(/(\w+)=/g)].map((match) => match[1])));
  }
});

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test.each(data)("the $language in $file:$line can be parsed", ({ text }) => {
  // JSON is a subset of YAML.
  expect(parseDocument(text).errors).toEqual([]);
});

test.each(examples)("%s compiles against the sources", (file) => {
  expect(problemsIn(join(root, file))).toEqual([]);
});

test.each(organizations)("the organization file in $file:$line is valid", ({ text }) => {
  expect(readOrganizationFile(text)).toHaveProperty("organization");
});

test("the repository's own organization file is valid", () => {
  expect(readOrganizationFile(read("organization.yaml"))).toHaveProperty("organization");
});
