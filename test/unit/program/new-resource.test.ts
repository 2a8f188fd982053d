/** The class that the tools write for a resource that is added to the table compiles, and so does a program with it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { resources } from "../../../src/resources/index.js";
import { callLimitEntry } from "../../support/resources/call-limit.js";
import { classesOf, root } from "../../support/resources/generators.js";

const program = join(root, "test/unit/program/virtual-program.ts");
const table = join(root, "src/resources/index.ts");

/** The sources with one more line in the table, which a program uses. */
const virtual = new Map([
  ...Object.entries(classesOf({ ...resources, CallLimit: callLimitEntry })).map(
    ([file, text]) => [join(root, file), text] as const,
  ),
  [
    table,
    readFileSync(table, "utf8").replace(
      "export const resources = {",
      'export const resources = { CallLimit: { ...(0 as unknown as ResourceEntry), path: "call-limit" },',
    ),
  ],
]);

function problemsOf(text: string): string[] {
  virtual.set(program, text);
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.readFile = (file) => virtual.get(file) ?? readFile(file);
  host.fileExists = (file) => virtual.has(file) || fileExists(file);
  const compiled = ts.createProgram([program], options, host);
  const files = [...virtual.keys()].flatMap((file) => compiled.getSourceFile(file) ?? []);
  if (!files.some(({ fileName }) => fileName === program)) throw new Error("the program was not compiled");
  return files.flatMap((file) =>
    compiled.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  );
}

test("with the arguments and outputs of its schema, and no others", () => {
  const text = `
    import { output, type Output } from "@pulumi/pulumi/output";
    import { CallLimit } from "../../../src/program/generated/call-limit.js";
    const limit = new CallLimit("a", { direction: "inbound", calls: output(5), window: { hours: [output(1), 2] }, pin: "1" });
    export const outputs: [Output<number>, Output<string | undefined>, Output<string>] = [limit.calls, limit.ticket, limit.organization];
    // @ts-expect-error: a required argument is missing
    new CallLimit("b", { direction: "inbound" });
    // @ts-expect-error: not one of the two
    new CallLimit("c", { direction: "sideways", calls: 1 });
    // @ts-expect-error: not an output
    limit.pin;
  `;
  expect(problemsOf(text)).toEqual([]);
}, 60_000);
