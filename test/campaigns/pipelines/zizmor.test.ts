/** The workflows of examples/pipelines and of this repository, read by zizmor, which looks for what a pull request could misuse. */
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { workflowRepository } from "../../support/pipelines/github";

jest.setTimeout(300_000);

const root = resolve(__dirname, "../../..");
const requirements = join(__dirname, "requirements.txt");
const found = spawnSync(process.execPath, [join(root, "tools/python.mjs"), requirements], { encoding: "utf8" });
const title = "zizmor finds nothing to misuse";

if (found.status === 2) {
  const reason = found.stderr.trim().split("\n").at(-1) ?? "";
  test.skip(`${title}: NOT CHECKED, ${reason}`, () => undefined);
  process.stderr.write(`zizmor did not check the workflows: ${reason}\n`);
} else {
  test(title, () => {
    if (found.status !== 0) throw new Error(`${requirements} cannot be installed:\n${found.stderr}`);
    const zizmor = join(dirname(found.stdout.trim()), "zizmor");
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
}
