/** The files of a new project's pipeline, and what to set up for it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { tried } from "../../../values/any.js";
import { withoutGit } from "../../../values/environment.js";
import { packageFolder } from "../../manifest.js";
import type { Runtime } from "./templates.js";
import type { Files } from "./write.js";

/** Where the pipeline runs. */
export interface Repository {
  readonly root: string;
  /** The project's folder, from the root; empty for the root, and without a repository. */
  readonly folder: string;
  readonly defaultBranch: string;
}

/** The Git repository of a folder, which may not exist yet. Without a repository, the folder is the root. */
export function repositoryOf(folder: string): Repository {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) {
      return { root, folder: relative(root, start).replaceAll(sep, "/"), defaultBranch: defaultBranchOf(root) };
    }
    if (dirname(root) === root) return { root: start, folder: "", defaultBranch: "main" };
  }
}

/** The remote's default branch; without a remote, main or master; without those, the current branch. */
function defaultBranchOf(root: string): string {
  const remote = git(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")?.replace(/^origin\//, "");
  const usual = ["main", "master"].find((name) => git(root, "rev-parse", "--verify", "--quiet", `refs/heads/${name}`));
  return remote ?? usual ?? git(root, "symbolic-ref", "--short", "HEAD") ?? "main";
}

/** Undefined if git fails, or is not installed. */
function git(root: string, ...args: string[]): string | undefined {
  const text = tried(() =>
    execFileSync("git", ["-C", root, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: withoutGit(process.env),
      windowsHide: true,
    }),
  )?.trim();
  return text === "" ? undefined : text;
}

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

/** The files of each service: by the path in the folder of its example, the path in a repository. */
const targets: Readonly<Record<Service, Readonly<Record<string, string>>>> = {
  github: {
    "voiceplane.yml": ".github/workflows/voiceplane.yml",
    "voiceplane-stack.yml": ".github/workflows/voiceplane-stack.yml",
    "actions/voiceplane/action.yml": ".github/actions/voiceplane/action.yml",
  },
  gitlab: { ".gitlab-ci.yml": ".gitlab-ci.yml", ".gitlab/voiceplane.yml": ".gitlab/voiceplane.yml" },
  none: {},
};

/** By paths from the project's folder. */
export function pipelineFiles(service: Service, repository: Repository, runtime: Runtime): Files {
  const up = relative(repository.folder, "");
  const all = Object.entries(targets[service]).flatMap(([from, to]): [string, string][] => {
    const text = readFileSync(join(packageFolder, "examples/pipelines", service, from), "utf8");
    if (from === "voiceplane.yml") return [[join(up, to), githubText(text, repository)]];
    // The repository may have such a file at its root, so this one is written into the project's folder.
    if (from === ".gitlab-ci.yml") return [[to, gitlabText(text, repository, runtime)]];
    // Another project of the repository may have written the file.
    return tried(() => readFileSync(join(repository.root, to), "utf8")) === text ? [] : [[join(up, to), text]];
  });
  return Object.fromEntries(all);
}

/** In GitHub's workflows, no expression gives the default branch or the project's folder, so both are written. */
function githubText(text: string, { folder, defaultBranch }: Repository): string {
  return text
    .replaceAll("branches: [main]", () => `branches: [${scalar(defaultBranch)}]`)
    .replace('directory: "."', (line) => (folder === "" ? line : `directory: ${scalar(folder)}`));
}

function gitlabText(text: string, { folder }: Repository, runtime: Runtime): string {
  const jobs = readFileSync(join(packageFolder, "examples/pipelines/gitlab/.gitlab/voiceplane.yml"), "utf8");
  const [, image = ""] = /# for YAML: (\S+)/.exec(jobs) ?? [];
  const inputs = [
    ...(folder === "" ? [] : [`directory: ${scalar(folder)}`]),
    // The image for Node.js has no host for YAML.
    ...(runtime === "yaml" ? [`image: ${image}`] : []),
  ];
  return text + inputs.map((line) => `      ${line}\n`).join("");
}

/** The text in YAML, also within a list. */
const scalar = (text: string): string =>
  /^[\w./-]+$/.test(text) && parse(text) === text ? text : JSON.stringify(text);

export function pipelineAdvice(service: Service, { defaultBranch, folder }: Repository): string {
  switch (service) {
    case "github":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. voiceplane.yml lists the stacks. In the repository's settings, make three environments for each:
  voiceplane-preview-dev  PULUMI_ACCESS_TOKEN                    for previews
  voiceplane-dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for merges and rotations: give it reviewers
  voiceplane-nightly-dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nights
Each also needs the variables VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a pull
request could change the addresses in the files, and the next job would send the tokens there.
Limit the last two to the branch ${defaultBranch}, because the workflow of any other branch could read their secrets. Require the check
"previewed". Nightly and rotation run on a schedule: delete those that you do not want.
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
${folder === "" ? "" : gitlabPlace}`;
    case "none":
      return `Then commit everything, package-lock.json and Pulumi.dev.yaml too.
`;
  }
}

const gitlabPlace = `GitLab reads .gitlab-ci.yml at the root of a repository: move it there, or add its \`include\` to the one there.
`;
