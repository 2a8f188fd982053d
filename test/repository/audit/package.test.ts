/** What the packed release contains, and what its manifest says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipelineFiles } from "../../../src/cli/init/pipelines";
import { installedPackage } from "../../support/engine/installation";

const root = resolve(__dirname, "../../..");
const beside = ["CHANGELOG.md", "LICENSE", "README.md", "organization.schema.json", "package.json", "schema.json"];
/** The native plugin, bundled with what it needs. */
const plugin = "dist/pulumi-resource-voiceplane.js";

function files(): string[] {
  return readdirSync(installedPackage(), { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installedPackage().length + 1));
}

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
  const known = [plugin, ...beside];
  expect(files()).toEqual(expect.arrayContaining(["dist/program/index.js", ...known]));
  expect(
    files().filter((file) => !isCompiled(file) && !isCopied(file) && !isWritten(file) && !known.includes(file)),
  ).toEqual([]);
});

test("the package has the templates and pipelines that init writes", () => {
  const repository = { root: "", folder: "", defaultBranch: "main" };
  const pipeline = (ci: "github" | "gitlab" | "none") => Object.keys(pipelineFiles(ci, repository, "nodejs"));
  expect(pipeline("github").map((path) => basename(path))).toEqual([
    "voiceplane.yml",
    "voiceplane-stack.yml",
    "action.yml",
  ]);
  expect(pipeline("gitlab")).toEqual([".gitlab-ci.yml", ".gitlab/voiceplane.yml"]);
  expect(pipeline("none")).toEqual([]);
  const templates = ["Pulumi.yaml", "gitignore", "index.js", "organization.yaml", "package.json", "program.yaml"];
  const written = [
    // The waves are for copying.
    ...["actions/voiceplane/action.yml", "voiceplane-stack.yml", "voiceplane-waves.yml", "voiceplane.yml"].map(
      (name) => `examples/pipelines/github/${name}`,
    ),
    ...pipeline("gitlab").map((name) => `examples/pipelines/gitlab/${name}`),
    ...templates.map((name) => `templates/${name}`),
  ];
  expect(
    files()
      .filter((file) => /^(examples|templates)\//.test(file))
      .sort(),
  ).toEqual(written.sort());
});

test("installing the package runs no script, and publishing it proves its origin", () => {
  const manifest = JSON.parse(readFileSync(join(installedPackage(), "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    publishConfig: unknown;
  };
  expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
});
