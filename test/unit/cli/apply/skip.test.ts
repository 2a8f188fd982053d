import fc from "../../../support/properties";
import { reasonToRun, variablesOf, type SkipFacts } from "../../../../src/cli/apply/skip";
import { parseRecord, recordText, type RunRecord } from "../../../../src/cli/apply/record";

const lastRun = Date.parse("2026-11-20T12:00:00Z");
const of = { backend: "file:///state", project: "fleet", stack: "acme" };
const record: RunRecord = {
  version: 2,
  of,
  revision: "3f2a",
  variables: "v",
  stateVersion: "v1",
  at: lastRun,
  open: null,
  nextDueDate: "2026-11-25",
};
const facts: SkipFacts = {
  record,
  hasJournals: false,
  revision: "3f2a",
  variables: "v",
  importsEnvironments: false,
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
  ["a run that left its journal", { hasJournals: true }, "the last run did not end"],
  ["a failed run", { record: { ...record, open: "the last run failed" } }, "the last run failed"],
  ["a run without a revision", { revision: undefined }, "no --revision says what this run reads"],
  ["another revision", { revision: "77b1" }, "the revision was 3f2a, and is 77b1"],
  ["a run that had none", { record: { ...record, revision: undefined } }, "the revision was not given, and is 3f2a"],
  ["another environment", { variables: "w" }, "the environment or the options changed since the last run"],
  [
    "environments of Pulumi ESC",
    { importsEnvironments: true },
    "the stack's configuration imports environments, which can change at any time",
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

const maybeVersion = fc.constantFrom("v1", "v2", undefined);
const dates = fc.integer({ min: 0, max: 12 }).map((days) => new Date(Date.UTC(2026, 10, 10 + days)));

test("whatever the record and the facts are, a run is skipped only if each of them agrees", () => {
  const records = fc.record({
    version: fc.constant(2 as const),
    of: fc.constant(of),
    revision: maybeVersion,
    variables: fc.constantFrom("v", "v", "w"),
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
    fc.property(records, maybeVersion, maybeVersion, dates, fc.boolean(), (past, revision, stateVersion, now, has) => {
      const others = { variables: "v", importsEnvironments: false, fullPassAfterDays: 7 };
      if (reasonToRun({ ...others, record: past, revision, stateVersion, now, hasJournals: has }) !== undefined) return;
      skipped++;
      expect(has).toBe(false);
      expect(past).toMatchObject({ open: null, run: undefined, variables: "v" });
      expect([past.stateVersion, past.revision]).toEqual([stateVersion, revision]);
      expect([stateVersion, revision]).not.toContain(undefined);
      expect(past.nextDueDate === null || past.nextDueDate > now.toISOString().slice(0, 10)).toBe(true);
      expect(now.getTime() - past.at).toBeGreaterThanOrEqual(0);
      expect(now.getTime() - past.at).toBeLessThan(7 * 86_400_000);
    }),
    { numRuns: 40_000 },
  );
  expect(skipped).toBeGreaterThan(20);
});

test("the variables of the CLI, the program and the provider count; of a secret only whether it is set", () => {
  const digest = (env: NodeJS.ProcessEnv, packs: readonly string[] = []) =>
    variablesOf(env, "file:///state", { policyPacks: packs });
  const env = { VOICEPLANE_TOKEN: "vp_1", VOICEPLANE_BASE_URL: "https://a.example.com", HOME: "/a" };
  expect(digest({ ...env, HOME: "/b", VOICEPLANE_DEBUG: "1", PULUMI_CI_SYSTEM: "x" })).toBe(digest(env));
  expect(digest({ ...env, VOICEPLANE_TOKEN: "vp_2" })).toBe(digest(env));
  const changes = [
    { ...env, VOICEPLANE_TOKEN: "" },
    { ...env, VOICEPLANE_BASE_URL: "https://b.example.com" },
    { ...env, PULUMI_CONFIG_PASSPHRASE: "p" },
    { ...env, PULUMI_OPTION_TARGET: "u" },
    { ...env, NODE_OPTIONS: "--require=./x.js" },
  ];
  const digests = [...changes.map((changed) => digest(changed)), digest(env, ["pack"]), digest(env)];
  expect(new Set(digests).size).toBe(digests.length);
});

test("a record is read as it was written; one that is empty, cut off, of an older version or no record is like none", () => {
  expect(parseRecord(recordText(record), of)).toEqual(record);
  expect(parseRecord(recordText({ ...record, run }), of)).toEqual({ ...record, run });
  fc.assert(fc.property(fc.string(), (text) => parseRecord(text, of) === undefined));
  const whole = recordText(record).trimEnd();
  for (let length = 0; length < whole.length; length++) expect(parseRecord(whole.slice(0, length), of)).toBeUndefined();
  for (const version of ["1", '"3"', "null"])
    expect(parseRecord(whole.replace('"version":2', `"version":${version}`), of)).toBeUndefined();
  expect(parseRecord(undefined, of)).toBeUndefined();
});

test("a record of a newer version, or of another stack, is refused", () => {
  const text = recordText(record);
  expect(() => parseRecord(text.replace('"version":2', '"version":3'), of)).toThrow(
    "the record of the last run is of a newer version of voiceplane: update this one",
  );
  expect(() => parseRecord('{"version":3}', of)).toThrow("newer version");
  for (const [key, value] of [
    ["backend", "file:///other"],
    ["project", "other"],
    ["stack", "globex"],
  ] as const) {
    expect(() => parseRecord(text, { ...of, [key]: value })).toThrow(
      "the record is of the stack acme of the project fleet in file:///state: give each stack a --record of its own. " +
        "If this stack was moved from there, remove the record",
    );
  }
});
