/**
 * A small stand-in for GitHub's runner, for what this project's workflows have. The schemas refuse every other keyword, and an
 * expression with another name fails, so that nothing is skipped silently.
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
import { z } from "zod";
import type { Workspace } from "./workspace";

const text = z.string();
const values = z.record(text, z.coerce.string());
const shell = z.literal("bash");
const concurrency = z.strictObject({ group: text, "cancel-in-progress": z.boolean() });
const defaults = z.strictObject({ run: z.strictObject({ shell, "working-directory": text }).partial() });

const stepSchema = z
  .strictObject({
    name: text,
    id: text,
    if: text,
    uses: text,
    with: values,
    run: text,
    env: values,
    shell,
    "working-directory": text,
    "continue-on-error": z.literal(true),
  })
  .partial();

const matrix = z.strictObject({ stack: z.array(text) });

const jobSchema = z
  .strictObject({
    needs: z.union([z.array(text), text.transform((need) => [need])]),
    if: text,
    strategy: z.strictObject({ "fail-fast": z.literal(false), "max-parallel": z.number().optional(), matrix }),
    environment: text,
    concurrency,
    permissions: values,
    outputs: values,
    defaults,
    env: values,
    "timeout-minutes": z.number(),
    "runs-on": text,
    steps: z.array(stepSchema),
    // Another workflow of the repository, instead of steps.
    uses: text,
    with: values,
    secrets: z.literal("inherit"),
  })
  .partial();

const workflowSchema = z.strictObject({
  name: text,
  on: z.looseObject({}),
  permissions: values,
  defaults: defaults.optional(),
  concurrency: concurrency.optional(),
  jobs: z.record(text, jobSchema),
});

const actionSchema = z.strictObject({
  name: text,
  description: text,
  inputs: z.record(text, z.strictObject({ description: text, default: text })),
  runs: z.strictObject({ using: z.literal("composite"), steps: z.array(stepSchema) }),
});

export type Job = z.infer<typeof jobSchema>;
type Step = z.infer<typeof stepSchema>;
type Values = Readonly<Record<string, string>>;

export const readWorkflow = (file: string) => workflowSchema.parse(parse(file));

/** Secrets and variables of one environment, by name. */
export interface Environment {
  readonly secrets?: Values;
  readonly vars?: Values;
}

interface Service {
  readonly workspace: Workspace;
  /** The `github` context. */
  readonly github: object;
  /** Inputs of a run that a person starts. */
  readonly inputs: object;
  readonly environments: Readonly<Record<string, Environment>>;
  /** A file of the repository, by the path that `uses: ./…` names. */
  readonly file: (path: string) => string;
  /** Environment variables of the machine, which every step of a job inherits. */
  readonly env: (job: string) => Values;
}

type Result = "success" | "failure" | "skipped";

export interface RanJob {
  readonly result: Result;
  readonly outputs: Values;
  /** The steps that ran, in order. */
  readonly steps: readonly { readonly name: string; readonly output: string }[];
  /** The summary on the run's page. */
  readonly summary: string;
}

/** The jobs by the names that GitHub shows: "previewed", and "stack (acme) / apply" in a called workflow. */
export type RanJobs = Record<string, RanJob>;

const skipped: RanJob = { result: "skipped", outputs: {}, steps: [], summary: "" };

/** @param artifacts the folder of the run's artifacts, which called workflows share */
export async function runWorkflow(
  file: string,
  service: Service,
  artifacts = mkdtempSync(join(service.workspace.folder, ".artifacts-")),
): Promise<RanJobs> {
  const workflow = readWorkflow(file);
  const ran: RanJobs = {};
  const done: Record<string, Pick<RanJob, "result" | "outputs">> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needs = Object.fromEntries((job.needs ?? []).map((need) => [need, done[need]]));
    const contexts = { github: service.github, inputs: service.inputs, needs };
    const isSuccess = Object.values(needs).every((need) => need?.result === "success");
    const results: RanJobs = {};
    if (!holds(job.if, isSuccess, contexts)) results[name] = skipped;
    else {
      for (const stack of job.strategy?.matrix.stack ?? [undefined]) {
        const title = stack === undefined ? name : `${name} (${stack})`;
        const place = { name, shell: workflow.defaults?.run.shell, contexts: { ...contexts, matrix: { stack } } };
        if (job.uses === undefined) results[title] = await runJob(job, place, service, artifacts);
        else {
          const called = { ...service, inputs: filled(job.with, place.contexts) };
          const inner = await runWorkflow(service.file(job.uses), called, artifacts);
          for (const [each, result] of Object.entries(inner)) results[`${title} / ${each}`] = result;
        }
      }
    }
    Object.assign(ran, results);
    done[name] = summed(Object.values(results));
  }
  return ran;
}

/** What jobs that need these receive. */
function summed(jobs: readonly RanJob[]): Pick<RanJob, "result" | "outputs"> {
  const results = jobs.map(({ result }) => result);
  const ended = results.includes("success") ? "success" : "skipped";
  const outputs = Object.assign({}, ...jobs.map((job) => job.outputs)) as Values;
  return { result: results.includes("failure") ? "failure" : ended, outputs };
}

interface Place {
  readonly name: string;
  readonly shell: Step["shell"];
  readonly contexts: object;
}

async function runJob(job: Job, place: Place, service: Service, artifacts: string): Promise<RanJob> {
  const { workspace, environments, env } = service;
  const { secrets = {}, vars = {} } = environments[fill(job.environment ?? "", place.contexts)] ?? {};
  const files = mkdtempSync(join(workspace.folder, ".job-"));
  const [summary, output] = [join(files, "summary"), join(files, "output")];
  writeFileSync(summary, "");
  const open = { ...place.contexts, runner: { temp: files } };
  const known = { ...open, secrets, vars };
  const jobEnv = {
    ...env(place.name),
    ...filled(job.env, known),
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    RUNNER_TEMP: files,
    GITHUB_WORKSPACE: workspace.folder,
  };
  // Before a checkout a job's folder is empty.
  let folder = join(files, "empty");
  mkdirSync(folder);
  let result: Result = "success";
  const outcomes: Record<string, { outputs: Values; outcome: Result }> = {};
  const ran: { name: string; output: string }[] = [];

  async function runSteps(steps: readonly Step[], of: object, below = "."): Promise<void> {
    for (const step of steps) {
      const now = { ...of, steps: outcomes };
      let outcome: Result = "success";
      writeFileSync(output, "");
      if (!holds(step.if, result === "success", now)) outcome = "skipped";
      else if (step.uses?.startsWith("./") === true) {
        if (!existsSync(join(folder, ".git"))) throw new Error(`${step.uses} comes before a checkout`);
        const action = actionSchema.parse(parse(service.file(`${step.uses}/action.yml`)));
        const defaulted = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
        const inputs = { ...(Object.fromEntries(defaulted) as Values), ...filled(step.with, now) };
        // An action has neither secrets nor variables.
        await runSteps(action.runs.steps, { ...open, inputs });
        continue;
      } else if (step.uses !== undefined) {
        const acted = await act(step.uses, filled(step.with, now), { folder, artifacts, workspace });
        if (acted === undefined) outcome = "failure";
        else folder = acted;
      } else {
        const cwd = join(folder, fill(step["working-directory"] ?? below, now));
        // Without a named shell, a failure within a pipe is not noticed.
        const flags = (step.shell ?? place.shell) === undefined ? ["-e"] : undefined;
        const { code, output } = await workspace.run(
          step.run ?? "",
          { ...jobEnv, ...filled(step.env, now) },
          cwd,
          flags,
        );
        ran.push({ name: step.name ?? "", output });
        if (code !== 0) outcome = "failure";
      }
      if (outcome === "failure" && step["continue-on-error"] !== true) result = "failure";
      if (step.id !== undefined) outcomes[step.id] = { outputs: pairs(readFileSync(output, "utf8")), outcome };
    }
  }

  await runSteps(job.steps ?? [], known, job.defaults?.run["working-directory"]);
  const outputs = filled(job.outputs, { ...known, steps: outcomes });
  return { result, outputs, steps: ran, summary: readFileSync(summary, "utf8") };
}

interface Places {
  readonly folder: string;
  readonly artifacts: string;
  readonly workspace: Workspace;
}

/** Does what the actions do, as far as the tests need it. Returns the folder for the next steps, or undefined after a failure. */
async function act(uses: string, { name = "", path = "." }: Values, { folder, artifacts, workspace }: Places) {
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
      for (const file of path.trim().split("\n")) {
        const from = join(folder, file);
        if (lstatSync(from, { throwIfNoEntry: false }))
          cpSync(from, join(artifact, basename(from)), { verbatimSymlinks: true });
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
function holds(condition = "true", isSuccess: boolean, contexts: object): boolean {
  const expression = condition.replace(/^\$\{\{(.*)\}\}$/s, "$1");
  if (!/\b(cancelled|always)\(\)/.test(expression) && !isSuccess) return false;
  return Boolean(evaluate(expression, { ...contexts, cancelled: () => false, always: () => true }));
}

const fill = (template: string, contexts: object): string =>
  template.replaceAll(/\$\{\{(.*?)\}\}/gs, (_whole, expression: string) => String(evaluate(expression, contexts)));

const filled = (templates: Values = {}, contexts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(templates).map(([key, template]) => [key, fill(template, contexts)]));

/** The workflows' expressions are valid JavaScript. A missing value is "". */
function evaluate(expression: string, contexts: object): unknown {
  return runInNewContext(expression.replaceAll(/(\w)\.(?=[a-z])/gi, "$1?."), { ...contexts }) ?? "";
}

const pairs = (lines: string): Values =>
  Object.fromEntries([...lines.matchAll(/^([^=\n]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
