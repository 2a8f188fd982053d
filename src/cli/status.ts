import { readStackState, secretAgeOf, type StackState } from "./engine/state.js";
import { Command, hasColors, InvalidArgumentError, Option, stackName, type Help } from "./commander.js";
import { contentsOrInput } from "./input.js";
import { askPassphrase } from "./passphrase.js";
import type { QueryPulumi } from "./engine/answer.js";
import { exportedState, queryPulumi } from "./engine/cli.js";
import { conditionsIn, isWell } from "./engine/conditions.js";
import { prometheus } from "./status/prometheus.js";
import { markdownTable, table } from "./status/table.js";

const formats = ["terminal", "json", "markdown", "prometheus"] as const;

export const help: Help = {
  examples: {
    "Show the state of a stack": "npx voiceplane status --stack prod",
    "Show a state that was exported": "pulumi stack export | npx voiceplane status -",
  },
  exitCodes: {
    0: "all is well",
    1: "bad input",
    2: "an object is uncertain, unread, failed, leaving, duplicate or overdue, an operation is pending, or an output is stale",
  },
};

export const command = new Command("status")
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
  .action(async (file, { stack, format }) => {
    if (stack !== undefined && file !== undefined) throw new InvalidArgumentError("pass a file or --stack, not both");
    const state = await stateOf(file, stack);
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
  const { project, stack, time, pendingOperations, staleOutputs = null, unsaved } = state;
  const conditionsOf = conditionsIn(state, now);
  const objects = state.objects.map((object) => ({
    ...object,
    ...(object.rotation && { secretAgeSeconds: secretAgeOf(object, now) }),
    conditions: conditionsOf(object),
  }));
  const status = {
    version: 1,
    ok: isWell(state, now),
    project,
    stack,
    time,
    objects,
    pendingOperations,
    staleOutputs,
    unsavedRotations: unsaved?.names,
  };
  return `${JSON.stringify(status, undefined, 2)}\n`;
}

async function stateOf(file: string | undefined, stack: string | undefined): Promise<StackState> {
  if (file !== undefined) return readStackState(await contentsOrInput(file));
  const place = { folder: process.cwd(), env: process.env };
  const pulumi: QueryPulumi = async (args, folder) => {
    if (args.includes("--show-secrets")) await askPassphrase(folder, stack);
    return queryPulumi(process.env)(args, folder);
  };
  return exportedState(pulumi, stack, place);
}
