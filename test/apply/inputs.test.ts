import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { changedInputs, readInputs, type RunInputs, type InputOptions } from "../../src/apply/inputs";
import { readProject, type StackProject } from "../../src/engine/project";
import { projectFolder, temporaryFolder, write, type TestProject } from "../support/project-folder";

function projectIn({ folder, env }: TestProject, stack = "acme"): StackProject {
  const found = readProject(folder, stack, env);
  if (!("project" in found)) throw new Error(found.problems.join("\n"));
  return found.project;
}

function inputsOf(made: TestProject, options: Partial<InputOptions> = {}): RunInputs {
  const nothing = { declared: undefined, policyPacks: [], policyPackConfigs: [], ignored: [] };
  return readInputs({ project: projectIn(made), env: made.env, ...nothing, ...options });
}

/** The names of the inputs that an edit changes. */
function changedBy(edit: (made: TestProject) => TestProject | undefined, files: Record<string, string> = {}): string[] {
  const made = projectFolder(files);
  const before = inputsOf(made);
  const after = inputsOf(edit(made) ?? made);
  return changedInputs(before.digests, after.digests);
}

const editing = (name: string, text: string) => (made: TestProject) => {
  write(made.folder, { [name]: text });
  return undefined;
};

test.each([
  ["organization.yaml", "retention: {}\n", "organization.yaml"],
  ["Pulumi.yaml", "name: fleet\nruntime: nodejs\n", "Pulumi.yaml"],
  ["Pulumi.acme.yaml", "config: { voiceplane:account: other }\n", "Pulumi.acme.yaml"],
  ["index.js", '"use strict";\nmodule.exports = require("pulumi-voiceplane/stack");\n', "index.js"],
  ["package.json", '{ "private": true, "version": "2.0.0" }', "package.json"],
  ["package-lock.json", '{ "a": 1 }', "package-lock.json"],
  ["pnpm-lock.yaml", "a: 1", "pnpm-lock.yaml"],
  ["yarn.lock", "a", "yarn.lock"],
  ["bun.lockb", "a", "bun.lockb"],
  ["tsconfig.json", "{}", "tsconfig.json"],
  ["node_modules/pulumi-voiceplane/package.json", '{ "version": "0.2.0" }', "pulumi-voiceplane"],
  ["node_modules/pulumi-voiceplane/dist/resources/setting.js", "new code", "pulumi-voiceplane"],
  ["node_modules/yaml/package.json", '{ "version": "2.0.1" }', "yaml"],
])("an edit of %s is seen", (name, text, input) => {
  expect(changedBy(editing(name, text))).toContain(input);
});

test.each([
  ["another organization's file", "other.yaml", "retention: {}"],
  ["another stack's configuration", "Pulumi.other.yaml", "config: {}"],
  ["the state", ".state/.pulumi/history/fleet/acme/x.json", "{}"],
  ["the record", ".voiceplane/apply/acme.json", "{}"],
  ["the README", "README.md", "text"],
])("an edit of %s is no input of an organization file's stack", (_what, name, text) => {
  expect(changedBy(editing(name, text))).toEqual([]);
});

test("the organization file is the one that the configuration names, also outside of the folder or behind a link", () => {
  const made = projectFolder({
    "Pulumi.acme.yaml": "config:\n  voiceplane:organizationFile: organizations/acme.yaml\n",
    "organizations/acme.yaml": "retention: {}\n",
  });
  const before = inputsOf(made);
  write(made.folder, { "organization.yaml": "trunks: {}\n" });
  expect(inputsOf(made)).toEqual(before);
  write(made.folder, { "organizations/acme.yaml": "trunks: {}\n" });
  expect(changedInputs(before.digests, inputsOf(made).digests)).toEqual(["organizations/acme.yaml"]);
  rmSync(join(made.folder, "organizations/acme.yaml"));
  symlinkSync(join(made.folder, "organization.yaml"), join(made.folder, "organizations/acme.yaml"));
  const linked = inputsOf(made);
  write(made.folder, { "organization.yaml": "webhooks: {}\n" });
  expect(changedInputs(linked.digests, inputsOf(made).digests)).toEqual(["organizations/acme.yaml"]);
});

const withEnv = (env: Record<string, string>) => (made: TestProject) => ({ ...made, env: { ...made.env, ...env } });

test.each([
  [{ VOICEPLANE_BASE_URL: "https://other.example.com" }],
  [{ VOICEPLANE_BASE_URL_EU: "https://eu.example.com" }],
  [{ TS_NODE_PROJECT: "other.json" }],
  [{ VOICEPLANE_TOKEN: "" }],
  [{ VOICEPLANE_TOKEN_EU: "vp_dev_other" }],
  [{ PULUMI_OPTION_TARGET: "urn" }],
  [{ PULUMI_CONFIG_PASSPHRASE: "abc" }],
  [{ NODE_OPTIONS: "--require x" }],
])("a variable that the provider or the engine reads is an input: %j", (env) => {
  expect(changedBy(withEnv(env))).toEqual(["the environment"]);
});

test.each([
  [{ VOICEPLANE_TOKEN: "vp_dev_another" }],
  [{ VOICEPLANE_DEBUG: "1" }],
  [{ PULUMI_CI_BUILD_ID: "7" }],
  [{ PATH: "/bin" }],
])("a variable that changes nothing of what is sent is none: %j", (env) => {
  expect(changedBy(withEnv(env))).toEqual([]);
});

test("an address is an input whatever its label is, also a word that names secrets", () => {
  const at = (url: string) => (made: TestProject) => ({
    ...made,
    env: { ...made.env, VOICEPLANE_BASE_URL_TOKEN_EU: url },
  });
  const made = projectFolder();
  const [one, other] = ["https://a.example.com", "https://b.example.com"].map((url) => inputsOf(at(url)(made)));
  expect(changedInputs(one?.digests ?? {}, other?.digests ?? {})).toEqual(["the environment"]);
});

test("no digest depends on a secret, so that none can be guessed from a record", () => {
  const made = projectFolder();
  const url = (password: string) => `postgres://user:${password}@host/db?sslmode=off&password=${password}`;
  const at = (secret: string) => {
    const env = {
      ...made.env,
      PULUMI_BACKEND_URL: url(secret),
      VOICEPLANE_TOKEN: secret,
      VOICEPLANE_TOKEN_EU: secret,
      PULUMI_CONFIG_PASSPHRASE: secret,
      PULUMI_ACCESS_TOKEN: secret,
    };
    return inputsOf({ ...made, env });
  };
  expect(at("one")).toEqual(at("two"));
});

const unknownOf = (files: Record<string, string>, options: Partial<InputOptions> = {}) =>
  inputsOf(projectFolder(files), options).unknown;

test("an organization file's stack has no other inputs", () => {
  expect(unknownOf({})).toBeUndefined();
  const programs = [
    "'use strict';\nmodule.exports = require('pulumi-voiceplane/stack')",
    '// the stack\nmodule.exports = require("pulumi-voiceplane/stack");',
    'export * from "pulumi-voiceplane/stack";',
    '/**\n * The stack.\n */\n"use strict"; // as ever\nmodule.exports = require("pulumi-voiceplane/stack"); // all',
  ];
  for (const program of programs) expect([program, unknownOf({ "index.js": program })]).toEqual([program, undefined]);
});

test("a package.json above the stack's folder is an input, and may name another program", () => {
  const made = projectFolder({ "stacks/acme/Pulumi.yaml": "name: fleet\nruntime: nodejs\n" });
  const folder = join(made.folder, "stacks/acme");
  write(folder, {
    "Pulumi.acme.yaml": "config: {}\n",
    "index.js": 'module.exports = require("pulumi-voiceplane/stack");',
  });
  const below = { ...made, folder };
  const before = inputsOf(below);
  expect(before.unknown).toBeUndefined();
  write(made.folder, { "package.json": '{ "main": "index.js" }' });
  const after = inputsOf(below);
  expect(changedInputs(before.digests, after.digests)).toContain(join(made.folder, "package.json"));
  write(made.folder, { "index.js": "another program" });
  expect(inputsOf(below).unknown).toBe(ownCode);
});

test("an input that is called like an installed package, or like the environment, is still seen", () => {
  for (const name of ["yaml", "pulumi-voiceplane", "the environment"]) {
    const files = {
      "Pulumi.acme.yaml": `config: { voiceplane:organizationFile: ${name} }\n`,
      [name]: "retention: {}\n",
    };
    expect(changedBy(editing(name, "trunks: {}\n"), files)).toEqual([name]);
  }
});

test("a folder that cannot be read, or a link to itself, has a digest of its own", () => {
  const made = projectFolder({ "index.js": "code" });
  symlinkSync("loop", join(made.folder, "loop"));
  const { digests } = inputsOf(made, { declared: ["loop"] });
  expect(digests["loop (all files)"]).toMatch(/^[0-9a-f]{64}$/);
});

const ownCode = "the program is your own code, which can read anything: name what it reads with --inputs";

test.each<[what: string, files: Record<string, string>, reason: string]>([
  [
    "a program of one's own",
    { "index.js": 'require("fs"); module.exports = require("pulumi-voiceplane/stack");' },
    ownCode,
  ],
  ["two programs", { "index.ts": "" }, ownCode],
  ["another main", { "package.json": '{ "main": "main.js" }' }, ownCode],
  ["exports, which Pulumi's host prefers to index.js", { "package.json": '{ "exports": "./main.js" }' }, ownCode],
  ["a package.json that cannot be read", { "package.json": '{ "main": "index.js", "main": "main.js" }' }, ownCode],
  ["a package.yaml", { "package.yaml": "main: main.js\n" }, ownCode],
  [
    "code between what looks like comments",
    { "index.js": `'use strict/*'; require("./x"); '*/';\nmodule.exports = require("pulumi-voiceplane/stack");\n` },
    ownCode,
  ],
  [
    "code between two comments",
    { "index.js": `/* a */ require("./x"); /* b */\nmodule.exports = require("pulumi-voiceplane/stack");\n` },
    ownCode,
  ],
  ["a tsconfig, which may lead anywhere", { "tsconfig.json": "{}" }, ownCode],
  [
    "a file that Node loads first",
    { "Pulumi.yaml": "name: fleet\nruntime: { name: nodejs, options: { nodeargs: -r ./x.js } }\n" },
    ownCode,
  ],
  ["a plugin by its path", { "Pulumi.yaml": "name: fleet\nruntime: nodejs\nplugins: { analyzers: [] }\n" }, ownCode],
  ["a Python program", { "Pulumi.yaml": "name: fleet\nruntime: python\n" }, ownCode],
  [
    "a secret name of the organization file",
    { "Pulumi.acme.yaml": "config:\n  voiceplane:organizationFile: { secure: v1:abc }\n" },
    ownCode,
  ],
  [
    "a merge key, by which the CLI finds another program",
    { "Pulumi.yaml": "name: fleet\nruntime: nodejs\n<<: { main: other }\n" },
    ownCode,
  ],
  [
    "a merge key within the runtime",
    { "Pulumi.yaml": "name: fleet\nruntime: { name: nodejs, <<: { options: { nodeargs: -r ./x.js } } }\n" },
    ownCode,
  ],
  [
    "an option of the engine",
    { "Pulumi.yaml": "name: fleet\nruntime: nodejs\noptions: { refresh: always }\n" },
    ownCode,
  ],
  ["a merge key in the stack's file", { "Pulumi.acme.yaml": "config: {}\n<<: { environment: [shared] }\n" }, ownCode],
  [
    "environments of Pulumi ESC",
    { "Pulumi.acme.yaml": "environment: [shared]\nconfig: {}\n" },
    "the stack's configuration imports environments, which can change at any time",
  ],
])("%s may depend on more, and is not skipped", (_what, files, reason) => {
  expect(unknownOf(files)).toBe(reason);
});

describe("a YAML program", () => {
  const resources =
    "resources:\n  acme:\n    type: voiceplane:Organization\n    properties: { retention: { recordings: { days: 90 } } }\n";
  const yaml = `name: fleet\nruntime: yaml\npackages: { voiceplane: ./node_modules/.bin }\n${resources}`;

  function yamlProject(files: Record<string, string> = {}): TestProject {
    const made = projectFolder({ "Pulumi.yaml": yaml, ...files });
    const bin = join(made.folder, "node_modules/.bin/pulumi-resource-voiceplane");
    write(made.folder, { "node_modules/.bin/pulumi-resource-voiceplane": "code" });
    chmodSync(bin, 0o755);
    return made;
  }

  test.each([
    ["with an Organization", yaml],
    [
      "with outputs, variables and a provider",
      `${yaml}  eu: { type: pulumi:providers:voiceplane }
  crm: { type: voiceplane:index:WebhookSecret, properties: { webhookId: w }, options: { provider: "\${eu}" } }
variables: { a: 1 }
outputs: { secret: "\${crm.secret}" }
`,
    ],
    [
      "with the plugin under plugins",
      `name: fleet\nruntime: { name: yaml }\nplugins: { providers: [{ name: voiceplane, path: node_modules/.bin }] }\n${resources}`,
    ],
  ])("%s can be skipped: everything that decides is among its inputs", (_what, text) => {
    const made = yamlProject({ "Pulumi.yaml": text });
    const before = inputsOf(made);
    expect(before.unknown).toBeUndefined();
    for (const [file, input] of [
      ["Pulumi.yaml", "Pulumi.yaml"],
      ["Pulumi.acme.yaml", "Pulumi.acme.yaml"],
      ["Main.yaml", "Main.yaml"],
      ["node_modules/.bin/pulumi-resource-voiceplane", "pulumi-resource-voiceplane"],
    ] as const) {
      const edited = yamlProject({ "Pulumi.yaml": text });
      write(edited.folder, { [file]: `${file === "Pulumi.yaml" ? text : ""}\n# an edit\n` });
      expect(changedInputs(inputsOf(made).digests, inputsOf(edited).digests)).toContain(input);
    }
  });

  test.each<[what: string, files: Record<string, string>]>([
    ["a resource of another package", { "Pulumi.yaml": `${yaml}  b: { type: aws:s3:Bucket }\n` }],
    ["a reference to another stack", { "Pulumi.yaml": `${yaml}  b: { type: pulumi:pulumi:StackReference }\n` }],
    ["a function", { "Pulumi.yaml": `${yaml}variables: { a: { fn::readFile: ./a } }\n` }],
    ["a function in a resource", { "Pulumi.yaml": yaml.replace("days: 90", "days: { Fn::Invoke: {} }") }],
    ["another package", { "Pulumi.yaml": yaml.replace("voiceplane:", "aws: ./aws, voiceplane:") }],
    ["another plugin", { "Pulumi.yaml": `${yaml}plugins: { languages: [{ name: yaml, path: ./x }] }\n` }],
    ["an option of the host", { "Pulumi.yaml": yaml.replace("yaml", "{ name: yaml, options: { compiler: ./x } }") }],
    ["another folder", { "Pulumi.yaml": `${yaml}main: other\n` }],
    ["another program, which the host prefers", { "Main.yaml": "resources: {}\n" }],
    ["a package that a file below the folder declares", { "sdks/a.yaml": "packageDeclarationVersion: 1\n" }],
    ["a merge key", { "Pulumi.yaml": `${yaml}<<: { main: other }\n` }],
  ])("with %s is not skipped", (_what, files) => {
    expect(inputsOf(yamlProject(files)).unknown).toBe(
      "the YAML program has more than resources of voiceplane, and can read anything: name what it reads with --inputs",
    );
  });

  test("without its plugin is not skipped", () => {
    const made = projectFolder({ "Pulumi.yaml": yaml });
    expect(inputsOf(made).unknown).toBe("the plugin pulumi-resource-voiceplane is not installed");
  });
});

test("a package that is not there, and a policy pack of a service, are not skipped", () => {
  const made = projectFolder();
  expect(inputsOf(made, { policyPacks: ["acme/pack"] }).unknown).toBe(
    "the policy pack acme/pack is not a folder on this machine",
  );
  rmSync(join(made.folder, "node_modules"), { recursive: true });
  expect(inputsOf(made).unknown).toBe("pulumi-voiceplane is not installed in the program's folder");
});

test("a policy pack's files and configuration are inputs, its packages are not", () => {
  const made = projectFolder({ "policies/index.js": "a", "policies.json": "{}" });
  const options = { policyPacks: ["policies"], policyPackConfigs: ["policies.json"] };
  const before = inputsOf(made, options);
  write(made.folder, { "policies/node_modules/x/index.js": "b" });
  expect(inputsOf(made, options)).toEqual(before);
  write(made.folder, { "policies/lib/rules.js": "b", "policies.json": "[]" });
  expect(changedInputs(before.digests, inputsOf(made, options).digests)).toEqual([
    "configuration 1 of policy packs: policies.json",
    "policy pack policies",
  ]);
});

test("two configurations of policy packs that change places are other inputs", () => {
  const made = projectFolder({ "strict.json": "{}", "mild.json": "[]" });
  const digestsOf = (policyPackConfigs: string[]) => inputsOf(made, { policyPackConfigs }).digests;
  const changed = changedInputs(digestsOf(["strict.json", "mild.json"]), digestsOf(["mild.json", "strict.json"]));
  expect(changed).toHaveLength(4);
});

test("with its inputs declared, a program of one's own depends on each file of the folder and on those", () => {
  const made = projectFolder({ "index.js": "code", ".state/.pulumi/meta.yaml": "1" });
  const shared = projectFolder();
  const record = join(made.folder, "records/acme.json");
  const options = { declared: [shared.folder], ignored: [record] };
  const before = inputsOf(made, options);
  expect(before.unknown).toBeUndefined();
  write(made.folder, {
    ".state/.pulumi/meta.yaml": "2",
    ".git/HEAD": "x",
    "records/acme.json": "{}",
    "node_modules/left-pad/index.js": "x",
  });
  rmSync(record);
  write(made.folder, { "records/acme.json": "[]" });
  const after = inputsOf(made, options);
  expect(changedInputs(before.digests, after.digests)).toEqual(["the project's folder (all files)"]);
  write(made.folder, { "records/acme.json": "other" });
  expect(inputsOf(made, options)).toEqual(after);
  write(made.folder, { "lib/data.json": "1" });
  write(shared.folder, { "data.json": "1" });
  expect(changedInputs(after.digests, inputsOf(made, options).digests)).toEqual(
    [`${shared.folder} (all files)`, "the project's folder (all files)"].sort(),
  );
});

test("of several project files the CLI's choice is read, with the stack's file of the same kind", () => {
  const config = (file: string) => JSON.stringify({ config: { "voiceplane:organizationFile": file } });
  const made = projectFolder({ "Pulumi.acme.json": config("json.yaml"), "Pulumi.acme.yml": config("yml.yaml") });
  expect(projectIn(made).organizationFile).toBe("organization.yaml");
  write(made.folder, { "Pulumi.json": '{ "name": "fleet", "runtime": "nodejs" }' });
  expect(projectIn(made).organizationFile).toBe("json.yaml");
  rmSync(join(made.folder, "Pulumi.acme.json"));
  expect(readProject(made.folder, "acme", made.env)).toEqual({
    problems: [
      expect.stringContaining("Pulumi.acme.json: without it, a run would encrypt the stack's secrets with a new key"),
    ],
  });
});

test("the stack's file is in the folder that an older Pulumi.yaml names as its config", () => {
  const made = projectFolder({
    "Pulumi.yaml": "name: fleet\nruntime: nodejs\nconfig: stacks\n",
    "stacks/Pulumi.acme.yaml": "config: { voiceplane:account: other }\n",
  });
  expect(projectIn(made).organization).toBe("other");
});

test("an option of the CLI in a variable may name other files, so the stack is not skipped", () => {
  const made = projectFolder();
  const env = { ...made.env, PULUMI_OPTION_CONFIG_FILE: "/elsewhere.yaml" };
  expect(inputsOf({ ...made, env }).unknown).toBe(
    "PULUMI_OPTION_CONFIG_FILE is set, and an option of the CLI can name any file",
  );
});

test("a program behind a link is code of one's own; a folder behind a link is read as the folder", () => {
  const made = projectFolder({ "real/index.js": 'module.exports = require("pulumi-voiceplane/stack");\n' });
  const folder = join(temporaryFolder(), "linked");
  symlinkSync(made.folder, folder);
  expect(inputsOf({ ...made, folder }).unknown).toBeUndefined();
  rmSync(join(made.folder, "index.js"));
  symlinkSync(join(made.folder, "real/index.js"), join(made.folder, "index.js"));
  expect(inputsOf(made).unknown).toBe(ownCode);
});

test("with declared inputs, a link that leads to another folder than before is seen", () => {
  const made = projectFolder({ "index.js": "code", "a1/x.json": "1", "a2/x.json": "2" });
  const link = (target: string) => {
    rmSync(join(made.folder, "current"), { force: true });
    symlinkSync(join(made.folder, target), join(made.folder, "current"));
    return inputsOf(made, { declared: [] });
  };
  expect(changedInputs(link("a1").digests, link("a2").digests)).toEqual(["the project's folder (all files)"]);
});
