/**
 * A small stand-in for the service that runs GitHub workflows: jobs in the order of their needs, conditions, outputs,
 * environment files and artifacts. Whatever it does not know, it refuses, so that no step is passed over in silence.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean; readonly queue?: string };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: object;
  readonly defaults?: { readonly run?: { readonly shell?: string } };
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

export interface Surroundings {
  readonly workspace: Workspace;
  /** The `github` context. */
  readonly github: Readonly<Record<string, unknown>>;
  readonly environments: Readonly<Record<string, Environment>>;
  /** Variables of the machine that every step of a job sees. */
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
  /** Those that ran, in order. */
  readonly steps: readonly RanStep[];
  /** What the run's page shows. */
  readonly summary: string;
}

export async function runWorkflow(workflow: Workflow, around: Surroundings): Promise<Record<string, RanJob>> {
  const done: Record<string, RanJob> = {};
  const artifacts = mkdtempSync(join(around.workspace.folder, ".artifacts-"));
  for (const [name, job] of Object.entries(workflow.jobs)) {
    // Written in this order in the file, which is what this stand-in asks for.
    if (job.needs !== undefined && done[job.needs] === undefined) throw new Error(`${name} comes before ${job.needs}`);
    done[name] = await runJob({ ...job, name }, shellOf(workflow), done, artifacts, around);
  }
  return done;
}

/** Flags for bash. A workflow that names no shell gets one that does not see what fails within a pipe. */
function shellOf({ defaults }: Workflow): readonly string[] {
  const shell = defaults?.run?.shell;
  if (shell === undefined) return ["-e"];
  if (shell === "bash") return ["--noprofile", "--norc", "-eo", "pipefail"];
  throw new Error(`no stand-in for the shell ${shell}`);
}

async function runJob(
  job: Job & { readonly name: string },
  shell: readonly string[],
  done: Record<string, RanJob>,
  artifacts: string,
  { workspace, github, environments, env }: Surroundings,
): Promise<RanJob> {
  const { secrets = {}, vars = {} } = job.environment === undefined ? {} : (environments[job.environment] ?? {});
  const needs = job.needs === undefined ? {} : { [job.needs]: done[job.needs] };
  const contexts = { github, secrets, vars, needs };
  const upstream = job.needs === undefined ? "success" : (done[job.needs]?.result ?? "skipped");
  if (!holds(job.if, upstream, contexts)) return { result: "skipped", outputs: {}, steps: [], summary: "" };

  const files = mkdtempSync(join(workspace.folder, ".job-"));
  const summary = join(files, "summary.md");
  const outputFile = join(files, "output");
  writeFileSync(summary, "");
  const jobEnv = {
    ...env?.(job.name),
    ...filled(job.env, contexts),
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputFile,
  };
  // Before a checkout there is nothing in a job's folder.
  let folder = join(files, "empty");
  mkdirSync(folder);
  let result: Result = "success";
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const ran: RanStep[] = [];
  for (const step of job.steps) {
    const known = { ...contexts, steps };
    if (!holds(step.if, result, known)) continue;
    if (step.uses !== undefined) {
      folder = act(step, { folder, artifacts, workspace });
      continue;
    }
    writeFileSync(outputFile, "");
    const name = step.name ?? "";
    const stepEnv = { ...jobEnv, ...filled(step.env, known) };
    const { code, output } = await workspace.run(step.run ?? "", stepEnv, folder, shell);
    ran.push({ name, code, output });
    if (code !== 0) result = "failure";
    if (step.id !== undefined) steps[step.id] = { outputs: pairs(readFileSync(outputFile, "utf8")) };
  }
  return {
    result,
    outputs: filled(job.outputs, { ...contexts, steps }),
    steps: ran,
    summary: readFileSync(summary, "utf8"),
  };
}

interface Places {
  readonly folder: string;
  readonly artifacts: string;
  readonly workspace: Workspace;
}

/** What the actions do, as far as it matters here; the folder of the steps after it. */
function act({ uses = "", with: inputs = {} }: Step, { folder, artifacts, workspace }: Places): string {
  const artifact = join(artifacts, `${String(inputs.name)}.md`);
  const [action = ""] = uses.split("@");
  switch (action) {
    case "actions/checkout":
      return workspace.folder;
    case "actions/setup-node":
    case "pulumi/actions":
      return folder;
    case "actions/upload-artifact":
      copyFileSync(join(folder, String(inputs.path)), artifact);
      return folder;
    case "actions/download-artifact":
      copyFileSync(artifact, join(folder, `${String(inputs.name)}.md`));
      return folder;
    default:
      throw new Error(`no stand-in for ${uses}`);
  }
}

/** A condition; without a word about the result so far, it stands for success alone. */
function holds(condition: string | undefined, result: Result, contexts: object): boolean {
  const expression = (condition ?? "success()").replace(/^\$\{\{(.*)\}\}$/s, "$1");
  const isSuccess = result === "success";
  if (!/\b(success|failure|cancelled|always)\(\)/.test(expression) && !isSuccess) return false;
  return Boolean(
    evaluate(expression, {
      ...contexts,
      success: () => isSuccess,
      failure: () => result === "failure",
      cancelled: () => false,
    }),
  );
}

function filled(values: Readonly<Record<string, string>> = {}, contexts: object): Record<string, string> {
  const fill = (text: unknown): string =>
    String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_whole, expression: string) => String(evaluate(expression, contexts)));
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
}

/** The expressions that workflows here use are JavaScript as well. A name that is not there gives "", as it does there. */
function evaluate(expression: string, contexts: object): unknown {
  return runInNewContext(expression, { ...contexts }) ?? "";
}

function pairs(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
