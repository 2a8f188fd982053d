import { Command, InvalidArgumentError, Option, type Help, type Io } from "../../commander.js";
import { services } from "./pipelines.js";
import { initRun } from "./run.js";
import { runtimes } from "./templates.js";

export const help: Help = {
  examples: {
    "Write a project": "npx pulumi-voiceplane init acme-voice",
    "Write one with the organization's webhooks, and a pipeline for GitLab":
      "npx pulumi-voiceplane init acme-voice --ci gitlab --from-server",
  },
  exitCodes: { 0: "everything is written", 1: "nothing is written" },
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
    .action(async (folder, options) => {
      await initRun({ io, folder, ...options });
    });

function projectName(text: string): string {
  if (/^\w[\w.-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_".',
  );
}
