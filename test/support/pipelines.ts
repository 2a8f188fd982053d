/**
 * The scripts of examples/pipelines, run in a shell, one at a time. What GitHub and GitLab do around them is theirs: actionlint reads
 * GitHub's workflows in test/campaigns/pipelines/lint.test.ts.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { afterTest } from "./after-test";
import { programs, temporaryFolder, write } from "./folders";
import { ended } from "./processes";
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

export interface Workflow {
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

export interface GitlabJob {
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

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a script as both services do: it ends at the first command that fails, also within a pipe. */
export async function bash(cwd: string, { text, env }: Script): Promise<Ended> {
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", text];
  const child = spawn("bash", shell, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  afterTest(() => child.kill("SIGKILL"));
  const { code, stdout, stderr } = await ended(child);
  return { code, output: stdout + stderr };
}

/** What the stand-ins of this package's program, npm, Pulumi and gh do: their variables name an exit code, and what is printed. */
const standIns = (folder: string): Values => ({
  npm: `echo "npm $*" >> ${folder}/.calls; env > ${folder}/.npm-env`,
  pulumi: `echo "pulumi $*" >> ${folder}/.calls; echo "$PULUMI_SAYS"`,
  gh: `if [ "$4" != --jq ] && [ "$3" != --paginate ]; then echo "gh $GH_HOST: $*" >> ${folder}/.calls; exit; fi
    printf '%s' "$LISTED" | jq -r "$5"`,
  node: `if [ "$1" != node_modules/pulumi-voiceplane/dist/cli/index.js ]; then exec "${process.execPath}" "$@"; fi
    shift; echo "voiceplane $*" >> ${folder}/.calls; env > ${folder}/.cli-env
    if [ "$1" = preview ]; then echo plan > plan.json; fi
    echo "report"; exit "\${ENDS:-0}"`,
});

/** An empty folder in which scripts run, with stand-ins for the programs that they start. */
export class Played {
  readonly folder = temporaryFolder();
  readonly #bin = programs(standIns(this.folder));

  run({ text, env }: Script, cwd = "."): Promise<Ended> {
    const path = (name: string) => join(this.folder, name);
    const service = {
      GITHUB_OUTPUT: path(".output"),
      GITHUB_STEP_SUMMARY: path(".summary"),
      CI_PROJECT_DIR: this.folder,
    };
    const PATH = [this.#bin, process.env.PATH].join(delimiter);
    return bash(path(cwd), {
      text,
      env: { ...service, GITHUB_WORKSPACE: this.folder, ...env, PATH, HOME: this.folder },
    });
  }

  write(name: string, text: string): void {
    write(this.folder, { [name]: text });
  }

  read(name: string): string {
    return existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), "utf8") : "";
  }

  /** What the stand-ins were called with, in order. */
  get calls(): string[] {
    return this.read(".calls").split("\n").filter(Boolean);
  }
}
