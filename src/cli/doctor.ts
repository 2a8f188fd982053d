import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { defaultLimits } from "../client/client.js";
import { addressOf } from "../client/settings.js";
import { parsedArgs } from "./arguments.js";
import { failure, ok, warning, type Finding } from "./doctor/finding.js";
import { countOf, format, formats, type Format } from "./doctor/formats.js";
import { checkEngine, checkNode } from "./doctor/machine.js";
import { checkPackages } from "./doctor/packages.js";
import { findProject, type Project } from "./doctor/project.js";
import { pulumiOf, selectedStack, type RunPulumi } from "./doctor/pulumi.js";
import { probe } from "./doctor/probe.js";
import { checkServer } from "./doctor/server.js";
import { checkSettings } from "./doctor/settings.js";
import { UsageError } from "./errors.js";
import { organizationFilesOf } from "./validate/check.js";
import { organizationFileProblems } from "./validate/organization-file.js";
import { lineOf } from "./validate/problem.js";

export const usage = `Usage: voiceplane doctor [options] [DIR]

Checks, before the first preview, that everything is there: Node, the engine, the project in DIR (default: the current
folder) with its packages and its organization file, the settings, and the control plane. Changes nothing. Sends one
request, GET /v1/webhooks/, and never shows the token.

Options:
  -s, --stack NAME     the stack whose configuration is read too, by \`pulumi config\`, which decrypts the token where
                       the environment has none (default: the selected stack)
  --format FORMAT      terminal (default) or json
  -h, --help           show this

Exit codes: 0 nothing failed, though there may be warnings, 1 a failure or bad usage.
`;

interface Options {
  readonly folder: string;
  readonly stack: string | undefined;
  readonly format: Format;
}

/** What the doctor sees of the world. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  /** Such as "24.21.0". */
  readonly nodeVersion: string;
  readonly pulumi: RunPulumi;
  /** ms since the epoch, by the machine's own clock. */
  readonly now: () => number;
  /** Does something after a time, ms, unless what it returns is called before. */
  readonly later: (action: () => void, ms: number) => () => void;
  /** Tells whoever waits what the doctor waits for. */
  readonly say: (line: string) => void;
}

/** Prints the findings and sets the exit code. */
export async function run(args: string[]): Promise<void> {
  const options = parse(args);
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const findings = await examine(options.folder, options.stack, world());
  const colors = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(format(findings, options.format, colors));
  process.exitCode = countOf(findings, "failure") > 0 ? 1 : 0;
}

function world(): World {
  const { env, versions } = process;
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
    say: (line) => process.stderr.write(`${line}\n`),
  };
}

/** All checks, from the machine outwards. Those that an earlier failure makes pointless are left out. */
export async function examine(folder: string, named: string | undefined, around: World): Promise<Finding[]> {
  const patient = { ...around, pulumi: announced(around) };
  const { finding, project } = findProject(folder);
  const engine = await checkEngine(patient.pulumi, folder);
  const stack = named ?? (project && (await selectedStack(patient.pulumi, project.folder)));
  return [
    checkNode(around.nodeVersion),
    engine,
    finding,
    ...(project ? checkPackages(project) : []),
    ...(project ? checkOrganizationFiles(project, stack) : []),
    ...(await checkOrganization(stack, project, patient)),
  ];
}

/** Longer than a person waits without wondering, ms. */
const patienceMs = 2_000;

async function announce<T>({ later, say }: World, what: string, work: Promise<T>): Promise<T> {
  const cancel = later(() => {
    say(`waiting for ${what} …`);
  }, patienceMs);
  try {
    return await work;
  } finally {
    cancel();
  }
}

function announced(around: World): RunPulumi {
  return (args, folder) => announce(around, `pulumi ${args[0] ?? ""}`, around.pulumi(args, folder));
}

function checkOrganizationFiles(project: Project, stack: string | undefined): Finding[] {
  const files = organizationFilesOf(project, stack);
  if (files.length === 0)
    return [ok("organization", "no organization file: the program declares the resources itself")];
  return files.flatMap((path) => {
    const name = relative(project.folder, path);
    const problems = organizationFileProblems(path, name);
    return problems.length > 0
      ? problems.map((each) => failure("organization", lineOf(each)))
      : ok("organization", name);
  });
}

async function checkOrganization(
  stack: string | undefined,
  project: Project | undefined,
  around: World,
): Promise<Finding[]> {
  if (stack !== undefined && !project) return [failure("settings", "without a project there is no stack to read")];
  const { env, pulumi, now } = around;
  const reader = stack === undefined || !project ? undefined : { stack, pulumi, folder: project.folder };
  const { findings, settings } = await checkSettings(env, reader);
  if (!settings) return [...findings, warning("server", "not asked, because the settings are not right yet")];
  const { baseUrl } = settings.client;
  const seconds = defaultLimits.attemptTimeoutMs / 1000;
  const what = `${addressOf(baseUrl)}, for at most ${seconds} s`;
  const result = await announce(around, what, probe(settings.client, now));
  return [...findings, ...checkServer(result, baseUrl, env)];
}

function parse(args: string[]): Options | "help" {
  const { values, positionals } = parsedArgs(args, {
    stack: { type: "string", short: "s" },
    format: { type: "string" },
  });
  if (values.help === true) return "help";
  if (positionals.length > 1) throw new UsageError("more than one folder");
  if (values.stack?.trim() === "") throw new UsageError("--stack needs a name");
  return {
    folder: existingFolder(positionals[0] ?? "."),
    stack: values.stack,
    format: values.format === undefined ? "terminal" : formatNamed(values.format),
  };
}

function existingFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is not a folder`);
  return resolve(path);
}

function formatNamed(name: string): Format {
  const form = formats.find((each) => each === name);
  if (form === undefined) throw new UsageError(`--format must be ${formats.join(" or ")}`);
  return form;
}
