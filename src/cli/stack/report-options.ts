/** The options of the commands that print a report of a stack. */
import { formats, type Format } from "../report/formats.js";
import { failOnWords, riskLabels } from "../report/exit-codes.js";
import {
  Command,
  folderOption,
  InvalidArgumentError,
  Option,
  stackOption,
  type HelpPart,
  type Io,
} from "../commander.js";

export const reportCommand = (name: string) =>
  new Command(name)
    .addOption(folderOption())
    .addOption(stackOption())
    .addOption(
      new Option("--format <format>", "format of the report; summary: one line of at most 140 characters")
        .choices(formats)
        .default<Format>("terminal"),
    )
    .option(
      "--commit <sha>",
      "the commit that a report in Markdown names (default: GITHUB_SHA or CI_COMMIT_SHA)",
      commitNamed,
    )
    .optionsGroup("Guards:")
    .option(
      "--fail-on <what>",
      "exit with 2, and send nothing, if the preview contains one of these; can be repeated (default: none)",
      failOnIn,
    )
    .option("--policy-pack <dir>", "a policy pack, can be repeated", collected)
    .option("--policy-pack-config <file>", "its configuration, in the same order", collected)
    .optionsGroup("Options:");

type Shared = ReturnType<ReturnType<typeof reportCommand>["opts"]>;

export interface ReportOptions extends Omit<Shared, "cwd"> {
  readonly io: Io;
  /** The project's folder, or one below it. */
  readonly folder: string;
}

export const failOnHelp: readonly HelpPart[] = [
  "What --fail-on takes:",
  {
    changes: "every change",
    risks: "changes with a risk, also with one that a later version adds",
    edits: "every change except scheduled re-sends without a risk",
    none: "nothing",
    "RISK[,RISK]": `changes with one of these risks: ${riskLabels.join(", ")}`,
  },
];

/** @param text such as "deletes-data,rotates-a-secret"; dashes and spaces are the same. @throws InvalidArgumentError */
export function failOnIn(text: string, before: readonly string[] = []): readonly string[] {
  const words = text.split(",").map((word) => word.trim().replaceAll(" ", "-"));
  if (words.every((word) => failOnWords.includes(word))) return [...before, ...words];
  throw new InvalidArgumentError(`It takes one of these, or several joined by commas: ${failOnWords.join(", ")}.`);
}

export const commitPattern = /^[0-9a-f]{7,64}$/i;

function commitNamed(text: string): string {
  if (commitPattern.test(text)) return text;
  throw new InvalidArgumentError("It must be a commit's hash, 7 to 64 hexadecimal digits.");
}

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
