/** The files of examples/pipelines/github in a new repository, and GitHub's data about it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pipelineFiles } from "../../../src/cli/commands/init/files";
import { runWorkflow, type Environment, type RanJob, type RanJobs } from "./runner";
import { nowIn, type Workspace } from "./workspace";
import { root } from "../repository";

/** The files that `init` writes, by their paths from the repository's root. */
export const githubFiles = (folder = ""): Record<string, string> =>
  Object.fromEntries(
    Object.entries(pipelineFiles("github", join("/", folder))).map(([path, text]) => [
      path.replace(/^(\.\.\/)*/, ""),
      text.replace('directory: "."', `directory: "${folder || "."}"`),
    ]),
  );

export const waves = readFileSync(join(root, "examples/pipelines/github/voiceplane-waves.yml"), "utf8");

/** What starts a run. */
const events = {
  "pull request": { name: "pull_request" },
  "merge queue": { name: "merge_group" },
  push: { name: "push" },
  nightly: { name: "schedule", schedule: "17 3 * * *" },
  rotation: { name: "schedule", schedule: "3 8 * * 1-5" },
  "rotation by hand": { name: "workflow_dispatch", inputs: { task: "rotation" } },
  "apply by hand": { name: "workflow_dispatch", inputs: { task: "apply" } },
};

export type Trigger = keyof typeof events;

/** A comment of the pull request, or an issue of the repository. */
interface Comment {
  readonly user: { readonly login: string };
  readonly body: string;
}

/** Adds these comments to the pull request. */
export function comment(stack: Workspace, ...comments: Comment[]): void {
  stack.write(".comments.json", JSON.stringify(comments.map((each, index) => ({ id: 4711 + index, ...each }))));
}

export const comments = (stack: Workspace) => JSON.parse(stack.read(".comments.json") || "[]") as Comment[];
/** The text of the last comment. */
export const commented = (stack: Workspace): string => comments(stack).at(-1)?.body ?? "";

export const issues = (stack: Workspace) => JSON.parse(stack.read(".issues.json") || "[]") as Comment[];

export interface RunOptions {
  /** Default: a morning on which the rotation runs. */
  readonly at?: string;
  /** When the reviewers approve. Default: at once. */
  readonly approvedAt?: string;
  /** The file that a newer commit of the branch changes. */
  readonly newer?: string;
  readonly fork?: boolean;
  readonly actor?: string;
  /** Default: only acme. */
  readonly stacks?: readonly string[];
  /** The project's folder, if it is not the repository's root. */
  readonly directory?: string;
  /** Replaces the variables and secrets of every environment, which has this name. */
  readonly environment?: (has: Required<Environment>, name: string) => Environment;
  /** Another file than the one that `init` writes. */
  readonly workflow?: string;
}

/** Three environments for each stack. Those that send requests have the token. */
function environmentsFor({ stacks = ["acme"], environment = (has) => has }: RunOptions, stack: Workspace) {
  const { PULUMI_CONFIG_PASSPHRASE = "", PULUMI_BACKEND_URL = "" } = stack.env;
  const vars = { VOICEPLANE_BASE_URL: stack.organization.url, PULUMI_BACKEND_URL };
  const previewing = { vars, secrets: { PULUMI_CONFIG_PASSPHRASE } };
  const sending = { vars, secrets: { PULUMI_CONFIG_PASSPHRASE, VOICEPLANE_TOKEN: "vp_dev_full" } };
  const all: [string, Required<Environment>][] = stacks.flatMap((name) => [
    [`voiceplane-preview-${name}`, previewing],
    [`voiceplane-${name}`, sending],
    [`voiceplane-unattended-${name}`, sending],
  ]);
  return Object.fromEntries(all.map(([name, has]) => [name, environment(has, name)]));
}

/** As a checkout has it: the newest commit has what the last run did not, and another one is before it. */
const commit = `if [ ! -d .git ]; then
  git init --quiet --initial-branch main
  printf '%s\n' '.*' '!.npmrc' node_modules > .git/info/exclude
  git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message first
  git remote add origin "$PWD"
fi
git symbolic-ref HEAD refs/heads/main
git clean --quiet --force report.md plan.json */*/report.md */*/plan.json */*/webhooks.txt webhooks.txt
git add --all
git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message change`;

export async function run(trigger: Trigger, stack: Workspace, options: RunOptions = {}): Promise<RanJobs> {
  const { at = "2026-11-20T08:03:00Z", stacks = ["acme"], directory = "" } = options;
  await stack.must(commit);
  const sha = (await stack.must("git rev-parse HEAD")).trim();
  if (options.newer !== undefined) {
    stack.write(options.newer, "newer\n");
    await stack.must(`git add --force "${options.newer}"
git -c user.name=ada -c user.email=ada@example.com commit --quiet --message newer
git checkout --quiet --detach ${sha}`);
  }
  stack.standIn("gh", `exec node "${join(__dirname, "gh.cjs")}" "$@"`);
  const files = githubFiles(directory);
  // As a user lists the stacks.
  const listed = `stack: [${stacks.join(", ")}]`;
  const own = files[".github/workflows/voiceplane.yml"]?.replace("stack: [dev]", listed) ?? "";
  const { name, ...event }: { name: string; schedule?: string; inputs?: object } = events[trigger];
  const head = { sha, repo: { full_name: options.fork === true ? "eve/voice" : "acme/voice" } };
  return runWorkflow(options.workflow ?? own, {
    workspace: stack,
    file: (path) => {
      const text = files[path.replace("./", "")];
      if (text === undefined) throw new Error(`no file ${path}`);
      return text;
    },
    inputs: event.inputs ?? {},
    environments: environmentsFor(options, stack),
    github: {
      repository: "acme/voice",
      sha,
      token: "a-token-of-the-service",
      actor: options.actor ?? "ada",
      event_name: name,
      event: { ...event, ...(name === "pull_request" && { pull_request: { number: 12, head } }) },
    },
    env: (job) => ({
      GITHUB_SERVER_URL: "https://github.example.com",
      GITHUB_REPOSITORY: "acme/voice",
      GITHUB_RUN_ID: "77",
      GITHUB_REF_NAME: "main",
      GITHUB_SHA: sha,
      COMMENTS: join(stack.folder, ".comments.json"),
      ISSUES: join(stack.folder, ".issues.json"),
      ...nowIn(stack, job === "apply" ? (options.approvedAt ?? at) : at),
    }),
  });
}

/** By the names of the jobs, without those that did not run. */
export const results = (jobs: RanJobs) =>
  Object.fromEntries(
    Object.entries(jobs).flatMap(([name, { result }]) => (result === "skipped" ? [] : [[name, result]])),
  );

/** Everything that a run shows to people. */
export const shown = (jobs: RanJobs): string =>
  Object.values(jobs)
    .flatMap(({ steps, summary }) => [summary, ...steps.map(({ output }) => output)])
    .join("\n");

export const output = (job: RanJob | undefined, name: string) =>
  job?.steps.find((step) => step.name === name)?.output ?? "";
