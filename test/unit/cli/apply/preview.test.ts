/** What a preview before the update decides: --fail-on, `onPreview` and a dry run. */
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import {
  deadCli,
  events,
  Fleet,
  lockedError,
  prelude,
  previewSummary,
  quiet,
  rotation,
  stateWith,
  urn,
  type Answer,
} from "../../../support/fake-cli";
import { write } from "../../../support/project-folder";

const up = "up --yes --json --skip-preview=true";
const preview = "preview --json --show-sames";
const retentionUrn = urn.replace("WebhookSecret::org-crm", "RetentionPolicy::org-recordings");
const retention = (retentionDays: number) => {
  const values = { account: "acme-eu", resource: "recordings", retentionDays, enabled: true };
  const type = "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy";
  return { urn: retentionUrn, custom: true, type, inputs: values, outputs: values };
};
const shortens = {
  sequence: 1,
  resourcePreEvent: { metadata: { op: "update", urn: retentionUrn, old: retention(90), new: retention(30) } },
};
const risky = { stdout: events(prelude, shortens, previewSummary()) };
const refusal = {
  outcome: "failed",
  reason: "the preview shows changes that --fail-on refuses: deletes data",
  needsPerson: true,
  summary: "1 request: deletes data",
  risks: ["deletes data"],
  report: expect.stringContaining("30 days") as string,
  requests: 0,
  exitCode: 1,
};

/** Everything in the project's folder, with its content. */
const contentsOf = ({ project: { folder } }: Fleet): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) =>
      statSync(join(folder, name)).isFile() ? `${name}: ${readFileSync(join(folder, name), "utf8")}` : name,
    );

test.each([["deletes-data", "cuts-a-trunk"], ["edits"], ["risks"], ["changes"]])(
  "a preview with a risk that failOn names (%s) is the end of the run: no update, and the next run is not skipped",
  async (...failOn) => {
    const fleet = new Fleet();
    await fleet.apply({});
    fleet.calls();
    expect(await fleet.apply({ preview: [risky] }, { failOn, skip: false })).toMatchObject(refusal);
    expect(fleet.calls()).toEqual([preview]);
    expect(fleet.left()).toEqual([]);
    expect(await fleet.apply({ preview: [risky] }, { failOn: ["cuts a trunk"] })).toMatchObject({
      outcome: "unchanged",
      reason: "the last run ended after its preview",
    });
    expect(fleet.calls()).toEqual(["stack export", preview, up, "stack export"]);
    expect(await fleet.apply({}, { failOn })).toMatchObject({ outcome: "skipped" });
  },
);

test("without failOn, with an empty list and with none, there is no preview", async () => {
  for (const options of [{}, { failOn: [] }, { failOn: ["none"] }]) {
    const fleet = new Fleet();
    expect(await fleet.apply({ preview: [risky] }, options)).toMatchObject({ outcome: "unchanged" });
    expect(fleet.calls()).toEqual(["stack export", up, "stack export"]);
  }
});

test("a word that failOn does not know is wrong input, before anything is run or skipped", async () => {
  const fleet = new Fleet();
  expect(await fleet.apply({}, { failOn: ["deletes data", "typo"] })).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/^failOn takes one of changes, risks, edits, none, or labels/) as string,
  });
  expect(fleet.calls()).toEqual([]);
});

test.each<[what: string, answer: Answer, reason: string]>([
  ["failed", { code: 255, stderr: "error: no such file\n" }, "no such file"],
  [
    "succeeded, but has an error",
    {
      stdout: events(
        prelude,
        { sequence: 1, diagnosticEvent: { severity: "error", urn: "", message: "wrong days" } },
        previewSummary(),
      ),
    },
    "wrong days",
  ],
  ["has no end", { stdout: events(prelude) }, "the preview cannot be read as a whole"],
  ["is in an unknown format", { stdout: "{}\n" }, "the preview cannot be read as a whole"],
  ["is none", quiet, "the preview cannot be read as a whole"],
])("with failOn, nothing is sent after a preview that %s", async (_what, answer, reason) => {
  const fleet = new Fleet();
  const result = await fleet.apply({ preview: [answer] }, { failOn: ["cuts a trunk"] });
  expect(result).toMatchObject({ outcome: "failed", reason, summary: "", requests: 0, exitCode: 1 });
  expect(existsSync(result.log ?? "")).toBe(true);
  expect(fleet.calls()).toEqual(["stack export", preview]);
  expect(await fleet.apply({})).toMatchObject({ reason: "the last run ended after its preview" });
});

test("onPreview gets what would change, and decides before anything is sent", async () => {
  const fleet = new Fleet();
  const seen: unknown[] = [];
  const onPreview = (why?: string) => (changes: unknown) => {
    seen.push(changes);
    return Promise.resolve(why);
  };
  const change = { name: "org-recordings", risks: ["deletes data"], edited: true };
  const held = await fleet.apply({ preview: [risky] }, { onPreview: onPreview("one is enough for tonight") });
  expect(held).toMatchObject({ ...refusal, reason: "one is enough for tonight" });
  expect(seen).toEqual([
    [expect.objectContaining({ ...change, text: expect.stringContaining("90 → 30 days") as string })],
  ]);
  expect(fleet.calls()).toEqual(["stack export", preview]);
  expect(await fleet.apply({ preview: [risky] }, { onPreview: onPreview() })).toMatchObject({ outcome: "unchanged" });
  expect(fleet.calls()).toEqual(["stack export", preview, up, "stack export"]);

  // An error decides nothing, so nothing is sent.
  const broken = { onPreview: () => Promise.reject(new Error("the database is away")), skip: false, revision: "def" };
  expect(await fleet.apply({ preview: [risky] }, broken)).toMatchObject({
    ...{ outcome: "failed", reason: "the database is away", requests: 0 },
  });
  expect(fleet.calls()).toEqual([preview]);
});

test("a run that only a date causes has no preview for onPreview, unless a file has changed, whatever its time and the clocks say", async () => {
  const fleet = new Fleet();
  const onPreview = () => Promise.resolve(undefined);
  const at = (day: string) => ({ onPreview, now: () => new Date(`2099-01-${day}T12:00:00Z`) });
  await fleet.apply({}, at("01"));
  fleet.calls();
  expect(await fleet.apply({}, at("09"))).toMatchObject({ reason: "due since 2027-02-18" });
  expect(fleet.calls()).toEqual([up, "stack export"]);
  expect(await fleet.apply({}, { ...at("10"), revision: "def" })).toMatchObject({ outcome: "unchanged" });
  expect(fleet.calls()).toEqual([preview, up, "stack export"]);

  // The clock of the run before was ahead, and the file has an old time.
  const edited = new Fleet();
  await edited.apply({}, at("01"));
  edited.calls();
  write(edited.project.folder, { "organization.yaml": "retention: { recordings: { days: 7 } }\n" });
  utimesSync(join(edited.project.folder, "organization.yaml"), 0, 0);
  expect(await edited.apply({}, at("09"))).toMatchObject({ reason: "due since 2027-02-18" });
  expect(edited.calls()).toEqual([preview, up, "stack export"]);
});

test("a refused run leaves what a run that died has sent to the next run that sends", async () => {
  const fleet = new Fleet();
  fleet.dies(rotation());
  const refused = await fleet.apply({ preview: [risky] }, { failOn: ["risks"] });
  expect(refused).toMatchObject({ ...refusal, rotatedEarlier: [] });
  expect(fleet.journals()).toEqual(["run-dead"]);
  expect(await fleet.apply({})).toMatchObject({
    outcome: "unchanged",
    rotatedEarlier: [{ name: "crm", webhook: "crm-1" }],
  });
});

test("the preview has the mark with which settings are sent again, as the update has", async () => {
  const fleet = new Fleet();
  const mark = "2026-11-19T00:00:00.000Z";
  fleet.writeRecord({ open: "the last run failed", resend: mark });
  await fleet.apply({}, { failOn: ["risks"] });
  expect(readFileSync(join(fleet.bin, "preview/variables"), "utf8").trim()).toBe(mark);
  expect(fleet.variables()).toBe(mark);
});

test("with failOn, nothing is sent if a file or the state changed during the preview", async () => {
  const reason = "nothing was sent: the state or a file of the project changed during the preview";
  const edited = new Fleet();
  let asked = 0;
  const edit = () => {
    if (++asked === 3) write(edited.project.folder, { "organization.yaml": "retention: {}\n" });
    return Promise.resolve("1");
  };
  expect(await edited.apply({}, { failOn: ["risks"], stateVersion: edit })).toMatchObject({
    ...{ outcome: "failed", reason, needsPerson: false },
  });
  expect(edited.calls()).toEqual(["stack export", preview]);

  const moved = new Fleet();
  let version = 0;
  const options = { failOn: ["risks"], stateVersion: () => Promise.resolve(String(++version)) };
  expect(await moved.apply({}, options)).toMatchObject({ outcome: "failed", reason });
  expect(moved.calls()).toEqual(["stack export", preview]);

  // Without a version, the exports are compared.
  const unknown = { failOn: ["risks"], stateVersion: () => Promise.resolve(undefined) };
  const [before, after] = [stateWith("r1"), stateWith("r2")];
  expect(await moved.apply({ export: [before, before, after] }, unknown)).toMatchObject({ outcome: "failed", reason });
  expect(moved.calls()).toEqual(["stack export", "stack export", preview, "stack export"]);
  expect(await moved.apply({ export: [before] }, unknown)).toMatchObject({ outcome: "unchanged" });
});

test("after a stale lock was removed, the preview is made again, as the state may be another one", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  const calm = { stdout: events(prelude, previewSummary()) };
  const script = { up: [lockedError("worker-1", deadCli)], preview: [calm, risky] };
  expect(await fleet.apply(script, { failOn: ["risks"] })).toMatchObject(refusal);
  expect(fleet.calls()).toEqual(["stack export", preview, up, "cancel --yes", preview]);
  expect(fleet.journals()).toEqual([]);
});

test("a dry run says what it would run and why, and has the result of a refusal with failOn", async () => {
  const fleet = new Fleet();
  const before = contentsOf(fleet);
  const lines: string[] = [];
  const options = { dryRun: true, onProgress: (line: string) => void lines.push(line) };
  const reason = "there is no record of an earlier run";
  expect(await fleet.apply({}, options)).toMatchObject({ outcome: "unchanged", reason, exitCode: 0 });
  expect(lines).toEqual([`would run acme: ${reason}`]);
  expect(await fleet.apply({ preview: [risky] }, { ...options, failOn: ["deletes data"] })).toMatchObject(refusal);
  expect(new Set(fleet.calls())).toEqual(new Set(["stack export", preview]));
  expect([contentsOf(fleet), fleet.left()]).toEqual([before, []]);
});

test("a dry run removes no lock: it is locked by one that is not stale, and previews beside a stale one", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  const lock = (pid: number) => {
    const text = { pid, hostname: "worker-1", username: "root", timestamp: "2026-11-20T12:00:00Z" };
    write(fleet.project.folder, { ".state/.pulumi/locks/organization/fleet/acme/x.json": JSON.stringify(text) });
  };
  for (const [pid, outcome] of [
    [process.pid, "locked"],
    [deadCli, "previewed"],
  ] as const) {
    lock(pid);
    const before = contentsOf(fleet);
    expect(await fleet.apply({ preview: [risky] }, { dryRun: true })).toMatchObject({ outcome, staleLocks: [] });
    expect(contentsOf(fleet)).toEqual(before);
  }
});

test("a dry run keeps the record and the journal of a run that died", async () => {
  const fleet = new Fleet();
  fleet.dies(rotation());
  const before = contentsOf(fleet);
  expect(await fleet.apply({ preview: [risky] }, { dryRun: true })).toMatchObject({
    outcome: "previewed",
    reason: "the last run did not end",
    rotatedEarlier: [],
  });
  expect(contentsOf(fleet)).toEqual(before);
});

test("the preview of a run checks the policy packs of its update", async () => {
  const fleet = new Fleet();
  await fleet.apply({}, { failOn: ["risks"], policyPacks: ["policies"] });
  expect(fleet.calls()).toContain(`${preview} --policy-pack policies`);
});
