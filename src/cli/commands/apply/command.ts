import { InvalidArgumentError, type Help, type Io } from "../../commander.js";
import { failOnHelp, reportCommand } from "../../stack/report-options.js";
import { applyRun } from "./run.js";

export const help: Help = {
  examples: {
    "Preview, ask, and update": "npx voiceplane apply --stack dev",
    "Do exactly what a preview has shown": "npx voiceplane apply --stack dev --plan plan.json",
    "In a job: stop if there is a risk": "node_modules/.bin/voiceplane apply --yes --fail-on risks",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the stack is updated, with or without changes",
    1: "the preview or the update failed, nobody approved it, or bad input",
    2: "nothing was sent, because of --fail-on or --plan, or because it was no longer what was approved",
  },
};

export const command = (io: Io) =>
  reportCommand("apply")
    .description(
      "Previews a stack, explains it, and runs `pulumi up`: what a person approves, or what a plan has, and nothing else. Afterwards it reports what " +
        "was done, the uncertain objects first.",
    )
    .option("-y, --yes", "do not ask")
    .optionsGroup("Guards:")
    .option(
      "--plan <file>",
      "send nothing that this plan does not have, and stop before sending if another request or risk would come; does not ask (default: VOICEPLANE_PLAN)",
    )
    .option(
      "--cancel-locks-after <time>",
      "if the stack is locked, run `pulumi cancel` where each lock is older than this, such as 2h or 90m",
      millisecondsIn,
    )
    .action(async ({ cwd: folder = process.cwd(), ...options }) => {
      io.exitCode = await applyRun({ io, folder, ...options });
    });

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsIn(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It must be a time such as 2h or 90m.");
  return Number(count) * (units[unit] ?? 0);
}
