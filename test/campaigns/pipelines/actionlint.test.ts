/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds. */
import { spawnSync } from "node:child_process";
import { goOnPath, testWith } from "../../support/engine/programs";
import { workflowRepository } from "../../support/pipelines/github";

jest.setTimeout(300_000);

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
// Machines with an installed engine do not need Go, so a missing Go must not fail the test.
testWith(goOnPath, "actionlint finds nothing wrong", () => {
  const { status, stdout, stderr } = spawnSync("go", ["run", actionlint, "-no-color", "-shellcheck=", "-pyflakes="], {
    cwd: workflowRepository(),
    encoding: "utf8",
    // Go must not use a workspace or vendor folder of the user.
    env: { ...process.env, GOWORK: "off", GOFLAGS: "" },
  });
  expect(stderr.replaceAll(/^go: downloading .*\n/gm, "")).toBe("");
  expect([status, stdout]).toEqual([0, ""]);
});
