/** The scripts of examples/pipelines. What GitHub and GitLab do around them is theirs: test/campaigns/pipelines reads and runs them. */
import { parse, parseAllDocuments } from "yaml";
import { read } from "./repository";

type Values = Readonly<Record<string, string>>;

/** A command of a job, with its environment. */
export interface Script {
  readonly text: string;
  readonly env: Values;
}

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Values;
}

export interface Job {
  readonly permissions?: unknown;
  readonly environment?: unknown;
  readonly secrets?: unknown;
  readonly concurrency?: unknown;
  readonly uses?: string;
  readonly env?: Values;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** By the path in a repository, each file of the example. */
export const githubFiles: Values = Object.fromEntries(
  ["workflows/voiceplane.yml", "workflows/voiceplane-stack.yml", "workflows/voiceplane-waves.yml"]
    .concat("actions/voiceplane/action.yml")
    .map((path) => [`.github/${path}`, read(`examples/pipelines/github/${path.replace("workflows/", "")}`)]),
);

export const readWorkflow = (text = ""): Workflow => parse(text) as Workflow;

/** A step by its name, in any file. The value of an expression is what the test gives, or empty, as that of a missing secret. */
export function githubStep(name: string, given: Values = {}): Script {
  for (const text of Object.values(githubFiles)) {
    const { jobs = {}, runs } = parse(text) as Partial<Workflow> & { runs?: Job };
    for (const job of [...Object.values(jobs), runs ?? {}]) {
      const step = job.steps?.find((each) => each.name === name);
      if (step?.run === undefined) continue;
      const written = Object.entries({ ...job.env, ...step.env }).map(([key, value]) => [
        key,
        value.includes("${{") ? "" : value,
      ]);
      return { text: step.run, env: { ...(Object.fromEntries(written) as Values), ...given } };
    }
  }
  throw new Error(`no step ${name}`);
}

interface GitlabJob {
  readonly variables?: Values;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly resource_group?: string;
  readonly artifacts?: { readonly access: string };
}

/** The jobs of the stack `dev`. */
export function gitlabJobs(): Readonly<Record<string, GitlabJob>> {
  const inputs: Values = { stack: "dev", directory: ".", image: "image" };
  const text = read("examples/pipelines/gitlab/.gitlab/voiceplane.yml").replaceAll(
    /\$\[\[ inputs\.(\w+) \]\]/g,
    (_whole, name: string) => inputs[name] ?? "",
  );
  return parseAllDocuments(text)[1]?.toJS() as Readonly<Record<string, GitlabJob>>;
}

/** A job of the stack `dev`, whose variables `given` overrides. */
export function gitlabJob(name: string, given: Values = {}): Script {
  const jobs = gitlabJobs();
  const [base, job] = [jobs[".voiceplane dev"], jobs[`${name} dev`]];
  const text = [...(job?.before_script ?? base?.before_script ?? []), ...(job?.script ?? [])].join("\n");
  return { text, env: { ...base?.variables, ...job?.variables, ...given } };
}
