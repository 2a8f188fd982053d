/** Explains what an update or a destroy of a stack would do, or events that were made elsewhere. */
import { resolve } from "node:path";
import { placesInText } from "../../organization-file/places.js";
import { messageOf } from "../../values/any.js";
import { defaultOrganizationFile } from "../../organization-file/content.js";
import { InvalidArgumentError, say, type Help, type Io } from "../commander.js";
import { readPreviewOrUpdate } from "../pulumi/preview-or-update.js";
import { exitCodeOf, stoppedBy } from "../report/risks.js";
import { fileOrInputText, fileText } from "../stack/input.js";
import { writePlan } from "../stack/plan.js";
import { printedReport, reportOf } from "../stack/report.js";
import { failOnHelp, reportCommand, type ReportOptions } from "../stack/report-options.js";
import { exported, onStack, preview, requireProject } from "../stack/pulumi-runs.js";
import { memoryOf, pendingOf } from "../state/memory.js";

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Keep it, so that apply does nothing else": "npx voiceplane preview --stack dev --out plan.json",
    "Fail if there is a risk": "npx voiceplane preview --fail-on risks",
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
  reportCommand("preview")
    .description(
      "Runs `pulumi preview` and explains it in plain language, the risks first. Changes nothing, and keeps nothing of Pulumi's " +
        "output, which may have secrets in plain text.",
    )
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
    .option(
      "--since <commit>",
      "also names the project's files that differ from this commit and decide what runs, by git",
    )
    .action(async ({ cwd = ".", ...options }) => {
      io.exitCode = await previewRun({ io, folder: resolve(cwd), ...options });
    });

interface PreviewOptions extends ReportOptions {
  readonly destroy?: boolean | undefined;
  /** A file with events; "-" for standard input. Default: a preview is run. */
  readonly from?: string | undefined;
  /** Goes with `from`. Default: the file that the events name. */
  readonly organizationFile?: string | undefined;
  /** The file of the plan. Default: none is written. */
  readonly out?: string | undefined;
  /** A commit. Default: no files are compared. */
  readonly since?: string | undefined;
}

/** @returns the exit code */
async function previewRun(options: PreviewOptions): Promise<number> {
  const { io, folder, stack, failOn, destroy = false, from, organizationFile, out, since } = options;
  if (organizationFile !== undefined && from === undefined)
    throw new InvalidArgumentError("--organization-file goes with --from");
  if ((stack !== undefined || destroy) && from !== undefined)
    throw new InvalidArgumentError("pass --from, or --stack and --destroy");
  if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
  // The file of the option must exist. The file that the preview names may be missing.
  const placeOf =
    organizationFile === undefined ? undefined : placesInText(fileText(organizationFile), organizationFile);
  const { run, memory } =
    from === undefined ? await previewed(options, destroy) : eventsFromElsewhere(io, await fileOrInputText(io, from));
  const report = await reportOf(io, folder, run, { placeOf, since, memory });
  if (out !== undefined) writePlan(out, report);
  io.stdout.write(printedReport(io, report, options));
  const stopped = stoppedBy(report, failOn);
  if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
  if (!run.complete && from === undefined) {
    const command = destroy ? "destroy --preview-only" : "preview";
    const again = `pulumi ${command}${stack === undefined ? "" : ` --stack ${stack}`}`;
    say(io, `the preview failed; \`${again}\` shows all of Pulumi's output`);
  }
  return exitCodeOf(report, failOn);
}

/** After an update, what this machine remembers comes from that update, and does not concern the states before it. */
function eventsFromElsewhere(io: Io, text: string) {
  const run = readPreviewOrUpdate(text);
  return { run, memory: run.kind === "update" ? undefined : memoryOf(io.env) };
}

async function previewed(options: ReportOptions, destroy: boolean) {
  const { io, folder } = options;
  requireProject(folder);
  return onStack(options, options.stack, async (stack) => {
    // If the state cannot be read, the preview fails too, and the CLI says why.
    const state = await exported(stack).catch(messageOf);
    const absent = typeof state === "string" ? /no stack named '([^']*)'/.exec(state)?.[1] : undefined;
    if (absent !== undefined) say(io, `there is no stack ${absent}`);
    else if (typeof state === "string") say(io, `what another machine has left is not known: ${state}`);
    const pending = typeof state === "string" ? {} : pendingOf(state);
    const run = await preview(stack, pending, destroy);
    if (stack.interrupts.first.aborted) throw new Error("the preview was interrupted");
    return { run, memory: memoryOf(io.env, pending) };
  });
}
