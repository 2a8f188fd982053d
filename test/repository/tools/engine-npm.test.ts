/** The release that the vendor's npm package `pulumi` downloads. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { until } from "../../support/processes";
import { clone, evaluate, root, startNode, temporaryFolder, type Running } from "../../support/tools.js";

/** Looks for an engine on a machine without pulumi and Go, whose npm package is this program. */
function getEngine(npmPackage: string, HOME = temporaryFolder()): Running {
  const folder = clone({ "node_modules/pulumi/run.js": npmPackage });
  return startNode(["tools/engine/index.mjs"], { PATH: "/usr/bin:/bin", HOME }, folder);
}

const downloading = (version = "$PULUMI_VERSION") => `
require("node:child_process").execSync(\`
  bin="$HOME/.pulumi/versions/$PULUMI_VERSION/bin"
  mkdir -p "$bin" && printf '#!/bin/sh\\necho v%s\\n' "${version}" > "$bin/pulumi" && chmod +x "$bin/pulumi"\`);`;

test("it is downloaded once, to where the Automation API finds it too", async () => {
  const home = temporaryFolder();
  const stdout = `${home}/.pulumi/versions/3.259.0/bin\n`;
  expect(await getEngine(downloading(), home).ended).toMatchObject({ code: 0, stdout });
  expect(await getEngine("throw 1", home).ended).toEqual({ code: 0, stdout, stderr: "" });
});

test("one that is not the version asked for is not used", async () => {
  const { code, stderr } = await getEngine(downloading("3.1.0")).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/the npm package pulumi: \S+\/bin has pulumi v3\.1\.0$/m)]);
});

test("a download that fails is reported in one line", async () => {
  const { stderr } = await getEngine(`console.error("Downloading\\npulumi: fetch failed"); process.exit(1);`).ended;
  expect(stderr).toMatch(/^the npm package pulumi: pulumi: fetch failed$/m);
  expect(stderr).toMatch(/^getting Pulumi 3\.259\.0: a build from source$/m);
});

test("an interrupted download ends with the programs that it has started", async () => {
  const home = temporaryFolder();
  const started = path.join(home, "started");
  const { child, ended } = getEngine(
    `require("node:child_process").execSync('echo $$ > ${started}; exec sleep 3600', { stdio: "inherit" });`,
    home,
  );
  const pid = () => Number(readFileSync(started, "utf8"));
  await until(() => {
    try {
      return pid() > 0;
    } catch {
      return false;
    }
  });
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^interrupted$/m) as string });
  await until(() => !isRunning(pid()));
});

function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") === false;
  } catch {
    return false;
  }
}

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
