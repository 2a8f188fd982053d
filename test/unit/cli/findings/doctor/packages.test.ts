import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  examined,
  lineOf,
  ownPackage,
  ownVersion,
  project,
  pulumiYaml,
  sdk,
  temporaryFolder,
  typescript,
  write,
} from "./project";

const compiling = { "Pulumi.yaml": "name: acme\nruntime: nodejs\n" };

describe("the project", () => {
  test("is found in the folder and above it, under every file name that the engine accepts", async () => {
    const folder = project();
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    expect(await lineOf("project", { folder: join(folder, "deep/er") })).toBe(
      `ok project ${join(folder, "Pulumi.yaml")}`,
    );
    const json = project({ "Pulumi.json": '{ "name": "acme", "runtime": "nodejs" }' });
    expect(await lineOf("project", { folder: json })).toBe(`ok project ${join(json, "Pulumi.json")}`);
  });

  test("is missing: no line about packages", async () => {
    const folder = temporaryFolder();
    const lines = await examined({ folder });
    expect(lines).toContain(
      `failure project there is no Pulumi.yaml in ${folder} or above it. ` +
        "Run this in the project's folder, or pass that folder: npx pulumi-voiceplane doctor -C DIR. To create a project: " +
        "npx pulumi-voiceplane init DIR. doctor cannot read the project of a program that uses the Automation API.",
    );
    expect(lines.filter((line) => /^\w+ (sdk|typescript|package) /.test(line))).toEqual([]);
  });

  test.each([["name: [acme"], ["- a list"], [""]])("a Pulumi.yaml of %j cannot be read", async (text) => {
    const folder = project({ "Pulumi.yaml": text });
    expect(await lineOf("project", { folder })).toBe(
      `failure project ${join(folder, "Pulumi.yaml")} cannot be read as a Pulumi project`,
    );
  });

  test("needs a runtime", async () => {
    const folder = project({ "Pulumi.yaml": "name: acme\n" });
    expect(await lineOf("project", { folder })).toBe(
      `failure project ${join(folder, "Pulumi.yaml")} has no runtime, such as nodejs or yaml`,
    );
  });

  test("names the folder of the stacks once", async () => {
    const folder = project({ "Pulumi.yaml": "name: acme\nruntime: nodejs\nconfig: a\nstackConfigDir: b\n" });
    expect(await lineOf("project", { folder })).toBe(
      `failure project ${join(folder, "Pulumi.yaml")} names the folder of the stacks in config and in stackConfigDir: keep stackConfigDir`,
    );
  });

  test("of several files is the one that the engine takes", async () => {
    const folder = project({ "Pulumi.json": '{ "name": "acme", "runtime": "nodejs" }', "Pulumi.yaml": pulumiYaml });
    expect(await lineOf("project", { folder })).toBe(`ok project ${join(folder, "Pulumi.json")}`);
  });
});

const plugin = (folder: string, name = "pulumi-resource-voiceplane") => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "#!/usr/bin/env node\n", { mode: 0o755 });
};

/** As `npm install` leaves it: a link in `.bin` to the package's file. */
const pluginByNpm = (folder: string, version = ownVersion) => {
  write(folder, ownPackage(version));
  plugin(join(folder, "node_modules/pulumi-voiceplane/dist"), "pulumi-resource-voiceplane.js");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(
    "../pulumi-voiceplane/dist/pulumi-resource-voiceplane.js",
    join(folder, "node_modules/.bin/pulumi-resource-voiceplane"),
  );
};

const versioned = `plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin, version: ${ownVersion} }] }`;
const yamlProject = `name: acme\nruntime: yaml\n${versioned}\n`;
const pythonProject =
  "name: acme\nruntime: { name: python, options: { virtualenv: venv } }\n" +
  "plugins: { providers: [{ name: voiceplane, path: node_modules/.bin }] }\n";

describe("the plugin", () => {
  test.each([
    ["YAML", yamlProject],
    ["Python", pythonProject],
  ])(
    "is found where Pulumi.yaml of a %s project names its folder, and no Node package is asked for",
    async (_, text) => {
      const folder = project({ "Pulumi.yaml": text });
      pluginByNpm(folder);
      const lines = await examined({ folder });
      expect(lines.slice(2, 4)).toEqual([
        `ok project ${folder}/Pulumi.yaml`,
        `ok plugin pulumi-resource-voiceplane ${ownVersion}, as Pulumi.yaml says: ${folder}/node_modules/.bin/pulumi-resource-voiceplane`,
      ]);
    },
  );

  test.each([
    [
      "packages: { voiceplane: ./node_modules/.bin }",
      "Pulumi.yaml does not name its version, so each command starts it twice",
    ],
    [versioned.replace(ownVersion, "0.0.9"), "Pulumi.yaml names the version 0.0.9"],
  ])("of a YAML project with %s: a warning has the line to write", async (named, problem) => {
    const folder = project({ "Pulumi.yaml": `name: acme\nruntime: yaml\n${named}\n` });
    pluginByNpm(folder);
    expect(await lineOf("plugin", { folder })).toBe(
      `warning plugin pulumi-resource-voiceplane ${ownVersion}, as Pulumi.yaml says: ` +
        `${folder}/node_modules/.bin/pulumi-resource-voiceplane; ${problem}. Write \`${versioned}\` into Pulumi.yaml.`,
    );
  });

  test("is missing in the folder that Pulumi.yaml names, though it is elsewhere", async () => {
    const folder = project({ "Pulumi.yaml": yamlProject });
    plugin(join(folder, "bin"));
    expect(await lineOf("plugin", { folder, env: { PATH: join(folder, "bin") } })).toBe(
      `failure plugin there is no pulumi-resource-voiceplane in ${folder}/node_modules/.bin, the folder that Pulumi.yaml names. ` +
        "Run npm install in the project's folder.",
    );
  });

  const unnamed = "name: acme\nruntime: python\n";

  test("is found on PATH before an installed one, and not in a folder that npx adds", async () => {
    const folder = project({ "Pulumi.yaml": unnamed });
    const home = temporaryFolder();
    plugin(join(home, "plugins/resource-voiceplane-v0.0.9"));
    plugin(join(home, "plugins/resource-voiceplane-v0.0.10"));
    plugin(join(home, "plugins/resource-voiceplane-v0.2.0"));
    write(home, { "plugins/resource-voiceplane-v0.2.0.partial": "", "plugins/resource-voiceplane-v0.0.9.lock": "" });
    const env = { PULUMI_HOME: home, PATH: "/nowhere" };
    const installed =
      `warning plugin pulumi-resource-voiceplane 0.0.10, installed: ${home}/plugins/resource-voiceplane-v0.0.10/` +
      `pulumi-resource-voiceplane; this command is ${ownVersion}. Install the same version of both, or run the project's own command: npx voiceplane doctor.`;
    expect(await lineOf("plugin", { folder, env })).toBe(installed);
    pluginByNpm(folder);
    const withBin = { ...env, PATH: `/nowhere:${join(folder, "node_modules/.bin")}` };
    expect(await lineOf("plugin", { folder, env: { ...withBin, npm_lifecycle_event: "npx" } })).toBe(installed);
    expect(await lineOf("plugin", { folder, env: withBin })).toBe(
      `ok plugin pulumi-resource-voiceplane ${ownVersion}, from PATH: ${folder}/node_modules/.bin/pulumi-resource-voiceplane`,
    );
    expect(await lineOf("plugin", { folder, env: { ...withBin, PULUMI_IGNORE_AMBIENT_PLUGINS: "true" } })).toBe(
      installed,
    );
  });

  test.each([
    ["yaml", versioned],
    ["python", "plugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin }] }"],
  ])("is missing: the advice has the line for %s", async (runtime, line) => {
    const folder = project({ "Pulumi.yaml": `name: acme\nruntime: ${runtime}\n` });
    expect(await lineOf("plugin", { folder, env: { PULUMI_HOME: folder } })).toBe(
      "failure plugin the native plugin was not found: Pulumi.yaml does not name its folder, and it is neither on PATH nor among the engine's plugins. " +
        `Run npm install pulumi-voiceplane and write \`${line}\` into Pulumi.yaml, or install an archive of a release: ` +
        `\`pulumi plugin install resource voiceplane ${ownVersion} --file pulumi-resource-voiceplane-v${ownVersion}-<system>.tar.gz\`.`,
    );
  });

  test("is asked for in a Node program only if that uses it", async () => {
    const folder = project();
    expect(await lineOf("plugin", { folder })).toBeUndefined();
    write(folder, { "index.js": 'require("pulumi-voiceplane/native");\n' });
    expect(await lineOf("plugin", { folder, env: { PULUMI_HOME: folder } })).toMatch(/^failure plugin /);
  });
});

describe("the SDK", () => {
  const advice = "Run npm install; the project's package.json must list @pulumi/pulumi (^3.250.0).";

  test.each([
    [sdk("3.270.0"), "ok sdk @pulumi/pulumi 3.270.0"],
    [sdk("3.250.0"), "ok sdk @pulumi/pulumi 3.250.0"],
    [sdk("3.249.0"), `failure sdk @pulumi/pulumi 3.249.0 is not compatible with this package. ${advice}`],
    [sdk("4.0.0"), `failure sdk @pulumi/pulumi 4.0.0 is not compatible with this package. ${advice}`],
    [{}, `failure sdk @pulumi/pulumi is not installed. ${advice}`],
  ])("%j: %s", async (files, line) => {
    expect(await lineOf("sdk", { folder: project({ "Pulumi.yaml": pulumiYaml, ...files }) })).toBe(line);
  });
});

describe("TypeScript 7", () => {
  test("is a failure if the engine loads it", async () => {
    const folder = project({ ...compiling, ...sdk(), ...typescript("7.0.2") });
    expect(await lineOf("typescript", { folder })).toBe(
      "failure typescript the engine cannot use TypeScript 7.0.2, which has no compiler for it to load. " +
        "Set `typescript: false` under `runtime: options:` in Pulumi.yaml, or run npm install typescript@6.",
    );
  });

  test("is ok with typescript: false, and only with that", async () => {
    const withOption = (value: string) =>
      project({
        "Pulumi.yaml": `name: acme\nruntime: { name: nodejs, options: { typescript: ${value} } }\n`,
        ...sdk(),
        ...typescript("7.0.2"),
      });
    expect(await lineOf("typescript", { folder: withOption("false") })).toBe(
      "ok typescript no compiler is loaded: Pulumi.yaml says typescript: false",
    );
    expect(await lineOf("typescript", { folder: withOption("true") })).toMatch(/^failure /);
  });

  test("is found where the SDK resolves it: beside the SDK's real folder", async () => {
    const store = project({ ...sdk(), ...typescript("7.0.2") });
    const folder = project(compiling);
    mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
    symlinkSync(join(store, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"));
    expect(await lineOf("typescript", { folder })).toMatch(/^failure typescript .* TypeScript 7\.0\.2/);
  });

  test("is not reported for an older TypeScript, or for none", async () => {
    const older = project({ ...compiling, ...sdk(), ...typescript("6.0.3") });
    expect(await lineOf("typescript", { folder: older })).toBe("ok typescript TypeScript 6.0.3");
    const none = project({ ...compiling, ...sdk() });
    expect(await lineOf("typescript", { folder: none })).toBe(
      "ok typescript none is installed: the SDK brings its own",
    );
  });
});

describe("the package", () => {
  const fromString = resolve(__dirname, "../../../../../node_modules/require-from-string");

  /**
   * Whether a provider's process, which the SDK starts in the program's folder, can load the code that the state names.
   */
  function providerFindsIt(programFolder: string): boolean {
    const script = `require(${JSON.stringify(fromString)})(process.argv[1]).handler()`;
    const inState = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
    return spawnSync(process.execPath, ["-e", script, inState], { cwd: programFolder }).status === 0;
  }

  const plain = { "Pulumi.yaml": pulumiYaml, ...sdk() };

  function linked(): string {
    const folder = project(plain);
    symlinkSync(
      join(project(ownPackage()), "node_modules/pulumi-voiceplane"),
      join(folder, "node_modules/pulumi-voiceplane"),
    );
    return folder;
  }

  function workspace(): string {
    const root = project(ownPackage());
    write(root, { "packages/voice/Pulumi.yaml": pulumiYaml });
    return join(root, "packages/voice");
  }

  function itself(): string {
    return project({
      ...plain,
      "package.json": JSON.stringify({
        name: "pulumi-voiceplane",
        exports: { "./dynamic/retention-policy": "./dist/provider/dynamic/retention-policy.js" },
      }),
      "dist/provider/dynamic/retention-policy.js": "",
    });
  }

  test.each([
    ["installed", () => project({ ...plain, ...ownPackage() }), true],
    ["behind a link", linked, true],
    ["installed for the workspace above", workspace, true],
    ["not installed", () => project(plain), false],
    [
      "installed for a library only",
      () => project({ ...plain, ...ownPackage(ownVersion, "node_modules/lib/node_modules") }),
      false,
    ],
    ["the project itself, which nothing links to", itself, false],
  ])("%s: the doctor reports what a provider's process would find", async (_what, make, found) => {
    const folder = make();
    expect(providerFindsIt(folder)).toBe(found);
    const line = await lineOf("package", { folder });
    expect(line).toMatch(
      found ? /^ok package pulumi-voiceplane \d+\.\d+\.\d+$/ : /^failure package pulumi-voiceplane .*nstall/,
    );
  });

  test.each([["program/index.js"], ["program"]])(
    "with main: %s the package is looked up from the program's folder",
    async (main) => {
      const folder = project({
        "Pulumi.yaml": `${pulumiYaml}main: ${main}\n`,
        "program/index.js": "",
        ...sdk("3.270.0", "program/node_modules"),
        ...ownPackage(ownVersion, "program/node_modules"),
      });
      expect(await examined({ folder })).toEqual(
        expect.arrayContaining(["ok sdk @pulumi/pulumi 3.270.0", `ok package pulumi-voiceplane ${ownVersion}`]),
      );
    },
  );

  test("another version than the doctor's own is reported", async () => {
    const folder = project({ ...plain, ...ownPackage("0.0.9") });
    expect(await lineOf("package", { folder })).toBe(
      `warning package the project has pulumi-voiceplane 0.0.9, and this command is ${ownVersion}. ` +
        "Run the project's own command in its folder: npx voiceplane doctor.",
    );
  });

  test("a folder that cannot find the package is named", async () => {
    const folder = project({ ...plain, "Pulumi.yaml": `${pulumiYaml}main: bin/index.js\n` });
    expect(await lineOf("package", { folder })).toBe(
      `failure package pulumi-voiceplane cannot be found from ${join(folder, dirname("bin/index.js"))}. ` +
        "Run npm install; the project's own package.json must list pulumi-voiceplane; a library that depends on it " +
        "is not enough.",
    );
  });
});
