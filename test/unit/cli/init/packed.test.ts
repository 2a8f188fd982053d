import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { pipelineFiles } from "../../../../src/cli/init/pipelines";

const repository = { folder: "", defaultBranch: "main" };

test("the package that users install has the templates and pipelines that init writes", () => {
  const root = resolve(__dirname, "../../../..");
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [packed] = JSON.parse(listing) as [{ files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);
  const github = Object.keys(pipelineFiles("github", repository, "nodejs")).map(
    (path) => /voiceplane-(\w+\.yml)$/.exec(path)?.[1] ?? path,
  );
  expect(github).toEqual(["apply.yml", "nightly.yml", "preview.yml", "rotation.yml", "up.yml"]);
  expect(paths).toEqual(expect.arrayContaining(github.map((name) => `examples/pipelines/github/${name}`)));
  const gitlab = Object.keys(pipelineFiles("gitlab", repository, "nodejs"));
  expect(gitlab).toEqual([".gitlab-ci.yml", ".gitlab/voiceplane.yml"]);
  expect(paths).toEqual(expect.arrayContaining(gitlab.map((name) => `examples/pipelines/gitlab/${name}`)));
  expect(pipelineFiles("none", repository, "nodejs")).toEqual({});
  const templates = ["gitignore", "index.js", "organization.yaml", "package.json", "program.yaml", "Pulumi.yaml"];
  expect(paths.filter((path) => path.startsWith("templates/"))).toEqual(templates.map((name) => `templates/${name}`));
});
