import { resolve } from "node:path";
import { withDoubts } from "../../state/memory.js";
import { readStackState, secretAgeOf, type StackState } from "../../state/state.js";
import {
  Command,
  folderOption,
  hasColors,
  InvalidArgumentError,
  Option,
  stackName,
  type Help,
  type Io,
} from "../../commander.js";
import { contentsOrInput } from "../../stack/input.js";
import { exportedState } from "../../state/export.js";
import { queryPulumi } from "../../pulumi/cli.js";
import { conditionsIn, isWell } from "../../state/conditions.js";
import { markdownTable, table } from "./table.js";

const formats = ["terminal", "json", "markdown"] as const;

export const help: Help = {
  examples: {
    "Show the state of a stack": "npx voiceplane status --stack prod",
    "Show a state that was exported": "pulumi stack export | npx voiceplane status -",
  },
  exitCodes: {
    0: "the state was shown",
    1: "it cannot be read",
    2: "with --fail-on problems: an object is uncertain, unread, failed, leaving, duplicate or overdue, or an operation is pending",
  },
};

export const command = (io: Io) =>
  new Command("status")
    .description(
      "Shows the state of a stack: for each object what was sent last and when, the age of its secret, the next due date, and " +
        "whether the outcome of its last request is unknown. Sends nothing, and shows no secret.",
    )
    .argument(
      "[file]",
      "the output of `pulumi stack export`, or a file of a state backend; - for standard input (default: the state of a stack)",
    )
    .option(
      "-s, --stack <stack>",
      "read the state of this stack, with `pulumi stack export` in the current folder (default: the selected stack)",
      stackName,
    )
    .addOption(new Option("--format <format>", "format of the output").choices(formats).default("terminal"))
    .addOption(new Option("--fail-on <what>", "problems: the exit code is 2 if there is one").choices(["problems"]))
    .addOption(folderOption())
    .action(async (file, { stack, format, failOn, cwd: folder = "." }) => {
      if (stack !== undefined && file !== undefined) throw new InvalidArgumentError("pass a file or --stack, not both");
      const state = await stateOf(io, file, stack, resolve(folder));
      if (state.objects.length + state.pendingOperations.length === 0) {
        throw new Error(
          "the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?",
        );
      }
      const now = new Date();
      io.stdout.write(show(state, format, now, hasColors(io)));
      if (failOn !== undefined && !isWell(state, now)) io.exitCode = 2;
    });

export function show(state: StackState, format: (typeof formats)[number], now: Date, colors = false): string {
  switch (format) {
    case "terminal":
      return table(state, now, colors);
    case "markdown":
      return markdownTable(state, now);
    case "json":
      return json(state, now);
  }
}

/** `version` grows if a reader of the old form would misread the new one. New members do not change it. */
function json(state: StackState, now: Date): string {
  const conditionsOf = conditionsIn(state, now);
  const objects = state.objects.map((object) => ({
    ...object,
    ...(object.rotation && { secretAgeSeconds: secretAgeOf(object, now) }),
    conditions: conditionsOf(object),
  }));
  return `${JSON.stringify({ version: 1, ok: isWell(state, now), ...state, objects }, undefined, 2)}\n`;
}

async function stateOf(
  io: Io,
  file: string | undefined,
  stack: string | undefined,
  folder: string,
): Promise<StackState> {
  const state =
    file === undefined
      ? (await exportedState(queryPulumi(io.env), stack, { folder, env: io.env })).state
      : readStackState(await contentsOrInput(io, file));
  return withDoubts(state, io.env);
}
