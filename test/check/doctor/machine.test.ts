import { chmodSync } from "node:fs";
import { join } from "node:path";
import { queryPulumi } from "../../../src/engine/cli";
import { lineOf, pulumiWith, temporaryFolder, write } from "./project";

test.each([
  ["22.19.0", "ok node Node 22.19.0"],
  ["24.0.0", "ok node Node 24.0.0"],
  ["22.18.9", "failure node Node 22.18.9 is too old. Install Node 22.19 or newer."],
  ["20.20.0", "failure node Node 20.20.0 is too old. Install Node 22.19 or newer."],
])("Node %s: %s", async (nodeVersion, line) => {
  expect(await lineOf("node", { nodeVersion })).toBe(line);
});

test.each([
  ["v3.259.0\n", "ok engine Pulumi 3.259.0"],
  ["v3.250.0", "ok engine Pulumi 3.250.0"],
  [
    "v3.249.9\n",
    "warning engine Pulumi 3.249.9 is not a version that this package supports. Install 3.250.0 or newer.",
  ],
  ["v4.0.0\n", "warning engine Pulumi 4.0.0 is not a version that this package supports. Install 3.250.0 or newer."],
  [
    "Usage: hush-hush\n",
    "failure engine the pulumi on PATH prints no version. Install it: https://www.pulumi.com/docs/iac/download-install/",
  ],
])("an engine that prints %j: %s", async (version, line) => {
  expect(await lineOf("engine", { pulumi: pulumiWith({ version }) })).toBe(line);
});

test("a missing engine is a failure that says where to get one", async () => {
  const pulumi = queryPulumi({ PATH: temporaryFolder() });
  expect(await lineOf("engine", { pulumi })).toBe(
    "failure engine there is no pulumi on PATH. Install it: https://www.pulumi.com/docs/iac/download-install/",
  );
});

describe("the CLI's error output is not repeated, because it may hold configuration values", () => {
  /** A CLI that is a shell script of a few lines. */
  function cli(script: string): ReturnType<typeof queryPulumi> {
    const folder = temporaryFolder();
    write(folder, { pulumi: `#!/bin/sh\n${script}\n` });
    chmodSync(join(folder, "pulumi"), 0o755);
    return queryPulumi({ PATH: [folder, process.env.PATH].join(":") });
  }

  test("an exit code", async () => {
    const pulumi = cli('echo "cannot parse hush-hush" | tee /dev/stderr; exit 255');
    expect(await lineOf("engine", { pulumi })).toBe(
      'failure engine "pulumi version" fails (exit code 255). ' +
        "Install it: https://www.pulumi.com/docs/iac/download-install/",
    );
  });

  test("a signal", async () => {
    expect(await lineOf("engine", { pulumi: cli("kill -9 $$") })).toContain("(SIGKILL)");
  });

  test("the CLI never asks for input, and does not check for updates", async () => {
    const folder = temporaryFolder();
    const pulumi = cli('read line && exit 9; echo "$* $PULUMI_SKIP_UPDATE_CHECK $PWD"');
    expect(await pulumi(["version"], folder)).toEqual({
      kind: "done",
      stdout: `version --non-interactive 1 ${folder}\n`,
    });
  });
});
