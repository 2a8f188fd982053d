/** The pipelines of a new project. They are copied from the examples, which are tested. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { packageFolder } from "../manifest.js";
import { tried } from "../../values.js";
import type { Runtime } from "./templates.js";
import type { Files } from "./write.js";

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

/** Where the pipeline runs. */
export interface Repository {
  /** The project's folder, from the repository's root; empty for the root, and without a repository. */
  readonly folder: string;
  readonly defaultBranch: string;
}

/** The Git repository of a folder, which may not exist yet. */
export function repositoryOf(folder: string): Repository {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) {
      return { folder: relative(root, start).replaceAll(sep, "/"), defaultBranch: defaultBranchOf(root) };
    }
    if (dirname(root) === root) return { folder: "", defaultBranch: "main" };
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

/** The pipeline's files for a service. Their paths start at the project's folder. */
export function pipelineFiles(service: Service, repository: Repository, runtime: Runtime): Files {
  if (service === "none") return {};
  const folder = join(packageFolder, "examples/pipelines", service);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yml"));
  return Object.fromEntries(
    files.sort().map((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      if (service === "gitlab") return [path, runtime === "yaml" ? withAllHosts(text) : text];
      const target = join(relative(repository.folder, ""), ".github/workflows", `voiceplane-${path}`);
      return [target, workflowFor(repository, text)];
    }),
  );
}

/** The image for Node.js has no host for YAML. */
const withAllHosts = (text: string): string => text.replace(/pulumi\/pulumi-nodejs-\d+:/, "pulumi/pulumi:");

/** GitHub's expressions have no default branch and no folder of their own. */
function workflowFor({ folder, defaultBranch }: Repository, text: string): string {
  const branches = `branches: [${JSON.stringify(defaultBranch).replace(/^"([\w./-]+)"$/, "$1")}]`;
  const directory = `|| '${folder === "" ? "." : folder.replaceAll("'", "''")}' }}`;
  return text.replaceAll("branches: [main]", () => branches).replaceAll("|| '.' }}", () => directory);
}

/** What to set up before the pipeline runs. */
export function pipelineAdvice(service: Service, { defaultBranch, folder }: Repository): string {
  switch (service) {
    case "github":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. In the repository's settings, list the stacks in the variable VOICEPLANE_STACKS, such as ["dev"], and make
three environments for each stack:
  voiceplane-preview-dev  PULUMI_ACCESS_TOKEN                    for preview, rotation, up
  voiceplane-dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for rotation, up: give it reviewers
  voiceplane-nightly-dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nightly
Each also needs the variables VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a pull
request could change the addresses in the files, and the next job would send the tokens there.
Limit the last two to the branch ${defaultBranch}, because the workflow of any other branch could read their secrets. Require the check "previewed". Nightly and rotation run on a schedule: delete those that you do not want.
`;
    case "gitlab":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the jobs run \`npm ci\`, and read the stack's
configuration. .gitlab-ci.yml lists the stacks. In Settings > CI/CD > Variables, add for each stack, by environment:
  voiceplane-preview/dev  PULUMI_ACCESS_TOKEN
  voiceplane/dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-nightly/dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-note         VOICEPLANE_NOTE_TOKEN: a project access token, role Reporter, scope api
The first three also need VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a merge
request could change the addresses in the files, and the next job would send the tokens there. Schedules with VOICEPLANE_RUN=nightly and VOICEPLANE_RUN=rotation run the rest.
${folder === "" ? "" : gitlabPlace(folder)}`;
    case "none":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too.
`;
  }
}

/** The repository may have a pipeline there, so it is not written. */
const gitlabPlace = (folder: string): string =>
  `GitLab reads .gitlab-ci.yml at the root of a repository: move it and .gitlab there, and add to the inputs of each
stack: directory: ${folder}
`;
