import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parsedArgs } from "./arguments.js";
import { failure, warning, type Finding } from "./doctor/finding.js";
import { countOf, format, formats, type Format } from "./doctor/formats.js";
import { judgeEngine, judgeNode } from "./doctor/machine.js";
import { judgePackages } from "./doctor/packages.js";
import { findProject, type Project } from "./doctor/project.js";
import { pulumiOf, type RunPulumi } from "./doctor/pulumi.js";
import { askForWebhooks } from "./doctor/request.js";
import { judgeServer } from "./doctor/server.js";
import { judgeSettings } from "./doctor/settings.js";
import { UsageError } from "./errors.js";

export const usage = `Usage: voiceplane doctor [options] [DIR]

Looks, before the first preview, whether everything is there that one needs: Node, the engine, the project in DIR
(default: the current folder) with its packages, the settings, and the control plane. Changes nothing. Sends one
request, GET /v1/webhooks/, and never shows the token.

Options:
  --stack NAME         read the settings from this stack's configuration too, by \`pulumi config\`, which decrypts the
                       token (default: from the environment alone)
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
}

/** Prints the findings and sets the exit code. */
export async function run(args: string[]): Promise<void> {
  const options = parse(args);
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const { env, versions } = process;
  const world = { env, nodeVersion: versions.node, pulumi: pulumiOf(env), now: Date.now };
  const findings = await examine(options.folder, options.stack, world);
  const colors = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(format(findings, options.format, colors));
  process.exitCode = countOf(findings, "failure") > 0 ? 1 : 0;
}

/** All checks, from the machine outwards. Those that an earlier failure makes pointless are left out. */
export async function examine(folder: string, stack: string | undefined, world: World): Promise<Finding[]> {
  const { finding, project } = findProject(folder);
  return [
    judgeNode(world.nodeVersion),
    await judgeEngine(world.pulumi, folder),
    finding,
    ...(project ? judgePackages(project) : []),
    ...(await judgeOrganization(stack, project, world)),
  ];
}

async function judgeOrganization(
  stack: string | undefined,
  project: Project | undefined,
  { env, pulumi, now }: World,
): Promise<Finding[]> {
  if (stack !== undefined && !project) return [failure("settings", "without a project there is no stack to read")];
  const reader = stack === undefined || !project ? undefined : { stack, pulumi, folder: project.folder };
  const { findings, settings } = await judgeSettings(env, reader);
  if (!settings) return [...findings, warning("server", "not asked, because the settings are not right yet")];
  const asked = await askForWebhooks(settings.client, now);
  return [...findings, ...judgeServer(asked, settings.client.baseUrl, env)];
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
