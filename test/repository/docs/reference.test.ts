/** The pages of docs/reference/api are what typedoc writes from the doc comments of the package's exports. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../support/folders";
import { root } from "../../support/docs/documents";

jest.setTimeout(300_000);

const folder = temporaryFolder();

/** Runs typedoc with these settings. Resolves to its warnings. Without warnings, the pages are in `out`. */
function typedoc(settings: string, out: string): Promise<string> {
  const options = ["--options", settings, "--out", out, "--logLevel", "Warn"];
  // Another test checks the types. Without them this takes half as long.
  const command = [join(root, "node_modules/typedoc/bin/typedoc"), "--skipErrorChecking", ...options];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root, env: { NO_COLOR: "1" } }, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}` || error.message : "");
    });
  });
}

/** Every page, by its name. */
function pagesOf(path: string): Record<string, string> {
  const names = readdirSync(path).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

test("docs/reference/api is what typedoc writes from the sources", async () => {
  const warnings = await typedoc(join(root, "typedoc.json"), join(folder, "reference"));
  if (warnings !== "") throw new Error(`typedoc does not accept the doc comments of the sources:\n${warnings}`);
  const written = pagesOf(join(folder, "reference"));
  const committed = pagesOf(join(root, "docs/reference/api"));
  const stale = Object.keys({ ...committed, ...written }).filter((name) => committed[name] !== written[name]);
  if (stale.length > 0) {
    throw new Error(
      `docs/reference/api is not what the sources say: run \`npm run reference\`, for ${stale.join(", ")}`,
    );
  }
  expect(Object.keys(written)).toEqual([
    "README.md",
    "pulumi-voiceplane.apply.md",
    "pulumi-voiceplane.md",
    "pulumi-voiceplane.native.md",
    "pulumi-voiceplane.stack.md",
  ]);
});

test("undocumented names, broken links and types that are not exported are refused", async () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  file(
    "entry.ts",
    `/** @module bad */
interface Hidden {}
/** Links to {@link Nowhere}. */
export interface Shown { silent: string }
/** Takes what is not exported. */
export function take(/** What. */ hidden: Hidden): void {}
export type Bare = string;
`,
  );
  // typedoc looks for missing names in the types of the package that it documents, or else in those of the next package
  // above.
  file("package.json", '{ "name": "refused" }');
  file("tsconfig.json", JSON.stringify({ compilerOptions: { types: [], strict: true }, files: ["entry.ts"] }));
  const extending = { extends: [join(root, "typedoc.json")], tsconfig: "tsconfig.json", entryPoints: ["entry.ts"] };

  const warnings = await typedoc(file("typedoc.json", JSON.stringify(extending)), join(folder, "refused"));
  expect(warnings).toMatch(/Bare \(TypeAlias\).* does not have any documentation/);
  expect(warnings).toMatch(/Shown\.silent \(Property\).* does not have any documentation/);
  expect(warnings).toContain('Failed to resolve link to "Nowhere"');
  expect(warnings).toMatch(/Hidden, .* is referenced by take\.hidden but not included/);
});
