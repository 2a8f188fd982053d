/** Explains what an update or a destroy of a stack would do, or events that were made elsewhere. */
import { messageOf } from "../../../values/any.js";
import { placesInText } from "../../../organization-file/places.js";
import { InvalidArgumentError, say, type Io } from "../../commander.js";
import { readPreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import { exitCodeOf, stoppedBy } from "../../report/risks.js";
import { fileText, fileOrInputText } from "../../stack/input.js";
import { writePlan } from "../../stack/plan.js";
import { printedReport, reportOf } from "../../stack/report.js";
import type { ReportOptions } from "../../stack/report-options.js";
import { exported, onStack, preview, requireProject } from "../../stack/stack-run.js";
import { memoryOf, pendingOf } from "../../state/memory.js";

export interface PreviewOptions extends ReportOptions {
  readonly destroy?: boolean | undefined;
  /** A file with events, or "-" for standard input. Default: a preview is run. */
  readonly from?: string | undefined;
  /** The file that declares the changes; only with `from`. Default: the one that the events name. */
  readonly organizationFile?: string | undefined;
  /** The file of the plan. Default: none is written. */
  readonly out?: string | undefined;
  /** A commit. Default: no files are compared. */
  readonly since?: string | undefined;
}

/** @returns the exit code */
export async function previewRun(options: PreviewOptions): Promise<number> {
  const { io, folder, stack, destroy = false, from, organizationFile, out, failOn, since } = options;
  if (organizationFile !== undefined && from === undefined)
    throw new InvalidArgumentError("--organization-file goes with --from");
  if ((stack !== undefined || destroy) && from !== undefined)
    throw new InvalidArgumentError("pass --from, or --stack and --destroy");
  if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
  // The file of the option must exist. The file that the preview names may be missing.
  const placeOf =
    organizationFile === undefined ? undefined : placesInText(fileText(organizationFile), organizationFile);
  const { run, memory } = from === undefined ? await previewed(options) : eventsOf(io, await fileOrInputText(io, from));
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
function eventsOf(io: Io, text: string) {
  const run = readPreviewOrUpdate(text);
  return { run, memory: run.kind === "update" ? undefined : memoryOf(io.env) };
}

async function previewed(options: PreviewOptions) {
  const { io, folder, destroy } = options;
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
