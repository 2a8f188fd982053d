/** The options of the commands that print a report. */
import { describe } from "./report/describe.js";
import { format, formats, type Format } from "./report/formats.js";
import {
  exitCodeOf,
  failOnChanges,
  failOnGroups,
  failOnOf,
  failOnWords,
  riskLabels,
  type FailOn,
} from "./report/risks.js";
import type { PlaceOf } from "../organization-file/places.js";
import type { StaleOutput } from "./engine/outputs.js";
import type { PreviewOrUpdate } from "./engine/preview-or-update.js";
import { programChanges } from "./program-changes.js";
import { below, hasColors, InvalidArgumentError, Option } from "./commander.js";

/**
 * Reads `risks`, or labels such as "deletes-data,rotates-a-secret"; dashes and spaces are the same.
 * @throws InvalidArgumentError
 */
export function parseFailOn(text: string): FailOn {
  const words = text.split(",");
  const isMixed = words.length > 1 && words.some((word) => failOnGroups.includes(word.trim()));
  const failOn = isMixed ? undefined : failOnOf(words);
  if (failOn === undefined) throw new InvalidArgumentError(`It takes ${failOnWords}.`);
  return failOn;
}

/** The words of each `--fail-on`. */
export function failOnWordsIn(text: string, before: readonly string[] = []): readonly string[] {
  parseFailOn(text);
  return [...before, ...text.split(",")];
}

export const failOnOption = () =>
  new Option(
    "--fail-on <what>",
    "which changes end with exit code 2 or 3, can be repeated (default: changes)",
  ).argParser(failOnWordsIn);

export const failOnHelp = below(
  "Exit codes of --fail-on:",
  {
    changes: "2 for changes, 3 for changes with a risk",
    risks: "3 for changes with a risk, 0 for others",
    edits: "3 for changes, 0 for scheduled ones without a risk",
    none: "0 for all",
    "RISK[,RISK]": "3 for changes with one of these risks, 0 for others",
  },
  `\nRisks: ${riskLabels.join(", ")}`,
  "\nExit codes: 0 no changes, 1 bad input or a preview that failed, 2 changes, 3 changes with a risk.",
);

export const formatOption = () =>
  new Option("--format <format>", "format of the report; summary: one line of at most 140 characters")
    .choices(formats)
    .default<Format>(process.stdout.isTTY ? "terminal" : "markdown", "terminal on a terminal, otherwise markdown");

export const commitOption = () =>
  new Option(
    "--commit <sha>",
    "the commit that a report in Markdown names (default: GITHUB_SHA or CI_COMMIT_SHA)",
  ).argParser(commitNamed);

const commitPattern = /^[0-9a-f]{7,64}$/i;

function commitNamed(text: string): string {
  if (commitPattern.test(text)) return text;
  throw new InvalidArgumentError("It must be a commit's hash, 7 to 64 hexadecimal digits.");
}

export const sinceOption = () =>
  new Option(
    "--since <commit>",
    "also names the project's files that differ from this commit and decide what runs, by git",
  );

interface ReportOptions {
  readonly format: Format;
  readonly failOn?: readonly string[] | undefined;
  readonly commit?: string | undefined;
  readonly placeOf: PlaceOf;
  readonly secrets: readonly string[];
  readonly staleOutputs?: readonly StaleOutput[];
  readonly since?: string | undefined;
}

/**
 * Prints the report and sets the exit code.
 *
 * @param folder of the project
 */
export async function report(folder: string, run: PreviewOrUpdate, options: ReportOptions): Promise<void> {
  const { GITHUB_SHA, CI_COMMIT_SHA } = process.env;
  const { commit = [GITHUB_SHA, CI_COMMIT_SHA].find((text = "") => commitPattern.test(text)), since } = options;
  const changed = since === undefined ? [] : programChanges(folder, since);
  const described = await describe(run, { ...options, programChanges: changed });
  process.stdout.write(format(described, options.format, { colors: hasColors(), commit }));
  process.exitCode = exitCodeOf(described, (options.failOn && failOnOf(options.failOn)) ?? failOnChanges);
}
