/** The checks of `voiceplane doctor`. */
import { defaultLimits } from "../../client/client.js";
import { addressOf } from "../../client/settings.js";
import type { Setting } from "../pulumi/configuration.js";
import type { QueryPulumi } from "../pulumi/answer.js";
import { selectedStack } from "../pulumi/cli.js";
import type { Project } from "../pulumi/project.js";
import type { ProviderSettings } from "../../provider/settings.js";
import { andMore } from "../../resources/problems.js";
import { failure, warning, type Finding } from "./finding.js";
import { checkEngine, checkEngineProxy, checkNode, checkPackages } from "./installed.js";
import { findProject } from "./project.js";
import { checkServer } from "./server.js";
import { checkPassphrase, checkSettings, readStackValues, type StackValues } from "./settings.js";
import { checkEnvironment } from "./stack-settings.js";
import { checkState } from "./state.js";
import { checkProject } from "./validate.js";

/** What the checks use of the machine. Tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Such as "24.21.0". */
  readonly nodeVersion: string;
  readonly pulumi: QueryPulumi;
  /** Calls `action` after `ms`. The returned function cancels that. */
  readonly later: (action: () => void, ms: number) => () => void;
  /** Shows a line of progress. */
  readonly say: (line: string) => void;
}

/** From the machine to the server. A check is left out if an earlier failure makes it pointless. */
export async function examine(folder: string, named: string | undefined, machine: Machine): Promise<Finding[]> {
  const { env } = machine;
  const pulumi: QueryPulumi = (args, cwd) =>
    withProgress(machine, `pulumi ${args[0] ?? ""}`, machine.pulumi(args, cwd));
  const { finding, project } = findProject(folder);
  const engine = await checkEngine(pulumi, folder);
  const stack = named ?? (project && (await selectedStack(pulumi, project.folder)));
  const reader = stack === undefined || !project ? undefined : { stack, pulumi, project };
  const noStack = project && !reader && engine.status !== "failure" ? [notSelected] : [];
  const installed = [
    ...[checkNode(machine.nodeVersion), engine, ...checkEngineProxy(env), finding],
    ...(project ? checkPackages(project, env) : []),
    ...noStack,
    ...(reader ? await checkPassphrase(reader) : []),
  ];
  if (!project && stack !== undefined) {
    return [...installed, failure("settings", "without a project there is no stack to read"), notAsked];
  }
  const read = reader ? await readStackValues(reader, env) : noValues;
  const declared = checkDeclared(project, stack, env, read);
  if ("check" in read) return [...installed, ...declared, read, notAsked];
  const { findings, settings } = checkSettings(read, env, reader, declared);
  const state = reader ? await checkState(pulumi, reader.stack, { folder: reader.project.folder, env }) : [];
  const asked = settings ? await checkServerOf(settings, machine) : [notAsked];
  return [...installed, ...declared, ...findings, ...state, ...asked];
}

const noValues: StackValues = { values: new Map<string, Setting>(), names: [] };

const notSelected = failure(
  "stack",
  "none is selected, or the backend cannot be read, so a preview cannot run",
  "Run `pulumi stack select NAME`, or pass --stack NAME.",
);

const notAsked = warning("server", "not checked: correct the settings first");

/** What `voiceplane validate` checks. */
function checkDeclared(
  project: Project | undefined,
  stack: string | undefined,
  env: NodeJS.ProcessEnv,
  read: StackValues | Finding,
): Finding[] {
  if (!project) return checkEnvironment(env, false);
  const allowInsecureHttp = "values" in read && read.values.get("allowInsecureHttp")?.text === "true";
  const { findings, more } = checkProject(project, { stack, env, cwd: project.folder, allowInsecureHttp });
  return [...findings, ...(more > 0 ? [failure("organization", andMore(more))] : [])];
}

async function checkServerOf({ client }: ProviderSettings, machine: Machine): Promise<Finding[]> {
  const { baseUrl } = client;
  const what = `${addressOf(baseUrl)}, for at most ${defaultLimits.attemptTimeoutMs / 1000} s`;
  return withProgress(machine, what, checkServer(client, machine.env));
}

/** Progress is shown for work that takes longer, ms. */
const progressAfterMs = 2_000;

async function withProgress<T>({ later, say }: Machine, what: string, work: Promise<T>): Promise<T> {
  const cancel = later(() => {
    say(`waiting for ${what} …`);
  }, progressAfterMs);
  try {
    return await work;
  } finally {
    cancel();
  }
}
