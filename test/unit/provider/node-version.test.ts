/** On a Node that is too old, each entry of the package says so in one line, before it loads what that Node cannot. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { nodeProblem } from "../../../src/node-version.js";

const root = resolve(__dirname, "../../..");

const problemOf = (version: string) =>
  `pulumi-voiceplane needs Node 22.19 or later, and this is Node ${version} (${process.execPath})`;
const problem = problemOf("20.20.2");

test("a Node is too old before the version of package.json", () => {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=22.19");
  for (const old of ["18.20.8", "20.20.2", "22.18.0"]) expect(nodeProblem(old)).toBe(problemOf(old));
  for (const right of ["22.19.0", "22.20.1", "23.0.0", "24.1.0"]) expect(nodeProblem(right)).toBeUndefined();
});

/** Runs a script of the build on a Node that calls itself an old one, and lacks what a new one has. */
function runOnOldNode(script: string, args: readonly string[] = []) {
  const old = `
    const versions = { ...process.versions, node: "20.20.2" };
    Object.defineProperty(process, "versions", { value: versions });
    delete require("node:module").getCompileCacheDir;
    process.argv.splice(1, Infinity, ...${JSON.stringify([script, ...args])});`;
  return spawnSync(process.execPath, ["-e", `${old}\n${script}`], { encoding: "utf8", timeout: 60_000 });
}

const entry = (file: string): string => JSON.stringify(join(root, "dist", file));

test.each(["program/index.js", "program/native.js", "program/stack.js", "provider/dynamic/webhook-secret.js"])(
  "a program or provider that loads %s fails with that line alone",
  (file) => {
    const printed = "({ message, stack, ...rest }) => console.log(JSON.stringify([message, stack, rest]))";
    const { stdout } = runOnOldNode(`try { require(${entry(file)}); } catch (error) { (${printed})(error); }`);
    expect(JSON.parse(stdout)).toEqual([problem, "", { __pulumiRunError: true }]);
  },
);

test.each([
  ["cli/index.js", ["doctor"]],
  ["cli/index.js", ["--version"]],
  ["pulumi-resource-voiceplane.js", ["127.0.0.1:9"]],
  ["pulumi-resource-voiceplane.js", []],
])("%s %j ends with that line alone", (file, args) => {
  const { status, stdout, stderr } = runOnOldNode(`require(${entry(file)});`, args);
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: `${problem}\n` });
});

test("a provider whose engine has ended while it was loading ends, before it has read any settings", () => {
  const load = (file: string) =>
    spawnSync(
      process.execPath,
      // Nothing listens on port 1. The timer is what a provider's server is: it keeps the process alive.
      ["-e", `setInterval(() => {}, 1000); process.argv[2] = "127.0.0.1:1"; require(${entry(file)});`],
      { timeout: 60_000 },
    );
  expect(load("pulumi/dynamic/webhook-secret.js").status).toBe(1);
  expect(load("pulumi-resource-voiceplane.js").status).toBe(1);
});
