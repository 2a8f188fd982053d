import { readPreviewOrUpdate } from "./engine/preview-or-update.js";
import { defaultOrganizationFile } from "../organization-file/document.js";
import { placesInText } from "../organization-file/places.js";
import { Command, InvalidArgumentError, type Help } from "./commander.js";
import { contents, contentsOrInput } from "./input.js";
import {
  commitOption,
  failOnHelp,
  failOnOption,
  formatOption,
  report,
  reportExitCodes,
  sinceOption,
} from "./report-options.js";

export const help: Help = {
  examples: {
    "Store a preview": "pulumi preview --json --show-sames > preview.json",
    "Explain it as a comment for a pull request": "npx voiceplane report preview.json --format markdown",
    "Explain a preview without storing it": "pulumi preview --json --show-sames | npx voiceplane report -",
  },
  more: failOnHelp,
  exitCodes: reportExitCodes,
};

export const command = new Command("report")
  .description(
    "Explains a preview in plain language, the risks first. Reads the output of `pulumi preview --json`, or the events of " +
      "`pulumi up --json`. Sends nothing.",
  )
  .argument("[file]", "the preview, or - for standard input")
  .addOption(formatOption())
  .option(
    "--organization-file <file>",
    "the file that declares the changes, to name their lines (default: the one in the stack's configuration, otherwise " +
      `${defaultOrganizationFile} if it exists)`,
  )
  .addOption(commitOption())
  .addOption(sinceOption())
  .addOption(failOnOption("the exit code is 2 or 3", "changes"))
  .action(async (file, { organizationFile, ...options }) => {
    if (file === undefined) {
      throw new InvalidArgumentError(
        "name the preview's file, or pipe it: `pulumi preview --json --show-sames | npx voiceplane report -`",
      );
    }
    const preview = readPreviewOrUpdate(await contentsOrInput(file));
    // A file from the option must exist. One that the preview names may be missing.
    const placeOf =
      organizationFile === undefined ? undefined : placesInText(contents(organizationFile), organizationFile);
    await report(process.cwd(), preview, { ...options, placeOf });
  });
