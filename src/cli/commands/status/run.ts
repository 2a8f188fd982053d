/** Shows the state of a stack. */
import { hasColors, InvalidArgumentError, type Io } from "../../commander.js";
import { jsonDocument } from "../../output.js";
import { queryPulumi } from "../../pulumi/cli.js";
import { fileOrInputText } from "../../stack/input.js";
import { conditionsIn, isWell } from "../../state/conditions.js";
import { exportedState } from "../../state/export.js";
import { withUncertain } from "../../state/memory.js";
import { readStackState, secretAgeOf, type StackState } from "../../state/state.js";
import { markdownTable, table } from "./table.js";

type Format = "terminal" | "json" | "markdown";

export interface StatusOptions {
  readonly io: Io;
  /** "-" for standard input. Default: the state of the stack. */
  readonly file?: string | undefined;
  /** The project's folder. */
  readonly folder: string;
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  readonly format: Format;
  /** Whether the exit code is 2 if there is a problem. */
  readonly failOnProblems: boolean;
  /** Default: the present. */
  readonly now?: Date | undefined;
}

/** @returns the exit code */
export async function statusRun(options: StatusOptions): Promise<number> {
  const { io, file, stack, format, failOnProblems, now = new Date() } = options;
  if (stack !== undefined && file !== undefined) throw new InvalidArgumentError("pass a file or --stack, not both");
  const state = await stateOf(options);
  if (state.objects.length + state.pendingOperations.length === 0)
    throw new Error("the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?");
  io.stdout.write(show(state, format, now, hasColors(io)));
  return failOnProblems && !isWell(state, now) ? 2 : 0;
}

async function stateOf({ io, file, stack, folder }: StatusOptions): Promise<StackState> {
  const state =
    file === undefined
      ? await exportedState(queryPulumi(io.env), stack, { folder, env: io.env })
      : readStackState(await fileOrInputText(io, file));
  return withUncertain(state, io.env);
}

export function show(state: StackState, format: Format, now: Date, colors = false): string {
  switch (format) {
    case "terminal":
      return table(state, now, colors);
    case "markdown":
      return markdownTable(state, now);
    case "json":
      return json(state, now);
  }
}

function json(state: StackState, now: Date): string {
  const conditionsOf = conditionsIn(state, now);
  const objects = state.objects.map((object) => ({
    ...object,
    ...(object.rotation && { secretAgeSeconds: secretAgeOf(object, now) }),
    conditions: conditionsOf(object),
  }));
  return jsonDocument({ version: 1, ok: isWell(state, now), ...state, objects });
}
