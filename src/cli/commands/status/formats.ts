/** The forms of a stack's state: a table for a terminal, a table in Markdown, and JSON. */
import { compact } from "../../../values/any.js";
import { runningText } from "../../state/memory.js";
import { escapeMarkdown, jsonDocument, markdownList, safeText, styled, type OutputForm } from "../../output.js";
import { resources } from "../../../resources/index.js";
import { urnParts } from "../../../values/engine.js";
import { advice, conditionsIn, duplicatesIn, duplicateText, isWell } from "../../state/conditions.js";
import { secretAgeOf, type ObjectState, type StackState } from "../../state/state.js";
import { columnsOf, fill } from "./columns.js";

export function formatStatus(state: StackState, form: OutputForm, now: Date, colors = false): string {
  switch (form) {
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
    // It is the `requestId`, or stands for one that is not there.
    const { stateId, ...shown } = object;
    const age = object.rotation && { secretAgeSeconds: secretAgeOf(object, now) };
    return { ...shown, ...age, conditions: conditionsOf(object) };
  });
  return jsonDocument({ version: 1, ok: isWell(state, now), ...state, objects });
}

function table(state: StackState, now: Date, colors: boolean): string {
  const objects = state.objects.toSorted(byTypeAndName);
  const cellsOf = cellsIn(state, now);
  const rows = [headings, ...objects.map(cellsOf)];
  const widths = headings.map((_heading, column) => Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))));
  const lineOf = (cells: readonly string[]) =>
    cells
      .map((cell, column) => fill(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const rowOf = (object: ObjectState) => {
    const cells = cellsOf(object);
    const [line, condition] = [lineOf(cells), cells.at(-1) ?? ""];
    return condition === "ok" ? line : line.slice(0, -condition.length) + styled(colors, "red", condition);
  };
  const byOrganization = [...Map.groupBy(objects, ({ organization }) => organization)];
  const sections = byOrganization.flatMap(([organization, own]) => {
    return ["", styled(colors, "bold", safeText(organization)), ...own.map(rowOf)];
  });
  return [
    statusTitle(state),
    "",
    lineOf(headings),
    ...sections,
    "",
    ...linesBelow(state, now),
    ...memoryLines(state),
    "",
  ].join("\n");
}

function markdownTable(state: StackState, now: Date): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |\n`;
  const cellsOf = cellsIn(state, now);
  const rows = state.objects
    .toSorted(byTypeAndName)
    .map((object) => lineOf([safeText(object.organization), ...cellsOf(object)]));
  const all = ["ORGANIZATION", ...headings];
  const head = lineOf(all) + lineOf(all.map(() => "---"));
  return `${markdownList(statusTitle(state), [...linesBelow(state, now), ...memoryLines(state)])}\n${head}${rows.join("")}`;
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

const headings = ["TYPE", "NAME", "SENT LAST", "WHEN", "SECRET AGE", "NEXT DUE", "STATE"];

function cellsIn(state: StackState, now: Date): (object: ObjectState) => string[] {
  const conditionsOf = conditionsIn(state, now);
  return (object) => {
    const age = secretAgeOf(object, now);
    const days = age === undefined || age < 0 ? "unknown" : `${Math.floor(age / 86_400)}d`;
    return [
      object.type,
      object.name,
      sentOf(object),
      object.sentAt?.slice(0, 10) ?? "-",
      object.rotation ? days : "-",
      object.dueOn ?? "-",
      conditionsOf(object).join(", ") || "ok",
    ].map((cell) => safeText(cell));
  };
}

function sentOf({ type, sent, sentAt, rotation, adopted, uncertain }: ObjectState): string {
  if (adopted && !uncertain) return "adopted, not sent";
  // If the first answer was lost, the request may have been carried out.
  if (!rotation && sentAt === undefined && !uncertain) return "-";
  return resources[type].lifecycle.sent(sent, rotation);
}

const memoryLines = ({ memory }: StackState): string[] => compact(memory).map((line) => safeText(line));

function linesBelow(state: StackState, now: Date): string[] {
  const { objects, pendingOperations, isRunning } = state;
  const conditions = objects.map(conditionsIn(state, now));
  const well = conditions.filter((each) => each.length === 0).length;
  const all = [...conditions.flat(), ...pendingOperations.map(() => "pending" as const)];
  const found = (Object.keys(advice) as (keyof typeof advice)[])
    .map((condition) => ({ condition, count: all.filter((each) => each === condition).length }))
    .filter(({ count }) => count > 0);
  return [
    ...compact(isRunning === true && runningText),
    ...pendingOperations.map(({ type, urn, name }) => `pending: ${safeText(`${type} ${urnParts(urn).type} ${name}`)}`),
    ...duplicatesIn(state).map((resources) => `duplicate: ${safeText(duplicateText(resources))}`),
    ...found.map(({ condition }) => `${condition}: ${advice[condition]}`),
    [
      `${objects.length} ${objects.length === 1 ? "object" : "objects"}: ${well} ok`,
      ...found.map(({ condition, count }) => `${count} ${condition}`),
    ].join(", "),
  ];
}

/** Such as "2026-11-21 02:35 UTC". @param time as the engine writes it */
function minuteOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? safeText(time) : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
