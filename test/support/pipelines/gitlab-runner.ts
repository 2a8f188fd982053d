/**
 * A small stand-in for GitLab's runner, for what this project's pipeline has: included files with inputs, `extends`, rules, variables of
 * environments, needs and artifacts. The schemas refuse every other keyword.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import type { Workspace } from "./workspace";
import { root } from "../repository";

const text = z.string();
const values = z.record(text, text);

const ruleSchema = z.strictObject({
  if: text,
  when: z.enum(["manual", "always"]).optional(),
  allow_failure: z.literal(true).optional(),
  variables: values.optional(),
});

const jobSchema = z
  .strictObject({
    extends: text,
    stage: text,
    image: z.strictObject({ name: text, entrypoint: z.array(text) }),
    timeout: text,
    interruptible: z.literal(true),
    needs: z.array(text),
    rules: z.array(ruleSchema),
    environment: z.strictObject({ name: text, action: z.literal("access").optional() }),
    resource_group: text,
    variables: values,
    before_script: z.array(text),
    script: z.array(text),
    artifacts: z.strictObject({ when: z.literal("always"), access: text, paths: z.array(text) }),
  })
  .partial();

const pipelineSchema = z.strictObject({
  stages: z.array(text),
  include: z.tuple([z.strictObject({ local: text, inputs: values })]),
});

const specSchema = z.strictObject({
  spec: z.strictObject({
    inputs: z.record(text, z.strictObject({ description: text.optional(), default: text.optional() })),
  }),
});

type GitlabJob = z.infer<typeof jobSchema>;

interface Pipeline {
  readonly stages: readonly string[];
  readonly jobs: Readonly<Record<string, GitlabJob>>;
}

/** @param folder that of the example, or of a project with its files */
export function readGitlabFiles(folder = join(root, "examples/pipelines/gitlab")): Pipeline {
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const { stages, include } = pipelineSchema.parse(parse(read(".gitlab-ci.yml")));
  const [{ local, inputs: given }] = include;
  const [header = ""] = read(local).split(/^---$/m);
  const { inputs } = specSchema.parse(parse(header)).spec;
  const filled = read(local)
    .slice(header.length)
    .replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_whole, name: string) => {
      const value = given[name] ?? inputs[name]?.default;
      if (value === undefined) throw new Error(`no input ${name}`);
      return value;
    });
  const [document] = parseAllDocuments(filled);
  const jobs = z.record(text, jobSchema).parse(document?.toJS());
  return { stages, jobs: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, extended(job, jobs)])) };
}

/** Maps are merged, and everything else is replaced, as in GitLab. */
function extended(job: GitlabJob, jobs: Pipeline["jobs"]): GitlabJob {
  const { extends: base, ...own } = job;
  if (base === undefined) return job;
  const found = jobs[base];
  if (!found) throw new Error(`no job ${base} to extend`);
  const parent = extended(found, jobs);
  return { ...parent, ...own, variables: { ...parent.variables, ...own.variables } };
}

type Variables = Readonly<Record<string, string>>;

interface GitlabService {
  readonly workspace: Workspace;
  /** Variables that GitLab sets for each job of the pipeline. */
  readonly predefined: Variables;
  /** Variables of the project, by the environments that they are limited to. */
  readonly environments: Readonly<Record<string, Variables>>;
  /** Whether a person starts the manual jobs. */
  readonly isStarted: boolean;
  /** Variables of the machine. */
  readonly env: Variables;
}

interface RanGitlabJob {
  readonly result: "success" | "failed" | "skipped" | "manual";
  readonly output: string;
}

export type RanGitlabJobs = Record<string, RanGitlabJob>;

export async function runPipeline({ stages, jobs }: Pipeline, service: GitlabService): Promise<RanGitlabJobs> {
  const ran: RanGitlabJobs = {};
  const artifacts = mkdtempSync(join(service.workspace.folder, ".artifacts-"));
  const visible = Object.entries(jobs).filter(([name]) => !name.startsWith("."));
  for (const [name, job] of stages.flatMap((stage) => visible.filter(([, job]) => job.stage === stage))) {
    const rule = job.rules?.find((each) => holds(each.if, service.predefined));
    if (!rule) continue;
    const isReady = (job.needs ?? []).every((need) => ran[need]?.result === "success");
    const variables = { ...job.variables, ...rule.variables };
    if (!isReady && rule.when !== "always") ran[name] = { result: "skipped", output: "" };
    else if (rule.when === "manual" && !service.isStarted) ran[name] = { result: "manual", output: "" };
    else ran[name] = await runJob(name, { ...job, variables }, artifacts, service);
  }
  return ran;
}

/** Each job starts in a new folder with a checkout and the artifacts of the jobs that it needs. */
async function runJob(
  name: string,
  { needs = [], variables = {}, environment, before_script = [], script = [], artifacts: kept }: GitlabJob,
  artifacts: string,
  { workspace, predefined, environments, env }: GitlabService,
): Promise<RanGitlabJob> {
  const isCheckout = variables.GIT_STRATEGY !== "none";
  const folder = isCheckout ? workspace.folder : mkdtempSync(join(workspace.folder, ".empty-"));
  for (const leftover of ["report.md", "plan.json", "webhooks.txt"]) rmSync(join(folder, leftover), { force: true });
  for (const need of needs.map((each) => join(artifacts, each)))
    if (existsSync(need)) cpSync(need, folder, { recursive: true, verbatimSymlinks: true });
  const limited = environments[environment?.name ?? ""];
  const own = { CI_ENVIRONMENT_NAME: environment?.name ?? "", CI_PROJECT_DIR: folder };
  const all = { ...predefined, ...variables, ...limited, ...env, ...own };
  const { code, output } = await workspace.run([...before_script, ...script].join("\n"), all, folder);
  // With `when: always`, as all of these are kept.
  for (const path of kept?.paths ?? [])
    if (existsSync(join(folder, path)))
      cpSync(join(folder, path), join(artifacts, name, path), { verbatimSymlinks: true });
  return { result: code === 0 ? "success" : "failed", output };
}

/** `$A == "text" && $B == $C`. */
function holds(condition: string, variables: Variables): boolean {
  return condition.split(" && ").every((part) => {
    const [, left = "", literal, right = ""] = /^\$(\w+) == (?:"([^"]*)"|\$(\w+))$/.exec(part) ?? [];
    if (left === "") throw new Error(`no stand-in for the rule ${part}`);
    return variables[left] === (literal ?? variables[right]) && variables[left] !== undefined;
  });
}
