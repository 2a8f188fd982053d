/** The pipeline of a new project: the shared files, and the user's own file, which calls them. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { tried } from "../../values/any.js";
import { example, gitlabJobs, missingFiles, workflows, type Service } from "./shared-files.js";
import type { Runtime } from "./templates.js";
import type { Files } from "./write.js";

/** Where the pipeline runs. */
export interface Repository {
  readonly root: string;
  /** The project's folder, from the root; empty for the root, and without a repository. */
  readonly folder: string;
  readonly defaultBranch: string;
}

/** The Git repository of a folder, which may not exist yet. Without one, the folder itself. */
export function repositoryOf(folder: string): Repository {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) {
      return { root, folder: relative(root, start).replaceAll(sep, "/"), defaultBranch: defaultBranchOf(root) };
    }
    if (dirname(root) === root) return { root: start, folder: "", defaultBranch: "main" };
  }
}

/** The remote's default branch; otherwise main or master, if there is one; otherwise the current branch. */
function defaultBranchOf(root: string): string {
  const remote = git(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")?.replace(/^origin\//, "");
  const usual = ["main", "master"].find((name) => git(root, "rev-parse", "--verify", "--quiet", `refs/heads/${name}`));
  return remote ?? usual ?? git(root, "symbolic-ref", "--short", "HEAD") ?? "main";
}

/** Undefined if it fails, or there is no git. */
function git(root: string, ...args: string[]): string | undefined {
  const text = tried(() =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  )?.trim();
  return text === "" ? undefined : text;
}

/** A repository with the shared files, at one of its commits. */
export interface Source {
  readonly repository: string;
  readonly commit: string;
}

/** The pipeline's files for a service. Their paths start at the project's folder. */
export function pipelineFiles(service: Service, repository: Repository, runtime: Runtime, source?: Source): Files {
  if (service === "none") return {};
  const up = relative(repository.folder, "");
  const shared = source ? {} : missingFiles(repository.root, service);
  const [own, text] =
    service === "github"
      ? [join(up, githubFile), githubText(repository, source)]
      : [gitlabFile, gitlabText(repository, runtime, source)];
  const moved = Object.entries(shared).map(([path, content]) => [join(up, path), content] as const);
  return { ...Object.fromEntries(moved), [own]: text };
}

const githubFile = `${workflows}/voiceplane.yml`;
const gitlabFile = ".gitlab-ci.yml";

/** GitHub's expressions have no default branch and no folder of their own. */
function githubText({ folder, defaultBranch }: Repository, source: Source | undefined): string {
  const from = source && `${source.repository}/${workflows}/voiceplane-pipeline.yml@${source.commit}`;
  return example("github", basename(githubFile))
    .replaceAll("branches: [main]", () => `branches: [${scalar(defaultBranch)}]`)
    .replace('directory: "."', (line) => (folder === "" ? line : `directory: ${scalar(folder)}`))
    .replace(`./${workflows}/voiceplane-pipeline.yml`, (path) => from ?? path);
}

function gitlabText({ folder }: Repository, runtime: Runtime, source: Source | undefined): string {
  const inputs = [
    ...(folder === "" ? [] : [`directory: ${scalar(folder)}`]),
    // The image for Node.js has no host for YAML.
    ...(runtime === "yaml" ? ["image: pulumi/pulumi"] : []),
  ];
  const from = source && `project: ${source.repository}\n    ref: ${source.commit}\n    file: /${gitlabJobs}`;
  const text = example("gitlab", gitlabFile).replace(`local: ${gitlabJobs}`, (line) => from ?? line);
  return text + inputs.map((line) => `      ${line}\n`).join("");
}

/** As YAML, also within a list. */
const scalar = (text: string): string =>
  /^[\w./-]+$/.test(text) && parse(text) === text ? text : JSON.stringify(text);

/** What to set up before the pipeline runs. */
export function pipelineAdvice(service: Service, { defaultBranch, folder }: Repository, source?: Source): string {
  switch (service) {
    case "github":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. voiceplane.yml lists the stacks. In the repository's settings, make three environments for each:
  voiceplane-preview-dev  PULUMI_ACCESS_TOKEN                    for pull requests, rotation, up
  voiceplane-dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for rotation, up: give it reviewers
  voiceplane-nightly-dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nightly
Each also needs the variables VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a pull
request could change the addresses in the files, and the next job would send the tokens there.
Limit the last two to the branch ${defaultBranch}, because the workflow of any other branch could read their secrets. Require the check
"voiceplane / previewed". Nightly and rotation run on a schedule: delete those that you do not want.
${source ? `${source.repository} must be of the same organization, and allow access from this repository.\n` : ""}`;
    case "gitlab":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the jobs run \`npm ci\`, and read the stack's
configuration. .gitlab-ci.yml lists the stacks. In Settings > CI/CD > Variables, add for each stack, by environment:
  voiceplane-preview/dev  PULUMI_ACCESS_TOKEN
  voiceplane/dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-nightly/dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-note         VOICEPLANE_NOTE_TOKEN: a project access token, role Reporter, scope api
The first three also need VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a merge
request could change the addresses in the files, and the next job would send the tokens there. Schedules with VOICEPLANE_RUN=nightly and VOICEPLANE_RUN=rotation run the rest.
${source ? `Everyone who runs a pipeline needs access to ${source.repository}.\n` : ""}${folder === "" ? "" : gitlabPlace}`;
    case "none":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too.
`;
  }
}

/** The repository may have a pipeline there, so it is not written. */
const gitlabPlace = `GitLab reads .gitlab-ci.yml at the root of a repository: move it there, or add its \`include\` to the one there.
`;
