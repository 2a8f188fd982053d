/** Explains what an update or a destroy of a stack would do, or events that were made elsewhere. */
import { messageOf } from "../../../values/any.js";
import { placesInText } from "../../../organization-file/places.js";
import { InvalidArgumentError, say, type Io } from "../../commander.js";
import { readPreviewOrUpdate, type PreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import type { Format } from "../../report/formats.js";
import { exitCodeOf, stoppedBy } from "../../report/risks.js";
import { contents, contentsOrInput } from "../../stack/input.js";
import { withInterrupts } from "../../stack/interrupts.js";
import { askPassphrase } from "../../stack/passphrase.js";
import { writePlan } from "../../stack/plan.js";
import { described, shown } from "../../stack/report-options.js";
import { exported, preview, requireProject, type Stack } from "../../stack/stack-run.js";
import { memoryOf, pendingOf, type Memory } from "../../state/memory.js";

export interface PreviewOptions {
  readonly io: Io;
  /** The project's folder, or one below it. */
  readonly folder: string;
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  /** Whether to explain what `pulumi destroy` would do. */
  readonly destroy?: boolean | undefined;
  /** A file with events to explain in place of a preview; "-" for standard input. */
  readonly from?: string | undefined;
  /** With `from`: the file that declares the changes. Default: the one that the events name. */
  readonly organizationFile?: string | undefined;
  /** Where to write the plan. */
  readonly out?: string | undefined;
  /** Labels of risks, and other words of `--fail-on`, that decide the exit code. */
  readonly failOn?: readonly string[] | undefined;
  /** How the report is printed. */
  readonly format: Format;
  /** The commit that a report in Markdown names. */
  readonly commit?: string | undefined;
  /** The commit with which the files that decide what runs are compared. Default: nothing is compared. */
  readonly since?: string | undefined;
  /** Folders of policy packs, and the files of their configuration in the same order. */
  readonly policyPacks?: readonly string[] | undefined;
  readonly policyPackConfigs?: readonly string[] | undefined;
}

/** @returns the exit code */
export async function previewRun(options: PreviewOptions): Promise<number> {
  const { io, folder, stack, destroy = false, from, organizationFile, out, failOn, since } = options;
  if (organizationFile !== undefined && from === undefined)
    throw new InvalidArgumentError("--organization-file goes with --from");
  if ((stack !== undefined || destroy) && from !== undefined)
    throw new InvalidArgumentError("pass --from, or --stack and --destroy");
  if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
  // A file from the option must exist. One that the preview names may be missing.
  const placeOf =
    organizationFile === undefined ? undefined : placesInText(contents(organizationFile), organizationFile);
  const { run, memory } = from === undefined ? await previewed(options) : eventsOf(io, await contentsOrInput(io, from));
  const report = await described(io, folder, run, { placeOf, since, memory });
  if (out !== undefined) writePlan(out, report);
  io.stdout.write(shown(io, report, options));
  const stopped = stoppedBy(report, failOn);
  if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
  if (!run.complete && from === undefined) {
    const command = destroy ? "destroy --preview-only" : "preview";
    const again = `pulumi ${command}${stack === undefined ? "" : ` --stack ${stack}`}`;
    say(io, `the preview failed; \`${again}\` shows all of Pulumi's output`);
  }
  return exitCodeOf(report, failOn);
}

interface Described {
  readonly run: PreviewOrUpdate;
  readonly memory: Memory | undefined;
}

/** Of an update, this machine remembers what the update itself has sent. */
function eventsOf(io: Io, text: string): Described {
  const run = readPreviewOrUpdate(text);
  return { run, memory: run.kind === "update" ? undefined : memoryOf(io.env) };
}

async function previewed(options: PreviewOptions): Promise<Described> {
  const { io, folder, stack: name, policyPacks = [], policyPackConfigs = [], destroy } = options;
  requireProject(folder);
  await askPassphrase(io, folder, name);
  return withInterrupts(io, async (interrupts) => {
    const stack: Stack = { io, folder, name, policyPacks, policyPackConfigs, interrupts };
    // Without a state, the CLI says what is wrong.
    const state = await exported(stack).catch(messageOf);
    const absent = typeof state === "string" ? /no stack named '([^']*)'/.exec(state)?.[1] : undefined;
    if (absent !== undefined) say(io, `there is no stack ${absent}`);
    else if (typeof state === "string") say(io, `what another machine has left is not known: ${state}`);
    const pending = typeof state === "string" ? {} : pendingOf(state);
    const run = await preview(stack, pending, destroy);
    if (interrupts.first.aborted) throw new Error("the preview was interrupted");
    return { run, memory: memoryOf(io.env, pending) };
  });
}
