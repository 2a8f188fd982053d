/** `npm test` installs what is missing, reports failures and counts tests. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { clone, scripts, startNode, type ProcessResult } from "../../support/tools.js";

describe("the installation", () => {
  const lock = (version: string) =>
    JSON.stringify({
      packages: {
        "": { name: "clone" },
        "node_modules/one": { version },
        "node_modules/elsewhere": { version: "1.0.0", optional: true },
      },
    });

  /** Writes the list of installed packages, as npm does. Packages for other platforms are not in it. */
  const npm = `
const fs = require("node:fs");
if (process.argv.slice(2).join(" ") !== "ci") throw new Error("not npm ci");
const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
fs.mkdirSync("node_modules", { recursive: true });
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: { "node_modules/one": packages["node_modules/one"] } }));`;

  const bare = (npmScript: string) =>
    clone({
      "package-lock.json": lock("1.0.0"),
      "npm-cli.js": npmScript,
      "tools/test/index.mjs": `console.log("went on with", ...process.argv.slice(2));`,
    });

  function npmTest(folder: string, node: string[] = []): Promise<ProcessResult> {
    const env = { PATH: process.env.PATH ?? "", npm_execpath: path.join(folder, "npm-cli.js") };
    return startNode([...node, "tools/test.mjs", "test/unit/client"], env, folder).ended;
  }

  test("runs only if packages are missing or belong to another lock file", async () => {
    const folder = bare(npm);
    const installed = { code: 0, stdout: "ok      install (npm ci)\nwent on with test/unit/client\n" };
    const there = { code: 0, stdout: "ok      install (already installed)\nwent on with test/unit/client\n" };
    expect(await npmTest(folder)).toMatchObject(installed);
    expect(await npmTest(folder)).toMatchObject(there);
    writeFileSync(path.join(folder, "package-lock.json"), lock("1.0.1"));
    expect(await npmTest(folder)).toMatchObject(installed);
    expect(await npmTest(folder)).toMatchObject(there);
  });

  test("that fails is a failed test, with npm's output", async () => {
    expect(await npmTest(bare(`console.error("no space left"); process.exit(1);`))).toMatchObject({
      code: 1,
      stdout: "FAILED  install\nnpm ci failed:\nno space left\n0 passed, 1 failed, 0 skipped\n",
    });
  });

  test("brings the Node that everything else runs on; without it an old Node is refused", async () => {
    const old = `data:text/javascript,${encodeURIComponent(`
      Object.defineProperty(process, "version", { value: "v20.1.0" });
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });`)}`;
    expect(await npmTest(bare(npm), ["--import", old])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("\nNode 22.19 or newer is needed, this is v20.1.0\n") as string,
    });

    const folder = bare(`${npm}
fs.mkdirSync("node_modules/node/bin", { recursive: true });
fs.writeFileSync("node_modules/node/bin/node", '#!/bin/sh\\necho "own Node: $2"\\n', { mode: 0o755 });`);
    expect(await npmTest(folder, ["--import", old])).toMatchObject({
      code: 0,
      stdout: "ok      install (npm ci)\nown Node: test/unit/client\n",
    });
  });
});

describe("the checks and the tests", () => {
  const npm = `
const [command, what, folder] = [process.argv[2], process.argv[3], process.argv[4]];
if (command === "config") process.exit();
if (command === "pack") require("node:fs").writeFileSync(folder + "/clone-1.0.0.tgz", "");
require("node:fs").appendFileSync("calls", command + " " + what + "\\n");`;

  /** Jest, with a report of this many tests. */
  const jest = (passed: number, failed: number, skipped = 0) => `
const file = process.argv.find((each) => each.startsWith("--outputFile=")).slice("--outputFile=".length);
const report = {
  numPassedTests: ${passed}, numFailedTests: ${failed}, numRuntimeErrorTestSuites: 0,
  numPendingTests: ${skipped}, numTodoTests: 0,
};
require("node:fs").writeFileSync(file, JSON.stringify(report));
process.exit(${failed === 0 ? 0 : 1});`;

  /** The programs of the checks. All of them succeed. */
  const programs = {
    eslint: "exit 0",
    prettier: "exit 0",
    publint: "exit 0",
    attw: "exit 0",
    pulumi: "echo v3.259.0",
    "pulumi-language-nodejs": "exit 1",
    "pulumi-resource-pulumi-nodejs": "exit 1",
  };

  async function run(more: {
    programs?: Record<string, string>;
    jest?: string;
    args?: string[];
  }): Promise<ProcessResult & { calls: string }> {
    const folder = clone({ "npm-cli.js": npm, "node_modules/jest/bin/jest.js": more.jest ?? jest(3, 0) });
    const bin = scripts({ ...programs, ...more.programs });
    const env = { PATH: `${bin}:/usr/bin:/bin`, npm_execpath: path.join(folder, "npm-cli.js") };
    const ended = await startNode(["tools/test/index.mjs", ...(more.args ?? [])], env, folder).ended;
    return { ...ended, calls: readFileSync(path.join(folder, "calls"), "utf8") };
  }

  const lastLine = ({ stdout }: ProcessResult) => stdout.trimEnd().split("\n").at(-1);

  test("that all pass are counted together with the installation", async () => {
    const ended = await run({});
    expect([lastLine(ended), ended.code]).toEqual(["13 passed, 0 failed, 0 skipped", 0]);
    const calls = ended.calls.trimEnd().split("\n");
    // The types are checked in parallel with the rest.
    expect(calls.filter((call) => call !== "run typecheck")).toEqual(["run build", "pack --pack-destination"]);
    expect(calls).toContain("run typecheck");
    expect(ended.stdout).not.toContain("FAILED");
  });

  test("a failed check shows why, does not stop the others, and fails the run", async () => {
    const ended = await run({ programs: { eslint: "echo unused; exit 1", attw: "echo no types >&2; exit 2" } });
    expect(ended.stdout).toContain("FAILED  lint\nunused\n");
    expect(ended.stdout).toContain("FAILED  package, as TypeScript sees it\nno types\n");
    expect([lastLine(ended), ended.code]).toEqual(["11 passed, 2 failed, 0 skipped", 1]);
  });

  test("skipped tests are counted in the last line, and do not fail the run", async () => {
    const ended = await run({ jest: jest(3, 0, 2) });
    expect([lastLine(ended), ended.code]).toEqual(["13 passed, 0 failed, 2 skipped", 0]);
  });

  test("a failed test fails the run, and so does a jest that ends without a report", async () => {
    const failed = await run({ jest: jest(3, 2) });
    expect([lastLine(failed), failed.code]).toEqual(["13 passed, 2 failed, 0 skipped", 1]);
    const silent = await run({ jest: "process.exit(1);" });
    expect([lastLine(silent), silent.code]).toEqual(["10 passed, 1 failed, 0 skipped", 1]);
  });

  test("npm test leaves the campaigns out; npm run test:all runs them after the others, and counts both", async () => {
    const noting = `require("node:fs").appendFileSync("calls", "jest " + process.argv.slice(4).join(" ") + "\\n");`;
    const runs = async (args: string[]) => {
      const ended = await run({ args, jest: noting + jest(3, 0) });
      return [ended.calls.split("\n").filter((call) => call.startsWith("jest")), lastLine(ended)];
    };
    const everyday = "jest --testPathIgnorePatterns /node_modules/ /test/campaigns/";
    expect(await runs([])).toEqual([[everyday], "13 passed, 0 failed, 0 skipped"]);
    expect(await runs(["--all"])).toEqual([[everyday, "jest test/campaigns"], "16 passed, 0 failed, 0 skipped"]);
    expect(await runs(["test/unit/client"])).toEqual([["jest test/unit/client"], "13 passed, 0 failed, 0 skipped"]);
  });

  test("a test that leaves a file behind fails the run, which names the file", async () => {
    const leaving = `require("node:fs").writeFileSync(require("node:os").tmpdir() + "/left-behind", "");`;
    const ended = await run({ jest: leaving + jest(3, 0) });
    expect(ended.stdout).toContain("FAILED  no test leaves a file\nTests have left these files:\n  tmp/left-behind\n");
    expect([lastLine(ended), ended.code]).toEqual(["12 passed, 1 failed, 0 skipped", 1]);
  });
});
