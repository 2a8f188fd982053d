/** What the packed release contains, and what its manifest says. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { filesBelow } from "../../support/engine/output";
import { root } from "../../support/repository";

const beside = ["CHANGELOG.md", "LICENSE", "README.md", "organization.schema.json", "package.json", "schema.json"];
/** The native plugin, bundled with what it needs. */
const plugin = "dist/pulumi-resource-voiceplane.js";

/** The files of a folder, by their paths from `base`. */
const below = (base: string, folder = ""): string[] =>
  filesBelow(join(base, folder)).map((file) => file.slice(base.length + 1));
const files = (): string[] => below(installedPackage());

test("the package holds the compiled current sources and a few documents", () => {
  const isCompiled = (file: string): boolean =>
    /^dist\/.*\.(js|d\.ts)$/.test(file) &&
    existsSync(join(root, file.replace(/^dist/, "src").replace(/(\.d\.ts|\.js)$/, ".ts")));
  const isCopied = (file: string): boolean => {
    const source = join(root, file.replace(/^dist/, "src"));
    const copy = join(installedPackage(), file);
    return existsSync(source) && readFileSync(source).equals(readFileSync(copy));
  };
  /** Files that `voiceplane init` copies into a project. */
  const isWritten = (file: string): boolean =>
    /^(examples\/pipelines\/[\w./-]+\.yml|templates\/[\w.]+)$/.test(file) && existsSync(join(root, file));
  // The classes of both modules, bundled.
  const known = [plugin, "dist/program/classes.js", ...beside];
  expect(files()).toEqual(expect.arrayContaining(["dist/program/index.js", ...known]));
  expect(
    files().filter((file) => !isCompiled(file) && !isCopied(file) && !isWritten(file) && !known.includes(file)),
  ).toEqual([]);
});

test("the package has the templates and pipelines that init writes, and the waves, which are for copying", () => {
  const written = ["examples/pipelines", "templates"].flatMap((folder) => below(root, folder));
  expect(written).toContain("examples/pipelines/gitlab/.gitlab/voiceplane.yml");
  expect(
    files()
      .filter((file) => /^(examples|templates)\//.test(file))
      .sort(),
  ).toEqual(written.filter((file) => !file.endsWith("README.md")).sort());
});

test("installing the package runs no script, and publishing it proves its origin", () => {
  const manifest = JSON.parse(readFileSync(join(installedPackage(), "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    publishConfig: unknown;
  };
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
});
