import { fstatSync } from "node:fs";
import { text } from "node:stream/consumers";
import { readStackState, secretAgeOf, type StackState } from "../engine/state.js";
import { below, Command, InvalidArgumentError, Option, stackName } from "./commander.js";
import { contents } from "./input.js";
import { exportedState, queryPulumi } from "../engine/cli.js";
import { conditionsOf, isWell } from "../engine/conditions.js";
import { prometheus } from "./status/prometheus.js";
import { table } from "./status/table.js";

const formats = ["table", "json", "prometheus"] as const;

export const command = new Command("status")
  .description(
    "Shows what the state of a stack says: each object with what was sent last and when, the age of each secret, the next " +
      "due date, and what is uncertain. Sends nothing, and shows no secret.",
  )
  .argument(
    "[file]",
    "what `pulumi stack export` printed, or a file of a state backend (default: standard input, if it is a pipe, otherwise " +
      "the state of the selected stack)",
  )
  .option(
    "-s, --stack <stack>",
    "read the state of this stack, by `pulumi stack export` in the current folder",
    stackName,
  )
  .addOption(new Option("--format <format>", "form of the output").choices(formats).default("table"))
  .addHelpText(
    "after",
    below(
      "Exit codes: 0 all is well, 1 bad input, 2 something is uncertain, unread, failed, leaving, overdue or pending.",
    ),
  )
  /** Prints the status and sets the exit code. */
  .action(async (file, { stack, format }) => {
    if (stack !== undefined && file !== undefined) throw new InvalidArgumentError("either FILE or --stack");
    const state = readStackState(await input(file, stack));
    if (state.objects.length + state.pendingOperations.length === 0) {
      throw new Error("the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?");
    }
    const now = new Date();
    const colors = process.stdout.isTTY && process.stdout.hasColors();
    process.stdout.write(show(state, format, now, colors));
    process.exitCode = isWell(state, now) ? 0 : 2;
  });

export function show(state: StackState, format: (typeof formats)[number], now: Date, colors = false): string {
  switch (format) {
    case "table":
      return table(state, now, colors);
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
