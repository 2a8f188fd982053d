/** Explains what an update or a destroy of a stack would do. */
import { messageOf } from "../../values/any.js";
import { InvalidArgumentError, say, type Help, type Io } from "../commander.js";
import { exitCodeOf, stoppedBy } from "../report/exit-codes.js";
import { writePlan } from "../stack/plan.js";
import { printedReport, reportOf } from "../stack/report.js";
import { failOnHelp, reportCommand, type ReportOptions } from "../stack/report-options.js";
import { exported, onStack, preview, requireProject, type Stack } from "../stack/pulumi-runs.js";
import { MissingStateError } from "../state/export.js";
import { memoryOf, pendingOf, runningText, withUncertain } from "../state/memory.js";
import type { StackState } from "../state/state.js";

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Keep it, so that apply does nothing else": "npx voiceplane preview --stack dev --out plan.json",
    "Fail if there is a risk": "npx voiceplane preview --fail-on risks",
    "Explain what a destroy would send": "npx voiceplane preview --destroy",
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
    .option(
      "--out <file>",
      "also write a plan, which is what is shown as JSON, for `voiceplane apply --plan` or VOICEPLANE_PLAN",
    )
    .option(
      "--since <commit>",
      "also names the project's files that differ from this commit and decide what runs, by git",
    )
    .action(async ({ cwd: folder = process.cwd(), ...options }) => {
      io.exitCode = await previewRun({ io, folder, ...options });
    });

interface PreviewOptions extends ReportOptions {
  readonly destroy?: boolean | undefined;
  readonly out?: string | undefined;
  readonly since?: string | undefined;
}

async function previewRun(options: PreviewOptions): Promise<number> {
  const { io, folder, stack, failOn, destroy = false, out, since } = options;
  if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
  const { run, memory, objects } = await previewed(options, destroy);
  const report = await reportOf(io, folder, run, { since, memory, objects });
  if (out !== undefined) writePlan(out, report);
  io.stdout.write(printedReport(io, report, options));
  const stopped = stoppedBy(report, failOn);
  if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
  if (!run.complete) {
    const verb = destroy ? "destroy --preview-only" : "preview";
    const again = `pulumi ${verb}${stack === undefined ? "" : ` --stack ${stack}`}`;
    say(io, `the preview failed; \`${again}\` shows all of Pulumi's output`);
  }
  return exitCodeOf(report, failOn);
}

async function previewed(options: ReportOptions, destroy: boolean) {
  const { io, folder } = options;
  requireProject(folder);
  return onStack(options, options.stack, async (stack) => {
    const state = await stateIfReadable(stack);
    const pending = state ? pendingOf(state, io.env) : {};
    if (state && withUncertain(state, io.env).isRunning === true) say(io, runningText);
    const run = await preview(stack, pending, destroy);
    if (stack.interrupts.first.aborted) throw new Error("the preview was interrupted");
    // A destroy writes no outputs.
    const objects = destroy ? undefined : state?.objects;
    return { run, memory: memoryOf(io.env, pending), objects };
  });
}

/** Undefined, with a line about it, if the state cannot be read: the preview then fails too, or does not know what is pending. */
async function stateIfReadable(stack: Stack): Promise<StackState | undefined> {
  try {
    return await exported(stack);
  } catch (error) {
    // The CLI's own error would advise to create the stack anew, and so to send everything again.
    if (error instanceof MissingStateError) throw error;
    const message = messageOf(error);
    const absent = /no stack named '([^']*)'/.exec(message)?.[1];
    const unknown = `it is not known what is pending on other machines: ${message}`;
    say(stack.io, absent === undefined ? unknown : `there is no stack ${absent}`);
    return undefined;
  }
}
