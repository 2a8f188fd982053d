/** The checks of `voiceplane doctor`. */
import { relative } from "node:path";
import { defaultLimits } from "../client/client.js";
import { addressOf } from "../client/settings.js";
import { selectedStack, type QueryPulumi } from "../engine/cli.js";
import type { Project } from "../engine/project.js";
import { andMore } from "../resources/problems.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import { checkEngine, checkNode, checkPackages } from "./installed.js";
import { probe } from "./probe.js";
import { checkOrganizationFile, findProject, organizationFilesOf } from "./project.js";
import { checkServer } from "./server.js";
import { checkSettings } from "./settings.js";

/** What the checks use of the machine. Tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Such as "24.21.0". */
  readonly nodeVersion: string;
  readonly pulumi: QueryPulumi;
  /** The machine's clock, ms since the epoch. */
  readonly now: () => number;
  /** Calls `action` after `ms`. The returned function cancels that. */
  readonly later: (action: () => void, ms: number) => () => void;
  /** Shows a line of progress. */
  readonly say: (line: string) => void;
}

/** From the machine to the server. A check is left out if an earlier failure makes it pointless. */
export async function examine(folder: string, named: string | undefined, machine: Machine): Promise<Finding[]> {
  const pulumi: QueryPulumi = (args, cwd) =>
    withProgress(machine, `pulumi ${args[0] ?? ""}`, machine.pulumi(args, cwd));
  const { finding, project } = findProject(folder);
  const engine = await checkEngine(pulumi, folder);
  const stack = named ?? (project && (await selectedStack(pulumi, project.folder)));
  return [
    checkNode(machine.nodeVersion),
    engine,
    finding,
    ...(project ? checkPackages(project, machine.env) : []),
    ...(project ? checkOrganizationFiles(project, stack) : []),
    ...(await checkOrganization(stack, project, { ...machine, pulumi })),
  ];
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

function checkOrganizationFiles(project: Project, stack: string | undefined): Finding[] {
  const files = organizationFilesOf(project, stack);
  if (files.length === 0) {
    return [ok("organization", "no organization file: the program declares the resources itself")];
  }
  return files.flatMap((path) => {
    const name = relative(project.folder, path);
    const { findings, more } = checkOrganizationFile(path, name);
    return [...findings, ...(more > 0 ? [failure("organization", `${name}: ${andMore(more)}`)] : [])];
  });
}

async function checkOrganization(
  stack: string | undefined,
  project: Project | undefined,
  machine: Machine,
): Promise<Finding[]> {
  if (stack !== undefined && !project) return [failure("settings", "without a project there is no stack to read")];
  const { env, pulumi, now } = machine;
  const reader = stack === undefined || !project ? undefined : { stack, pulumi, project };
  const { findings, settings } = await checkSettings(env, reader);
  if (!settings) return [...findings, warning("server", "not asked, because the settings are not right yet")];
  const { baseUrl } = settings.client;
  const what = `${addressOf(baseUrl)}, for at most ${defaultLimits.attemptTimeoutMs / 1000} s`;
  const result = await withProgress(machine, what, probe(settings.client, now));
  return [...findings, ...checkServer(result, baseUrl, env)];
}
