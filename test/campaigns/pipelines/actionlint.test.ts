/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds. */
import { spawnSync } from "node:child_process";
import { workflowRepository } from "../../support/pipelines/github";

jest.setTimeout(300_000);

const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const title = "actionlint finds nothing wrong";

if (spawnSync("go", ["version"]).status === 0) {
  test(title, () => {
    const { status, stdout, stderr } = spawnSync("go", ["run", actionlint, "-no-color", "-shellcheck=", "-pyflakes="], {
      cwd: workflowRepository(),
      encoding: "utf8",
      // Go must not use a workspace or vendor folder of the user.
      env: { ...process.env, GOWORK: "off", GOFLAGS: "" },
    });
    expect(stderr.replaceAll(/^go: downloading .*\n/gm, "")).toBe("");
    expect([status, stdout]).toEqual([0, ""]);
  });
} else {
  // Machines with an installed engine do not need Go, so a missing Go must not fail the test. The title must not look
  // like a success either.
  test.skip(`${title}: NOT CHECKED, because there is no Go on PATH (https://go.dev/doc/install)`, () => undefined);
  process.stderr.write("actionlint did not check the workflows: there is no Go on PATH (https://go.dev/doc/install)\n");
}
