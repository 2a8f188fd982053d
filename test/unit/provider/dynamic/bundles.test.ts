/** The bundles of the package, and what Node loads: one file for all providers, one for the stack without code, and the command line. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../../../src/resources/index.js";
import { installedPackage, sharedInstallation } from "../../../support/engine/installation";

/** Runs a program in a process of its own and returns the JSON that it prints. */
function run(program: string, env: NodeJS.ProcessEnv = {}): unknown {
  // Not from the cache of modules, which has none that failed.
  const loaded = `
    const files = [];
    const { ".js": load } = require.extensions;
    require.extensions[".js"] = (module, file) => (files.push(file.split("/node_modules/").at(-1)), load(module, file));
    const loaded = () => files.filter((file) => /^(pulumi-voiceplane|undici|yaml|zod)\\//.test(file)).sort();`;
  const output = execFileSync(process.execPath, ["-e", loaded + program], {
    cwd: sharedInstallation(),
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output);
}

const kinds = Object.values(resources).map(({ path }) => path);
const requireAll = `const all = Object.fromEntries(${JSON.stringify(kinds)}
  .map((kind) => [kind, require("pulumi-voiceplane/dynamic/" + kind)]));`;

test("the providers are one module, so they share their connections, and load no other", () => {
  const files = run(`${requireAll} console.log(JSON.stringify(loaded()));`);
  expect(files).toEqual(
    [...kinds, "providers"].map((name) => `pulumi-voiceplane/dist/provider/dynamic/${name}.js`).sort(),
  );
});

test("a proxy's agent comes from undici's package, and a variable that is no URL is refused before anything is sent", () => {
  const send = `${requireAll}
    const trunk = all["trunk-outbound-auth"];
    trunk.configure({ config: { get: (key) => (key === "voiceplane:organization" ? "acme" : undefined) } });
    const inputs = { trunkId: "t-1", cleared: true, organization: "acme" };
    trunk.create(inputs).catch((error) => error.message).then((message) => {
      console.log(JSON.stringify({ message, packages: [...new Set(loaded().map((file) => file.split("/")[0]))] }));
      process.exit();
    });`;
  const token = { VOICEPLANE_TOKEN: "canary-token" };
  expect(run(send, { ...token, VOICEPLANE_BASE_URL: "https://api.example.com", HTTPS_PROXY: "no proxy" })).toEqual({
    message:
      "The environment variable HTTPS_PROXY is not a proxy's URL, such as http://gateway.example.com:3128. [setting-value]",
    packages: ["pulumi-voiceplane"],
  });
});

test.each([
  ["pulumi-voiceplane", "index"],
  ["pulumi-voiceplane/native", "native"],
])("a program that imports %s loads one file more, also as an ES module, and gets every name", (name, file) => {
  const names = [
    "NetworkPolicy",
    "Organization",
    "OrganizationTrunkOutboundAuth",
    "Provider",
    "RetentionPolicy",
    "RetentionResource",
    "SettingOnCreate",
    "TrunkOutboundAuth",
    "TrunkOutboundAuthOnDelete",
    "WebhookSecret",
    "WebhookSecretOnCreate",
    "listWebhooks",
  ];
  const program = `import(${JSON.stringify(name)}).then((module) =>
    console.log(JSON.stringify([loaded(), Object.keys(module).filter((key) => /^[A-Zl]/.test(key))])));`;
  expect(run(program)).toEqual([["classes", file].map((each) => `pulumi-voiceplane/dist/program/${each}.js`), names]);
});

test.each([
  ["provider/dynamic/providers.js", ["zod"]],
  ["client/transport.js", ["undici"]],
  ["program/stack.js", ["yaml", "zod"]],
  ["program/classes.js", ["zod"]],
  ["schema/suggestion.js", ["damerau-levenshtein"]],
  ["cli/commander.js", ["commander"]],
  ["pulumi-resource-voiceplane.js", ["@grpc/grpc-js", "@pulumi/pulumi", "google-protobuf", "undici", "zod"]],
])("%s ends with the licenses of the packages in it", (file, packages) => {
  const text = readFileSync(join(installedPackage(), "dist", file), "utf8");
  const notice = text.slice(text.lastIndexOf("/*\nThis file contains:"));
  for (const name of packages) expect(notice).toMatch(new RegExp(`^(.*, )?${name} \\d+\\.\\d+\\.\\d+`, "m"));
  expect(notice).toMatch(/Permission is hereby granted|Redistribution and use/);
});

test("no file loads the undici of the project, which may pin another version", () => {
  const folder = join(installedPackage(), "dist");
  const files = globSync("**/*.js", { cwd: folder });
  const loading = files.filter((file) =>
    /(?:require|import)\("undici"\)|from "undici"/.test(readFileSync(join(folder, file), "utf8")),
  );
  expect([files.includes("client/connections.js"), loading]).toEqual([true, []]);
});

test("what only the bundles use is not in the package a second time", () => {
  const modules = ["provider/session", "provider/dynamic/provider", "program/register"];
  const compiled = [...modules.map((name) => `${name}.js`), "provider/session.d.ts", "provider/dynamic/provider.d.ts"];
  expect(compiled.filter((file) => existsSync(join(installedPackage(), "dist", file)))).toEqual([]);
});
