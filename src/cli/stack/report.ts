/** The report of a stack's preview or update, and its text. */
import { basename } from "node:path";
import { placesIn, type PlaceOf } from "../../organization-file/places.js";
import type { Environment } from "../../values/environment.js";
import { defaultOrganizationFile } from "../../organization-file/content.js";
import { hasColors, type Io } from "../commander.js";
import type { PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import { projectAbove, secretsIn, type Project } from "../pulumi/project.js";
import { describeRun, type DescribeOptions } from "../report/describe.js";
import type { Report } from "../report/report.js";
import { formatReport } from "../report/formats.js";
import { programChanges } from "./program-changes.js";
import { commitPattern, type ReportOptions } from "./report-options.js";

interface Sources extends Pick<DescribeOptions, "memory" | "uncertain" | "objects" | "planned"> {
  /** The commit with which the files that decide what runs are compared. */
  readonly since?: string | undefined;
}

/** Describes a run, with the places, the secrets and the changed files that the project has. @param start its folder, or one below it */
export async function reportOf(
  { env }: Io,
  start: string,
  run: PreviewOrUpdate,
  { since, ...sources }: Sources,
): Promise<Report> {
  const project = projectAbove(start);
  const folder = project?.folder ?? start;
  return describeRun(run, {
    placeOf: placesOf(project, folder, run),
    ...sources,
    secrets: secretsIn(folder, env),
    programChanges: since === undefined ? [] : programChanges(folder, since),
  });
}

function placesOf(project: Project | undefined, folder: string, { organizationFile }: PreviewOrUpdate): PlaceOf {
  if (project?.runtime === "yaml") return placesIn(folder, basename(project.file), true);
  return placesIn(folder, organizationFile ?? defaultOrganizationFile);
}

export function printedReport(io: Io, report: Report, options: Pick<ReportOptions, "format" | "commit">): string {
  return formatReport(report, options.format, { colors: hasColors(io), commit: options.commit ?? commitOf(io.env) });
}

const commitOf = ({ GITHUB_SHA, CI_COMMIT_SHA }: Environment): string | undefined =>
  [GITHUB_SHA, CI_COMMIT_SHA].find((text = "") => commitPattern.test(text));
