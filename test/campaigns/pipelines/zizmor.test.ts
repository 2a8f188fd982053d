/** The workflows of examples/pipelines and of this repository, read by zizmor, which looks for what a pull request could misuse. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { get, testWith } from "../../support/programs";
import { workflowRepository } from "../../support/pipelines/github";

jest.setTimeout(300_000);

const python = get("tools/python.mjs", join(__dirname, "requirements.txt"));

testWith(python, "zizmor finds nothing to misuse", () => {
  const zizmor = join(dirname(python.file), "zizmor");
  // A release packs what no lock file names, and a test installs other versions: both are "low".
  const options = [
    "--offline",
    "--no-progress",
    "--quiet",
    "--color",
    "never",
    "--min-severity",
    "medium",
    "--format",
    "plain",
  ];
  const { status, stdout, stderr } = spawnSync(zizmor, [...options, "."], {
    cwd: workflowRepository(),
    encoding: "utf8",
  });
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/^(No findings to report.*)?\s*$/) as string]);
});
