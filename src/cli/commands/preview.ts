/** Explains what an update or a destroy of a stack would do. */
import { say, type Help, type Io } from "../commander.js";
import { exitCodeOf, stoppedBy } from "../report/exit-codes.js";
import { writePlan } from "../stack/plan.js";
import { failOnHelp, previewed, printedReport, reportCommand, type ReportOptions } from "../stack/preview.js";
import { InvalidArgumentError } from "../commander.js";

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
    .action(async (passedOn, { cwd: folder = process.cwd(), ...options }) => {
      io.exitCode = await previewRun({ io, folder, passedOn, ...options });
    });

interface PreviewOptions extends ReportOptions {
  readonly destroy?: boolean | undefined;
  readonly out?: string | undefined;
}

async function previewRun(options: PreviewOptions): Promise<number> {
  const { io, failOn, destroy = false, out } = options;
  if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
  const report = await previewed(options, destroy);
  if (out !== undefined) writePlan(out, report);
  io.stdout.write(printedReport(options, report));
  const stopped = stoppedBy(report, failOn);
  if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
  return exitCodeOf(report, failOn);
}
