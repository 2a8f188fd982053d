/** Shows what a stack's state has. */
import { text } from "node:stream/consumers";
import { resources } from "../../resources/index.js";
import { Argument, Command, folderOption, hasColors, Option, stackOption, type Help, type Io } from "../commander.js";
import { jsonDocument, plural, safeText, styled } from "../output.js";
import { jsonIn, pulumiIn } from "../pulumi/cli.js";
import { advice, conditionsIn, isProblem, type Condition } from "../state/conditions.js";
import { exportedState, readStackState, type ObjectState, type StackState } from "../state/state.js";

export const help: Help = {
  examples: {
    "Show the state of a stack": "npx voiceplane status --stack prod",
    "Show a state that was exported": "pulumi stack export | npx voiceplane status -",
  },
  exitCodes: {
    0: "the state was shown",
    1: "it cannot be read",
    2: "with --fail-on problems: an object is uncertain, unread or due, outputs are stale, or an operation is pending",
  },
};

export const command = (io: Io) =>
  new Command("status")
    .description(
      "Shows the state of a stack: for each object what was sent last and when, the age of its secret, the next due date, and " +
        "whether the outcome of its last request is unknown. Sends nothing, and shows no secret.",
    )
    .addArgument(
      new Argument(
        "[input]",
        "- for the output of `pulumi stack export` on standard input (default: the state of a stack)",
      ).choices(["-"]),
    )
    .addOption(
      stackOption(
        "read the state of this stack, with `pulumi stack export` in the project's folder (default: the selected stack)",
      ),
    )
    .addOption(
      new Option("--format <format>", "format of the output")
        .choices(["terminal", "json"] as const)
        .default("terminal" as const),
    )
    .addOption(new Option("--fail-on <what>", "problems: the exit code is 2 if there is one").choices(["problems"]))
    .addOption(folderOption())
    .action(async (input, { cwd: folder = process.cwd(), stack, format, failOn }) => {
      const { env, stdin, stdout } = io;
      const now = new Date();
      const state =
        input === undefined
          ? await exportedState(pulumiIn(folder, env), stack, env)
          : readStackState(jsonIn(await text(stdin)));
      if (state.objects.length === 0 && state.pendingOperations.length === 0)
        throw new Error(
          "the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?",
        );
      const conditions = conditionsIn(state, now);
      const isWell = !conditions.some(isProblem);
      stdout.write(
        format === "json" ? statusJson(state, conditions, now) : statusTable(state, conditions, now, hasColors(io)),
      );
      if (failOn !== undefined && !isWell) io.exitCode = 2;
    });

const conditionNames = (object: ObjectState, conditions: readonly Condition[]): string[] =>
  conditions.filter((each) => each.object === object).map(({ name }) => name);

function statusJson(state: StackState, conditions: readonly Condition[], now: Date): string {
  const objects = state.objects.map((object) => {
    const age = object.rotation && { secretAgeSeconds: secretAgeOf(object, now) };
    return { ...object, ...age, conditions: conditionNames(object, conditions) };
  });
  return jsonDocument({ version: 1, ok: !conditions.some(isProblem), ...state, objects });
}

/** All but the last, which is not filled with spaces. */
const headings = ["TYPE", "NAME", "SENT LAST", "WHEN", "SECRET AGE", "NEXT DUE"];

function statusTable(state: StackState, conditions: readonly Condition[], now: Date, colors: boolean): string {
  const rows = state.objects.toSorted(byTypeAndName).map((object) => {
    const { type, name, organization, sentAt, dueOn } = object;
    const cells = [type, name, sentOf(object), sentAt?.slice(0, 10), daysOfSecret(object, now), dueOn];
    const condition = conditionNames(object, conditions).join(", ") || "ok";
    return { organization, cells: cells.map((cell) => safeText(cell ?? "-")), condition };
  });
  const widths = headings.map((heading, column) =>
    Math.max(...[heading, ...rows.map(({ cells }) => cells[column] ?? "")].map(({ length }) => length)),
  );
  const lineOf = (cells: readonly string[], last: string) => {
    const filled = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return [...filled, last].join("  ");
  };
  const lines = [`${safeText(state.project)}/${safeText(state.stack)}`, "", lineOf(headings, "STATE")];
  for (const [organization, own] of Map.groupBy(rows, (row) => row.organization)) {
    lines.push("", styled(colors, "bold", safeText(organization)));
    for (const { cells, condition } of own) {
      const isRed = colors && condition !== "ok" && condition !== "adopted";
      lines.push(lineOf(cells, styled(isRed, "red", condition)));
    }
  }
  return [...lines, "", ...linesBelow(state, conditions), ""].join("\n");
}

const byTypeAndName = (a: ObjectState, b: ObjectState): number =>
  `${a.type} ${a.name}`.localeCompare(`${b.type} ${b.name}`, "en", { numeric: true });

function sentOf({ type, sent, sentAt, rotation, adopted, uncertain }: ObjectState): string | undefined {
  if (adopted && !uncertain) return "adopted, not sent";
  // An uncertain object without an answer may have got what is in its state.
  const maybeSent = rotation !== undefined || sentAt !== undefined || uncertain;
  return maybeSent ? resources[type].lifecycle.sent(sent, rotation) : undefined;
}

/** Seconds since the last rotation. */
function secretAgeOf({ rotation }: ObjectState, now: Date): number | undefined {
  return rotation?.at === undefined ? undefined : Math.round((now.getTime() - Date.parse(rotation.at)) / 1000);
}

function daysOfSecret(object: ObjectState, now: Date): string | undefined {
  if (object.rotation === undefined) return undefined;
  const age = secretAgeOf(object, now);
  return age === undefined || age < 0 ? "unknown" : `${Math.floor(age / 86_400)}d`;
}

/** The pending operations, what each condition means, and how many objects have it. */
function linesBelow({ objects }: StackState, conditions: readonly Condition[]): string[] {
  const byName = Map.groupBy(conditions, ({ name }) => name);
  const counts = [...byName].map(([name, each]) => `${each.length} ${name}`);
  const well = objects.filter((object) => !conditions.some((each) => each.object === object)).length;
  return [
    ...conditions.filter(({ name }) => name === "pending").map(({ subject }) => `pending: ${safeText(subject)}`),
    ...[...byName.keys()].map((name) => `${name}: ${advice[name]}`),
    `${plural(objects.length, "object")}: ${[`${well} ok`, ...counts].join(", ")}`,
  ];
}
