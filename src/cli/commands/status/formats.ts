/** The forms of a stack's state: a table for a terminal, a table in Markdown, and JSON. */
import { compact } from "../../../values/any.js";
import { runningText } from "../../state/memory.js";
import {
  escapeMarkdown,
  jsonDocument,
  markdownList,
  plural,
  safeText,
  styled,
  type OutputFormat,
} from "../../output.js";
import { resources } from "../../../resources/index.js";
import { urnParts } from "../../../values/engine.js";
import { advice, conditionsIn, duplicatesIn, duplicateText, isWell } from "../../state/conditions.js";
import { secretAgeOf, type ObjectState, type StackState } from "../../state/state.js";
import { columnsOf, fill } from "./columns.js";

export function formatStatus(state: StackState, format: OutputFormat, now: Date, colors = false): string {
  switch (format) {
    case "terminal":
      return table(state, now, colors);
    case "markdown":
      return markdownTable(state, now);
    case "json":
      return statusJson(state, now);
  }
}

function statusJson(state: StackState, now: Date): string {
  const conditionsOf = conditionsIn(state, now);
  const objects = state.objects.map((object) => {
    // The stateId is for comparisons only: it is the `requestId`, or stands for one that is not there.
    const { stateId, ...shown } = object;
    const age = object.rotation && { secretAgeSeconds: secretAgeOf(object, now) };
    return { ...shown, ...age, conditions: conditionsOf(object) };
  });
  return jsonDocument({ version: 1, ok: isWell(state, now), ...state, objects });
}

function table(state: StackState, now: Date, colors: boolean): string {
  const rows = rowsOf(state, now);
  const widths = headings.map((heading, column) => {
    const cells = [heading, ...rows.map((row) => row.cells[column] ?? "")];
    return Math.max(...cells.map(columnsOf));
  });
  const lineOf = (cells: readonly string[], last: string) =>
    [...cells.map((cell, column) => fill(cell, widths[column] ?? 0)), last].join("  ");
  const lines = [statusTitle(state), "", lineOf(headings, lastHeading)];
  for (const [organization, own] of Map.groupBy(rows, (row) => row.organization)) {
    lines.push("", styled(colors, "bold", safeText(organization)));
    for (const { cells, condition } of own) {
      lines.push(lineOf(cells, styled(colors && condition !== "ok", "red", condition)));
    }
  }
  return [...lines, "", ...linesBelow(state, now), ""].join("\n");
}

function markdownTable(state: StackState, now: Date): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |\n`;
  const rows = rowsOf(state, now).map(({ organization, cells, condition }) =>
    lineOf([safeText(organization), ...cells, condition]),
  );
  const all = ["ORGANIZATION", ...headings, lastHeading];
  const head = lineOf(all) + lineOf(all.map(() => "---"));
  return `${markdownList(statusTitle(state), linesBelow(state, now))}\n${head}${rows.join("")}`;
}

function statusTitle({ project, stack, time }: StackState): string {
  return `${safeText(project)}/${safeText(stack)}${time === undefined ? "" : `, as of ${minuteOf(time)}`}`;
}

const types = Object.keys(resources);

/** Sorts numbers in names by their values: "crm-2" before "crm-10". */
const natural = new Intl.Collator("en", { numeric: true });

function byTypeAndName(a: ObjectState, b: ObjectState): number {
  return types.indexOf(a.type) - types.indexOf(b.type) || natural.compare(a.name, b.name);
}

/** All but the last, which is not filled with spaces. */
const headings = ["TYPE", "NAME", "SENT LAST", "WHEN", "SECRET AGE", "NEXT DUE"];
const lastHeading = "STATE";

function rowsOf(state: StackState, now: Date) {
  const conditionsOf = conditionsIn(state, now);
  return state.objects.toSorted(byTypeAndName).map((object) => {
    const { type, name, organization, sentAt, dueOn } = object;
    const cells = [type, name, sentOf(object), sentAt?.slice(0, 10), daysOfSecret(object, now), dueOn];
    const condition = conditionsOf(object).join(", ") || "ok";
    return { organization, cells: cells.map((cell) => safeText(cell ?? "-")), condition };
  });
}

function sentOf({ type, sent, sentAt, rotation, adopted, uncertain }: ObjectState): string | undefined {
  if (adopted && !uncertain) return "adopted, not sent";
  // An uncertain object without an answer may have got what is in its state.
  const maybeSent = rotation !== undefined || sentAt !== undefined || uncertain;
  return maybeSent ? resources[type].lifecycle.sent(sent, rotation) : undefined;
}

function daysOfSecret(object: ObjectState, now: Date): string | undefined {
  if (object.rotation === undefined) return undefined;
  const age = secretAgeOf(object, now);
  return age === undefined || age < 0 ? "unknown" : `${Math.floor(age / 86_400)}d`;
}

function linesBelow(state: StackState, now: Date): string[] {
  const { objects, pendingOperations, isRunning, memory } = state;
  const conditions = objects.map(conditionsIn(state, now));
  const countOf = (name: keyof typeof advice): number =>
    name === "pending" ? pendingOperations.length : conditions.filter((own) => own.includes(name)).length;
  const found = (Object.keys(advice) as (keyof typeof advice)[]).filter((name) => countOf(name) > 0);
  const well = conditions.filter((own) => own.length === 0).length;
  const counts = [`${well} ok`, ...found.map((name) => `${countOf(name)} ${name}`)].join(", ");
  return [
    ...compact(isRunning === true && runningText),
    ...pendingOperations.map(({ type, urn, name }) => `pending: ${safeText(`${type} ${urnParts(urn).type} ${name}`)}`),
    ...duplicatesIn(state).map((declared) => `duplicate: ${safeText(duplicateText(declared))}`),
    ...found.map((name) => `${name}: ${advice[name]}`),
    `${plural(objects.length, "object")}: ${counts}`,
    ...compact(memory).map((line) => safeText(line)),
  ];
}

/** Such as "2026-11-21 02:35 UTC". @param time as the engine writes it */
function minuteOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? safeText(time) : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
