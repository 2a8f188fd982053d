/** Runs a preview of a stack for `preview` and `apply`, with the options of both, and makes its report. */
import { basename } from "node:path";
import { defaultOrganizationFile } from "../../organization-file/content.js";
import { placesIn, type PlaceOf } from "../../organization-file/places.js";
import { messageOf } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import {
  Command,
  folderOption,
  hasColors,
  InvalidArgumentError,
  Option,
  say,
  stackOption,
  type HelpPart,
  type Io,
} from "../commander.js";
import { firstError, pulumiIn, type Pulumi } from "../pulumi/cli.js";
import { readPreview, type Preview } from "../pulumi/preview.js";
import { projectAbove, projectFileAbove, secretsIn } from "../pulumi/project.js";
import { failOnWords, riskLabels } from "../report/exit-codes.js";
import { formatReport, formats, type Format } from "../report/formats.js";
import { describe, type Report } from "../report/report.js";
import { exportedState, MissingStateError } from "../state/export.js";
import type { StackState } from "../state/state.js";

export const reportCommand = (name: string) =>
  new Command(name)
    .usage("[options] [-- <options for Pulumi>]")
    .argument("[options...]", "options for Pulumi, such as `-- --target URN`")
    .addOption(folderOption())
    .addOption(stackOption())
    .addOption(new Option("--format <format>", "format of the report").choices(formats).default<Format>("terminal"))
    .optionsGroup("Guards:")
    .option(
      "--fail-on <what>",
      "exit with 2, and send nothing, if the preview contains one of these; can be repeated (default: none)",
      failOnIn,
    )
    .optionsGroup("Options:");

type Shared = ReturnType<ReturnType<typeof reportCommand>["opts"]>;

export interface ReportOptions extends Omit<Shared, "cwd"> {
  readonly io: Io;
  /** The project's folder, or one below it. */
  readonly folder: string;
  readonly passedOn: readonly string[];
}

export const failOnHelp: readonly HelpPart[] = [
  "What --fail-on takes:",
  {
    changes: "every change",
    risks: "changes with a risk, also with one that a later version adds",
    edits: "every change except what was sent before and is sent again, because it is due or uncertain",
    "RISK[,RISK]": `changes with one of these risks: ${riskLabels.join(", ")}`,
  },
];

/** @param text such as "deletes-data,rotates-a-secret". @throws InvalidArgumentError */
export function failOnIn(text: string, before: readonly string[] = []): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.every((word) => failOnWords.includes(word))) return [...before, ...words];
  throw new InvalidArgumentError(`It takes one of these, or several joined by commas: ${failOnWords.join(", ")}.`);
}

/** With streaming, a preview prints events, which have the violated policies and every resource. */
export const pulumiFor = ({ io, folder }: Pick<ReportOptions, "io" | "folder">, env: Environment = {}): Pulumi =>
  pulumiIn(folder, { ...io.env, ...env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1" });

/** @throws Error if there is no project or no state, or the preview was interrupted */
export async function previewed(options: ReportOptions, isDestroy = false, env: Environment = {}): Promise<Report> {
  const { io, folder, stack, passedOn } = options;
  const [first] = passedOn;
  if (first !== undefined && !first.startsWith("-"))
    throw new InvalidArgumentError(
      `${first} is no option: what follows \`--\` is passed on to Pulumi. A stack is --stack ${first}`,
    );
  if (projectFileAbove(folder) === undefined)
    throw new InvalidArgumentError(`there is no Pulumi.yaml in ${folder} or above it`);
  const pulumi = pulumiFor(options, env);
  const state = await stateIfReadable(options, pulumi);
  const verb = isDestroy ? ["destroy", "--preview-only"] : ["preview"];
  const args = [...verb, ...(stack === undefined ? [] : ["--stack", stack]), ...passedOn];
  say(io, `running pulumi ${verb.join(" ")}`);
  const { code, stdout, stderr, isInterrupted, cli } = await pulumi([...args, "--json"]);
  if (isInterrupted) throw new Error("interrupted; nothing was sent");
  const run = readPreview(stdout, code === 0, firstError(stderr));
  if (!run.complete) say(io, `the preview failed; \`${[cli, ...args].join(" ")}\` shows all of Pulumi's output`);
  return describe(run, { placeOf: placesOf(folder, run), secrets: secretsIn(folder, io.env), state, isDestroy });
}

/** Undefined, with a line about it, if the state cannot be read: the preview then fails too, or does not know what is uncertain. */
async function stateIfReadable({ io, folder, stack }: ReportOptions, pulumi: Pulumi): Promise<StackState | undefined> {
  try {
    return await exportedState(pulumi, stack, { folder, env: io.env });
  } catch (error) {
    // The CLI's own error would advise to create the stack anew, and so to send everything again.
    if (error instanceof MissingStateError) throw error;
    say(io, `what is uncertain is not known: ${messageOf(error)}`);
    return undefined;
  }
}

function placesOf(folder: string, { organizationFile }: Preview): PlaceOf {
  const project = projectAbove(folder);
  const root = project?.folder ?? folder;
  if (project?.runtime === "yaml") return placesIn(root, basename(project.file), true);
  return placesIn(root, organizationFile ?? defaultOrganizationFile);
}

export const printedReport = ({ io, format }: Pick<ReportOptions, "io" | "format">, report: Report): string =>
  formatReport(report, format, hasColors(io));
