import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { defaultLimits } from "../client/client.js";
import { addressOf } from "../client/settings.js";
import { andMore } from "../resources/problems.js";
import { below, Command, Option, stackName } from "./commander.js";
import { countOf, failure, format, ok, warning, type Finding } from "../check/finding.js";
import { checkEngine, checkNode, checkPackages } from "../check/installed.js";
import type { Project } from "../engine/project.js";
import { findProject } from "../check/project.js";
import { pulumiOf, selectedStack, type RunPulumi } from "../engine/query.js";
import { probe } from "../check/probe.js";
import { checkServer } from "../check/server.js";
import { checkSettings } from "../check/settings.js";
import { redacted } from "./secrets.js";
import { organizationFilesOf } from "../check/organization-file.js";
import { lineOf, organizationFileProblems } from "../check/problem.js";

export const command = new Command("doctor")
  .description(
    "Checks that a preview can run: Node, the engine, the project with its packages and its organization file, the settings, " +
      "and the control plane. Changes nothing. Sends one request, GET /v1/webhooks/, and never shows the token.",
  )
  .argument("[dir]", "the project's folder", ".")
  .option(
    "-s, --stack <stack>",
    "also read this stack's configuration, by `pulumi config`, which decrypts the token if the environment has none " +
      "(default: the selected stack)",
    stackName,
  )
  .addOption(new Option("--format <format>", "form of the output").choices(["terminal", "json"]).default("terminal"))
  .addHelpText("after", below("Exit codes: 0 nothing failed, though there may be warnings, 1 a failure or bad usage."))
  /** Prints the findings and sets the exit code. */
  .action(async (path, { stack, format: form }) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is not a folder`);
    const findings = await examine(resolve(path), stack, machineOf(process));
    const colors = process.stdout.isTTY && process.stdout.hasColors();
    process.stdout.write(format(findings, form, colors));
    process.exitCode = countOf(findings, "failure") > 0 ? 1 : 0;
  });

/** What the checks use of the machine. Tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  /** Such as "24.21.0". */
  readonly nodeVersion: string;
  readonly pulumi: RunPulumi;
  /** The machine's clock, ms since the epoch. */
  readonly now: () => number;
  /** Calls `action` after `ms`. The returned function cancels that. */
  readonly later: (action: () => void, ms: number) => () => void;
  /** Shows a line of progress. */
  readonly say: (line: string) => void;
}

function machineOf({ env, versions, stderr }: NodeJS.Process): Machine {
  return {
    env,
    nodeVersion: versions.node,
    pulumi: pulumiOf(env),
    now: Date.now,
    later: (action, ms) => {
      const timer = setTimeout(action, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    say: (line) => stderr.write(`${line}\n`),
  };
}

/** Runs all checks, from the machine to the server. A check is left out if an earlier failure makes it pointless. */
export async function examine(folder: string, named: string | undefined, machine: Machine): Promise<Finding[]> {
  const pulumi: RunPulumi = (args, cwd) => withProgress(machine, `pulumi ${args[0] ?? ""}`, machine.pulumi(args, cwd));
  const { finding, project } = findProject(folder);
  const engine = await checkEngine(pulumi, folder);
  const stack = named ?? (project && (await selectedStack(pulumi, project.folder)));
  const findings = [
    checkNode(machine.nodeVersion),
    engine,
    finding,
    ...(project ? checkPackages(project, machine.env) : []),
    ...(project ? checkOrganizationFiles(project, stack) : []),
    ...(await checkOrganization(stack, project, { ...machine, pulumi })),
  ];
  return redacted(findings, machine.env);
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
  if (files.length === 0)
    return [ok("organization", "no organization file: the program declares the resources itself")];
  return files.flatMap((path) => {
    const name = relative(project.folder, path);
    const { problems, more } = organizationFileProblems(path, name);
    if (problems.length === 0) return ok("organization", name);
    const lines = [...problems.map(lineOf), ...(more > 0 ? [`${name}: ${andMore(more)}`] : [])];
    return lines.map((line) => failure("organization", line));
  });
}

async function checkOrganization(
  stack: string | undefined,
  project: Project | undefined,
  machine: Machine,
): Promise<Finding[]> {
  if (stack !== undefined && !project) return [failure("settings", "without a project there is no stack to read")];
  const { env, pulumi, now } = machine;
  const reader =
    stack === undefined || !project ? undefined : { stack, pulumi, folder: project.folder, project: project.name };
  const { findings, settings } = await checkSettings(env, reader);
  if (!settings) return [...findings, warning("server", "not asked, because the settings are not right yet")];
  const { baseUrl } = settings.client;
  const what = `${addressOf(baseUrl)}, for at most ${defaultLimits.attemptTimeoutMs / 1000} s`;
  const result = await withProgress(machine, what, probe(settings.client, now));
  return [...findings, ...checkServer(result, baseUrl, env)];
}
