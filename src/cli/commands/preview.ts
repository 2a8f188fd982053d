/** Runs a preview of a stack and explains it, for `preview` itself and as the first half of `apply`. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { labelOf, risks } from "../../lifecycle/effects/risk.js";
import { defaultOrganizationFile } from "../../organization-file/content.js";
import { placesIn, type PlaceOf } from "../../organization-file/places.js";
import { messageOf } from "../../values/any.js";
import { secretsOf, type Environment } from "../../values/environment.js";
import {
  Command,
  folderOption,
  hasColors,
  InvalidArgumentError,
  Option,
  say,
  stackOption,
  type Help,
  type HelpPart,
  type Io,
} from "../commander.js";
import { firstError, Interrupted, pulumiIn, type Pulumi } from "../pulumi/cli.js";
import { readPreview, type Preview } from "../pulumi/preview.js";
import { projectAbove, projectFileAbove } from "../pulumi/project.js";
import { formatReport, formats, type Format } from "../report/formats.js";
import { describe, type Report } from "../report/report.js";
import { exportedState } from "../state/state.js";

export const failOnHelp: readonly HelpPart[] = [
  "What --fail-on takes:",
  {
    changes: "every change",
    risks: "changes with a risk, also with one that a later version adds",
    edits: "every change except what was sent before and is sent again, because it is due or uncertain",
    "RISK[,RISK]": `changes with one of these risks: ${risks.map(labelOf).join(", ")}`,
  },
];

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Keep it, so that apply does nothing else": "npx voiceplane preview --stack dev --out plan.json",
    "Fail if there is a risk": "npx voiceplane preview --fail-on risks",
    "Explain what a destroy would send": "npx voiceplane preview --destroy",
    "Pass options on to Pulumi": "npx voiceplane preview -- --policy-pack ./policies",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the preview was shown, with or without changes",
    1: "the preview failed, or bad input",
    2: "the preview contains what --fail-on names",
  },
};

export const command = (io: Io) =>
  reportCommand("preview")
    .description(
      "Runs `pulumi preview` and explains it in plain language, the risks first. Changes nothing, and keeps nothing of Pulumi's " +
        "output, which may have secrets in plain text. What follows `--` is passed on to Pulumi.",
    )
    .option("--destroy", "explain what `pulumi destroy` would do")
    .option(
      "--out <file>",
      "also write a plan, which is what is shown as JSON, for `voiceplane apply --plan` or VOICEPLANE_PLAN",
    )
    .action(async (passedOn, { cwd: folder = process.cwd(), destroy = false, out, ...shared }) => {
      if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
      const options = { io, folder, passedOn, ...shared };
      const report = await previewed(options, destroy);
      if (out !== undefined) writePlan(out, report);
      io.stdout.write(printedReport(options, report));
      const stopped = stoppedBy(report, options.failOn);
      if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
      io.exitCode = exitCodeOf(report, options.failOn);
    });

/** A command with the options that `preview` and `apply` share. */
export function reportCommand(name: string) {
  return new Command(name)
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
}

type Shared = ReturnType<ReturnType<typeof reportCommand>["opts"]>;

export interface ReportOptions extends Omit<Shared, "cwd"> {
  readonly io: Io;
  /** The project's folder, or one below it. */
  readonly folder: string;
  readonly passedOn: readonly string[];
}

/** The command did its job, failed, or stopped before it sent anything. */
export const exitCodes = { done: 0, failed: 1, stopped: 2 } as const;

/** What decides the exit code. */
export type Outcome = Pick<Report, "complete" | "changeCount" | "editCount" | "risks">;

/** For each word of `--fail-on`, whether a report has what the word names. */
const failOnTests: Readonly<Record<string, (outcome: Outcome) => boolean>> = {
  changes: ({ changeCount }) => changeCount > 0,
  risks: (outcome) => outcome.risks.length > 0,
  edits: ({ editCount }) => editCount > 0,
  ...Object.fromEntries(risks.map((risk) => [labelOf(risk), (outcome: Outcome) => outcome.risks.includes(risk)])),
};

export const failOnWords = Object.keys(failOnTests);

/** @param failOn the words for what must not pass. A failed preview never passes: steps may be missing. */
export function exitCodeOf(outcome: Outcome, failOn: readonly string[] = []): number {
  if (!outcome.complete) return exitCodes.failed;
  return stoppedBy(outcome, failOn).length > 0 ? exitCodes.stopped : exitCodes.done;
}

/** The words of `--fail-on` that the report has. */
export const stoppedBy = (outcome: Outcome, failOn: readonly string[] = []): readonly string[] =>
  failOn.filter((word) => failOnTests[word]?.(outcome));

/** @param text such as "deletes-data,rotates-a-secret". @throws InvalidArgumentError */
export function failOnIn(text: string, before: readonly string[] = []): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.every((word) => failOnWords.includes(word))) return [...before, ...words];
  throw new InvalidArgumentError(`It takes one of these, or several joined by commas: ${failOnWords.join(", ")}.`);
}

/** With streaming, a preview prints events, which have the violated policies and every resource. */
export const pulumiFor = ({ io, folder }: Pick<ReportOptions, "io" | "folder">, env: Environment = {}): Pulumi =>
  pulumiIn(folder, { ...io.env, ...env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1" });

/** @throws Error if there is no project; Interrupted */
export async function previewed(options: ReportOptions, isDestroy = false): Promise<Report> {
  const { io, folder, stack, passedOn } = options;
  if (projectFileAbove(folder) === undefined)
    throw new InvalidArgumentError(`there is no Pulumi.yaml in ${folder} or above it`);
  const pulumi = pulumiFor(options);
  const state = await exportedState(pulumi, stack, io.env).catch((error: unknown) => {
    if (error instanceof Interrupted) throw error;
    // The preview then fails too, or does not know what is uncertain.
    say(io, `what is uncertain is not known: ${messageOf(error)}`);
    return undefined;
  });
  const verb = isDestroy ? ["destroy", "--preview-only"] : ["preview"];
  const args = [...verb, ...(stack === undefined ? [] : ["--stack", stack]), ...passedOn];
  say(io, `running pulumi ${verb.join(" ")}`);
  const { code, stdout, stderr, cli } = await pulumi([...args, "--json"]);
  const run = readPreview(stdout, code === 0, firstError(stderr));
  if (!run.complete) say(io, `the preview failed; \`${[cli, ...args].join(" ")}\` shows all of Pulumi's output`);
  return describe(run, { placeOf: placesOf(folder, run), secrets: secretsOf(io.env), state, isDestroy });
}

function placesOf(folder: string, { organizationFile }: Preview): PlaceOf {
  const project = projectAbove(folder);
  const root = project?.folder ?? folder;
  if (project?.runtime === "yaml") return placesIn(root, basename(project.file), true);
  return placesIn(root, organizationFile ?? defaultOrganizationFile);
}

export const printedReport = ({ io, format }: Pick<ReportOptions, "io" | "format">, report: Report): string =>
  formatReport(report, format, hasColors(io));

/**
 * Writes the list of requests that holds an update, in a file that only its user may read, because it names what the organization is about to have.
 * A preview that failed is written too, so that no earlier plan is left, and nobody takes it for a plan.
 */
export function writePlan(file: string, report: Report): void {
  const fd = openSync(file, "w", 0o600);
  try {
    // Opening a file that was there does not change its mode.
    if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
    writeFileSync(fd, formatReport(report, "json"));
  } finally {
    closeSync(fd);
  }
}
