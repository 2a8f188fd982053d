import { exec } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { apply, flushTelemetry, recordFile, type ApplyOptions, type ApplyResult } from "./apply/index.js";
import { markdownList } from "./markdown.js";
import { printableLine } from "../values/text.js";
import { queryPulumi, selectedStack } from "./engine/cli.js";
import { projectAbove, stateFaults } from "./engine/project.js";
import { Command, InvalidArgumentError, Option, paths, stackName, type Help } from "./commander.js";
import { interrupts } from "./interrupts.js";
import { askPassphrase } from "./passphrase.js";
import { failOnHelp, failOnOption } from "./report-options.js";

export const help: Help = {
  examples: {
    "Update a stack, unless nothing has changed since its last run":
      'npx voiceplane apply --stack acme --revision "$(git rev-parse HEAD)"',
    "Send nothing if that would delete data or cut a trunk":
      "npx voiceplane apply --stack acme --fail-on deletes-data,cuts-a-trunk",
    "Only show what would be done": "npx voiceplane apply --stack acme --dry-run",
  },
  more: failOnHelp,
  exitCodes: {
    0: "skipped, or no changes",
    1: "failed, refused by --fail-on, or bad input",
    2: "changes",
    3: "changes with a risk",
    4: "another run has the stack",
  },
};

export const command = new Command("apply")
  .description(
    "Runs `pulumi up` for one stack safely, for a person, a pipeline or a queue: skips a stack without changes, can be " +
      "killed at any time, and cleans up after a run that died.",
  )
  .argument("[dir]", "the project's folder", ".")
  .option("-s, --stack <stack>", "the stack (default: the selected stack)", stackName)
  .addOption(
    new Option("--format <format>", "format of the result; json: one line, markdown: for the summary of a job")
      .choices(["terminal", "json", "markdown"])
      .default("terminal"),
  )
  .option("--dry-run", "only show whether the stack would be run, and what that would change")
  .optionsGroup("When to skip:")
  .option("--no-skip", "run even if nothing has changed")
  .option(
    "--revision <text>",
    "what this run reads, such as the commit: a stack is skipped only if it is the same as in the last run (default: none, and every stack is run)",
    revisionIn,
  )
  .option(
    "--record <file>",
    "the record of the last run (default: .voiceplane/apply/STACK.json in the project's folder)",
  )
  .option(
    "--state-version <command>",
    "a command whose output changes with the stack's state; without one, only stacks of file:// backends are skipped",
  )
  .option("--full-pass-after <days>", "run at least once in this many days (default: 7)", daysIn)
  .optionsGroup("Guards:")
  .addOption(failOnOption("previews first, and sends nothing if one is shown", "none"))
  .option("--policy-pack <dir>", "a policy pack, can be repeated", paths)
  .option("--policy-pack-config <file>", "its configuration, in the same order", paths)
  .option(
    "--cancel-locks-after <time>",
    "remove locks older than this, such as 2h or 90m (default: only those of dead runs that the record names)",
    millisecondsIn,
  )
  .action(
    async (
      folder,
      { stack: named, format, skip, revision, record, stateVersion, fullPassAfter, cancelLocksAfter, ...values },
    ) => {
      const { policyPack, policyPackConfig, failOn, dryRun = false } = values;
      const stack = named ?? (await selectedStack(queryPulumi(process.env), resolve(folder)));
      if (stack === undefined) {
        const project = projectAbove(resolve(folder));
        const [fault] = project ? stateFaults(project, undefined, process.env) : [];
        throw new InvalidArgumentError(fault ?? "no stack is selected: name one with --stack");
      }
      await askPassphrase(resolve(folder), stack);
      const signals = interrupts(
        "interrupted; waiting for requests in progress (interrupt again to stop at once)",
        "interrupted again; stopping at once",
      );
      // The reader of the progress may exit first, as in `voiceplane … 2>&1 | head`. The run continues.
      process.stderr.on("error", () => undefined);
      const options: ApplyOptions = {
        folder,
        stack,
        skip,
        dryRun,
        reportFormat: format === "markdown" ? format : "terminal",
        ...(failOn && { failOn }),
        ...(record !== undefined && { record: recordFile(resolve(record)) }),
        ...(stateVersion !== undefined && { stateVersion: () => outputOf(stateVersion, signals.first) }),
        ...(fullPassAfter !== undefined && { fullPassAfterDays: fullPassAfter }),
        ...(revision !== undefined && { revision }),
        ...(cancelLocksAfter !== undefined && { cancelLocksAfterMs: cancelLocksAfter }),
        ...(policyPack && { policyPacks: policyPack }),
        ...(policyPackConfig && { policyPackConfigs: policyPackConfig }),
        signal: signals.first,
        forceSignal: signals.second,
        onProgress: say,
        onResult: ({ exitCode, ...result }) => shown(result, format),
      };
      const { exitCode } = await apply(options);
      process.exitCode = exitCode;
      await flushTelemetry();
    },
  );

type Result = Omit<ApplyResult, "exitCode">;

function say(line: string): void {
  process.stderr.write(`voiceplane: ${printableLine(line)}\n`);
}

/** Rejects if nobody reads it: the next run then reports the same. */
async function shown(result: Result, format: string): Promise<void> {
  const { report = "", ...facts } = result;
  const reportLines = format === "markdown" ? [] : report.split("\n").filter((line) => line !== "");
  for (const line of [...notesOf(facts), ...reportLines, ...endOf(facts)]) say(line);
  const text = format === "json" ? `${JSON.stringify(result)}\n` : format === "markdown" ? markdown(result) : "";
  await new Promise<void>((resolve, reject) => {
    process.stdout.once("error", reject);
    process.stdout.write(text, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** What a person should know of earlier runs. */
function notesOf({ uncertainObjects, rotatedAgain, rotatedEarlier, unreadable, pending }: Result): string[] {
  return [
    ...uncertainObjects.map(
      (name) => `${name} is uncertain: the server may have another secret or value than the state`,
    ),
    ...rotatedAgain.map(({ name, why }) => `rotated ${name} once more: ${why}`),
    ...rotatedEarlier.map(
      ({ name, at }) => `${name} was rotated at ${at}, by an earlier run that ended before it could report it`,
    ),
    ...unreadable.map((problem) => `${problem}: what it says was sent is not known`),
    ...pending.map((operation) => `a pending operation is left for you: ${operation}`),
  ];
}

function endOf({ stack, outcome, summary, reason, log }: Result): string[] {
  const isRun = outcome === "applied" || outcome === "unchanged" || outcome === "previewed";
  return [
    `${stack} ${outcome}: ${isRun ? summary : reason}`,
    ...(log === null ? [] : [`Pulumi's own output is in ${log}`]),
  ];
}

function markdown(result: Result): string {
  const [end = "", ...log] = endOf(result);
  const { report } = result;
  return (
    markdownList(`voiceplane apply: ${end}`, [...notesOf(result), ...log]) + (report === undefined ? "" : `\n${report}`)
  );
}

function revisionIn(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
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
