import { text } from "node:stream/consumers";
import { below, Command, InvalidArgumentError, Option } from "./commander.js";
import { parseFailOn, riskLabels } from "./fail-on.js";
import { contents } from "./input.js";
import { describe } from "../report/describe.js";
import { format, formats } from "../report/formats.js";
import { placesIn, placesInText, type PlaceOf } from "../organization-file/places.js";
import { readPreview, type Preview } from "../engine/preview.js";
import { exitCodeOf, failOnChanges } from "../report/risks.js";
import { secretsHere } from "../engine/backend.js";

export const command = new Command("report")
  .description(
    "Explains a preview in plain language, the risks first. Reads the output of `pulumi preview --json`, or the events of " +
      "`pulumi up --json`. Sends nothing.",
  )
  .argument("[file]", "the preview (default: standard input)")
  .addOption(
    new Option("--format <format>", "summary: one line of at most 140 characters").choices(formats).default("markdown"),
  )
  .option(
    "--organization-file <file>",
    "the file that declares the changes, to name their lines (default: the one in the stack's configuration, otherwise " +
      "organization.yaml if it exists)",
  )
  .option(
    "--commit <sha>",
    "the commit that a report in Markdown names (default: GITHUB_SHA or CI_COMMIT_SHA)",
    commitNamed,
  )
  .addOption(
    new Option("--fail-on <what>", "which outcomes have an exit code of their own")
      .argParser(parseFailOn)
      .default(failOnChanges, "changes"),
  )
  .addHelpText(
    "after",
    below(`Values of --fail-on:
  changes          2 for changes, 3 for changes with a risk
  risks            3 for changes with a risk, 0 for others
  edits            3 for changes with a risk or not scheduled, 0 for others
  none             0 for all
  RISK[,RISK]      3 for changes with one of these risks, 0 for others

Risks: ${riskLabels.join(", ")}

Exit codes: 0 no changes, 1 bad input or a preview that failed, 2 changes, 3 changes with a risk.`),
  )
  /** Prints the report and sets the exit code. */
  .action(async (file, { format: form, organizationFile, failOn, commit = commitIn(process.env) }) => {
    const preview = readPreview(await input(file));
    const placeOf = placesFor(preview, organizationFile);
    const report = await describe(preview, { secrets: secretsHere(process.env), placeOf });
    const colors = process.stdout.isTTY && process.stdout.hasColors();
    process.stdout.write(format(report, form, { colors, commit }));
    process.exitCode = exitCodeOf(report, failOn);
  });

/** A file from the option must exist. One that the preview names may be missing. */
function placesFor(preview: Preview, organizationFile: string | undefined): PlaceOf {
  if (organizationFile !== undefined) return placesInText(contents(organizationFile), organizationFile);
  return placesIn(process.cwd(), preview.organizationFile ?? "organization.yaml");
}

const commitPattern = /^[0-9a-f]{7,64}$/i;

function commitNamed(text: string): string {
  if (commitPattern.test(text)) return text;
  throw new InvalidArgumentError("It must be a commit's hash, 7 to 64 hexadecimal digits.");
}

function commitIn(env: NodeJS.ProcessEnv): string | undefined {
  return [env.GITHUB_SHA, env.CI_COMMIT_SHA].find((text) => text !== undefined && commitPattern.test(text));
}

async function input(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") return contents(file);
  if (process.stdin.isTTY) throw new InvalidArgumentError("no FILE, and nothing is piped in");
  return text(process.stdin);
}
