/**
 * A small stand-in for GitLab's runner: included files with inputs, `extends`, rules, variables of environments, needs
 * and artifacts. It refuses every keyword that it does not know.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import type { Workspace } from "./workspace";

interface Rule {
  readonly if: string;
  readonly when?: "manual" | "always";
  readonly allow_failure?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface GitlabJob {
  readonly extends?: string;
  readonly stage: string;
  readonly image?: { readonly name: string };
  readonly timeout?: string;
  readonly needs?: readonly string[];
  readonly rules?: readonly Rule[];
  readonly environment?: { readonly name: string; readonly action?: string };
  readonly resource_group?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly artifacts?: { readonly when?: "always"; readonly access?: string; readonly paths: readonly string[] };
}

export interface Pipeline {
  readonly stages: readonly string[];
  readonly jobs: Readonly<Record<string, GitlabJob>>;
}

interface Include {
  readonly local: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** @param read returns the text of a file of the repository */
function readPipeline(text: string, read: (path: string) => string): Pipeline {
  const { stages, include, ...own } = parse(text) as { stages: string[]; include: Include[] };
  const jobs = Object.assign(
    own,
    ...include.map((each) => included(read(each.local), each.inputs)),
  ) as Pipeline["jobs"];
  return { stages, jobs: Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, extended(job, jobs)])) };
}

function included(text: string, given: Include["inputs"]): object {
  const [header = ""] = text.split(/^---$/m);
  const { spec } = parse(header) as { spec: { inputs: Record<string, { default?: string } | null> } };
  const inputs = Object.fromEntries(
    Object.entries(spec.inputs).map(([name, input]) => [name, given[name] ?? input?.default]),
  );
  const filled = text.slice(header.length).replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_whole, name: string) => {
    const value = inputs[name];
    if (value === undefined) throw new Error(`no input ${name}`);
    return value;
  });
  const [document] = parseAllDocuments(filled);
  return document?.toJS() as object;
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

export interface GitlabService {
  readonly workspace: Workspace;
  /** Variables that GitLab sets for each job of the pipeline. */
  readonly predefined: Variables;
  /** Variables of the project, by the environments that they are limited to. */
  readonly environments: Readonly<Record<string, Variables>>;
  /** Whether a person starts the manual job. */
  readonly starts: (name: string) => boolean;
  /** Variables of the machine. */
  readonly env?: (name: string) => Variables;
}

export interface RanGitlabJob {
  readonly result: "success" | "failed" | "skipped" | "manual";
  readonly output: string;
}

const known =
  "extends stage image timeout interruptible needs rules environment resource_group variables before_script script artifacts";

function refuseUnknown(name: string, job: object): void {
  const unknown = Object.keys(job).filter((key) => !known.split(" ").includes(key));
  if (unknown.length > 0) throw new Error(`no stand-in for ${unknown.join(", ")} of ${name}`);
}

export async function runPipeline(pipeline: Pipeline, service: GitlabService): Promise<Record<string, RanGitlabJob>> {
  const ran: Record<string, RanGitlabJob> = {};
  const artifacts = mkdtempSync(join(service.workspace.folder, ".artifacts-"));
  const inOrder = pipeline.stages.flatMap((stage) =>
    Object.entries(pipeline.jobs).filter(([, job]) => job.stage === stage),
  );
  for (const [name, job] of inOrder) {
    if (name.startsWith(".")) continue;
    refuseUnknown(name, job);
    const rule = job.rules?.find((each) => holds(each.if, service.predefined));
    if (!rule) continue;
    const needed = job.needs?.map((need) => ran[need]?.result) ?? [];
    if (needed.some((result) => result !== "success") && rule.when !== "always") {
      ran[name] = { result: "skipped", output: "" };
    } else if (rule.when === "manual" && !service.starts(name)) ran[name] = { result: "manual", output: "" };
    else
      ran[name] = await runJob(
        name,
        { ...job, variables: { ...job.variables, ...rule.variables } },
        artifacts,
        service,
      );
  }
  return ran;
}

/** Each job starts in a new folder with a checkout and the artifacts of the jobs that it needs. */
async function runJob(
  name: string,
  { needs = [], variables, environment, before_script = [], script, artifacts: kept }: GitlabJob,
  artifacts: string,
  { workspace, predefined, environments, env }: GitlabService,
): Promise<RanGitlabJob> {
  const isCheckout = variables?.GIT_STRATEGY !== "none";
  const folder = isCheckout ? workspace.folder : mkdtempSync(join(workspace.folder, ".empty-"));
  for (const leftover of ["report.md", "plan.json", "webhooks.txt"]) rmSync(join(folder, leftover), { force: true });
  for (const need of needs) {
    if (existsSync(join(artifacts, need)))
      cpSync(join(artifacts, need), folder, { recursive: true, verbatimSymlinks: true });
  }
  const project = environment === undefined ? {} : (environments[environment.name] ?? {});
  const all = { ...predefined, ...variables, ...project, ...env?.(name) };
  Object.assign(all, { CI_ENVIRONMENT_NAME: environment?.name ?? "", CI_PROJECT_DIR: folder });
  const lines = [...before_script, ...script].join("\n");
  const { code, output } = await workspace.run(lines, all, folder, ["--noprofile", "--norc", "-eo", "pipefail"]);
  if (code === 0 || kept?.when === "always") {
    for (const path of kept?.paths ?? []) {
      if (!existsSync(join(folder, path))) continue;
      mkdirSync(dirname(join(artifacts, name, path)), { recursive: true });
      cpSync(join(folder, path), join(artifacts, name, path), { verbatimSymlinks: true });
    }
  }
  return { result: code === 0 ? "success" : "failed", output };
}

/** `$A == "text" && $B == $C`. */
function holds(condition: string, variables: Variables): boolean {
  return condition.split(" && ").every((part) => {
    const [, left = "", text, right = ""] = /^\$(\w+) == (?:"([^"]*)"|\$(\w+))$/.exec(part) ?? [];
    if (left === "") throw new Error(`no stand-in for the rule ${part}`);
    return variables[left] === (text ?? variables[right]) && variables[left] !== undefined;
  });
}

export const readGitlabFiles = (folder: string): Pipeline =>
  readPipeline(readFileSync(join(folder, ".gitlab-ci.yml"), "utf8"), (path) =>
    readFileSync(join(folder, path), "utf8"),
  );
