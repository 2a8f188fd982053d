/** The workflows of examples/pipelines/github in a new repository, and GitHub's data about it. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pipelineFiles, type Source } from "../../../src/cli/init/pipelines";
import { temporaryFolder, write } from "../folders";
import { readWorkflow, runWorkflow, type Environment, type RanJob, type RanJobs, type Workflow } from "./runner";
import { nowIn, type Workspace } from "./workspace";

const root = resolve(__dirname, "../../..");
const sha = "0123456789abcdef0123456789abcdef01234567";

/** The workflows that `init` writes, by their paths. */
export const workflowFiles = (folder = "", source?: Source) =>
  pipelineFiles("github", { root: "", folder, defaultBranch: "main" }, "nodejs", source);

/** A repository as `init` creates it, because one workflow calls another by its path, with the workflows of this one too. */
export function workflowRepository(): string {
  const repository = temporaryFolder();
  mkdirSync(join(repository, ".git"));
  const own = ["release", "delivery", "test"].map((name) => `.github/workflows/${name}.yml`);
  write(repository, {
    ...workflowFiles(),
    ".github/workflows/from-elsewhere.yml":
      workflowFiles("", { repository: "acme/pipelines", commit: sha })[".github/workflows/voiceplane.yml"] ?? "",
    ...Object.fromEntries(own.map((path) => [path, readFileSync(join(root, path), "utf8")])),
  });
  return repository;
}

/** What starts a run: its event, and the jobs that may run then. */
const triggers = {
  preview: { event: { name: "pull_request" }, jobs: ["preview", "comment", "previewed"] },
  up: { event: { name: "push" }, jobs: ["apply"] },
  nightly: { event: { name: "schedule", schedule: "17 3 * * *" }, jobs: ["nightly", "issue"] },
  rotation: { event: { name: "schedule", schedule: "3 8 * * 1-5" }, jobs: ["apply"] },
  "nightly by hand": { event: { name: "workflow_dispatch" }, jobs: ["nightly", "issue"] },
  "rotation by hand": { event: { name: "workflow_dispatch", inputs: { rotation: true } }, jobs: ["apply"] },
} as const;

export type Trigger = keyof typeof triggers;

export interface Comment {
  readonly user: { readonly login: string };
  readonly body: string;
}

export interface Issue extends Comment {
  readonly number: number;
  readonly state: string;
  readonly title: string;
}

export function standInForGh(stack: Workspace): void {
  stack.standIn("gh", `exec node "${join(__dirname, "gh.cjs")}" "$@"`);
  comment(stack);
  stack.write(".issues.json", "[]");
}

/** Adds these comments to the pull request. */
export function comment(stack: Workspace, ...comments: Comment[]): void {
  stack.write(".comments.json", JSON.stringify(comments.map((each, index) => ({ id: 4711 + index, ...each }))));
}

export const comments = (stack: Workspace) => JSON.parse(stack.read(".comments.json")) as Comment[];
/** The text of the last comment. */
export const commented = (stack: Workspace): string => comments(stack).at(-1)?.body ?? "";

export const issues = (stack: Workspace) => JSON.parse(stack.read(".issues.json")) as Issue[];

export interface RunOptions {
  readonly at: string;
  /** When the reviewers approve. Default: at once. */
  readonly approvedAt?: string;
  readonly newest?: string;
  readonly fork?: boolean;
  readonly actor?: string;
  /** Default: only acme. */
  readonly stacks?: readonly string[];
  /** The project's folder, if it is not the repository's root. */
  readonly directory?: string;
  /** Changes the variables and secrets of an environment. */
  readonly environment?: (name: string, has: Environment) => Environment;
}

/** Three environments for each stack. Those that send requests have the token. */
function environmentsFor({ stacks = ["acme"], environment = (_name, has) => has }: RunOptions, stack: Workspace) {
  const pulumi = { PULUMI_ACCESS_TOKEN: "unused-with-a-state-in-files" };
  const vars = {
    VOICEPLANE_BASE_URL: stack.organization.url,
    PULUMI_BACKEND_URL: stack.env.PULUMI_BACKEND_URL ?? "",
  };
  const all = stacks.flatMap((name): [string, Environment][] => [
    [`voiceplane-preview-${name}`, { vars, secrets: pulumi }],
    [`voiceplane-${name}`, { vars, secrets: { ...pulumi, VOICEPLANE_TOKEN: "vp_dev_full" } }],
    [`voiceplane-nightly-${name}`, { vars, secrets: { ...pulumi, VOICEPLANE_TOKEN: "vp_dev_full" } }],
  ]);
  return Object.fromEntries(all.map(([name, has]) => [name, environment(name, has)]));
}

/** As a checkout has it: the newest commit has what the last run did not, and another one is before it. */
const commit = `if [ ! -d .git ]; then
  git init --quiet --initial-branch main
  printf '%s\n' '.*' '!.npmrc' node_modules preview.json report.md > .git/info/exclude
  git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message first
fi
git add --all
git -c user.name=ada -c user.email=ada@example.com commit --quiet --allow-empty --message change`;

export async function run(trigger: Trigger, stack: Workspace, options: RunOptions): Promise<RanJobs> {
  const { stacks = ["acme"], directory = "" } = options;
  await stack.must(commit);
  copyFileSync(join(root, "test/support/engine/pin-clock.cjs"), join(stack.folder, ".clock.cjs"));
  const files = Object.entries(workflowFiles(directory)).map(([path, text]): [string, string] => [
    path.replace(/^(\.\.\/)*/, "./"),
    // As a user lists the stacks.
    text.replace(`stacks: '["dev"]'`, `stacks: '${JSON.stringify(stacks)}'`),
  ]);
  const called = (path: string): Workflow => {
    const text = new Map(files).get(path);
    if (text === undefined) throw new Error(`no workflow ${path}`);
    return readWorkflow(text);
  };
  const { name: event_name, inputs = {}, schedule }: Event = triggers[trigger].event;
  const jobs = await runWorkflow(called("./.github/workflows/voiceplane.yml"), {
    workspace: stack,
    called,
    inputs,
    vars: {},
    environments: environmentsFor(options, stack),
    github: {
      repository: "acme/voice",
      ref_name: "main",
      token: "a-token-of-the-service",
      actor: options.actor ?? "ada",
      event_name,
      event: {
        schedule,
        ...(event_name === "pull_request" && {
          pull_request: {
            number: 12,
            head: { sha, repo: { full_name: options.fork === true ? "eve/voice" : "acme/voice" } },
          },
        }),
      },
    },
    env: (job) => ({
      GITHUB_SERVER_URL: "https://github.example.com",
      GITHUB_REPOSITORY: "acme/voice",
      GITHUB_RUN_ID: "77",
      GITHUB_REF_NAME: "main",
      GITHUB_SHA: sha,
      NEWEST: options.newest ?? sha,
      COMMENTS: join(stack.folder, ".comments.json"),
      ISSUES: join(stack.folder, ".issues.json"),
      NODE_OPTIONS: `--require "${join(stack.folder, ".clock.cjs")}"`,
      TEST_CLOCK: nowIn(stack, job === "up" ? (options.approvedAt ?? options.at) : options.at),
    }),
  });
  return jobsOf(trigger, jobs);
}

interface Event {
  readonly name: string;
  readonly schedule?: string;
  readonly inputs?: object;
}

/** The jobs of a trigger, without the job of the user's own file in their names. All others must have been skipped. */
function jobsOf(trigger: Trigger, jobs: RanJobs): RanJobs {
  const own = Object.entries(jobs).map(([name, job]): [string, RanJob] => [name.replace(/^voiceplane \/ /, ""), job]);
  const expected: readonly string[] = triggers[trigger].jobs;
  const isExpected = ([name]: [string, RanJob]) => expected.includes(name.split(" ")[0] ?? "");
  for (const [name, { result }] of own.filter((each) => !isExpected(each))) {
    if (result !== "skipped") throw new Error(`${name} ran for ${trigger}`);
  }
  return Object.fromEntries(own.filter(isExpected));
}

export const results = (jobs: RanJobs) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));

/** Everything that a run shows to people. */
export const shown = (jobs: RanJobs): string =>
  Object.values(jobs)
    .flatMap(({ steps, summary }) => [summary, ...steps.map(({ output }) => output)])
    .join("\n");

export const output = (job: RanJob | undefined, name: string) =>
  job?.steps.find((step) => step.name === name)?.output ?? "";
