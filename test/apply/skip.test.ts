import fc from "../support/properties";
import { changedInputs, reasonToRun, type SkipFacts } from "../../src/apply/inputs";
import { parseRecord, recordText, type RunRecord } from "../../src/apply/record";

const lastRun = Date.parse("2026-11-20T12:00:00Z");
const record: RunRecord = {
  version: 1,
  inputs: { "organization.yaml": "a", "Pulumi.yaml": "b" },
  stateVersion: "v1",
  at: lastRun,
  open: null,
  nextDueDate: "2026-11-25",
};
const facts: SkipFacts = {
  inputs: { digests: { "organization.yaml": "a", "Pulumi.yaml": "b" } },
  record,
  stateVersion: "v1",
  now: new Date("2026-11-21T12:00:00Z"),
  fullPassAfterDays: 7,
};
const run = { host: "h", folder: "run-abc" };

test("a run is skipped if nothing can have changed since the last one", () => {
  expect(reasonToRun(facts)).toBeUndefined();
});

test.each<[what: string, changed: Partial<SkipFacts>, reason: string]>([
  ["no record", { record: undefined }, "there is no record of an earlier run"],
  ["a run that did not end", { record: { ...record, run } }, "the last run did not end"],
  ["a failed run", { record: { ...record, open: "the last run failed" } }, "the last run failed"],
  ["inputs that are not all known", { inputs: { ...facts.inputs, unknown: "code" } }, "code"],
  [
    "a changed file",
    { inputs: { digests: { "organization.yaml": "c", "Pulumi.yaml": "b" } } },
    "changed since the last run: organization.yaml",
  ],
  [
    "a file that is new and one that is gone",
    { inputs: { digests: { "organization.yaml": "a", "index.js": "c" } } },
    "changed since the last run: Pulumi.yaml, index.js",
  ],
  ["no version of the state", { stateVersion: undefined }, "the version of the state is not known"],
  ["a newer state", { stateVersion: "v2" }, "the state changed since the last run"],
  ["a due date", { now: new Date("2026-11-25T00:00:00Z") }, "due since 2026-11-25"],
  ["a due date that passed", { now: new Date("2026-11-26T09:00:00Z") }, "due since 2026-11-25"],
  [
    "a week",
    { now: new Date("2026-11-27T12:00:00Z"), record: { ...record, nextDueDate: null } },
    "the last run was 7 days ago",
  ],
  [
    "a clock that was set back",
    { now: new Date("2026-11-20T11:59:59Z") },
    "by this machine's clock, the last run is in the future",
  ],
])("a run is not skipped after %s", (_what, changed, reason) => {
  expect(reasonToRun({ ...facts, ...changed })).toBe(reason);
});

test.each([Number.NaN, 0, -1])("a full pass after %p days is one each time", (fullPassAfterDays) => {
  expect(reasonToRun({ ...facts, fullPassAfterDays })).toBe("the last run was 1 days ago");
});

test("the day before a due date and the last second of a week are skipped", () => {
  expect(reasonToRun({ ...facts, now: new Date("2026-11-24T23:59:59Z") })).toBeUndefined();
  const now = new Date("2026-11-27T11:59:59Z");
  expect(reasonToRun({ ...facts, now, record: { ...record, nextDueDate: null } })).toBeUndefined();
});

const digests = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("1", "2"), { maxKeys: 1 });
const maybeVersion = fc.constantFrom("v1", "v2", undefined);
const dates = fc.integer({ min: 0, max: 12 }).map((days) => new Date(Date.UTC(2026, 10, 10 + days)));

test("whatever the record and the facts are, a run is skipped only if each of them agrees", () => {
  const records = fc.record({
    version: fc.constant(1 as const),
    inputs: digests,
    stateVersion: maybeVersion,
    at: dates.map(Number),
    open: fc.constantFrom(null, null, "open"),
    nextDueDate: fc.option(
      dates.map((date) => date.toISOString().slice(0, 10)),
      { nil: null },
    ),
    run: fc.constantFrom(undefined, undefined, run),
  });
  let skipped = 0;
  fc.assert(
    fc.property(records, digests, maybeVersion, dates, fc.boolean(), (past, current, stateVersion, now, isKnown) => {
      const inputs = { digests: current, ...(!isKnown && { unknown: "unknown" }) };
      if (reasonToRun({ record: past, inputs, stateVersion, now, fullPassAfterDays: 7 }) !== undefined) return;
      skipped++;
      expect(past.inputs).toEqual(current);
      expect(past).toMatchObject({ open: null, run: undefined });
      expect([past.stateVersion, isKnown]).toEqual([stateVersion, true]);
      expect(stateVersion).toBeDefined();
      expect(past.nextDueDate === null || past.nextDueDate > now.toISOString().slice(0, 10)).toBe(true);
      expect(now.getTime() - past.at).toBeGreaterThanOrEqual(0);
      expect(now.getTime() - past.at).toBeLessThan(7 * 86_400_000);
    }),
    { numRuns: 20_000 },
  );
  expect(skipped).toBeGreaterThan(20);
});

test("two sets of inputs are equal only if no name is reported", () => {
  fc.assert(
    fc.property(digests, digests, (before, after) => {
      const names = changedInputs(before, after);
      expect(names.length === 0).toBe(JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)));
    }),
  );
});

const sorted = (map: Record<string, string>) => Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

test("a record is read as it was written; anything else is like no record", () => {
  expect(parseRecord(recordText(record))).toEqual(record);
  expect(parseRecord(recordText({ ...record, run }))).toEqual({ ...record, run });
  fc.assert(fc.property(fc.string(), (text) => parseRecord(text) === undefined));
  const whole = recordText(record).trimEnd();
  for (let length = 0; length < whole.length; length++) expect(parseRecord(whole.slice(0, length))).toBeUndefined();
  expect(parseRecord(whole.replace('"version":1', '"version":2'))).toBeUndefined();
  expect(parseRecord(undefined)).toBeUndefined();
});
