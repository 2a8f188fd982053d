/** A night on the terminal: a progress bar until it is over, a line for each organization, and a total. */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { explained, withConnection, type Queryable } from "./database.ts";
import type { Outcome } from "./nights.ts";

const pollMs = 500;
const barWidth = 24;

export interface Row extends Pick<Outcome, "reason" | "requests" | "rotations" | "notes"> {
  readonly organization: string;
  readonly state: "waiting" | "deferred" | "retrying" | "done";
  readonly outcome: Outcome["outcome"] | null;
  /** Null if it is not known, and while a run is under way. */
  readonly uncertain: number | null;
  readonly next_due_date: string | null;
  readonly pending: readonly string[];
  /** The risks over the budget; null unless it is held. */
  readonly held: readonly string[] | null;
  readonly seconds: number | null;
  readonly worker: string | null;
}

export async function rowsOf(client: Queryable, night: string): Promise<Row[]> {
  const text = "select * from voiceplane_fleet.result where night = $1 order by organization";
  return (await client.query<Row>(text, [night])).rows;
}

/** Who released a risk or stopped the night, a line each. */
export async function decisionsOf(client: Queryable, night: string): Promise<string[]> {
  const text = `select ${decisionText} as line from voiceplane_fleet.decision where night = $1 order by decided_at, risk`;
  return (await client.query<{ line: string }>(text, [night])).rows.map(({ line }) => line);
}

export const decisionText = `coalesce(risk || ' released', 'stopped') || ' by ' || decided_by ||
  to_char(decided_at at time zone 'UTC', '" at "YYYY-MM-DD HH24:MI') || coalesce(': ' || reason, '')`;

export async function newestNight(client: Queryable): Promise<string | undefined> {
  const text = "select night from voiceplane_fleet.night order by started_at desc limit 1";
  return (await client.query<{ night: string }>(text)).rows[0]?.night;
}

/** Shows a night until it is over, then its summary. */
export async function follow(night: string, all: boolean): Promise<Row[]> {
  const progress = createProgress(process.stderr);
  let last = "";
  for (;;) {
    try {
      const { rows, decisions } = await withConnection(async (client) => {
        for (;;) {
          const rows = await rowsOf(client, night);
          progress(rows);
          if (rows.every(({ state }) => state === "done")) return { rows, decisions: await decisionsOf(client, night) };
          await setTimeout(pollMs);
        }
      });
      progress();
      console.log([...decisions, ...summaryLines(rows, all), ...releaseLine(rows, night)].join("\n"));
      return rows;
    } catch (error) {
      // No answer, or PostgreSQL stops, starts or has no room for another connection. The workers go on when it is back.
      if (error instanceof pg.DatabaseError && !/^(08|53|57)/.test(error.code ?? "")) throw error;
      const line = explained(error);
      if (line !== last) console.error(`${line}; the night goes on, and is shown again when PostgreSQL answers`);
      last = line;
      await setTimeout(pollMs);
    }
  }
}

/** Returns what draws the progress of a night, or clears it. It writes nothing where there is no terminal. */
export function createProgress(stream: NodeJS.WriteStream, now: () => number = Date.now) {
  const started = now();
  return (rows?: readonly Row[]): void => {
    const line = rows === undefined ? "" : progressLine(rows, (now() - started) / 1000, stream.columns);
    if (stream.isTTY) stream.write(`\r\u001b[K${line}`);
  };
}

export function progressLine(rows: readonly Row[], seconds: number, columns = 80): string {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length;
  const done = count(({ state }) => state === "done");
  const failed = count(({ state, outcome }) => state === "done" && outcome === "failed");
  const held = count(({ outcome }) => outcome === "held");
  const deferred = count(({ state }) => state === "deferred");
  const filled = rows.length === 0 ? barWidth : Math.floor((done / rows.length) * barWidth);
  const parts = [
    `[${"#".repeat(filled).padEnd(barWidth, "-")}] ${done}/${rows.length}`,
    `${Math.round(seconds)} s`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(deferred > 0 ? [`${deferred} wait`] : []),
  ];
  return parts.join("  ").slice(0, columns - 1);
}

/** @param all also lists organizations that were skipped: otherwise the total alone counts them */
export function summaryLines(rows: readonly Row[], all = false): string[] {
  const width = Math.max(12, ...rows.map(({ organization }) => organization.length));
  const shown = rows.filter(({ outcome }) => all || outcome !== "skipped");
  return [...shown.map((row) => lineOf(row, width)), totalOf(rows)];
}

/** How to let go what is held. */
export function releaseLine(rows: readonly Row[], night: string): string[] {
  const held = new Set(rows.flatMap(({ held }) => held ?? []));
  const flags = [...held].map((risk) => ` --risk ${risk.replaceAll(" ", "-")}`).join("");
  return held.size === 0 ? [] : [`held until a person lets it go: npm run release -- ${night}${flags}`];
}

function lineOf(row: Row, width: number): string {
  const outcome = row.state === "done" ? (row.outcome ?? "") : row.state;
  const isBroken = row.outcome === "failed" || row.state !== "done";
  const facts = [
    // The reason of a success names the requests.
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
  const sum = (of: (row: Row) => number | boolean): number => rows.reduce((total, row) => total + Number(of(row)), 0);
  const counts = ["applied", "unchanged", "skipped", "failed", "held", "unfinished"].flatMap((name) => {
    const count = sum(({ state, outcome }) => (name === "unfinished" ? state !== "done" : outcome === name));
    return count > 0 ? [`${count} ${name}`] : [];
  });
  const unknown = sum(({ uncertain }) => uncertain === null);
  const requests = sum((row) => row.requests);
  const rotations = sum((row) => row.rotations);
  const due = rows.flatMap(({ next_due_date }) => next_due_date ?? []).sort()[0];
  return [
    `total: ${counted(rows.length, "organization")}`,
    ...counts,
    counted(requests, "request"),
    counted(rotations, "rotation"),
    `${sum(({ uncertain }) => uncertain ?? 0)} uncertain${unknown === 0 ? "" : ` (not known of ${unknown})`}`,
    ...(due === undefined ? [] : [`next due ${due}`]),
  ].join(", ");
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
