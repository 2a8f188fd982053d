import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { resolve } from "node:path";
import { messageOf } from "../values/any.js";
import { printableLine } from "../values/text.js";
import { Command, folderOption, InvalidArgumentError, paths, stackName, type Help, type Io } from "./commander.js";
import { askPassphrase } from "./passphrase.js";
import { beyondPlan, readPlan } from "./plan.js";
import { queryPulumi, selectedStack } from "./pulumi/cli.js";
import { openIn } from "./pulumi/conditions.js";
import { locksIn, type StackLock } from "./pulumi/locks.js";
import type { PreviewOrUpdate } from "./pulumi/preview-or-update.js";
import { pendingVariableOf, withUnsettled } from "./pulumi/state.js";
import { exitCodeOf, stoppedBy, exitCodes } from "./report/risks.js";
import { commitOption, described, failOnHelp, failOnOption, formatOption, shown } from "./report-options.js";
import {
  declarationOf,
  exported,
  interruption,
  isInterrupted,
  memoryWith,
  preview,
  requireProject,
  say,
  update,
  type Pending,
  type Stack,
} from "./stack-run.js";

export const help: Help = {
  examples: {
    "Preview, ask, and update": "npx voiceplane apply --stack dev",
    "Do exactly what a preview has shown": "npx voiceplane apply --stack dev --plan plan.json",
    "In a job: stop if it would delete data or cut a trunk":
      "npx voiceplane apply --yes --fail-on deletes-data,cuts-a-trunk",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the stack is updated, with or without changes",
    1: "the preview or the update failed, nobody approved it, or bad input",
    2: "nothing was sent, because of --fail-on or --plan",
  },
};

export const command = (io: Io) =>
  new Command("apply")
    .description(
      "Previews a stack, explains it, and runs `pulumi up`: what a person approves, or what a plan has, and nothing else. Afterwards it reports what " +
        "was done, the uncertain objects first.",
    )
    .addOption(folderOption())
    .option("-s, --stack <stack>", "the stack (default: the selected stack)", stackName)
    .addOption(formatOption())
    .addOption(commitOption())
    .option("-y, --yes", "do not ask")
    .optionsGroup("Guards:")
    .option(
      "--plan <file>",
      "stop before sending if another request or risk would come than in this plan; does not ask",
    )
    .addOption(failOnOption())
    .option("--policy-pack <dir>", "a policy pack, can be repeated", paths)
    .option("--policy-pack-config <file>", "its configuration, in the same order", paths)
    .option(
      "--cancel-locks-after <time>",
      "if the stack is locked, run `pulumi cancel` where each lock is older than this, such as 2h or 90m",
      millisecondsIn,
    )
    .action(async ({ cwd = ".", stack: named, plan: planFile, yes, failOn, cancelLocksAfter, ...options }) => {
      const folder = resolve(cwd);
      const isAsked = yes !== true && planFile === undefined;
      if (isAsked && !(io.stdin.isTTY && io.stderr.isTTY))
        throw new InvalidArgumentError("without a terminal, pass --yes or --plan");
      requireProject(folder);
      const plan = planFile === undefined ? undefined : readPlan(planFile);
      const name = named ?? (await selectedStack(queryPulumi(io.env), folder));
      if (name === undefined) throw new InvalidArgumentError("no stack is selected: name one with --stack");
      const { policyPack: policyPacks = [], policyPackConfig: policyPackConfigs = [] } = options;
      const stack: Stack = { io, folder, name, policyPacks, policyPackConfigs };
      await askPassphrase(io, folder, name);

      const before = await exported(stack);
      const declared = declarationOf(stack);
      const isAsBefore = async () => (await exported(stack)).text === before.text && declarationOf(stack) === declared;
      const pending = pendingVariableOf(before.state);
      const unsettled = memoryWith(io, pending);
      const report = await described(io, folder, await preview(stack, pending), { ...options, unsettled });
      if (isInterrupted()) throw new Error("interrupted; nothing was sent");
      const beyond = plan === undefined ? [] : beyondPlan(plan, report);
      const stops = [
        ...(report.complete ? [] : ["the preview failed"]),
        ...(beyond.length === 0 ? [] : [`the plan does not have: ${beyond.join("; ")}`]),
        ...(exitCodeOf(report, failOn) === exitCodes.stopped
          ? [`the preview contains what --fail-on names: ${stoppedBy(report, failOn).join(", ")}`]
          : []),
      ];
      if (stops.length > 0) {
        io.stdout.write(shown(io, report, options));
        say(io, printableLine(`nothing was sent: ${stops.join("; ")}`));
        io.exitCode = report.complete ? exitCodes.stopped : exitCodes.failed;
        return;
      }
      io.stderr.write(shown(io, report, { ...options, format: "terminal" }));
      if (isAsked && !(await isApproved(io, name))) throw new Error("not approved; nothing was sent");
      if (!(await isAsBefore()))
        throw new Error("nothing was sent: the state or a file of the project changed since the preview; run it again");
      if (isInterrupted()) throw new Error("interrupted; nothing was sent");
      const events = await updated(stack, pending, cancelLocksAfter, isAsBefore);
      const after = await exported(stack).catch(messageOf);
      const isKnown = typeof after !== "string";
      const uncertain = isKnown
        ? openIn(withUnsettled(after.state, memoryWith(io, {})))
        : [`what is uncertain is not known: ${after}`];
      const done = await described(io, folder, events, { ...options, unsettled, uncertain });
      io.stdout.write(shown(io, done, options));
      io.exitCode = done.complete && isKnown ? exitCodes.done : exitCodes.failed;
    });

/** A lock of a run that has died can only be judged by its age, and that is the operator's word. */
async function updated(
  stack: Stack,
  pending: Pending,
  limitMs: number | undefined,
  isAsBefore: () => Promise<boolean>,
): Promise<PreviewOrUpdate> {
  const { events, stderr } = await update(stack, pending);
  // An update with a step had the lock: what its output says of locks is of the program.
  const locks = events.complete || events.steps.length > 0 || limitMs === undefined ? [] : locksIn(stderr);
  const isOld = ({ at }: StackLock): boolean => at !== undefined && Date.now() - at > (limitMs ?? Infinity);
  if (locks.length === 0 || !locks.every(isOld)) return events;
  const { io } = stack;
  say(io, `removing the lock of ${locks.map(({ holder }) => holder).join(", ")}`);
  const cancelled = await queryPulumi(io.env)(["cancel", "--yes", "--stack", stack.name ?? ""], stack.folder);
  const mayFollow = cancelled.kind === "done" && !isInterrupted() && (await isAsBefore());
  return mayFollow ? (await update(stack, pending)).events : events;
}

async function isApproved({ stdin, stderr }: Io, stack: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = lines.question(`Update ${printableLine(stack)}? Only yes is accepted: `, { signal: interruption });
    // Ctrl-C and a signal reject it, and the end of the input only closes it.
    return (await Promise.race([answer.catch(() => ""), once(lines, "close").then(() => "")])) === "yes";
  } finally {
    lines.close();
  }
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsIn(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It must be a time such as 2h or 90m.");
  return Number(count) * (units[unit] ?? 0);
}
