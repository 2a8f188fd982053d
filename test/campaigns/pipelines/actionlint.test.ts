/** The workflows of examples/pipelines and of this repository, read by actionlint, which Go builds. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pipelineFiles } from "../../../src/cli/init/pipelines";
import { temporaryFolder, write } from "../../support/folders";

jest.setTimeout(300_000);

const root = resolve(__dirname, "../../..");
const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const title = "actionlint finds nothing wrong";

if (spawnSync("go", ["version"]).status === 0) {
  test(title, () => {
    // In a repository as `init` creates it, because one workflow calls another by its path.
    const repository = temporaryFolder();
    mkdirSync(join(repository, ".git"));
    const own = ["release", "delivery", "test"].map((name) => `.github/workflows/${name}.yml`);
    write(repository, {
      ...pipelineFiles("github", { folder: "", defaultBranch: "main" }, "nodejs"),
      ...Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "utf8")])),
    });
    const { status, stdout, stderr } = spawnSync("go", ["run", actionlint, "-no-color", "-shellcheck=", "-pyflakes="], {
      cwd: repository,
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
