/** Previews a stack, gets an approval, and runs `pulumi up`, which is held to the list of the preview. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { planVariable, requestsBeyond } from "../../provider/plan.js";
import { compact, messageOf } from "../../values/any.js";
import { given } from "../../values/environment.js";
import { printableLine } from "../../values/text.js";
import { InvalidArgumentError, say, type Help, type Io } from "../commander.js";
import { selectedStack } from "../pulumi/cli.js";
import type { Report } from "../report/report.js";
import { conditionsIn, isProblem, sentenceFor } from "../state/conditions.js";
import { exportedState } from "../state/state.js";
import {
  exitCodes,
  failOnHelp,
  previewed,
  printedReport,
  pulumiFor,
  reportCommand,
  stoppedBy,
  writePlan,
  type ReportOptions,
} from "./preview.js";

export const help: Help = {
  examples: {
    "Preview, ask, and update": "npx voiceplane apply --stack dev",
    "Do exactly what a preview has shown": "npx voiceplane apply --stack dev --plan plan.json",
    "In a job: stop if there is a risk": "node_modules/.bin/voiceplane apply --yes --fail-on risks",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the stack is updated, with or without changes",
    1: "the preview or the update failed, or bad input",
    2: "it was stopped before it began: by --fail-on or --plan, or because nobody approved it",
  },
};

export const command = (io: Io) =>
  reportCommand("apply")
    .description(
      "Previews a stack, explains it, and runs `pulumi up`, which sends what a person approves, or what a plan has, and nothing else. " +
        "Afterwards it says what is uncertain. What follows `--` is passed on to Pulumi.",
    )
    .option("-y, --yes", "do not ask")
    .optionsGroup("Guards:")
    .option(
      "--plan <file>",
      "send nothing that this plan does not have, and stop before sending if another request would come; does not ask (default: VOICEPLANE_PLAN)",
    )
    .action(async (passedOn, { cwd: folder = process.cwd(), ...options }) => {
      io.exitCode = await applyRun({ io, folder, passedOn, ...options });
    });

interface ApplyOptions extends ReportOptions {
  readonly yes?: boolean | undefined;
  readonly plan?: string | undefined;
}

export async function applyRun(options: ApplyOptions): Promise<number> {
  const { io, plan } = options;
  // The option wins over the variable.
  const file = plan === undefined ? given(io.env[planVariable]) : resolve(plan);
  const isAsked = options.yes !== true && file === undefined;
  if (isAsked && !(io.stdin.isTTY && io.stderr.isTTY))
    throw new InvalidArgumentError("without a terminal, pass --yes or --plan");
  const stack = options.stack ?? (await selectedStack(pulumiFor(options)));
  if (stack === undefined) throw new InvalidArgumentError("no stack is selected: name one with --stack");
  // What is due is decided once: an update has the date of its preview.
  io.env.VOICEPLANE_NOW = given(io.env.VOICEPLANE_NOW) ?? new Date().toISOString();
  const report = await previewed({ ...options, stack });
  io.stdout.write(printedReport(options, report));
  const stops = stopsOf(report, file, options);
  if (stops.length > 0) {
    say(io, `nothing was sent: ${stops.join("; ")}`);
    return report.complete ? exitCodes.stopped : exitCodes.failed;
  }
  if (isAsked && !(await isApproved(io, stack))) {
    say(io, "not approved; nothing was sent");
    return exitCodes.stopped;
  }
  return updated({ ...options, stack }, report, file);
}

/** The reasons why this preview must not be carried out; empty if there is none. */
function stopsOf(report: Report, file: string | undefined, { failOn }: ApplyOptions): string[] {
  if (!report.complete) return ["the preview failed"];
  const beyond = file === undefined ? [] : requestsBeyond(file, report.requests);
  const named = stoppedBy(report, failOn);
  return compact(
    beyond.length > 0 &&
      `the preview has more than the plan:${beyond.map((line) => `\n  ${printableLine(line)}`).join("")}`,
    named.length > 0 && `the preview contains what --fail-on names: ${named.join(", ")}`,
  );
}

async function isApproved({ stdin, stderr }: Io, stack: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = lines.question(`Update ${printableLine(stack)}? Only yes is accepted: `);
    // Ctrl-C rejects the answer. The end of the input does not: it only closes the lines.
    return (await Promise.race([answer.catch(() => ""), once(lines, "close").then(() => "")])) === "yes";
  } finally {
    lines.close();
  }
}

/** @param file the plan; undefined for the list of the report */
async function updated(
  options: ReportOptions & { readonly stack: string },
  report: Report,
  file: string | undefined,
): Promise<number> {
  const { io, stack, passedOn } = options;
  const own = mkdtempSync(join(tmpdir(), "voiceplane-plan-"));
  try {
    const plan = file ?? join(own, "plan.json");
    if (file === undefined) writePlan(plan, report);
    const pulumi = pulumiFor(options, { [planVariable]: plan });
    const up = ["up", "--yes", "--skip-preview", "--stack", stack, ...passedOn];
    const { code } = await pulumi(up, { isShown: true });
    const state = await exportedState(pulumi, stack, io.env).catch(messageOf);
    if (typeof state === "string") say(io, `what is uncertain is not known: ${state}`);
    else
      for (const condition of conditionsIn(state, new Date()).filter(isProblem))
        say(io, printableLine(sentenceFor(condition)));
    if (code === 0) return exitCodes.done;
    say(io, "run the same update again: what was begun and has no answer is sent again");
    return exitCodes.failed;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}
