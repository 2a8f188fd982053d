/**
 * A small stand-in for GitHub's runner: jobs in the order of their needs, matrices, called workflows, conditions,
 * outputs, environment files and artifacts. It refuses every keyword that it does not know, so that no step is skipped
 * silently.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import type { Workspace } from "./workspace";

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly "working-directory"?: string;
  readonly "continue-on-error"?: boolean;
}

interface Defaults {
  readonly run?: { readonly shell?: string; readonly "working-directory"?: string };
}

export interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly strategy?: { readonly "fail-fast": boolean; readonly matrix: Readonly<Record<string, string>> };
  readonly environment?: string;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly defaults?: Defaults;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly "timeout-minutes"?: number;
  readonly steps?: readonly Step[];
  /** Another workflow of the repository, instead of steps. */
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly secrets?: string;
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly defaults?: Defaults;
  readonly concurrency?: Job["concurrency"];
  readonly jobs: Readonly<Record<string, Job>>;
}

export function readWorkflow(text: string): Workflow {
  return parse(text) as Workflow;
}

/** Secrets and variables of one environment, by name. */
export interface Environment {
  readonly secrets?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly workspace: Workspace;
  /** The `github` context. */
  readonly github: Readonly<Record<string, unknown>>;
  /** Inputs of a run that a person starts. */
  readonly inputs: object;
  /** Variables of the repository. */
  readonly vars: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, Environment>>;
  /** The workflow that `uses: ./…` of a job names. */
  readonly called: (path: string) => Workflow;
  /** Environment variables of the machine, which every step of a job inherits. */
  readonly env?: (job: string) => Readonly<Record<string, string>>;
}

type Result = "success" | "failure" | "skipped";

interface RanStep {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

export interface RanJob {
  readonly result: Result;
  readonly outputs: Readonly<Record<string, string>>;
  /** The steps that ran, in order. */
  readonly steps: readonly RanStep[];
  /** The summary on the run's page. */
  readonly summary: string;
}

/** The jobs by the names that GitHub shows: "preview (acme)", and "apply (acme) / up" in a called workflow. */
export type RanJobs = Record<string, RanJob>;

export async function runWorkflow(workflow: Workflow, service: Service): Promise<RanJobs> {
  const artifacts = mkdtempSync(join(service.workspace.folder, ".artifacts-"));
  return runJobs(workflow, service.inputs, artifacts, service);
}

async function runJobs(workflow: Workflow, inputs: object, artifacts: string, service: Service): Promise<RanJobs> {
  const ran: RanJobs = {};
  const done: Record<string, Pick<RanJob, "result" | "outputs">> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const upstream = job.needs === undefined ? { result: "success" as const, outputs: {} } : done[job.needs];
    // This stand-in requires each job to come after the job that it needs.
    if (upstream === undefined) throw new Error(`${name} comes before ${job.needs ?? ""}`);
    const needs = job.needs === undefined ? {} : { [job.needs]: upstream };
    const contexts = { github: service.github, vars: service.vars, needs, inputs };
    const results: RanJobs = {};
    if (!holds(job.if, upstream.result, contexts)) results[name] = skipped;
    else {
      for (const { title, matrix } of matrixOf(name, job, contexts)) {
        const place = { name, shell: shellOf(workflow), contexts: { ...contexts, matrix }, artifacts, service };
        if (job.uses === undefined) results[title] = await runJob(job, place);
        else {
          for (const [inner, result] of Object.entries(await callWorkflow(job, place)))
            results[`${title} / ${inner}`] = result;
        }
      }
    }
    Object.assign(ran, results);
    done[name] = summed(Object.values(results));
  }
  return ran;
}

const skipped: RanJob = { result: "skipped", outputs: {}, steps: [], summary: "" };

/** What jobs that need these receive. The outputs of a matrix overwrite each other. */
function summed(jobs: readonly RanJob[]): Pick<RanJob, "result" | "outputs"> {
  const results = jobs.map(({ result }) => result);
  const result = results.includes("failure")
    ? "failure"
    : results.every((each) => each === "skipped")
      ? "skipped"
      : "success";
  return { result, outputs: Object.assign({}, ...jobs.map(({ outputs }) => outputs)) as Record<string, string> };
}

function matrixOf(name: string, { strategy }: Job, contexts: object): { title: string; matrix: object }[] {
  if (!strategy) return [{ title: name, matrix: {} }];
  const [[key, list] = ["", ""], ...others] = Object.entries(strategy.matrix);
  if (others.length > 0) throw new Error("no stand-in for a matrix of several values");
  const values = evaluate(/^\$\{\{(.*)\}\}$/s.exec(list)?.[1] ?? "", contexts) as string[];
  return values.map((value) => ({ title: `${name} (${value})`, matrix: { [key]: value } }));
}

interface Place {
  readonly name: string;
  readonly shell: readonly string[];
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly artifacts: string;
  readonly service: Service;
}

async function callWorkflow({ uses = "", with: given, secrets }: Job, place: Place): Promise<RanJobs> {
  const called = place.service.called(uses);
  const { inputs } = called.on.workflow_call as { inputs: Record<string, { type: string; default?: unknown }> };
  const passed = filled(given, place.contexts);
  const values = Object.entries(inputs).map(([name, input]) => {
    const value = passed[name] ?? String(input.default);
    return [name, input.type === "boolean" ? value === "true" : value];
  });
  // A called workflow has no environment secrets unless the caller inherits its secrets.
  const environments = secrets === "inherit" ? place.service.environments : withoutSecrets(place.service.environments);
  const service = { ...place.service, environments };
  return runJobs(called, Object.fromEntries(values) as object, place.artifacts, service);
}

function withoutSecrets(environments: Service["environments"]): Service["environments"] {
  return Object.fromEntries(Object.entries(environments).map(([name, { vars = {} }]) => [name, { vars }]));
}

/** Flags for bash. Without a named shell, a workflow does not notice failures within a pipe. */
function shellOf({ defaults }: Workflow): readonly string[] {
  const shell = defaults?.run?.shell;
  if (shell === undefined) return ["-e"];
  if (shell === "bash") return ["--noprofile", "--norc", "-eo", "pipefail"];
  throw new Error(`no stand-in for the shell ${shell}`);
}

async function runJob(job: Job, { name, shell, contexts, artifacts, service }: Place): Promise<RanJob> {
  const { workspace, environments, env } = service;
  const environment = environments[fill(job.environment ?? "", contexts)];
  const files = mkdtempSync(join(workspace.folder, ".job-"));
  const known = {
    ...contexts,
    runner: { temp: files },
    secrets: environment?.secrets ?? {},
    vars: { ...service.vars, ...environment?.vars },
  };
  const summary = join(files, "summary.md");
  const outputFile = join(files, "output");
  const environmentFile = join(files, "environment");
  writeFileSync(summary, "");
  writeFileSync(environmentFile, "");
  const jobEnv = {
    ...env?.(name),
    ...filled(job.env, known),
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputFile,
    GITHUB_ENV: environmentFile,
    RUNNER_TEMP: files,
    GITHUB_WORKSPACE: workspace.folder,
  };
  // Before a checkout a job's folder is empty.
  let folder = join(files, "empty");
  mkdirSync(folder);
  let result: Result = "success";
  const steps: Record<string, { outputs: Record<string, string>; outcome: Result }> = {};
  const ran: RanStep[] = [];
  for (const step of job.steps ?? []) {
    const now = { ...known, steps };
    if (!holds(step.if, result, now)) {
      if (step.id !== undefined) steps[step.id] = { outputs: {}, outcome: "skipped" };
      continue;
    }
    if (step.uses !== undefined) {
      const acted = act(step, filled(step.with, now), { folder, artifacts, workspace });
      if (acted !== undefined) folder = acted;
      else if (step["continue-on-error"] !== true) result = "failure";
      continue;
    }
    writeFileSync(outputFile, "");
    const below = fill(step["working-directory"] ?? job.defaults?.run?.["working-directory"] ?? ".", now);
    const stepEnv = { ...jobEnv, ...pairs(readFileSync(environmentFile, "utf8")), ...filled(step.env, now) };
    const { code, output } = await workspace.run(step.run ?? "", stepEnv, join(folder, below), shell);
    ran.push({ name: step.name ?? "", code, output });
    if (code !== 0) result = "failure";
    if (step.id === undefined) continue;
    steps[step.id] = { outputs: pairs(readFileSync(outputFile, "utf8")), outcome: code === 0 ? "success" : "failure" };
  }
  return {
    result,
    outputs: filled(job.outputs, { ...known, steps }),
    steps: ran,
    summary: readFileSync(summary, "utf8"),
  };
}

interface Places {
  readonly folder: string;
  readonly artifacts: string;
  readonly workspace: Workspace;
}

/**
 * Does what the actions do, as far as the tests need it. Returns the folder for the next steps, or undefined after a
 * failure.
 */
function act({ uses = "" }: Step, inputs: Record<string, string>, { folder, artifacts, workspace }: Places) {
  const [action = ""] = uses.split("@");
  const { name = "", path = "" } = inputs;
  const artifact = join(artifacts, name);
  switch (action) {
    case "actions/checkout":
      return workspace.folder;
    case "actions/setup-node":
    case "pulumi/actions":
      return folder;
    case "actions/upload-artifact":
      // The real action only warns about a missing file.
      if (!existsSync(join(folder, path))) return folder;
      mkdirSync(artifact);
      copyFileSync(join(folder, path), join(artifact, basename(path)));
      return folder;
    case "actions/download-artifact":
      if (!existsSync(artifact)) return undefined;
      copyFileSync(join(artifact, "report.md"), join(folder, "report.md"));
      return folder;
    default:
      throw new Error(`no stand-in for ${uses}`);
  }
}

/** Evaluates a condition. Without a status function, it also requires success. */
function holds(condition: string | undefined, result: Result, contexts: object): boolean {
  const expression = (condition ?? "success()").replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const isSuccess = result === "success";
  if (!/\b(success|failure|cancelled|always)\(\)/.test(expression) && !isSuccess) return false;
  const status = {
    success: () => isSuccess,
    failure: () => result === "failure",
    cancelled: () => false,
    always: () => true,
  };
  return Boolean(evaluate(expression, { ...contexts, ...status }));
}

const fill = (text: string, contexts: object): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_whole, expression: string) => String(evaluate(expression, contexts)));

function filled(values: Readonly<Record<string, unknown>> = {}, contexts: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(String(value), contexts)]));
}

/** The workflows' expressions are valid JavaScript, except for dashes in names. A missing value is "". */
function evaluate(expression: string, contexts: object): unknown {
  const script = expression.replaceAll(/\binputs\.([\w-]+)/g, 'inputs["$1"]').replaceAll(/(\w)\.(?=[a-z])/gi, "$1?.");
  return runInNewContext(script, { ...contexts, fromJSON: JSON.parse }) ?? "";
}

function pairs(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
