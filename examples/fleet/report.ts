/** The summary of a night: a line for each organization, and a total. */
import type { Row } from "./nights.ts";

/** Organizations that were skipped are counted in the total only, unless `all` is set. */
export function summaryLines(rows: readonly Row[], { all = false }: { readonly all?: boolean } = {}): string[] {
  const width = Math.max(12, ...rows.map(({ organization }) => organization.length));
  const shown = rows.filter(({ outcome }) => all || outcome !== "skipped");
  return [...shown.map((row) => lineOf(row, width)), totalOf(rows)];
}

function lineOf(row: Row, width: number): string {
  const outcome = row.state === "done" ? (row.outcome ?? "") : row.state;
  const isBroken = row.outcome === "failed" || row.state !== "done";
  const facts = [
    // What was changed tells the requests too. What went wrong does not.
    ...(row.requests > 0 && (row.reason === null || isBroken) ? [counted(row.requests, "request")] : []),
    ...(row.rotations > 0 ? [counted(row.rotations, "rotation")] : []),
    ...(row.uncertain === null ? ["what is uncertain is not known"] : []),
    ...(row.uncertain ? [`${row.uncertain} uncertain`] : []),
    ...(row.reason === null ? [] : [row.reason]),
    ...row.notes,
    ...row.pending.map((operation) => `left for a person: ${operation}`),
    ...(row.next_due_date === null ? [] : [`next due ${row.next_due_date}`]),
    ...(row.seconds === null || row.outcome === "skipped" ? [] : [`${row.seconds.toFixed(1)} s`]),
  ];
  return `${row.organization.padEnd(width)}  ${outcome.padEnd(9)}  ${facts.join(", ")}`.trimEnd();
}

function totalOf(rows: readonly Row[]): string {
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const outcomes = ["applied", "unchanged", "skipped", "failed"] as const;
  const counts = [
    ...outcomes.map((outcome) => [outcome, sum((row) => Number(row.outcome === outcome))] as const),
    ["unfinished", sum(({ state }) => Number(state !== "done"))] as const,
  ].filter(([, count]) => count > 0);
  const unknown = sum(({ uncertain }) => Number(uncertain === null));
  const due = rows.flatMap(({ next_due_date }) => next_due_date ?? []).sort()[0];
  return [
    `total: ${counted(rows.length, "organization")}`,
    ...counts.map(([outcome, count]) => `${count} ${outcome}`),
    counted(
      sum(({ requests }) => requests),
      "request",
    ),
    counted(
      sum(({ rotations }) => rotations),
      "rotation",
    ),
    `${sum(({ uncertain }) => uncertain ?? 0)} uncertain${unknown === 0 ? "" : ` (not known of ${unknown})`}`,
    ...(due === undefined ? [] : [`next due ${due}`]),
  ].join(", ");
}

export function isFinished(rows: readonly Row[]): boolean {
  return rows.every(({ state }) => state === "done");
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
