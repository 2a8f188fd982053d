import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { resolve } from "node:path";
import { messageOf } from "../../../values/any.js";
import { given } from "../../../values/environment.js";
import { printableLine } from "../../../values/text.js";
import { Command, folderOption, InvalidArgumentError, paths, stackName, type Help, type Io } from "../../commander.js";
import { askPassphrase } from "../../stack/passphrase.js";
import { beyondPlan, differences, readPlan } from "../../stack/plan.js";
import { firstError, queryPulumi, selectedStack } from "../../pulumi/cli.js";
import type { ExportedState } from "../../state/export.js";
import { openIn } from "../../state/conditions.js";
import { locksIn, type StackLock } from "../../pulumi/locks.js";
import { memoryOf, pendingOf, withDoubts } from "../../state/memory.js";
import type { Report } from "../../report/describe.js";
import { exitCodeOf, exitCodes, stoppedBy } from "../../report/risks.js";
import { commitOption, described, failOnHelp, failOnOption, formatOption, shown } from "../../stack/report-options.js";
import {
  exported,
  interruption,
  isInterrupted,
  preview,
  refresh,
  requireProject,
  say,
  update,
  type Stack,
} from "../../stack/stack-run.js";

export const help: Help = {
  examples: {
    "Preview, ask, and update": "npx voiceplane apply --stack dev",
    "Do exactly what a preview has shown": "npx voiceplane apply --stack dev --plan plan.json",
    "In a job: stop if it would delete data or cut a trunk":
      "node_modules/.bin/voiceplane apply --yes --fail-on deletes-data,cuts-a-trunk",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the stack is updated, with or without changes",
    1: "the preview or the update failed, nobody approved it, or bad input",
    2: "nothing was sent, because of --fail-on or --plan, or because it was no longer what was approved",
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

      /** @param approved by a person, who takes time, in which a file, the state or the date may change */
      const run = async (limitMs?: number, approved?: Report): Promise<void> => {
        const pending = pendingOf((await withDoubtsWritten(stack, limitMs)).state);
        // An update has the date of its preview.
        const variables = { ...pending, VOICEPLANE_NOW: given(io.env.VOICEPLANE_NOW) ?? new Date().toISOString() };
        const memory = memoryOf(io.env, pending);
        const report = await described(io, folder, await preview(stack, variables), { ...options, memory });
        if (isInterrupted()) throw new Error("interrupted; nothing was sent");
        const [beyond, other] = [plan && beyondPlan(plan, report), approved && differences(approved, report)];
        const stops = [
          ...(report.complete ? [] : ["the preview failed"]),
          ...(beyond?.length ? [`the plan does not have: ${beyond.join("; ")}`] : []),
          ...(other?.length ? [`it is not what was approved: ${other.join("; ")}`] : []),
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
        if (!approved) io.stderr.write(shown(io, report, { ...options, format: "terminal" }));
        if (isAsked && !approved) {
          if (!(await isApproved(io, name))) throw new Error("not approved; nothing was sent");
          return run(limitMs, report);
        }
        const updated = await update(stack, variables);
        // An update with a step had the lock: what its output says of locks is of the program.
        const isLocked = !updated.events.complete && updated.events.steps.length === 0;
        if (isLocked && (await removesLocks(stack, updated.stderr, limitMs))) return run(undefined, approved);
        const after = await exported(stack).catch(messageOf);
        const isKnown = typeof after !== "string";
        const uncertain = isKnown
          ? openIn(withDoubts(after.state, io.env))
          : [`what is uncertain is not known: ${after}`];
        const done = await described(io, folder, updated.events, { ...options, memory, uncertain });
        io.stdout.write(shown(io, done, options));
        io.exitCode = done.complete && isKnown ? exitCodes.done : exitCodes.failed;
      };
      await run(cancelLocksAfter);
    });

/**
 * The state, which says of each object whether its last request may have been carried out. What only this machine and the pending operations of
 * the engine know is written into it first: then whatever fails later, on whatever machine, the state says so.
 */
async function withDoubtsWritten(stack: Stack, limitMs: number | undefined): Promise<ExportedState> {
  const { io } = stack;
  const before = await exported(stack);
  const isSaid = new Set(before.state.objects.filter(({ uncertain }) => uncertain).map(({ requestId }) => requestId));
  const doubts = withDoubts(before.state, io.env).objects.filter(
    ({ uncertain, deleted, requestId }) => uncertain && !deleted && !isSaid.has(requestId),
  );
  if (doubts.length === 0) return before;
  say(
    io,
    `writing into the state that the last request may have been carried out: ${doubts.map(({ name }) => printableLine(name)).join(", ")}`,
  );
  const write = () =>
    refresh(
      stack,
      doubts.map(({ urn }) => urn),
      pendingOf(before.state),
    );
  let written = await write();
  if (written.code !== 0 && (await removesLocks(stack, written.stderr, limitMs))) written = await write();
  if (written.code !== 0)
    throw new Error(`nothing was sent: the state cannot be written: ${firstError(written.stderr)}`);
  return exported(stack);
}

/** A lock of a run that has died can only be judged by its age, and that is the operator's word. Returns whether it has removed them. */
async function removesLocks({ io, name = "", folder }: Stack, stderr: string, limitMs = Infinity): Promise<boolean> {
  const locks = locksIn(stderr);
  const isOld = ({ at }: StackLock): boolean => at !== undefined && Date.now() - at > limitMs;
  if (locks.length === 0 || !locks.every(isOld)) return false;
  say(io, `removing the lock of ${locks.map(({ holder }) => holder).join(", ")}`);
  const cancelled = await queryPulumi(io.env)(["cancel", "--yes", "--stack", name], folder);
  return cancelled.kind === "done" && !isInterrupted();
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
