import fc from "../../support/properties";
import { advance, isDue, isOver, type Schedule } from "../../../src/lifecycle/schedule.js";

const day = (date: string): Date => new Date(`${date}T00:00:00Z`);
const none: Schedule = { after: undefined };

/** Day `count` of a year, as YYYY-MM-DD: worked out apart from the code under test. */
const dateOf = (count: number): string => new Date(Date.UTC(2026, 0, 1 + count)).toISOString().slice(0, 10);

test("a period that is added to a date without one, as ignoreChanges leaves it, counts from today; so does one without a date", () => {
  expect(advance({ after: "90d" }, "90d", day("2026-11-25"), false)).toEqual({ after: "90d", on: "2027-02-23" });
  const kept = { after: undefined, on: "2026-11-20", due: "2026-08-22" };
  expect(advance(kept, "90d", day("2026-11-25"), false)).toEqual({ after: "90d", on: "2027-02-23", due: "2026-08-22" });
});

test("a clock that is behind moves no date, also where a trigger starts the period again", () => {
  const old = { after: "90d", on: "2036-03-31", due: "2026-08-22" };
  expect(advance(old, "90d", day("2026-11-20"), false)).toEqual(old);
  expect(advance(old, "90d", day("2026-11-20"), true)).toEqual({ after: "90d", on: "2036-03-31" });
});

test("a trigger forgets the date that was due, so that the same date is due again later", () => {
  const early = { after: "90d", on: "2027-02-18", due: "2026-11-20" };
  expect(advance(early, "90d", day("2026-11-25"), true)).toEqual({ after: "90d", on: "2027-02-23" });
  expect(isDue({ __due: early.due }, {})).toBe(false);
});

test("a date that is late by exactly a period is due once, and the next one is a period after today", () => {
  const late = { after: "90d", on: "2026-08-22" };
  const next = { after: "90d", on: "2027-02-18", due: "2026-08-22" };
  expect(advance(late, "90d", day("2026-11-20"), false)).toEqual(next);
});

test.each([
  ...["", "d", "90", "0d", "-1d", "1.5d", "90D", " 90d", "90days", "10000d"].map(
    (after) => [JSON.stringify(after), after] as const,
  ),
  ["400 nines", `${"9".repeat(400)}d`] as const,
])("a period that check refuses (%s) leaves the date as it was", (_name, after) => {
  const old = { after: "90d", on: "2026-11-20", due: "2026-08-22" };
  expect(advance(old, after, day("2027-01-01"), false)).toEqual({ ...old, after });
});

test("without a period nothing is scheduled, and what was due stays noted", () => {
  const old = { after: "90d", on: "2026-11-20", due: "2026-08-22" };
  expect(advance(old, undefined, day("2027-01-01"), false)).toEqual({ after: undefined, due: "2026-08-22" });
});

test("a period that a policy gives is over from its day on", () => {
  expect(isOver("2026-10-21T08:00:00.000Z", "30d", day("2026-11-19"))).toBe(false);
  expect(isOver("2026-10-21T08:00:00.000Z", "30d", day("2026-11-20"))).toBe(true);
});

/** Days between two runs, and what the program says in the second one. */
const run = fc.record({
  later: fc.integer({ min: 0, max: 200 }),
  after: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined, freq: 8 }),
  triggered: fc.boolean(),
  succeeds: fc.boolean(),
});

/**
 * The rule in other words, counting days: what happened last is `since`; with a period, it is due when that many days have
 * passed, and then counts as done on the day on which it was due. A period that is new counts from the day on which it is first seen.
 */
test("over any runs it happens exactly when a trigger changed or the period since the last time is over", () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
      let schedule: Schedule = none;
      let done: string | undefined;
      let today = 0;
      let since: number | undefined;
      let pendingTrigger = false;
      for (const { later, after, triggered, succeeds } of runs) {
        today += later;
        pendingTrigger ||= triggered;
        const next = advance(
          schedule,
          after === undefined ? undefined : `${after}d`,
          day(dateOf(today)),
          pendingTrigger,
        );
        const happens =
          pendingTrigger || isDue({ ...(done && { __due: done }) }, { ...(next.due && { __due: next.due }) });

        const counts = after !== undefined && since !== undefined && schedule.after !== undefined;
        expect(happens).toBe(pendingTrigger || (counts && today >= (since ?? 0) + after));

        // What fails leaves the engine with the old inputs and the old state.
        if (happens && !succeeds) continue;
        if (after === undefined) since = undefined;
        else if (happens || !counts) {
          // A due date follows the one before, unless the next is over as well.
          const dueOn = (since ?? 0) + after;
          since = !pendingTrigger && counts && dueOn + after > today ? dueOn : today;
        }
        if (happens) done = next.due;
        pendingTrigger = false;
        schedule = next;
        expect(schedule.on).toBe(after === undefined ? undefined : dateOf((since ?? 0) + after));
      }
    }),
    { numRuns: 500 },
  );
});
