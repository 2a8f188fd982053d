/** What the doctor says of what is installed: the Pulumi CLI, the plugin and the packages that the project needs. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { queryPulumi } from "../../../../../src/cli/pulumi/cli";
import { programs } from "../../../../support/folders";
import {
  examined,
  ownPackage,
  ownVersion,
  project,
  pulumiWith,
  pulumiYaml,
  sdk,
  temporaryFolder,
  testFindings,
  typescript,
  wholeProject,
  write,
} from "./project";

const failing = programs({ pulumi: 'echo "hush"; echo "error: cannot open libc.so.6" >&2; exit 255' });
const withFailing = { PATH: `${failing}:${process.env.PATH ?? ""}` };

testFindings("machine", ["engine"], {
  "Pulumi 3.250.0": () => ({ pulumi: pulumiWith({ version: "v3.250.0" }) }),
  "Pulumi 3.249.9": () => ({ pulumi: pulumiWith({ version: "v3.249.9\n" }) }),
  "Pulumi 4.0.0": () => ({ pulumi: pulumiWith({ version: "v4.0.0\n" }) }),
  "a pulumi that prints no version": () => ({ pulumi: pulumiWith({ version: "Usage: hush-hush\n" }) }),
  "a missing engine": () => ({ pulumi: queryPulumi({ PATH: temporaryFolder() }) }),
  "an engine that fails: its path and its error": () => ({ pulumi: queryPulumi(withFailing), env: withFailing }),
});

type Files = Readonly<Record<string, string>>;

const withYaml =
  (text: string, more: Files = {}) =>
  () => ({ folder: project({ "Pulumi.yaml": text, ...more }) });
const node = (more: Files) => withYaml(pulumiYaml, more);

testFindings("project", ["project", "sdk", "package"], {
  "a project below which the command runs": () => ({
    folder: join(project({ ...wholeProject, "deep/er/x": "" }), "deep/er"),
  }),
  "of several files, the one that the engine takes": node({ "Pulumi.json": '{ "name": "acme", "runtime": "yaml" }' }),
  "no project": () => ({ folder: temporaryFolder() }),
  "a file that is not YAML": withYaml("name: [acme"),
  "a file that is a list": withYaml("- a list"),
  "an empty file": withYaml(""),
  "no runtime": withYaml("name: acme\n"),
  "two folders of stacks": withYaml("name: acme\nruntime: nodejs\nconfig: a\nstackConfigDir: b\n"),
  "the oldest SDK that works": node(sdk("3.250.0")),
  "an older SDK": node(sdk("3.249.0")),
  "another major version": node(sdk("4.0.0")),
  "main is a file: packages are looked up from the program's folder": withYaml(
    `${pulumiYaml}main: program/index.js\n`,
    {
      "program/index.js": "",
      ...sdk("3.270.0", "program/node_modules"),
      ...ownPackage(ownVersion, "program/node_modules"),
    },
  ),
  "main is a folder, which finds no package": withYaml(`${pulumiYaml}main: bin\n`, { "bin/index.js": "" }),
  "packages without a version": node({
    "node_modules/@pulumi/pulumi/package.json": "{}",
    "node_modules/pulumi-voiceplane/package.json": "{",
  }),
  "another version than the doctor's own": node({ ...sdk(), ...ownPackage("0.0.9") }),
});

const plugin = (folder: string, name = "pulumi-resource-voiceplane") => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "#!/usr/bin/env node\n", { mode: 0o755 });
};

/** A project with the package, as `npm install` leaves it: a link in `.bin` to the package's file. */
function installedByNpm(text: string): string {
  const folder = project({ "Pulumi.yaml": text, ...ownPackage() });
  plugin(join(folder, "node_modules/pulumi-voiceplane/dist"), "pulumi-resource-voiceplane.js");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(
    "../pulumi-voiceplane/dist/pulumi-resource-voiceplane.js",
    join(folder, "node_modules/.bin/pulumi-resource-voiceplane"),
  );
  return folder;
}

/** A Python project that names no folder, beside plugins that the engine has installed. */
function amongInstalled(env: Readonly<Record<string, string>>, versions = ["0.0.9", "0.0.10"]) {
  const folder = installedByNpm("name: acme\nruntime: python\n");
  for (const version of versions) plugin(join(folder, `plugins/resource-voiceplane-v${version}`));
  write(folder, { "plugins/resource-voiceplane-v0.0.9.lock": "" });
  return { folder, env: { PULUMI_HOME: folder, PATH: `/nowhere:${join(folder, "node_modules/.bin")}`, ...env } };
}

const noAmbient = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true" };
const versioned = `plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin, version: ${ownVersion} }] }`;
const yamlWith = (line: string) => `name: acme\nruntime: yaml\n${line}\n`;
const pythonProject =
  "name: acme\nruntime: { name: python, options: { virtualenv: venv } }\n" +
  "plugins: { providers: [{ name: voiceplane, path: node_modules/.bin }] }\n";

const byNpm = (text: string) => () => ({ folder: installedByNpm(text) });
/** A project without a plugin, and nothing installed. */
const bare =
  (text: string, files: Files = {}) =>
  () => {
    const folder = project({ "Pulumi.yaml": text, ...files });
    return { folder, env: { PULUMI_HOME: folder } };
  };

testFindings("plugin", ["plugin", "sdk", "typescript", "package"], {
  "a YAML project that names its folder": byNpm(yamlWith(versioned)),
  "a Python project that names its folder": byNpm(pythonProject),
  "a YAML project that names no version, so that each command starts it twice": byNpm(
    yamlWith("packages: { voiceplane: ./node_modules/.bin }"),
  ),
  "a YAML project that names another version": byNpm(yamlWith(versioned.replace(ownVersion, "0.0.9"))),
  "missing in the folder that Pulumi.yaml names, though it is elsewhere": () => {
    const folder = project({ "Pulumi.yaml": yamlWith(versioned) });
    plugin(join(folder, "bin"));
    return { folder, env: { PATH: join(folder, "bin") } };
  },
  "found on PATH before an installed one": () => amongInstalled({}),
  "not found in a folder that npx adds": () => amongInstalled({ npm_lifecycle_event: "npx" }),
  "not found on PATH if the engine ignores that": () => amongInstalled(noAmbient),
  "a release is newer than its candidates": () => amongInstalled(noAmbient, ["0.0.2-rc.1", "0.0.2", "0.0.2-rc.2"]),
  "numbers are compared as numbers": () => amongInstalled(noAmbient, ["0.0.9", "0.0.10-rc.2", "0.0.10-rc.10"]),
  "missing in a YAML project": bare("name: acme\nruntime: yaml\n"),
  "missing in a Python project": bare("name: acme\nruntime: python\n"),
  "missing in a Node program that uses it": bare(pulumiYaml, {
    ...wholeProject,
    "index.js": 'require("pulumi-voiceplane/native");\n',
  }),
});

const compiling = (more: Files, option = "") =>
  withYaml(`name: acme\nruntime: { name: nodejs${option} }\n`, { ...sdk(), ...more });

testFindings("typescript", ["typescript"], {
  "TypeScript 7, which the engine cannot load": compiling(typescript("7.0.2")),
  "with typescript: true": compiling(typescript("7.0.2"), ", options: { typescript: true }"),
  "with typescript: false": compiling(typescript("7.0.2"), ", options: { typescript: false }"),
  "found where the SDK resolves it: beside the SDK's real folder": () => {
    const store = project({ ...sdk(), ...typescript("7.0.2") });
    const folder = project({ "Pulumi.yaml": "name: acme\nruntime: nodejs\n", "node_modules/x": "" });
    symlinkSync(join(store, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"));
    return { folder };
  },
  "TypeScript 6": compiling(typescript("6.0.3")),
  "no TypeScript": compiling({}),
  "a TypeScript without a version": compiling({ "node_modules/typescript/package.json": "{}" }),
});

describe("the package", () => {
  const fromString = resolve(__dirname, "../../../../../node_modules/require-from-string");

  /** Whether a provider's process, which the SDK starts in the program's folder, can load the code that the state names. */
  function providerFindsIt(programFolder: string): boolean {
    const script = `require(${JSON.stringify(fromString)})(process.argv[1]).handler()`;
    const inState = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
    return spawnSync(process.execPath, ["-e", script, inState], { cwd: programFolder }).status === 0;
  }

  const plain = { "Pulumi.yaml": pulumiYaml, ...sdk() };

  function linked(): string {
    const folder = project(plain);
    const target = join(project(ownPackage()), "node_modules/pulumi-voiceplane");
    symlinkSync(target, join(folder, "node_modules/pulumi-voiceplane"));
    return folder;
  }

  const below = () => join(project({ ...ownPackage(), "packages/voice/Pulumi.yaml": pulumiYaml }), "packages/voice");
  const ofLibrary = ownPackage(ownVersion, "node_modules/lib/node_modules");
  const prefix = "node_modules/pulumi-voiceplane/";
  const itself = Object.entries(ownPackage()).map(([path, text]) => [path.replace(prefix, ""), text] as const);

  test.each([
    ["installed", () => project({ ...plain, ...ownPackage() }), true],
    ["behind a link", linked, true],
    ["installed for the workspace above", below, true],
    ["not installed", () => project(plain), false],
    ["installed for a library only", () => project({ ...plain, ...ofLibrary }), false],
    ["the project itself, which nothing links to", () => project({ ...plain, ...Object.fromEntries(itself) }), false],
  ])("%s: the doctor reports what a provider's process would find", async (_what, make, found) => {
    const folder = make();
    expect(providerFindsIt(folder)).toBe(found);
    const line = (await examined({ folder })).find((each) => each.split(" ")[1] === "package");
    expect(line).toMatch(
      found ? /^ok package pulumi-voiceplane \d+\.\d+\.\d+$/ : /^problem package pulumi-voiceplane .*nstall/,
    );
  });
});
