/** The options of the commands that print a report, and how they print it. */
import { basename } from "node:path";
import { describe, type DescribeOptions, type Report } from "../report/describe.js";
import { format, formats, type Format } from "../report/formats.js";
import { failOnWords, riskLabels } from "../report/risks.js";
import { defaultOrganizationFile } from "../../yaml/document.js";
import { placesIn, type PlaceOf } from "../../organization-file/places.js";
import { projectAbove, secretsIn, type Project } from "../pulumi/project.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import { programChanges } from "./program-changes.js";
import type { Environment } from "../../values/environment.js";
import { hasColors, InvalidArgumentError, Option, type HelpPart, type Io } from "../commander.js";

/** @param text such as "deletes-data,rotates-a-secret"; dashes and spaces are the same. @throws InvalidArgumentError */
export function failOnIn(text: string, before: readonly string[] = []): readonly string[] {
  const words = text.split(",").map((word) => word.trim().replaceAll(" ", "-"));
  if (words.every((word) => failOnWords.includes(word))) return [...before, ...words];
  throw new InvalidArgumentError(`It takes one of these, or several joined by commas: ${failOnWords.join(", ")}.`);
}

export const failOnOption = () =>
  new Option(
    "--fail-on <what>",
    "exit with 2, and send nothing, if the preview contains one of these; can be repeated (default: none)",
  ).argParser(failOnIn);

export const failOnHelp: readonly HelpPart[] = [
  "What --fail-on takes:",
  {
    changes: "every change",
    risks: "changes with a risk",
    edits: "every change except scheduled re-sends without a risk",
    none: "nothing",
    "RISK[,RISK]": `changes with one of these risks: ${riskLabels.join(", ")}`,
  },
];

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

export const policyPackOption = () =>
  new Option("--policy-pack <dir>", "a policy pack, can be repeated").argParser(listed);

export const policyPackConfigOption = () =>
  new Option("--policy-pack-config <file>", "its configuration, in the same order").argParser(listed);

const listed = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** The options that `preview` and `apply` share. */
export interface ReportOptions {
  readonly io: Io;
  /** The project's folder, or one below it. */
  readonly folder: string;
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  readonly failOn?: readonly string[] | undefined;
  readonly format: Format;
  /** Default: the commit of the pipeline. */
  readonly commit?: string | undefined;
  /** Folders, from the current one. */
  readonly policyPack?: readonly string[] | undefined;
  readonly policyPackConfig?: readonly string[] | undefined;
}

interface Sources extends Pick<DescribeOptions, "memory" | "uncertain"> {
  /** Default: the lines of the organization file that the run names. */
  readonly placeOf?: PlaceOf | undefined;
  /** The commit with which the files that decide what runs are compared. Default: nothing is compared. */
  readonly since?: string | undefined;
}

/** The report of a run, with what this machine's files say about it. @param start the project's folder, or one below it */
export async function described(
  { env }: Io,
  start: string,
  run: PreviewOrUpdate,
  { placeOf, since, memory, uncertain }: Sources,
): Promise<Report> {
  const project = projectAbove(start);
  const folder = project?.folder ?? start;
  return describe(run, {
    placeOf: placeOf ?? placesOf(project, folder, run),
    memory,
    ...(uncertain && { uncertain }),
    secrets: secretsIn(folder, env),
    programChanges: since === undefined ? [] : programChanges(folder, since),
  });
}

function placesOf(project: Project | undefined, folder: string, { organizationFile }: PreviewOrUpdate): PlaceOf {
  if (project?.runtime === "yaml") return placesIn(folder, basename(project.file), true);
  return placesIn(folder, organizationFile ?? defaultOrganizationFile);
}

export function shown(io: Io, report: Report, options: Pick<ReportOptions, "format" | "commit">): string {
  return format(report, options.format, { colors: hasColors(io), commit: options.commit ?? commitOf(io.env) });
}

const commitOf = ({ GITHUB_SHA, CI_COMMIT_SHA }: Environment): string | undefined =>
  [GITHUB_SHA, CI_COMMIT_SHA].find((text = "") => commitPattern.test(text));
