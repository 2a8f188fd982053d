import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";
import { readStackState, secretAgeOf, type StackState } from "../engine/state.js";
import { below, Command, hasColors, InvalidArgumentError, Option, stackName } from "./commander.js";
import { contents } from "./input.js";
import { exportedState, queryPulumi } from "../engine/cli.js";
import { conditionsOf, isWell } from "../engine/conditions.js";
import { prometheus } from "./status/prometheus.js";
import { markdownTable, table } from "./status/table.js";

const formats = ["terminal", "json", "markdown", "prometheus"] as const;

export const command = new Command("status")
  .description(
    "Shows the state of a stack: for each object what was sent last and when, the age of its secret, the next due date, and " +
      "whether its last answer was lost. Sends nothing, and shows no secret.",
  )
  .argument(
    "[file]",
    "the output of `pulumi stack export`, or a file of a state backend (default: standard input, if it is a pipe)",
  )
  .option(
    "-s, --stack <stack>",
    "read the state of this stack, with `pulumi stack export` in the current folder (default: the selected stack)",
    stackName,
  )
  .addOption(new Option("--format <format>", "format of the output").choices(formats).default("terminal"))
  .addHelpText(
    "after",
    below(
      "Exit codes: 0 all is well, 1 bad input, 2 an object is uncertain, unread, failed, leaving or overdue, or an operation pending.",
    ),
  )
  .action(async (file, { stack, format }) => {
    if (stack !== undefined && file !== undefined) throw new InvalidArgumentError("either FILE or --stack");
    const state = readStackState(await input(file, stack));
    if (state.objects.length + state.pendingOperations.length === 0) {
      throw new Error("the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?");
    }
    const now = new Date();
    process.stdout.write(show(state, format, now, hasColors()));
    process.exitCode = isWell(state, now) ? 0 : 2;
  });

export function show(state: StackState, format: (typeof formats)[number], now: Date, colors = false): string {
  switch (format) {
    case "terminal":
      return table(state, now, colors);
    case "markdown":
      return markdownTable(state, now);
    case "json":
      return json(state, now);
    case "prometheus":
      return prometheus(state);
  }
}

/** `version` grows if a reader of the old form would misread the new one. New members do not change it. */
function json(state: StackState, now: Date): string {
  const { project, stack, time, pendingOperations } = state;
  const objects = state.objects.map((object) => ({
    ...object,
    ...(object.rotation && { secretAgeSeconds: secretAgeOf(object, now) }),
    conditions: conditionsOf(object, now),
  }));
  const status = { version: 1, ok: isWell(state, now), project, stack, time, objects, pendingOperations };
  return `${JSON.stringify(status, undefined, 2)}\n`;
}

async function input(file: string | undefined, stack: string | undefined): Promise<string> {
  if (stack === undefined && (file === "-" || (file === undefined && isPiped()))) return text(process.stdin);
  return file === undefined ? exportedState(queryPulumi(process.env), stack, process.cwd()) : contents(file);
}

/** Not for a terminal, nor for the empty device that cron and pipelines give. */
function isPiped(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false;
  }
}
