/** `moduleResolution: node`, which does not read `exports`, and which many projects and the CLI's own templates still have. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { install, installedPackage } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";

const { exports } = JSON.parse(readFileSync(join(installedPackage(), "package.json"), "utf8")) as {
  exports: Record<string, string | { types: string }>;
};
const nameOf = (path: string) => join("pulumi-voiceplane", path);
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  // By its name: TypeScript marks the member as deprecated.
  ...ts.convertCompilerOptionsFromJson({ moduleResolution: "node10" }, "").options,
  ignoreDeprecations: "6.0",
  resolveJsonModule: true,
  strict: true,
  noEmit: true,
  types: [],
};

test.each(Object.entries(exports))("finds the export %s", (path, target) => {
  const from = join(installedPackage(), "../../index.ts");
  const { resolvedModule } = ts.resolveModuleName(nameOf(path), from, options, ts.sys);
  const file = typeof target === "string" ? target : target.types;
  expect(resolvedModule?.resolvedFileName).toBe(join(installedPackage(), file));
});

test("a program that uses all of them has its types", () => {
  const folder = temporaryFolder();
  install(folder);
  const file = join(folder, "index.ts");
  const modules = Object.entries(exports).flatMap(([path, target]) => (typeof target === "string" ? [] : [path]));
  const imports = modules.map((path, index) => `export type M${index} = typeof import("${nameOf(path)}");\n`);
  const program = `${imports.join("")}
    import { RetentionPolicy } from "pulumi-voiceplane/native";
    // @ts-expect-error: the days are a number
    new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: "90" });
  `;
  writeFileSync(file, program);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, skipLibCheck: true }));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});
