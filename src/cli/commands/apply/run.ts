/** Previews a stack, gets an approval, and updates it: what was approved and nothing else. */
import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { compact, messageOf } from "../../../values/any.js";
import { given } from "../../../values/environment.js";
import { printableLine } from "../../../values/text.js";
import { InvalidArgumentError, say, type Io } from "../../commander.js";
import { firstError, queryPulumi, selectedStack } from "../../pulumi/cli.js";
import type { Report } from "../../report/report.js";
import { exitCodes, stoppedBy } from "../../report/exit-codes.js";
import type { Interrupts } from "../../stack/interrupts.js";
import { pendingVariable } from "../../../provider/pending.js";
import { planVariable } from "../../../provider/plan.js";
import { beyondPlan, differences, linesOf, planOf, readPlan, type Plan } from "../../stack/plan.js";
import { printedReport, reportOf } from "../../stack/report.js";
import type { ReportOptions } from "../../stack/report-options.js";
import { exported, onStack, preview, refresh, requireProject, update, type Stack } from "../../stack/pulumi-runs.js";
import { uncertainIn } from "../../state/conditions.js";
import { unselectedFiles } from "../../state/export.js";
import { memoryOf, pendingOf, withUncertain, type Pending } from "../../state/memory.js";
import type { StackState } from "../../state/state.js";
import { removeOldLocks } from "./locks.js";

interface ApplyOptions extends ReportOptions {
  readonly yes?: boolean | undefined;
  readonly plan?: string | undefined;
  /** The age in ms from which the lock of another run is removed. Default: no lock is removed. */
  readonly cancelLocksAfter?: number | undefined;
}

export async function applyRun(options: ApplyOptions): Promise<number> {
  const { io, folder } = options;
  if (isAsked(options) && !(io.stdin.isTTY && io.stderr.isTTY))
    throw new InvalidArgumentError("without a terminal, pass --yes or --plan");
  requireProject(folder);
  const file = planFile(options);
  const plan = file === undefined ? undefined : readPlan(file);
  const name = options.stack ?? (await selectedStack(queryPulumi(io.env), folder));
  if (name === undefined) {
    const files = unselectedFiles(folder);
    throw new InvalidArgumentError(`no stack is selected${files ? `, and ${files}` : ": name one with --stack"}`);
  }
  return onStack(options, name, (stack) => applied(stack, plan, options));
}

/** The option wins over the variable. */
const planFile = ({ plan, io }: ApplyOptions): string | undefined => plan ?? given(io.env[planVariable]);

const isAsked = (options: ApplyOptions): boolean => options.yes !== true && planFile(options) === undefined;

async function applied(stack: Stack, plan: Plan | undefined, options: ApplyOptions): Promise<number> {
  const { io, folder, interrupts } = stack;
  let limitMs = options.cancelLocksAfter;
  let approved: Report | undefined;
  // After an approval and after the removal of a lock, the preview is run again and has to pass again: in the meantime, a file, the state or
  // the date may have changed.
  for (;;) {
    const state = await writeUncertain(stack, limitMs).catch((error: unknown) => {
      if (plan) say(io, `not begun:${indented(linesOf(plan))}`);
      throw error;
    });
    const pending = pendingOf(state, io.env);
    // An update has the date of its preview.
    const variables = { ...pending, VOICEPLANE_NOW: given(io.env.VOICEPLANE_NOW) ?? new Date().toISOString() };
    const memory = memoryOf(io.env, pending);
    const previewed = await preview(stack, variables);
    const report = await reportOf(io, folder, previewed, { memory, objects: state.objects });
    if (interrupts.first.aborted) throw new Error("interrupted; nothing was sent");
    const stops = stopsOf(report, plan, approved, options.failOn);
    if (stops.length > 0) {
      io.stdout.write(printedReport(io, report, options));
      say(io, `nothing was sent: ${stops.join("; ")}`);
      return report.complete ? exitCodes.stopped : exitCodes.failed;
    }
    if (!approved) io.stderr.write(printedReport(io, report, { ...options, format: "terminal" }));
    if (isAsked(options) && !approved) {
      if (!(await isApproved(io, stack.name, interrupts))) throw new Error("not approved; nothing was sent");
      approved = report;
      continue;
    }
    const updated = await update(stack, variables, plan ?? planOf(report));
    // An update that has begun a step had the lock itself. If its output mentions a lock, the program has printed that.
    const mayBeLocked = !updated.events.complete && updated.events.steps.length === 0;
    if (mayBeLocked && (await removeOldLocks(stack, updated.stderr, limitMs))) {
      // Locks are removed once.
      limitMs = undefined;
      continue;
    }
    const after = await exported(stack).catch(messageOf);
    const isRead = typeof after !== "string";
    const uncertain = isRead ? uncertainIn(withUncertain(after, io.env)) : [`what is uncertain is not known: ${after}`];
    const done = await reportOf(io, folder, updated.events, { memory, uncertain, planned: report });
    io.stdout.write(printedReport(io, done, options));
    if (done.isStopped) return exitCodes.stopped;
    if (!done.complete && updated.events.steps.some(({ op }) => op !== undefined))
      say(io, "run it again: the outputs are those of the last complete update");
    return done.complete && isRead ? exitCodes.done : exitCodes.failed;
  }
}

/** The reasons why this preview must not be carried out; empty if there is none. */
function stopsOf(
  report: Report,
  plan: Plan | undefined,
  approved: Report | undefined,
  failOn: readonly string[] | undefined,
): string[] {
  const now = planOf(report);
  const beyond = plan ? beyondPlan(plan, now) : [];
  const changed = approved ? differences(planOf(approved), now) : [];
  const named = report.complete ? stoppedBy(report, failOn) : [];
  return compact(
    !report.complete && "the preview failed",
    beyond.length > 0 && `the plan does not have:${indented(beyond)}`,
    changed.length > 0 && `it is not what was approved:${indented(changed)}`,
    named.length > 0 && `the preview contains what --fail-on names: ${named.join(", ")}`,
  );
}

const indented = (lines: readonly string[]): string => lines.map((line) => `\n  ${printableLine(line)}`).join("");

/**
 * Writes into the state which objects are uncertain because of what is pending, so that any machine knows it, whatever fails later.
 *
 * @returns the state that has it
 */
async function writeUncertain(stack: Stack, limitMs: number | undefined): Promise<StackState> {
  const { io } = stack;
  const before = await exported(stack);
  const isWritten = new Set(before.objects.filter(({ uncertain }) => uncertain).map(({ stateId }) => stateId));
  const unwritten = withUncertain(before, io.env).objects.filter(
    ({ uncertain, deleted, stateId }) => uncertain && !deleted && !isWritten.has(stateId),
  );
  if (unwritten.length === 0) return before;
  const pending = pendingOf(before, io.env);
  // A refresh drops the pending operations of every package. If there are others, the operator runs it, with the variable that names our states.
  const others = before.pendingOperations
    .filter(({ type, object }) => type !== "creating" && object === undefined)
    .map(({ type, name }) => printableLine(`${type} ${name}`));
  if (others.length > 0)
    throw new Error(
      `nothing was sent: the state has pending operations of other packages, which \`apply\` does not touch: ${others.join(", ")}. ` +
        `\`${refreshCommand(stack, pending)}\` ends them, says what it does, and keeps what is uncertain. Then run this again`,
    );
  const names = unwritten.map(({ name }) => printableLine(name)).join(", ");
  say(io, `writing into the state that the last request may have been carried out: ${names}`);
  const urns = unwritten.map(({ urn }) => urn);
  const write = () => refresh(stack, urns, pending);
  let written = await write();
  if (written.code !== 0 && (await removeOldLocks(stack, written.stderr, limitMs))) written = await write();
  if (written.code !== 0)
    throw new Error(`nothing was sent: the state cannot be written: ${firstError(written.stderr)}`);
  return exported(stack);
}

const refreshCommand = ({ name = "" }: Stack, pending: Pending): string =>
  `${pendingVariable}='${pending[pendingVariable] ?? "[]"}' pulumi refresh --stack ${printableLine(name)}`;

async function isApproved({ stdin, stderr }: Io, stack = "", { first }: Interrupts): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    const answer = lines.question(`Update ${printableLine(stack)}? Only yes is accepted: `, { signal: first });
    // Ctrl-C and a signal reject the answer. The end of the input does not: it only closes the lines.
    return (await Promise.race([answer.catch(() => ""), once(lines, "close").then(() => "")])) === "yes";
  } finally {
    lines.close();
  }
}
