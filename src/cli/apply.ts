import { exec } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { apply, flushTelemetry, recordFile, type ApplyOptions, type ApplyResult } from "../apply/index.js";
import { defineCommand, printableLine, UsageError } from "./command.js";

export const command = defineCommand({
  usage: `Usage: voiceplane apply [options] --stack STACK [DIR]

One safe \`pulumi up\` of one organization, for a person, a pipeline or a queue: skips where nothing can have changed, survives its own
death, removes stale locks and tidies up after an earlier run that died. Prints one line of JSON.

Options:
  --stack STACK        the stack
  --record FILE        what the last run left (default: .voiceplane/apply/STACK.json in the project's folder)
  --state-version COMMAND
                       prints a text that changes with the stack's state; without one, only stacks of file:// backends are skipped
  --no-skip            runs also where nothing can have changed
  --full-pass-after DAYS
                       runs at least once in so many days (default 7)
  --inputs PATH        a file or folder that a program of your own reads, may be given several times; without it such a stack is not skipped
  --cancel-locks-after TIME
                       takes locks older than this for stale, such as 2h or 90m (default: only those of dead processes of this machine)
  --policy-pack DIR    a policy pack, may be given several times
  --policy-pack-config FILE
                       its configuration, in the same order
  -h, --help           show this

Exit codes: 0 skipped or no changes, 1 failed or bad input, 2 changes, 3 changes with a risk, 4 locked by another run.
`,
  options: {
    stack: { type: "string" },
    record: { type: "string" },
    "state-version": { type: "string" },
    "no-skip": { type: "boolean" },
    "full-pass-after": { type: "string" },
    inputs: { type: "string", multiple: true },
    "cancel-locks-after": { type: "string" },
    "policy-pack": { type: "string", multiple: true },
    "policy-pack-config": { type: "string", multiple: true },
  },
  positional: ["dir"],
  /** Prints the result and sets the exit code. */
  async run(values, folder = ".") {
    const { stack, record, "state-version": stateVersion, "policy-pack": policyPacks } = values;
    const [days, limit] = [values["full-pass-after"], values["cancel-locks-after"]];
    const problems = [
      ...(stack === undefined || stack === "" ? ["--stack is missing"] : []),
      ...(days !== undefined && !/^[1-9]\d{0,3}$/.test(days) ? ["--full-pass-after must be a number of days"] : []),
      ...(limit !== undefined && millisecondsIn(limit) === undefined
        ? ["--cancel-locks-after must be a time such as 2h or 90m"]
        : []),
    ];
    if (stack === undefined || problems.length > 0) throw new UsageError(problems.join("; "));
    const signals = interrupts();
    // A reader of the progress may go away, as in `voiceplane … 2>&1 | head`: the run goes on.
    process.stderr.on("error", () => undefined);
    const options: ApplyOptions = {
      folder,
      stack,
      skip: values["no-skip"] !== true,
      ...(record !== undefined && { record: recordFile(resolve(record)) }),
      ...(stateVersion !== undefined && { stateVersion: () => outputOf(stateVersion, signals.first) }),
      ...(days !== undefined && { fullPassAfterDays: Number(days) }),
      ...(values.inputs && { inputs: values.inputs.map((path) => resolve(path)) }),
      ...(limit !== undefined && { cancelLocksAfterMs: millisecondsIn(limit) ?? 0 }),
      ...(policyPacks && { policyPacks: policyPacks.map((path) => resolve(path)) }),
      ...(values["policy-pack-config"] && {
        policyPackConfigs: values["policy-pack-config"].map((path) => resolve(path)),
      }),
      signal: signals.first,
      forceSignal: signals.second,
      onProgress: (line) => process.stderr.write(`voiceplane: ${printableLine(line)}\n`),
    };
    const { exitCode, ...result } = await apply(options);
    for (const line of linesOf(result)) options.onProgress?.(line);
    process.stdout.write(`${JSON.stringify(result)}\n`);
    process.exitCode = exitCode;
    await flushTelemetry();
  },
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

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsIn(text: string): number | undefined {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
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
