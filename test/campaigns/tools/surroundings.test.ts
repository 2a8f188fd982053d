/** `npm test` and a jest that is started directly run each in an isolated environment. */
import { cpSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { programs, temporaryFolder, write } from "../../support/folders";
import { clone, startNode } from "../../support/tools.js";
import { root } from "../../support/repository";

jest.setTimeout(120_000);

/** Writes what a test can see of the machine to `seen.json`. */
const probe = `
const { execFileSync, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "probe-"));
const outputOf = (command, ...args) => spawnSync(command, args, { cwd: folder, encoding: "utf8" }).stdout?.trim();
fs.writeFileSync(path.join(folder, "commonjs.js"), "module.exports = 1; console.log('CommonJS');");
fs.writeFileSync(path.join(os.homedir(), "left-behind"), "");
outputOf("rustc", "--version"); // as pip does
const result = {
  env: process.env,
  home: fs.readdirSync(os.homedir()).sort(),
  temporary: os.tmpdir(),
  savePrefix: outputOf("npm", "config", "get", "save-prefix"),
  registry: outputOf("npm", "config", "get", "registry"),
  gitUser: outputOf("git", "config", "user.name"),
  pulumiHome: fs.readdirSync(process.env.PULUMI_HOME),
  engines: fs.readdirSync(path.join(process.env.XDG_CACHE_HOME, "voiceplane/engine")),
  module: outputOf(process.execPath, "commonjs.js"),
};
fs.writeFileSync("seen.json", JSON.stringify(result));
`;

interface Seen {
  env: Record<string, string>;
  [what: string]: unknown;
}

/** A user's home with all kinds of configuration, and a package in the folder above the temporary one. */
function configuredMachine(): { env: Record<string, string>; temporary: string } {
  const outside = temporaryFolder();
  const files = {
    "package.json": '{ "name": "above", "type": "module" }',
    "home/.npmrc": "save-prefix=~\nregistry=http://127.0.0.1:9/packages/\n",
    "home/.gitconfig": "[user]\n  name = somebody\n",
    "home/.config/git/config": "[user]\n  name = somebody\n",
    "home/.config/pip/pip.conf": "[global]\nindex-url = https://packages.example.com/simple\n",
    "home/.pulumi/credentials.json": '{ "current": "https://pulumi.example.com" }',
    "home/.cache/voiceplane/engine/an-engine": "",
    "tmp/there-before": "",
  };
  write(outside, files);
  const versionManagers = programs({ rustc: 'mkdir -p "${RUSTUP_HOME:-$HOME/.rustup}"' });
  return {
    temporary: path.join(outside, "tmp"),
    env: {
      PATH: `${versionManagers}:${process.env.PATH ?? ""}`,
      HOME: path.join(outside, "home"),
      TMPDIR: path.join(outside, "tmp"),
      PULUMI_CONFIG_PASSPHRASE: "theirs",
      PULUMI_HOME: path.join(outside, "home/.pulumi"),
      VOICEPLANE_TOKEN: "theirs",
      VOICEPLANE_BASE_URL: "https://api.example.com",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      NODE_OPTIONS: "--no-warnings",
      npm_config_save_prefix: "~",
      GIT_AUTHOR_NAME: "somebody",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "example.com",
      PIP_EXTRA_INDEX_URL: "https://more.example.com/simple",
      PIP_TARGET: "theirs",
    },
  };
}

/**
 * Runs a script of a project in which the probe is in the place of the tests.
 *
 * @param ownVariables the variables that the run itself sets
 * @param bin programs in front of those of the machine
 */
async function expectIsolated(project: string, script: string, ownVariables: string[], bin = ""): Promise<void> {
  const { env: outer, temporary } = configuredMachine();
  const env = { ...outer, PATH: `${bin}:${outer.PATH ?? ""}` };
  const { stdout, stderr } = await startNode([script], env, project).ended;
  expect(stdout + stderr).toMatch(/\b\d passed/);
  const seen = JSON.parse(readFileSync(path.join(project, "seen.json"), "utf8")) as Seen;
  expect(seen).toMatchObject({
    home: [".cache", ".config", ".local", "left-behind"],
    savePrefix: "^",
    registry: "http://127.0.0.1:9/packages/",
    gitUser: "",
    pulumiHome: ["versions"],
    engines: ["an-engine"],
    module: "CommonJS",
  });
  expect(seen.temporary).not.toBe(temporary);
  const names = Object.keys(seen.env).filter((name) => /^(PULUMI|VOICEPLANE|OTEL|NODE_OPTIONS|GIT_AUTHOR)/.test(name));
  expect(names.sort()).toEqual(ownVariables);
  expect(JSON.stringify(seen.env)).not.toMatch(/theirs|somebody|api\.example\.com/);
  // The proxy is for package registries, never for the servers of the tests.
  expect(seen.env).toMatchObject({
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "example.com,localhost,127.0.0.1,::1",
    no_proxy: "example.com,localhost,127.0.0.1,::1",
    no_grpc_proxy: "example.com,localhost,127.0.0.1,::1",
  });
  // pip reaches the user's package index, and installs where a test says.
  const ofPip = Object.entries(seen.env).filter(([name]) => name.startsWith("PIP_"));
  expect(Object.fromEntries(ofPip)).toEqual({
    PIP_EXTRA_INDEX_URL: "https://more.example.com/simple",
    PIP_CONFIG_FILE: path.join(outer.HOME ?? "", ".config/pip/pip.conf"),
  });
  expect(readdirSync(temporary)).toEqual(["there-before"]);
  expect(readdirSync(outer.HOME ?? "")).not.toContain("left-behind");
}

test("npm test sees nothing of the user's home, configuration, variables or parent folders, and leaves nothing behind", async () => {
  const report = `
const file = process.argv.find((each) => each.startsWith("--outputFile=")).slice("--outputFile=".length);
fs.writeFileSync(file, JSON.stringify({
  numPassedTests: 1, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0, numTodoTests: 0,
}));`;
  const project = clone({ "node_modules/jest/bin/jest.js": probe + report });
  const bin = programs({
    eslint: "exit 0",
    prettier: "exit 0",
    pulumi: "echo v3.259.0",
    "pulumi-language-nodejs": "exit 1",
    "pulumi-resource-pulumi-nodejs": "exit 1",
  });
  const ownVariables = ["PULUMI_HOME", "VOICEPLANE_ENGINE", "VOICEPLANE_SURROUNDINGS"];
  await expectIsolated(project, "tools/test/index.mjs", ownVariables, bin);
});

test("a jest that is started directly sees and leaves as little", async () => {
  const project = clone({ "package.json": "{}", "test/probe.test.ts": `test("probe", () => { ${probe} });` });
  for (const name of ["jest.config.cjs", "test/support"]) {
    cpSync(path.join(root, name), path.join(project, name), { recursive: true });
  }
  symlinkSync(path.join(root, "node_modules"), path.join(project, "node_modules"));
  await expectIsolated(project, "node_modules/jest/bin/jest.js", ["PULUMI_HOME", "VOICEPLANE_SURROUNDINGS"]);
});
