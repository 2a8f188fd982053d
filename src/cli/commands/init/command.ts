/** Writes the files of a new project, or a pipeline for an existing one. */
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Client } from "../../../client/client.js";
import { problemsWithoutStack, readSettings } from "../../../provider/settings.js";
import { fetchWebhooks, type Webhook } from "../../../resources/webhook-secret/list.js";
import { compact } from "../../../values/any.js";
import { diagnosticText } from "../../../values/diagnostic.js";
import type { Environment } from "../../../values/environment.js";
import { printable } from "../../../values/text.js";
import { Command, Option, type Help, type Io } from "../../commander.js";
import { hasInstalledCli } from "../../pulumi/cli.js";
import { nextText, pipelineFiles, projectFiles, runtimes, services, writeMissing, type Files } from "./files.js";

export const help: Help = {
  examples: {
    "Write a project": "npx pulumi-voiceplane init acme-voice",
    "Write one with the organization's webhooks, and a pipeline for GitLab":
      "npx pulumi-voiceplane init acme-voice --ci gitlab --from-server",
    "Add GitHub's pipeline to the project in this folder": "npx voiceplane init --ci github",
  },
  exitCodes: { 0: "everything is written", 1: "an error" },
};

export const command = (io: Io) =>
  new Command("init")
    .description(
      "Writes a project that keeps one organization's settings in one file, organization.yaml, with the files that `pulumi preview` " +
        "needs and, with --ci, a pipeline that previews pull requests and applies merges. No file is overwritten. In a folder with a " +
        "Pulumi.yaml, only the pipeline and the missing lines of .gitignore are written. A pipeline goes to the root of the repository.",
    )
    .argument("[dir]", "the folder to write to", ".")
    .option("--name <name>", "name of the project (default: that of the folder)")
    .addOption(
      new Option(
        "--runtime <runtime>",
        "yaml: the settings are in Pulumi.yaml itself, for the native plugin, which starts faster",
      )
        .choices(runtimes)
        .default("nodejs"),
    )
    .option(
      "--from-server",
      "add the organization's webhooks, without rotating them; sends one GET /v1/webhooks/ to VOICEPLANE_BASE_URL with " +
        "VOICEPLANE_TOKEN",
    )
    .addOption(new Option("--ci <service>", "the service whose pipeline to write").choices(services).default("none"))
    .action(async (folder, { name = defaultName(folder), runtime, ci, fromServer }) => {
      const isProject = existsSync(join(folder, "Pulumi.yaml"));
      if (isProject && ci === "none")
        throw new Error(`${printable(folder)} has a project already: --ci github or --ci gitlab adds a pipeline`);
      const webhooks = fromServer === true && !isProject ? await webhooksOfServer(io.env) : [];
      const hasCli = hasInstalledCli(io.env);
      const files: Files = {
        ...(!isProject && projectFiles(name, runtime, webhooks, hasCli)),
        ...pipelineFiles(ci, folder),
      };
      const written = writeMissing(folder, files);
      const kept = Object.keys(files).filter((path) => !written.includes(path));
      const paragraphs = compact(
        written.length > 0 && section(`Wrote to ${printable(folder)}:`, written),
        kept.length > 0 && section("These were there, and are as they were:", kept),
        !isProject && section("Next:", nextCommands(folder, name, hasCli)),
        nextText(ci),
      );
      io.stdout.write(paragraphs.join("\n"));
    });

const section = (heading: string, lines: readonly string[]): string =>
  `${heading}\n${lines.map((line) => `  ${line}\n`).join("")}`;

function nextCommands(folder: string, name: string, hasCli: boolean): string[] {
  const pulumi = hasCli ? "pulumi" : "npx pulumi";
  return compact(
    resolve(folder) !== process.cwd() && `cd ${shellWord(folder)}`,
    "npm install",
    `${pulumi} stack init dev`,
    // A project usually has the name of its organization.
    `${pulumi} config set voiceplane:organization ${name}`,
    `${pulumi} config set voiceplane:baseUrl https://…`,
    // Not in the configuration, which is committed: the preview of any pull request could decrypt it there.
    "read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN",
    "npx voiceplane doctor",
    "npx voiceplane preview",
  );
}

const shellWord = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The folder's name as a valid project name that does not start with a dash. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}

/** Sends `GET /v1/webhooks/` with the settings of the environment: the project has no stack yet. */
async function webhooksOfServer(env: Environment): Promise<readonly Webhook[]> {
  const settings = readSettings(() => undefined, env);
  const problems = problemsWithoutStack(settings);
  if (problems.length > 0)
    throw new Error(
      `--from-server needs VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN in the environment: ${problems.map(diagnosticText).join("; ")}`,
    );
  const client = new Client(settings.client, { env });
  try {
    return await fetchWebhooks(client);
  } finally {
    await client.close();
  }
}
