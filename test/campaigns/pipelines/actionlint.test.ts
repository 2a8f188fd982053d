/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { blocks } from "../../support/docs/documents";
import { goOnPath, testWith } from "../../support/engine/programs";
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

testWith(goOnPath, "actionlint finds nothing wrong with the steps of docs/guides/keep-the-state.md", () => {
  const repository = workflowRepository();
  const shown = blocks.filter(
    ({ file, role }) => file === "docs/guides/keep-the-state.md" && role.startsWith("voiceplane-"),
  );
  expect(shown).toHaveLength(4);
  for (const { line, text } of shown) {
    const job = parse(text) as { steps: { uses?: string; run?: string }[] };
    const steps = job.steps.map((step) => ((step.uses ?? step.run) ? step : { ...step, run: "pulumi preview" }));
    const workflow = { on: "push", jobs: { addition: { "runs-on": "ubuntu-24.04", ...job, steps } } };
    writeFileSync(join(repository, `.github/workflows/addition-${line}.yml`), stringify(workflow));
  }
  expect(lint(repository)).toEqual({ status: 0, stdout: "", stderr: "" });
});
