/** Writes the files of a new project. */
import { basename, resolve } from "node:path";
import { Client } from "../../../client/client.js";
import { requestWebhooks } from "../../../client/operations.js";
import { problemsWithoutStack, readSettings } from "../../../provider/settings.js";
import { readWebhookList } from "../../../resources/webhook-secret/list.js";
import { diagnosticText } from "../../../values/diagnostic.js";
import type { Environment } from "../../../values/environment.js";
import { Command, InvalidArgumentError, Option, type Help, type Io } from "../../commander.js";
import { nextSteps, type ListedWebhooks } from "./next-steps.js";
import { newOrganizationFile } from "./organization-file.js";
import { pipelineFiles, repositoryOf, services } from "./pipelines.js";
import { ignoredFiles, projectFiles, runtimes } from "./templates.js";
import { requireFree, writeFiles } from "./write.js";

export const help: Help = {
  examples: {
    "Write a project": "npx pulumi-voiceplane init acme-voice",
    "Write one with the organization's webhooks, and a pipeline for GitLab":
      "npx pulumi-voiceplane init acme-voice --ci gitlab --from-server",
  },
  exitCodes: { 0: "everything is written", 1: "an error, which names what is written" },
};

export const command = (io: Io) =>
  new Command("init")
    .description(
      "Writes a project that keeps one organization's settings in one file, organization.yaml. Also writes the files that " +
        "`pulumi preview` needs and, with --ci, a pipeline that previews pull requests and applies merges. The folder may be an " +
        "existing repository, or a folder in one: nothing is overwritten, and missing lines are added to .gitignore. GitHub's " +
        "workflows are written to the root of the repository, for its default branch.",
    )
    .argument("[dir]", "the folder to write to", ".")
    .option("--name <name>", "name of the project (default: that of the folder)", projectName)
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
    .optionsGroup("Pipeline:")
    .addOption(new Option("--ci <service>", "the service whose pipeline to write").choices(services).default("none"))
    .action(async (folder, { name = defaultName(folder), runtime, ci, fromServer }) => {
      const repository = repositoryOf(folder);
      const pipeline = pipelineFiles(ci, repository, runtime);
      const filesWith = (organizationFile: string) => ({
        ...projectFiles(name, runtime, organizationFile),
        ...pipeline,
      });
      // The names of the files do not depend on the server, which is asked only if all of them can be written.
      requireFree(folder, Object.keys(filesWith("")), Object.keys(pipeline));
      const listed = fromServer === true ? await webhooksOfServer(io.env) : undefined;
      const { webhooks = [], partial } = listed?.list ?? {};
      const paths = writeFiles(folder, filesWith(newOrganizationFile(webhooks, partial)), ignoredFiles());
      io.stdout.write(nextSteps({ folder, paths, name, ci, repository, listed }));
    });

function projectName(text: string): string {
  if (/^\w[\w.-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_".',
  );
}

/** The folder's name as a valid project name that does not start with a dash. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}

/** Sends `GET /v1/webhooks/` with the settings of the environment: the project has no stack yet. */
async function webhooksOfServer(env: Environment): Promise<ListedWebhooks> {
  const settings = readSettings(() => undefined, env);
  const problems = problemsWithoutStack(settings);
  if (problems.length > 0) {
    const needs = "--from-server needs VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN in the environment";
    throw new Error(`${needs}: ${problems.map(diagnosticText).join("; ")}`);
  }
  const client = new Client(settings.client, { env });
  try {
    const list = readWebhookList(await requestWebhooks(client));
    const { address } = settings;
    if (list) return { list, address };
    throw new Error(
      `no list of webhooks is found in the answer of ${address}; run "voiceplane doctor" to find the reason`,
    );
  } finally {
    await client.close();
  }
}
