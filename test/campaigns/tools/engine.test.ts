/** Where the tools find an engine: on PATH, or in the release that the vendor's npm package `pulumi` downloads. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { until } from "../../support/processes";
import { clone, engineScript, evaluate, startNode } from "../../support/tools";
import { programs, temporaryFolder } from "../../support/folders";
import { root } from "../../support/repository";

const complete = { "pulumi-language-nodejs": "exit 1", "pulumi-resource-pulumi-nodejs": "exit 1" };
const pulumi = (version: string) => programs({ ...complete, pulumi: `echo v${version}` });

describe("on PATH", () => {
  /** Looks for an engine where only PATH can have one: no site is reachable, and there is no Go. */
  function getEngine(folder: string, more: Record<string, string> = {}) {
    const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: temporaryFolder(), HTTPS_PROXY: "http://127.0.0.1:9" };
    return startNode([engineScript], { ...env, ...more }).finished;
  }

  const chosen = { VOICEPLANE_ENGINE_VERSION: "3.274.1" };

  test.each([
    ["3.250.0", {}],
    ["3.300.1", {}],
    ["3.274.1", chosen],
  ])("pulumi v%s is used", async (version, env) => {
    const folder = pulumi(version);
    expect(await getEngine(folder, env)).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
  });

  const alone = programs({ pulumi: "echo v3.259.0" });

  test.each([
    ["an older one", pulumi("3.249.9"), {}, "/pulumi is 3.249.9, 3.250.0 or newer is needed"],
    ["another one than was chosen", pulumi("3.275.0"), chosen, "/pulumi is 3.275.0, 3.274.1 is needed"],
    ["one that fails", programs({ ...complete, pulumi: "exit 3" }), {}, '/pulumi version" fails'],
    ["one without a host for Node", alone, {}, "has no pulumi-language-nodejs next to it"],
    ["none, and another than the tested one", temporaryFolder(), chosen, "only Pulumi 3.259.0 can be built"],
  ])("%s is skipped, with the reason", async (_what, folder, env, reason) => {
    const { code, stdout, stderr } = await getEngine(folder, env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(reason);
  });

  test("without an engine, the error says what was tried and what to install, without a stack trace", async () => {
    const { stderr } = await getEngine(temporaryFolder());
    expect(stderr).toMatch(/^ {2}- PATH: there is no pulumi$/m);
    expect(stderr).toMatch(/^ {2}- the npm package pulumi: pulumi: fetch failed$/m);
    expect(stderr).toMatch(/^ {2}- a build from source: go is not on PATH$/m);
    expect(stderr).toContain("Install one of these, then try again:\n  - the Pulumi CLI 3.250.0 or newer");
    expect(stderr).toContain("  - Go 1.21 or newer");
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a download", () => {
  /** Looks for an engine on a machine without pulumi and Go, whose npm package is this program. */
  function getEngine(npmPackage: string, HOME = temporaryFolder()) {
    const folder = clone({ "node_modules/pulumi/run.js": npmPackage });
    return startNode(["tools/engine/index.mjs"], { PATH: "/usr/bin:/bin", HOME }, folder);
  }

  const downloading = (version = "$PULUMI_VERSION") => `
require("node:child_process").execSync(\`
  bin="$HOME/.pulumi/versions/$PULUMI_VERSION/bin"
  mkdir -p "$bin" && printf '#!/bin/sh\\necho v%s\\n' "${version}" > "$bin/pulumi" && chmod +x "$bin/pulumi"\`);`;

  test("is made once, to where the Automation API finds it too", async () => {
    const home = temporaryFolder();
    const stdout = `${home}/.pulumi/versions/3.259.0/bin\n`;
    expect(await getEngine(downloading(), home).finished).toMatchObject({ code: 0, stdout });
    expect(await getEngine("throw 1", home).finished).toEqual({ code: 0, stdout, stderr: "" });
  });

  test.each([
    ["another version", downloading("3.1.0"), /^ *-? *the npm package pulumi: \S+\/bin has pulumi v3\.1\.0$/m],
    ["its error", 'console.error("Downloading\\npulumi: fetch failed"); process.exit(1);', /: pulumi: fetch failed$/m],
  ])("that fails is reported in one line, with %s", async (_what, npmPackage, line) => {
    const { code, stderr } = await getEngine(npmPackage).finished;
    expect([code, stderr]).toEqual([1, expect.stringMatching(line)]);
  });

  test("that is interrupted ends with the programs that it has started", async () => {
    const home = temporaryFolder();
    const started = path.join(home, "started");
    const { child, finished } = getEngine(
      `require("node:child_process").execSync('echo $$ > ${started}; exec sleep 3600', { stdio: "inherit" });`,
      home,
    );
    const textOf = (file: string) => {
      try {
        return readFileSync(file, "utf8");
      } catch {
        return "";
      }
    };
    const pid = () => Number(textOf(started));
    await until(() => pid() > 0);
    child.kill("SIGINT");
    expect(await finished).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^interrupted$/m) as string });
    await until(() => /^$|\) Z/.test(textOf(`/proc/${pid()}/stat`)));
  });
});

test("package.json and go.mod name the tested version", async () => {
  const version = (await evaluate("engine/versions.mjs", "tools.TESTED_ENGINE")) as string;
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies.pulumi).toBe(version);
  const file = (end: string) => readFileSync(path.join(root, "tools/engine", end), "utf8");
  expect(file("go.mod")).toContain(`github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
  expect(file("go.sum")).toMatch(new RegExp(`^github\\.com/pulumi/pulumi/pkg/v3 v${version} h1:\\S+=$`, "m"));
});
