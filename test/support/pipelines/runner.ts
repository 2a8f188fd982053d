/**
 * A small stand-in for GitHub's runner: jobs in the order of their needs, matrices, called workflows, composite actions,
 * conditions, outputs, environment files and artifacts. It refuses every keyword that it does not know, so that nothing is
 * skipped silently.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
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
  readonly shell?: string;
  readonly "working-directory"?: string;
  readonly "continue-on-error"?: boolean;
}

interface Defaults {
  readonly run?: { readonly shell?: string; readonly "working-directory"?: string };
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  readonly strategy?: {
    readonly "fail-fast": boolean;
    readonly "max-parallel"?: number;
    readonly matrix: Readonly<Record<string, readonly string[]>>;
  };
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

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const readWorkflow = (text: string): Workflow => parse(text) as Workflow;

const known = {
  workflow: "name on permissions defaults concurrency jobs",
  job: "needs if strategy environment concurrency permissions outputs defaults env timeout-minutes runs-on steps uses with secrets",
  step: "name id if uses with run env shell working-directory continue-on-error",
};

function refuseUnknown(what: keyof typeof known, of: object): void {
  const unknown = Object.keys(of).filter((key) => !known[what].split(" ").includes(key));
  if (unknown.length > 0) throw new Error(`no stand-in for ${unknown.join(", ")} of a ${what}`);
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
  readonly environments: Readonly<Record<string, Environment>>;
  /** A file of the repository, by the path that `uses: ./…` names. */
  readonly file: (path: string) => string;
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

/** The jobs by the names that GitHub shows: "previewed", and "stack (acme) / apply" in a called workflow. */
export type RanJobs = Record<string, RanJob>;

export async function runWorkflow(workflow: Workflow, service: Service): Promise<RanJobs> {
  const artifacts = mkdtempSync(join(service.workspace.folder, ".artifacts-"));
  return runJobs(workflow, service.inputs, artifacts, service);
}

async function runJobs(workflow: Workflow, inputs: object, artifacts: string, service: Service): Promise<RanJobs> {
  refuseUnknown("workflow", workflow);
  const ran: RanJobs = {};
  const done: Record<string, Pick<RanJob, "result" | "outputs">> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    refuseUnknown("job", job);
    // This stand-in requires each job to come after the jobs that it needs.
    const needs = Object.fromEntries([job.needs ?? []].flat().map((need) => [need, required(done[need], need)]));
    const all = Object.values(needs).map(({ result }) => result);
    const upstream = all.includes("failure") ? "failure" : all.includes("skipped") ? "skipped" : "success";
    const contexts = { github: service.github, needs, inputs };
    const results: RanJobs = {};
    if (!holds(job.if, upstream, contexts)) results[name] = skipped;
    else {
      for (const { title, matrix } of matrixOf(name, job)) {
        const place = {
          name,
          shell: workflow.defaults?.run?.shell,
          contexts: { ...contexts, matrix },
          artifacts,
          service,
        };
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

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`there is no ${name} before it`);
  return value;
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

function matrixOf(name: string, { strategy }: Job): { title: string; matrix: object }[] {
  if (!strategy) return [{ title: name, matrix: {} }];
  const [[key, values] = ["", []], ...others] = Object.entries(strategy.matrix);
  if (others.length > 0) throw new Error("no stand-in for a matrix of several values");
  return values.map((value) => ({ title: `${name} (${value})`, matrix: { [key]: value } }));
}

interface Place {
  readonly name: string;
  readonly shell: string | undefined;
  readonly contexts: Readonly<Record<string, unknown>>;
  readonly artifacts: string;
  readonly service: Service;
}

async function callWorkflow({ uses = "", with: given, secrets }: Job, place: Place): Promise<RanJobs> {
  const called = readWorkflow(place.service.file(uses));
  const { inputs } = called.on.workflow_call as { inputs: Record<string, { default?: string }> };
  const passed = filled(given, place.contexts);
  const values = Object.entries(inputs).map(([name, input]) => [name, passed[name] ?? required(input.default, name)]);
  // A called workflow has no environment secrets unless the caller inherits its secrets.
  const environments = secrets === "inherit" ? place.service.environments : withoutSecrets(place.service.environments);
  return runJobs(called, Object.fromEntries(values) as object, place.artifacts, { ...place.service, environments });
}

function withoutSecrets(environments: Service["environments"]): Service["environments"] {
  return Object.fromEntries(Object.entries(environments).map(([name, { vars = {} }]) => [name, { vars }]));
}

/** Flags for bash. Without a named shell, a workflow does not notice failures within a pipe. */
function flagsOf(shell: string | undefined): readonly string[] {
  if (shell === undefined) return ["-e"];
  if (shell === "bash") return ["--noprofile", "--norc", "-eo", "pipefail"];
  throw new Error(`no stand-in for the shell ${shell}`);
}

async function runJob(job: Job, { name, shell, contexts, artifacts, service }: Place): Promise<RanJob> {
  const { workspace, environments, env } = service;
  const { secrets = {}, vars = {} } = environments[fill(job.environment ?? "", contexts)] ?? {};
  const files = mkdtempSync(join(workspace.folder, ".job-"));
  const [summary, outputFile, environmentFile] = ["summary", "output", "environment"].map((file) =>
    join(files, file),
  ) as [string, string, string];
  const open = { ...contexts, runner: { temp: files } };
  const known = { ...open, secrets, vars };
  for (const file of [summary, environmentFile]) writeFileSync(file, "");
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
  const outcomes: Record<string, { outputs: Record<string, string>; outcome: Result }> = {};
  const ran: RanStep[] = [];

  async function runSteps(steps: readonly Step[], of: object, defaults?: Defaults["run"]): Promise<void> {
    for (const step of steps) {
      refuseUnknown("step", step);
      const now = { ...of, steps: outcomes };
      if (!holds(step.if, result, now)) {
        if (step.id !== undefined) outcomes[step.id] = { outputs: {}, outcome: "skipped" };
        continue;
      }
      const inputs = filled(step.with, now);
      if (step.uses?.startsWith("./") === true) {
        if (!existsSync(join(folder, ".git"))) throw new Error(`${step.uses} comes before a checkout`);
        const action = parse(service.file(`${step.uses}/action.yml`)) as Action;
        const defaults = Object.entries(action.inputs).map(([input, each]) => [input, inputs[input] ?? each.default]);
        // An action has neither secrets nor variables.
        await runSteps(action.runs.steps, { ...open, inputs: Object.fromEntries(defaults) as object });
      } else if (step.uses !== undefined) {
        const acted = await act(step.uses, inputs, { folder, artifacts, workspace });
        if (acted !== undefined) folder = acted;
        else if (step["continue-on-error"] !== true) result = "failure";
      } else {
        writeFileSync(outputFile, "");
        const below = fill(step["working-directory"] ?? defaults?.["working-directory"] ?? ".", now);
        const stepEnv = { ...jobEnv, ...pairs(readFileSync(environmentFile, "utf8")), ...filled(step.env, now) };
        const flags = flagsOf(step.shell ?? shell);
        const { code, output } = await workspace.run(step.run ?? "", stepEnv, join(folder, below), flags);
        ran.push({ name: step.name ?? "", code, output });
        const outcome = code === 0 ? "success" : "failure";
        if (code !== 0) result = "failure";
        if (step.id !== undefined) outcomes[step.id] = { outputs: pairs(readFileSync(outputFile, "utf8")), outcome };
      }
    }
  }

  await runSteps(job.steps ?? [], known, job.defaults?.run);
  const outputs = filled(job.outputs, { ...known, steps: outcomes });
  return { result, outputs, steps: ran, summary: readFileSync(summary, "utf8") };
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
async function act(uses: string, inputs: Record<string, string>, { folder, artifacts, workspace }: Places) {
  const { name = "", path = "." } = inputs;
  const artifact = join(artifacts, name);
  switch (uses.replace(/@.*/, "")) {
    case "actions/checkout":
      // As new: what another job has left in the folder is not there.
      await workspace.must("git clean --quiet --force -d");
      return workspace.folder;
    case "actions/setup-node":
    case "pulumi/actions":
      return folder;
    case "actions/upload-artifact":
      // The real action only warns about a missing file.
      for (const file of path
        .trim()
        .split("\n")
        .map((line) => join(folder, line))) {
        if (!lstatSync(file, { throwIfNoEntry: false })) continue;
        mkdirSync(artifact, { recursive: true });
        cpSync(file, join(artifact, basename(file)), { verbatimSymlinks: true });
      }
      return folder;
    case "actions/download-artifact":
      if (!existsSync(artifact)) return undefined;
      for (const file of readdirSync(artifact))
        cpSync(join(artifact, file), join(folder, path, file), { verbatimSymlinks: true });
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

/** The workflows' expressions are valid JavaScript. A missing value is "". */
function evaluate(expression: string, contexts: object): unknown {
  return runInNewContext(expression.replaceAll(/(\w)\.(?=[a-z])/gi, "$1?."), { ...contexts }) ?? "";
}

function pairs(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
