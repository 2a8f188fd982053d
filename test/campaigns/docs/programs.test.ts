/** The programs of the documentation and of the examples, compiled as users compile them. */
import { globSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { blocks, schemaBlocks } from "../../support/docs/documents";
import { root } from "../../support/repository";

const programs = [...blocks, ...schemaBlocks].filter(
  ({ language, role }) => ["ts", "typescript"].includes(language) && role !== "signature",
);

const examples = globSync("examples/*/*.ts", { cwd: root });

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
  options.allowImportingTsExtensions = true;
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

test("there are programs in the documents", () => {
  expect(programs.length).toBeGreaterThanOrEqual(6);
});

test.each(programs)("the program in $file:$line compiles against the sources", ({ file, line }) => {
  expect(problemsIn(moduleName(file, line))).toEqual([]);
});

test.each(examples)("%s compiles against the sources", (file) => {
  expect(problemsIn(join(root, file))).toEqual([]);
});
