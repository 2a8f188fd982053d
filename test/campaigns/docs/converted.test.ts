/** The YAML programs of the pages, as `pulumi convert` writes them in TypeScript: they compile against this package. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { parse, stringify } from "yaml";
import { blocks, schemaBlocks } from "../../support/docs/documents";
import { read, root } from "../../support/repository";
import { installedPackage, sharedInstallation } from "../../support/engine/installation";
import { project } from "../../support/engine/project";
import { temporaryFolder } from "../../support/folders";
import { get, testWith } from "../../support/programs";

// Go compiles the converter, where no earlier run has.
jest.setTimeout(1_800_000);

const codegen = get("tools/engine/program.mjs", "codegen");

interface Program {
  readonly resources?: Readonly<Record<string, { readonly type?: string }>>;
}

/** Whole programs of this package alone. */
const programs = [...schemaBlocks, ...blocks]
  .filter(({ language }) => language === "yaml")
  .flatMap(({ text, file, line }) => {
    try {
      const program = parse(text) as Program | null;
      const types = Object.values(program?.resources ?? {}).map(({ type = "" }) => type);
      const isOwn = types.length > 0 && types.every((type) => type.startsWith("voiceplane:"));
      return isOwn ? [{ name: `${file}:${String(line)}`, program }] : [];
    } catch {
      return [];
    }
  })
  .concat({ name: "examples/pulumi-yaml", program: parse(read("examples/pulumi-yaml/Pulumi.yaml")) as Program });

testWith(codegen, "each of them compiles, and names this package and what it exports", async () => {
  expect(programs.length).toBeGreaterThanOrEqual(5);
  const folder = temporaryFolder();
  const stack = await project();
  const providers = [{ name: "voiceplane", path: join(sharedInstallation(), "node_modules/.bin") }];
  for (const [index, { program }] of programs.entries()) {
    stack.write("Pulumi.yaml", stringify({ ...program, name: "converted", runtime: "yaml", plugins: { providers } }));
    const out = join(stack.folder, `out-${String(index)}`);
    await stack.run(["convert", "--from", "yaml", "--language", "pcl", "--out", out]);
    writeFileSync(join(folder, `${String(index)}.pp`), readFileSync(join(out, "program.pp")));
  }
  execFileSync(codegen.file, ["programs", join(root, "schema.json"), folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const files = programs.map((_program, index) => join(folder, `${String(index)}.ts`));
  for (const file of files) expect(readFileSync(file, "utf8")).toContain('from "pulumi-voiceplane";');
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    paths: {
      "pulumi-voiceplane": [join(installedPackage(), "dist/program/index.d.ts")],
      "@pulumi/pulumi": [join(root, "node_modules/@pulumi/pulumi/index.d.ts")],
      "@pulumi/pulumi/*": [join(root, "node_modules/@pulumi/pulumi/*")],
    },
  };
  const problems = ts.getPreEmitDiagnostics(ts.createProgram(files, options)).map(({ file, messageText }) => {
    const name = programs[Number(basename(file?.fileName ?? "", ".ts"))]?.name ?? file?.fileName;
    return `${String(name)}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});
