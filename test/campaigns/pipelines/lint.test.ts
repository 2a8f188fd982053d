/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds, and by zizmor, which looks for what a pull request could misuse. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { get, goOnPath, testWith } from "../../support/tools";
import { read } from "../../support/repository";
import { temporaryFolder, write } from "../../support/folders";
import { githubFiles } from "../../support/pipelines";

jest.setTimeout(300_000);

/** The example as it is copied, because one file names another by its path, with the workflows of this repository. */
const repository = temporaryFolder();
const own = ["release", "test"].map((name) => `.github/workflows/${name}.yml`);
write(repository, {
  ".git/HEAD": "",
  ...githubFiles,
  ...Object.fromEntries(own.map((path) => [path, read(path)])),
});

function lint(program: string, args: readonly string[]): { status: number | null; output: string } {
  // Go must not use a workspace or vendor folder of the user.
  const env = { ...process.env, GOWORK: "off", GOFLAGS: "" };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: repository, encoding: "utf8", env });
  return { status, output: stdout + stderr.replaceAll(/^go: downloading .*\n/gm, "") };
}

// Machines with an installed engine do not need Go, so a missing Go must not fail the test.
testWith(goOnPath, "actionlint finds nothing wrong", () => {
  const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
  const found = lint("go", ["run", actionlint, "-no-color", "-shellcheck=", "-pyflakes="]);
  expect(found).toEqual({ status: 0, output: "" });
});

const python = get("tools/python.mjs", join(__dirname, "requirements.txt"));

testWith(python, "zizmor finds nothing to misuse", () => {
  // A release packs what no lock file names, and a test installs other versions: both are "low".
  const options = "--offline --no-progress --quiet --color never --min-severity medium --format plain .".split(" ");
  const { status, output } = lint(join(dirname(python.file), "zizmor"), options);
  expect([status, output]).toEqual([0, expect.stringMatching(/^(No findings to report.*)?\s*$/) as string]);
});
