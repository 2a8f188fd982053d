/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds. */
import { spawnSync } from "node:child_process";
import { goOnPath, testWith } from "../../support/programs";
import { workflowRepository } from "../../support/pipelines/github";

jest.setTimeout(300_000);

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";

function lint(repository: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync("go", ["run", actionlint, "-no-color", "-shellcheck=", "-pyflakes="], {
    cwd: repository,
    encoding: "utf8",
    // Go must not use a workspace or vendor folder of the user.
    env: { ...process.env, GOWORK: "off", GOFLAGS: "" },
  });
  return { status, stdout, stderr: stderr.replaceAll(/^go: downloading .*\n/gm, "") };
}

// Machines with an installed engine do not need Go, so a missing Go must not fail the test.
testWith(goOnPath, "actionlint finds nothing wrong", () => {
  expect(lint(workflowRepository())).toEqual({ status: 0, stdout: "", stderr: "" });
});
