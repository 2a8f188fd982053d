import { exec } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { apply, flushTelemetry, recordFile, type ApplyOptions, type ApplyResult } from "../apply/index.js";
import { printableLine } from "../client/printable.js";
import { below, Command, InvalidArgumentError, stackName } from "./commander.js";

export const command = new Command("apply")
  .description(
    "One safe `pulumi up` of one organization, for a person, a pipeline or a queue: skips a stack without changes, can be " +
      "killed at any time, removes stale locks and tidies up after an earlier run that was killed. Prints one line of JSON.",
  )
  .argument("[dir]", "the project's folder", ".")
  .requiredOption("--stack <stack>", "the stack", stackName)
  .option("--record <file>", "what the last run left (default: .voiceplane/apply/STACK.json in the project's folder)")
  .option(
    "--state-version <command>",
    "a command that prints a text that changes with the stack's state; without one, only stacks of file:// backends are skipped",
  )
  .option("--no-skip", "run also where nothing can have changed")
  .option("--full-pass-after <days>", "run at least once in so many days (default: 7)", daysIn)
  .option(
    "--inputs <path>",
    "a file or folder that a program of your own reads, may be given several times; without it such a stack is not skipped",
    paths,
  )
  .option(
    "--cancel-locks-after <time>",
    "take locks older than this for stale, such as 2h or 90m (default: only those of dead processes of this machine)",
    millisecondsIn,
  )
  .option("--policy-pack <dir>", "a policy pack, may be given several times", paths)
  .option("--policy-pack-config <file>", "its configuration, in the same order", paths)
  .addHelpText(
    "after",
    below(
      "Exit codes: 0 skipped or no changes, 1 failed or bad input, 2 changes, 3 changes with a risk, 4 locked by another run.",
    ),
  )
  /** Prints the result and sets the exit code. */
  .action(async (folder, { stack, skip, record, stateVersion, fullPassAfter, cancelLocksAfter, ...values }) => {
    const { inputs, policyPack, policyPackConfig } = values;
    const signals = interrupts();
    // A reader of the progress may go away, as in `voiceplane … 2>&1 | head`: the run goes on.
    process.stderr.on("error", () => undefined);
    const options: ApplyOptions = {
      folder,
      stack,
      skip,
      ...(record !== undefined && { record: recordFile(resolve(record)) }),
      ...(stateVersion !== undefined && { stateVersion: () => outputOf(stateVersion, signals.first) }),
      ...(fullPassAfter !== undefined && { fullPassAfterDays: fullPassAfter }),
      ...(inputs && { inputs }),
      ...(cancelLocksAfter !== undefined && { cancelLocksAfterMs: cancelLocksAfter }),
      ...(policyPack && { policyPacks: policyPack }),
      ...(policyPackConfig && { policyPackConfigs: policyPackConfig }),
      signal: signals.first,
      forceSignal: signals.second,
      onProgress: (line) => process.stderr.write(`voiceplane: ${printableLine(line)}\n`),
    };
    const { exitCode, ...result } = await apply(options);
    for (const line of linesOf(result)) options.onProgress?.(line);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exitCode = exitCode;
    await flushTelemetry();
  });

/** The result for people. */
function linesOf(result: Omit<ApplyResult, "exitCode">): string[] {
  const { stack, outcome, summary, reason, rotatedAgain, rotatedEarlier, pending, log } = result;
  const isRun = outcome === "applied" || outcome === "unchanged";
  return [
    ...rotatedAgain.map(({ name, why }) => `rotated ${name} once more: ${why}`),
    ...rotatedEarlier.map(({ name, at }) => `${name} was rotated at ${at}, by an earlier run that could not tell it`),
    ...pending.map((operation) => `a pending operation is left for you: ${operation}`),
    `${stack} ${outcome}: ${isRun ? summary : reason}`,
    ...(log === null ? [] : [`Pulumi's own output is in ${log}`]),
  ];
}

function paths(path: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, resolve(path)];
}

function daysIn(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be a number of days.");
  return Number(text);
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsIn(text: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("It must be a time such as 2h or 90m.");
  return Number(count) * (units[unit] ?? 0);
}

/** A command that does not answer must not hold the run, ms. */
const commandTimeoutMs = 60_000;

/** A command that fails does not know the version. */
async function outputOf(command: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const running = promisify(exec)(command, { signal, timeout: commandTimeoutMs });
    running.child.stdin?.end();
    const { stdout } = await running;
    const text = stdout.trim();
    return text === "" ? undefined : text;
  } catch {
    process.stderr.write("voiceplane: the command of --state-version failed, so nothing is skipped\n");
    return undefined;
  }
}

/** The first SIGINT or SIGTERM, and the second. */
function interrupts(): { readonly first: AbortSignal; readonly second: AbortSignal } {
  const [first, second] = [new AbortController(), new AbortController()];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const isFirst = !first.signal.aborted;
      process.stderr.write(
        isFirst
          ? "voiceplane: interrupted; calls under way end first (once more to stop at once)\n"
          : "voiceplane: interrupted again; stops at once\n",
      );
      (isFirst ? first : second).abort();
    });
  }
  return { first: first.signal, second: second.signal };
}
