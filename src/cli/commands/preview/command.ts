import { resolve } from "node:path";
import { defaultOrganizationFile } from "../../../organization-file/content.js";
import { Command, folderOption, stackOption, type Help, type Io } from "../../commander.js";
import {
  commitOption,
  failOnHelp,
  failOnOption,
  formatOption,
  policyPackConfigOption,
  policyPackOption,
} from "../../stack/report-options.js";
import { previewRun } from "./run.js";

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Keep it, so that apply does nothing else": "npx voiceplane preview --stack dev --out plan.json",
    "Fail if it would delete data or cut a trunk": "npx voiceplane preview --fail-on deletes-data,cuts-a-trunk",
    "Explain what a destroy would send": "npx voiceplane preview --destroy",
    "Explain events made elsewhere": "npx voiceplane preview --from events.json --format markdown",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the preview was shown, with or without changes",
    1: "the preview failed, or bad input",
    2: "the preview contains what --fail-on names",
  },
};

export const command = (io: Io) =>
  new Command("preview")
    .description(
      "Runs `pulumi preview` and explains it in plain language, the risks first. Changes nothing, and keeps nothing of Pulumi's " +
        "output, which may have secrets in plain text.",
    )
    .addOption(folderOption())
    .addOption(stackOption())
    .addOption(formatOption())
    .option("--destroy", "explain what `pulumi destroy` would do")
    .option("--out <file>", "also write what is shown as JSON, for `voiceplane apply --plan`")
    .option(
      "--from <file>",
      "explain these events instead, from `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json` or `pulumi up --json`; - for standard input",
    )
    .option(
      "--organization-file <file>",
      "with --from: the file that declares the changes, to name their lines (default: the one in the stack's configuration, otherwise " +
        `${defaultOrganizationFile} if it exists)`,
    )
    .addOption(commitOption())
    .option(
      "--since <commit>",
      "also names the project's files that differ from this commit and decide what runs, by git",
    )
    .optionsGroup("Guards:")
    .addOption(failOnOption())
    .addOption(policyPackOption())
    .addOption(policyPackConfigOption())
    .action(async ({ cwd = ".", ...options }) => {
      io.exitCode = await previewRun({ io, folder: resolve(cwd), ...options });
    });
