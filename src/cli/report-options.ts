/** The options of the commands that print a report, and how they print it. */
import { dirname, join } from "node:path";
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
import { defaultOrganizationFile } from "../organization-file/document.js";
import { placesIn, type PlaceOf } from "../organization-file/places.js";
import { projectFileAbove, secretsIn } from "./engine/project.js";
import type { StaleOutput } from "./engine/outputs.js";
import type { PreviewOrUpdate } from "./engine/preview-or-update.js";
import { programChanges } from "./program-changes.js";
import { hasColors, InvalidArgumentError, Option, type HelpPart } from "./commander.js";

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

/** One meaning in all commands: what it names does not pass. @param then what the command does with such a change */
export const failOnOption = (then: string, usual: "changes" | "none") =>
  new Option(
    "--fail-on <what>",
    `the changes that must not pass: ${then}; can be repeated (default: ${usual})`,
  ).argParser(failOnWordsIn);

export const failOnHelp: readonly HelpPart[] = [
  "What --fail-on takes:",
  {
    changes: "every change",
    risks: "changes with a risk",
    edits: "every change, but scheduled ones without a risk",
    none: "no change",
    "RISK[,RISK]": `changes with one of these risks: ${riskLabels.join(", ")}`,
  },
];

export const reportExitCodes = {
  0: "no changes, or only such that --fail-on lets pass",
  1: "bad input, or a preview that failed",
  2: "changes without a risk, with `--fail-on changes`, the default",
  3: "changes with a risk, or others that --fail-on names",
};

export const formatOption = () =>
  new Option("--format <format>", "format of the report; summary: one line of at most 140 characters")
    .choices(formats)
    .default<Format>("terminal");

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
  /** Default: in the organization file that the run names, beside the project's file. */
  readonly placeOf?: PlaceOf | undefined;
  readonly staleOutputs?: readonly StaleOutput[];
  readonly since?: string | undefined;
}

/**
 * Prints the report and sets the exit code.
 *
 * @param start the project's folder, or one below it
 */
export async function report(start: string, run: PreviewOrUpdate, options: ReportOptions): Promise<void> {
  const project = projectFileAbove(start) ?? join(start, "Pulumi.yaml");
  const folder = dirname(project);
  const { GITHUB_SHA, CI_COMMIT_SHA } = process.env;
  const { commit = [GITHUB_SHA, CI_COMMIT_SHA].find((text = "") => commitPattern.test(text)), since } = options;
  const described = await describe(run, {
    ...options,
    placeOf: options.placeOf ?? placesIn(folder, run.organizationFile ?? defaultOrganizationFile),
    secrets: secretsIn(folder, process.env),
    programChanges: since === undefined ? [] : programChanges(folder, since),
  });
  process.stdout.write(format(described, options.format, { colors: hasColors(), commit }));
  process.exitCode = exitCodeOf(described, (options.failOn && failOnOf(options.failOn)) ?? failOnChanges);
}
