/**
 * What no real CLI can be made to do: its answers about databases, broken output, and failures between two lines of `apply`. What the
 * real one shows is in test/engine/apply (runs, skips, refusals), test/campaigns/engine/apply.test.ts (locks, interrupts, lost answers)
 * and apply-deaths.test.ts there (who dies, and what is sent again).
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { ApplyOptions, ApplyResult } from "../../../../src/cli/apply/index";
import { processesHere, type Processes } from "../../../../src/cli/engine/processes";
import {
  deployment,
  events,
  fakePulumi,
  Fleet,
  type Answer,
  prelude,
  previewSummary,
  quietUp,
  root,
  summary,
  urn,
  webhook,
} from "../../../support/fake-cli";
import { testOnLinux } from "../../../support/machine";
import { temporaryFolder, write } from "../../../support/project-folder";

const up = "up --yes --json --skip-preview=true";
const recordPath = ".voiceplane/apply/acme.json";

test("a skip leaves the record as it is, and says since when nothing changed; a run that was requested asks for no state first", async () => {
  const fleet = new Fleet();
  await fleet.apply({});
  const record = readFileSync(join(fleet.project.folder, recordPath), "utf8");
  const reason = "nothing changed since 2026-11-20T12:00:00.000Z";
  expect(await fleet.apply({})).toMatchObject({ outcome: "skipped", reason, nextDueDate: "2027-02-18" });
  expect(readFileSync(join(fleet.project.folder, recordPath), "utf8")).toBe(record);
  fleet.calls();
  expect(await fleet.apply({}, { skip: false })).toMatchObject({ outcome: "unchanged", reason: "a run was requested" });
  // The record proves that nothing is pending: the state is not asked for before the run.
  expect(fleet.calls()).toEqual([up, "stack export"]);
  expect(fleet.left()).toEqual([]);
});

test("requests and confirmed rotations are counted; what did not leave, and what was refused, is not", async () => {
  const rotation = {
    operation: "rotateWebhookSecret",
    method: "POST",
    path: "/v1/x",
    result: "answered",
    succeeded: true,
  };
  const line = { ...rotation, time: "2026-11-20T12:00:00.000Z" };
  const requests = [
    { ...line, result: "not-sent", succeeded: false },
    { ...line, succeeded: false, status: 429 },
    { ...line, status: 200 },
    { ...line, operation: "putRetentionPolicy" },
  ];
  const result = await new Fleet().apply({ up: [{ stdout: events(...quietUp), requests }] });
  expect(result).toMatchObject({ requests: 3, rotations: 1 });
});

test.each<[what: string, state: string, reason: string]>([
  [
    "a lost answer",
    deployment([webhook({ rotationState: "uncertain" })]),
    "the last request for crm may have been carried out",
  ],
  ["an unread secret", deployment([webhook({ rotationState: "unread" })]), "the secret of crm is not known"],
  ["a failed update", deployment([{ ...webhook(), initErrors: ["x"] }]), "the last update of crm failed"],
  [
    "a failed resource of another package",
    deployment([webhook(), { ...webhook(), urn: `${urn}-bucket`, type: "aws:s3:Bucket", initErrors: ["x"] }]),
    "the last update of crm-bucket left something to do",
  ],
  ["a tainted resource", deployment([{ ...webhook(), taint: true }]), "crm is still to be deleted or replaced"],
  [
    "a pending operation",
    deployment([webhook()], [{ type: "deleting", resource: webhook() }]),
    "an earlier run died while deleting crm",
  ],
])("a state with %s is never skipped", async (_what, state, reason) => {
  const fleet = new Fleet();
  await fleet.apply({ export: [{ stdout: state }] });
  expect(await fleet.apply({ export: [{ stdout: state }] })).toMatchObject({ outcome: "unchanged", reason });
});

/** A line of the requests' log. */
const rotation = (webhookId: string, id = "r1", since: string | null = null) => ({
  id,
  since,
  operation: "rotateWebhookSecret",
  path: `/v1/webhooks/${webhookId}/rotate-secret`,
  result: "answered",
  succeeded: true,
  time: "2026-11-20T12:00:00.000Z",
});
const pendingCreate = { type: "creating", resource: webhook() };

test("pending creates that the engine's flag may not clear, because one of them is an unknown object, are reported", async () => {
  const fleet = new Fleet();
  // The flag would clear the other one too, which may be an object that nobody knows.
  const other = { type: "creating", resource: { ...webhook(), urn: `${urn}-other` } };
  const both = { stdout: deployment([webhook()], [pendingCreate, other]) };
  expect(await fleet.apply({ export: [both] }, { skip: false })).toMatchObject({
    pending: ["creating crm", "creating crm-other"],
  });
  expect(fleet.calls().filter((call) => call.startsWith("refresh"))).toEqual([]);

  // Created a second time: the entry is all that tells of the first object.
  const bucket = { ...webhook(), urn: `urn:pulumi:acme::fleet::aws:s3:Bucket::logs`, type: "aws:s3:Bucket" };
  const foreign = { stdout: deployment([bucket], [{ type: "creating", resource: bucket }]) };
  expect(await fleet.apply({ export: [foreign] }, { skip: false })).toMatchObject({ pending: ["creating logs"] });
  expect(fleet.calls().filter((call) => call.startsWith("refresh"))).toEqual([]);
});

test("a rotation of a run that died before it could report it is reported by the next run that ends", async () => {
  const fleet = new Fleet();
  dies(fleet, [rotation("crm-1")]);
  const died = readFileSync(join(fleet.project.folder, recordPath), "utf8");
  // A second one dies too.
  const texts: string[] = [];
  const record = {
    path: join(fleet.project.folder, recordPath),
    read: () => Promise.resolve(died),
    write: (text: string) => Promise.resolve(void texts.push(text)),
    finish: () => Promise.reject(new Error("the machine is gone")),
  };
  await fleet.apply({}, { now: () => new Date("2026-11-20T13:00:00Z"), record });
  write(fleet.project.folder, { [recordPath]: texts[0] ?? "" });
  expect(await fleet.apply({})).toMatchObject({
    outcome: "unchanged",
    rotations: 0,
    rotatedAgain: [],
    rotatedEarlier: [{ name: "crm", webhook: "crm-1", at: "2026-11-20T12:00:00Z" }],
  });
  expect(await fleet.apply({}, { skip: false })).toMatchObject({ rotatedEarlier: [] });
});

test("a run that begins and dies while this one, which is then locked, asks for the state's version keeps its record", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { [recordPath]: endedRecord });
  let asked = 0;
  const stateVersion = () => {
    if (++asked === 1) dies(fleet, [rotation("crm-1")]);
    return Promise.resolve("1");
  };
  const locked = await fleet.apply({ up: [lockedError("worker-2", 42)] }, { stateVersion });
  expect(locked).toMatchObject({ outcome: "locked" });
  const kept = JSON.parse(readFileSync(join(fleet.project.folder, recordPath), "utf8")) as object;
  expect(kept).toMatchObject({ unreported: ["run-dead"] });
  expect(journals(fleet)).toEqual(["run-dead"]);
});

test("a run that another machine made needless, while this one asked for the state's version, is skipped", async () => {
  const fleet = new Fleet();
  const versions = (version: string) => ({ stateVersion: () => Promise.resolve(version) });
  const elsewhere = temporaryFolder();
  await fleet.apply({}, versions("1"));
  fleet.calls();
  let asked = 0;
  const stateVersion = async () => {
    if (++asked === 1) await fleet.apply({}, { ...versions("2"), privateFolder: elsewhere });
    return "2";
  };
  expect(await fleet.apply({}, { stateVersion })).toMatchObject({ outcome: "skipped" });
  expect(fleet.calls().filter((call) => call.startsWith("up"))).toHaveLength(1);
});

test("a rotation by an engine that outlived its apply is reported as that engine's, also if its entry is still pending", async () => {
  const fleet = new Fleet();
  const [before, after] = [stateWith("r0"), stateWith("r1")];
  dies(fleet, [rotation("crm-1", "r1", "r0")]);
  const earlier = [{ name: "crm", webhook: "crm-1", at: "2026-11-20T12:00:00Z" }];
  const updating = stateWith("r0", [{ type: "updating", resource: webhook() }]);
  expect(await fleet.apply({ export: [updating, after] })).toMatchObject({ rotatedAgain: [], rotatedEarlier: earlier });

  // What this run has sent is its own.
  dies(fleet, []);
  const own = { stdout: events(...quietUp), requests: [rotation("crm-1", "r1", "r0")] };
  expect(await fleet.apply({ up: [own], export: [before, after] })).toMatchObject({ rotations: 1, rotatedEarlier: [] });
});

test("an earlier rotation is told once, also if the next run cannot begin or has no room for its events", async () => {
  const fleet = new Fleet();
  const earlier = [{ name: "crm", webhook: "crm-1", at: "2026-11-20T12:00:00Z" }];
  dies(fleet, [rotation("crm-1")]);
  let text = readFileSync(join(fleet.project.folder, recordPath), "utf8");
  let isGone = true;
  const record = {
    path: join(fleet.project.folder, recordPath),
    read: () => Promise.resolve(text),
    write: (next: string) => {
      if (isGone) return Promise.reject(new Error("the connection was lost"));
      text = next;
      return Promise.resolve();
    },
  };
  expect(await fleet.apply({}, { record })).toMatchObject({ outcome: "failed", rotatedEarlier: [] });
  isGone = false;
  expect(await fleet.apply({}, { record })).toMatchObject({ outcome: "unchanged", rotatedEarlier: earlier });

  // Its events were cut off, and its journal says what it sent.
  const cut = { stdout: events(prelude), requests: [rotation("crm-1")] };
  expect(await fleet.apply({ up: [cut] }, { record, skip: false })).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("is there room in") as string,
    rotations: 1,
  });
  expect(await fleet.apply({}, { record })).toMatchObject({ outcome: "unchanged", rotatedEarlier: [] });
});

test("the requests of a run are in the user's own file too", async () => {
  const fleet = new Fleet();
  const env = { ...fleet.env, VOICEPLANE_REQUEST_LOG: "requests.jsonl" };
  const rotated = { stdout: events(...quietUp), requests: [rotation("crm-1")] };
  await fleet.apply({ up: [rotated] }, { env });
  await fleet.apply({ up: [rotated] }, { env, skip: false });
  const lines = readFileSync(join(fleet.project.folder, "requests.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([rotation("crm-1"), rotation("crm-1")]);
});

test("the requests of a run that was killed reach the user's own file with the next result, once", async () => {
  const fleet = new Fleet();
  const env = { ...fleet.env, VOICEPLANE_REQUEST_LOG: "requests.jsonl" };
  dies(fleet, [rotation("crm-1")]);
  const rotated = { stdout: events(...quietUp), requests: [rotation("crm-2")] };
  const unwritten = { onResult: () => Promise.reject(new Error("full")) };
  await fleet.apply({ up: [{ ...rotated, requests: [] }] }, { env, ...unwritten });
  await fleet.apply({ up: [rotated] }, { env });
  await fleet.apply({}, { env, skip: false });
  const lines = readFileSync(join(fleet.project.folder, "requests.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([rotation("crm-1"), rotation("crm-2")]);
});

test("each spelling of a stack's name has the same record and the same lock", async () => {
  const fleet = new Fleet();
  const long = "organization/fleet/acme";
  await fleet.apply({}, { stack: long });
  expect(fleet.calls()).toContainEqual(expect.stringMatching(/^up .* --stack organization\/fleet\/acme /) as string);
  expect(await fleet.apply({})).toMatchObject({ outcome: "skipped" });

  // A write is under the lock.
  const meanwhile: ApplyResult[] = [];
  const write = async () => {
    if (meanwhile.length === 0) meanwhile.push(await fleet.apply({}, { skip: false }));
  };
  await fleet.apply({}, { stack: long, record: { read: () => Promise.resolve(undefined), write } });
  const reason = `another apply on this machine is running the stack (pid ${process.pid})`;
  expect(meanwhile).toMatchObject([{ outcome: "locked", reason }]);
});

test("on a system that does not tell a process from a later one with its id, a lock says how to remove it", async () => {
  const fleet = new Fleet();
  const processes = processesHere("win32");
  const meanwhile: ApplyResult[] = [];
  const onProgress = async () => {
    if (meanwhile.length === 0) meanwhile.push(await fleet.apply({}, { processes }));
  };
  await fleet.apply({}, { processes, onProgress: () => void onProgress() });
  const lock = fleet.left().find((name) => name.endsWith(".lock")) ?? "";
  expect([lock, meanwhile]).toEqual(["", [expect.objectContaining({ outcome: "locked" })]]);
  expect(meanwhile[0]?.reason).toMatch(
    /^another apply on this machine is running the stack \(pid \d+\); if that process is no apply, remove \/.+\/\w{32}\.lock$/,
  );
});

test("what a result has told is not told again as an earlier run's, however that run ended", async () => {
  const fleet = new Fleet();
  const rotated = { stdout: events(...quietUp), requests: [rotation("crm-1")] };
  const broken = { stderr: "error: out of order", code: 255 };
  const state = { stdout: deployment([webhook()]) };
  expect(await fleet.apply({ up: [rotated], export: [state, broken] })).toMatchObject({
    outcome: "failed",
    rotations: 1,
    rotatedEarlier: [],
  });
  expect(await fleet.apply({})).toMatchObject({ rotations: 0, rotatedEarlier: [] });

  // Nor what another one rotated who held the lock.
  const another = new Fleet();
  await another.apply({ up: [lockedError("worker-2", 42)] });
  expect(await another.apply({})).toMatchObject({ outcome: "unchanged", rotatedEarlier: [] });
});

test("the lock of a CLI that died alone is removed by the next apply, also after a run that failed before it saw it", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
  const failed = { stderr: "error: out of order", code: 255 };
  expect(await fleet.apply({ up: [failed] }, { processes: own })).toMatchObject({ outcome: "failed" });
  const stale = lockedError("worker-1", 2 ** 22 + 1);
  fleet.calls();
  const quiet = { stdout: events(...quietUp) };
  expect(await fleet.apply({ up: [stale, quiet] }, { processes: own })).toMatchObject({
    outcome: "unchanged",
    staleLocks: [expect.stringContaining("process 4194305 of this machine is gone")],
  });
  // Afterwards no record names it.
  expect(await fleet.apply({ up: [stale, quiet] }, { processes: own, skip: false })).toMatchObject({
    outcome: "locked",
  });
});

test("a webhook whose second rotation was of a run that died too, before it could tell, is named", async () => {
  const fleet = new Fleet();
  const pending = { stdout: deployment([webhook()], [pendingCreate]) };
  const result = await fleet.apply({ export: [pending, pending, { stdout: deployment([webhook()]) }] });
  expect(result).toMatchObject({
    outcome: "unchanged",
    pending: [],
    rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "an earlier run died while creating it" }],
  });
});

test("a webhook of which an earlier rotation is uncertain is named only by a run that rotated it", async () => {
  const fleet = new Fleet();
  const at = (rotationId: string) => ({ stdout: deployment([webhook({ rotationState: "uncertain", rotationId })]) });
  const refused = { stderr: "error: the server is away", code: 255 };
  const lost = { ...rotation("crm-1", "r3", "r2"), result: "lost", succeeded: false };
  const unanswered = { ...refused, requests: [lost] };
  const [earlier, later] = [at("r2"), at("r3")];
  expect(await fleet.apply({ up: [refused], export: [earlier] })).toMatchObject({ uncertain: 1, rotatedAgain: [] });
  expect(await fleet.apply({ up: [unanswered], export: [earlier, later] })).toMatchObject({
    uncertain: 1,
    rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "its last rotation may have been carried out" }],
  });
});

/** What a process leaves that was killed before it had an answer. */
const announced = (webhookId: string, since: string | null = "r1") => ({
  id: `intent of ${webhookId}`,
  intent: true,
  since,
  operation: "rotateWebhookSecret",
  path: `/v1/webhooks/${webhookId}/rotate-secret`,
  organization: "acme-eu",
  time: "2026-11-20T12:30:00.000Z",
});
const announcedSetting = {
  ...announced("x"),
  operation: "putRetentionPolicy",
  path: "/v1/retention-policies/recordings",
};
const engineFailed = { stderr: "error: the provider is gone", code: 255 };
const stateWith = (rotationId: string, pending: object[] = []) => ({
  stdout: deployment([webhook({ rotationId })], pending),
});
const [earlierState, laterState] = [stateWith("r1"), stateWith("r2")];
const rotating = {
  stdout: events(...quietUp),
  requests: [{ ...rotation("crm-1", "r2", "r1"), organization: "acme-eu" }],
};

/** A run dies with its CLI, which has sent this. */
function dies(fleet: Fleet, requests: readonly object[]): void {
  const record = { ...(JSON.parse(recordOf(2 ** 22 + 1)) as object), unreported: ["run-dead"] };
  write(fleet.project.folder, {
    [recordPath]: JSON.stringify(record),
    ".voiceplane/apply/acme.journal/run-dead": events(...requests),
  });
}

const journals = (fleet: Fleet): string[] => {
  const folder = join(fleet.project.folder, ".voiceplane/apply/acme.journal");
  return existsSync(folder) ? readdirSync(folder) : [];
};

test("a rotation whose provider was killed is uncertain until a later one is stored, which is named", async () => {
  const fleet = new Fleet();
  const killed = { ...engineFailed, requests: [announced("crm-1")] };
  const failed = await fleet.apply({ up: [killed], export: [earlierState] });
  expect(failed).toMatchObject({ outcome: "failed", requests: 1, rotations: 0, uncertain: 1, rotatedAgain: [] });

  // A run that does not rotate it leaves it uncertain, and is not skipped afterwards.
  for (const reason of ["the last run failed", "the secret of crm is not known for sure"]) {
    expect(await fleet.apply({ export: [earlierState] })).toMatchObject({
      ...{ outcome: "unchanged", reason, uncertain: 1, rotatedAgain: [], rotatedEarlier: [] },
    });
  }
  expect(await fleet.apply({ up: [rotating], export: [earlierState, laterState] })).toMatchObject({
    ...{ outcome: "unchanged", rotations: 1, uncertain: 0, rotatedEarlier: [] },
    rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "its last rotation may have been carried out" }],
  });
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
  expect(journals(fleet)).toEqual([]);
});

test("a rotation that somebody else made up for is named once, and not uncertain any more", async () => {
  const fleet = new Fleet();
  await fleet.apply({ up: [{ ...engineFailed, requests: [announced("crm-1")] }], export: [earlierState] });
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({
    uncertain: 0,
    rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "its last rotation may have been carried out" }],
  });
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
});

test("of a webhook that is not declared any more, nothing is uncertain", async () => {
  const fleet = new Fleet();
  await fleet.apply({ up: [{ ...engineFailed, requests: [announced("crm-1")] }], export: [earlierState] });
  const gone = { stdout: deployment([]) };
  expect(await fleet.apply({ export: [earlierState, gone] })).toMatchObject({ outcome: "unchanged", uncertain: 0 });
  expect(await fleet.apply({ export: [gone] })).toMatchObject({ outcome: "skipped" });
});

test("a rotation that the state had when the next one was sent is told, and not named as one that was made up for", async () => {
  const stored = { ...rotation("crm-1"), organization: "acme-eu" };
  const fleet = new Fleet();
  dies(fleet, [stored]);
  // A declared rotation after that one is none that makes up for it.
  const declared = await fleet.apply({ up: [rotating], export: [earlierState, laterState] });
  expect(declared).toMatchObject({ rotations: 1, rotatedAgain: [], rotatedEarlier: [{ name: "crm" }] });

  // The state had the first of them when the second one was sent.
  dies(fleet, [stored, { ...stored, id: "r2", since: "r1" }]);
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ rotatedAgain: [], rotatedEarlier: [{}, {}] });
});

test("webhooks of two organizations with one id are two webhooks", async () => {
  const fleet = new Fleet();
  dies(fleet, [{ ...announced("crm-1"), organization: "globex" }]);
  const rotated = { up: [rotating], export: [earlierState, laterState] };
  expect(await fleet.apply(rotated)).toMatchObject({ rotations: 1, uncertain: 1, rotatedAgain: [] });
});

test("if the journal of a run that died is gone, the state's pending operations are the witness", async () => {
  const fleet = new Fleet();
  dies(fleet, [announced("crm-1")]);
  rmSync(join(fleet.project.folder, ".voiceplane/apply/acme.journal"), { recursive: true });
  const updating = stateWith("r1", [{ type: "updating", resource: webhook() }]);
  expect(await fleet.apply({ up: [rotating], export: [updating, laterState] })).toMatchObject({
    rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "an earlier run died while updating it" }],
  });
});

test("without a place for the journal, nothing is sent", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { ".voiceplane/apply/acme.journal": "a file" });
  expect(await fleet.apply({ up: [sending] })).toMatchObject({ outcome: "failed", requests: 0, exitCode: 1 });
  expect(fleet.calls()).toEqual(["stack export"]);
});

const sentAgain = "every setting is sent again, because an earlier run ended before its state was saved";

const pendingSetting = { urn: "urn:pulumi:acme::fleet::voiceplane:index:RetentionPolicy::recordings" };

test.each<[what: string, die: (fleet: Fleet) => Promise<unknown>, pending: object[]]>([
  [
    "the provider died that sent one",
    async (fleet) => {
      const killed = { ...engineFailed, requests: [announcedSetting] };
      expect(await fleet.apply({ up: [killed] })).toMatchObject({ requests: 1, uncertain: 1 });
    },
    [],
  ],
  [
    "a run died while it sent one",
    (fleet) => {
      dies(fleet, [announcedSetting]);
      return Promise.resolve();
    },
    [],
  ],
  ["the update of one is pending", () => Promise.resolve(), [{ type: "updating", resource: pendingSetting }]],
])("settings are sent again if %s, until a run has ended well", async (_what, die, pending) => {
  const fleet = new Fleet();
  await die(fleet);
  const states = [{ stdout: deployment([webhook()], pending) }, { stdout: deployment([webhook()]) }];
  expect(await fleet.apply({ up: [engineFailed], export: states })).toMatchObject({ outcome: "failed" });
  expect(fleet.variables()).toBe("2026-11-20T12:00:00.000Z");
  expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", reason: `the last run failed; ${sentAgain}` });
  expect(fleet.variables()).toBe("2026-11-20T12:00:00.000Z");
  expect(await fleet.apply({}, { skip: false })).toMatchObject({ reason: "a run was requested" });
  expect(fleet.variables()).toBe("");
});

/** The policy of `announcedSetting`. */
const policyAt = (modified: string | undefined, outputs: object = {}) => ({
  urn: "urn:pulumi:acme::fleet::pulumi-nodejs:dynamic/voiceplane:RetentionPolicy::org-recordings",
  custom: true,
  id: "recordings",
  type: "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy",
  inputs: { account: "acme-eu", resource: "recordings", retentionDays: 90, enabled: true },
  outputs: { account: "acme-eu", resource: "recordings", retentionDays: 90, enabled: true, ...outputs },
  modified,
});
const answeredSetting = {
  ...{ operation: "putRetentionPolicy", path: "/v1/retention-policies/recordings", organization: "acme-eu" },
  ...{ time: "2026-11-20T12:30:00.000Z", result: "answered", status: 200, succeeded: true },
};

test.each<[what: string, state: object[], uncertain: number, isResent: boolean]>([
  ["older than its answer", [policyAt("2026-11-20T12:29:59Z")], 1, true],
  ["without a date", [policyAt(undefined)], 1, true],
  ["of an answer that was lost before", [policyAt("2026-11-20T12:29:59Z", { uncertain: "update" })], 1, false],
  ["saved after its answer", [policyAt("2026-11-20T12:30:00.1Z")], 0, false],
  ["not there, so that it is created again", [], 0, false],
])(
  "after a run that failed or died, a setting that was answered is sent again if its state is %s: %#",
  async (_what, state, uncertain, isResent) => {
    const exported = [{ stdout: deployment(state) }];
    const failing = new Fleet();
    const failed = { ...engineFailed, requests: [answeredSetting] };
    expect(await failing.apply({ up: [failed], export: exported })).toMatchObject({ outcome: "failed", uncertain });
    await failing.apply({ export: exported });
    const dying = new Fleet();
    dies(dying, [answeredSetting]);
    await dying.apply({ export: exported });
    const mark = isResent ? "2026-11-20T12:00:00.000Z" : "";
    expect([failing.variables(), dying.variables()]).toEqual([mark, mark]);
  },
);

const lockedError = (host: string, pid: number) => ({
  code: 255,
  stderr: `error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n  postgres:///pulumi/x.json: created by root@${host} (pid ${pid}) at 2026-11-20T12:00:00Z\n`,
});
const here = processesHere();
const own: Processes = { ...here, host: "worker-1" };

/** The record of a run that ended well, of which nothing is the same any more. */
const endedRecord = JSON.stringify({
  version: 1,
  inputs: {},
  stateVersion: "1",
  at: Date.parse("2026-11-20T11:00:00Z"),
  open: null,
  nextDueDate: null,
});

/** The record of a run that died after it had started the CLI. */
const recordOf = (cli: number): string =>
  JSON.stringify({
    version: 1,
    inputs: {},
    at: Date.parse("2026-11-20T11:00:00Z"),
    open: "the last run did not end",
    nextDueDate: null,
    run: { host: "worker-1", folder: "run-dead" },
    started: [
      { host: "worker-1", cli: { pid: cli, start: "1", space: here.space }, at: Date.parse("2026-11-20T11:59:59Z") },
    ],
  });

test("a stale lock of another backend is cancelled once, and a live one never", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
  const stale = lockedError("worker-1", 2 ** 22 + 1);
  const quiet = { stdout: events(...quietUp) };
  expect(await fleet.apply({ up: [stale, quiet] }, { processes: own })).toMatchObject({
    outcome: "unchanged",
    staleLocks: ["root@worker-1 (pid 4194305) since 2026-11-20T12:00:00.000Z: process 4194305 of this machine is gone"],
  });
  expect(fleet.calls()).toEqual(["stack export", up, "cancel --yes", up, "stack export"]);

  const record = readFileSync(join(fleet.project.folder, recordPath), "utf8");
  // Of another machine; of a process that runs; of one that no record names, for machines may share a name.
  for (const live of [lockedError("worker-2", 2 ** 22 + 1), lockedError("worker-1", process.pid), stale]) {
    expect(await fleet.apply({ up: [live] }, { processes: own, skip: false })).toMatchObject({
      outcome: "locked",
      reason: expect.stringMatching(/^the stack is locked by root@worker-[12] \(pid \d+\) since/) as string,
      staleLocks: [],
      exitCode: 4,
    });
    expect(fleet.calls()).toEqual([up]);
  }
  // Nothing was run, so the last run's record still holds.
  expect(readFileSync(join(fleet.project.folder, recordPath), "utf8")).toBe(record);

  write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
  fleet.calls();
  expect(await fleet.apply({ up: [stale, stale] }, { processes: own, skip: false })).toMatchObject({
    outcome: "locked",
  });
  expect(fleet.calls()).toEqual(["stack export", up, "cancel --yes", up]);
});

testOnLinux(
  "after a restart of the machine, the lock of its CLI is stale, and one of another machine's with the same id is not",
  async () => {
    const fleet = new Fleet();
    write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
    const earlier = { pid: 2 ** 22 + 1, start: "1", space: here.space };
    const restarted = { ...own, space: "another-boot pid:1", find: () => undefined };
    const stale = lockedError("worker-1", 2 ** 22 + 1);
    const quiet = { stdout: events(...quietUp) };
    let lock = "";
    const onProgress = () => {
      lock = fleet.left().find((name) => name.endsWith(".lock")) ?? "";
    };
    const locked = await fleet.apply({ up: [stale, quiet] }, { processes: restarted, onProgress });
    expect(locked).toMatchObject({ outcome: "locked" });

    // As an apply leaves it that died with its CLI.
    write(fleet.private, { [lock]: JSON.stringify({ owners: [earlier] }) });
    expect(await fleet.apply({ up: [stale, quiet] }, { processes: restarted })).toMatchObject({
      outcome: "unchanged",
      staleLocks: [expect.stringMatching(/: process 4194305 of this machine is gone$/)],
    });
  },
);

test("before a lock is cancelled the store is written, so that a caller whose own lock is lost with it cancels nothing", async () => {
  const fleet = new Fleet();
  let writes = 0;
  const record = {
    read: () => Promise.resolve(recordOf(2 ** 22 + 1)),
    write: () => (++writes > 1 ? Promise.reject(new Error("the connection is gone")) : Promise.resolve()),
  };
  const stale = lockedError("worker-1", 2 ** 22 + 1);
  expect(await fleet.apply({ up: [stale] }, { processes: own, record })).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/^the connection is gone; the record could not be written/) as string,
  });
  expect(fleet.calls()).toEqual(["stack export", up]);
});

test("a lock that looks like that of this run's own CLI, which has ended, belongs to another container", async () => {
  const fleet = new Fleet();
  const withOwnPid = 'sed "s/4242/$$/" "$command/$count/stderr" >&2';
  write(fleet.bin, { pulumi: fakePulumi.replace('cat "$command/$count/stderr" >&2', withOwnPid) });
  expect(await fleet.apply({ up: [lockedError("worker-1", 4242)] }, { processes: own })).toMatchObject({
    ...{ outcome: "locked", staleLocks: [] },
  });
  expect(fleet.calls()).toEqual(["stack export", up]);
});

test("two locks, of which one is live, are both left", async () => {
  const fleet = new Fleet();
  const { stderr } = lockedError("worker-1", 2 ** 22 + 1);
  const second = stderr.split("\n")[1]?.replace("worker-1", "worker-2") ?? "";
  const both = { code: 255, stderr: `${stderr.replace("1 lock(s)", "2 lock(s)")}${second}\n` };
  expect(await fleet.apply({ up: [both] }, { processes: own })).toMatchObject({ outcome: "locked" });
  expect(fleet.calls()).toEqual(["stack export", up]);
});

test("a failed run is not skipped afterwards; its output is kept without secrets, for its user alone", async () => {
  const fleet = new Fleet();
  const secret = { sequence: 1, diagnosticEvent: { severity: "debug", message: "secret whsec_1 vp_dev_full" } };
  const problem = {
    sequence: 2,
    diagnosticEvent: { severity: "error", urn: "", message: "error: the token vp_dev_full is wrong" },
  };
  const failed = { code: 255, stdout: events(prelude, secret, problem, summary("failed")), stderr: "vp_dev_full\n" };
  const result = await fleet.apply({ up: [failed] });
  expect(result).toMatchObject({
    outcome: "failed",
    reason: "the token [redacted] is wrong",
    uncertain: 0,
    exitCode: 1,
  });
  const log = readFileSync(result.log ?? "", "utf8");
  expect(log).toContain("is wrong");
  expect(log).not.toMatch(/whsec_1|vp_dev_full/);
  expect(statSync(result.log ?? "").mode & 0o777).toBe(0o600);
  expect(statSync(join(result.log ?? "", "..")).mode & 0o777).toBe(0o700);
  expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", reason: "the last run failed" });
});

const answered = (status: number, webhook = "crm-1") => ({ ...rotation(webhook), succeeded: status < 300, status });
const list = { ...answered(403), operation: "listWebhooks", path: "/v1/webhooks/" };
test.each<[what: string, needsPerson: boolean, requests: object[], message: string]>([
  ["a token that is not accepted", true, [answered(401), answered(401, "crm-2")], "it failed"],
  ["a value that the server refuses", true, [answered(429), answered(422)], "it failed"],
  ["a refusal of one, and no answer for another", false, [answered(401), answered(503, "crm-2")], "it failed"],
  ["too many requests", false, [answered(429)], "it failed"],
  ["a lost answer", false, [{ ...rotation("crm-1"), result: "lost", succeeded: false }], "it failed"],
  ["a success after a refusal", false, [answered(401), answered(200)], "it failed"],
  ["a refused list, of which no run depends", false, [list], "it failed"],
  ["nothing sent", false, [], "it failed"],
  ["a wrong file", true, [], "the organization file is not valid, and nothing was sent:"],
  ["wrong settings", true, [], "the settings of voiceplane are not valid, and nothing was sent:"],
  ["a program that throws", false, [], "Running program '/x' failed with an unhandled exception:"],
])("a failed run says whether another try would fail as well: %s", async (_what, needsPerson, requests, message) => {
  const problem = { severity: "error", urn: root.urn, message: `error: ${message}\n  x: y` };
  const failed = {
    code: 255,
    stdout: events(prelude, { sequence: 1, diagnosticEvent: problem }, summary("failed")),
    requests,
  };
  expect(await new Fleet().apply({ up: [failed] })).toMatchObject({ outcome: "failed", needsPerson });
});

const refusedRow = 'pq: new row violates row-level security policy for table "pulumi_state" (42501)';

test.each([
  ["one line", "error: the server is away\nusage: pulumi up\n", "the server is away"],
  [
    "several errors at once",
    `warning: an old version\nerror: 2 errors occurred:\n    1) ${refusedRow}\n    2) Unknown\n\n`,
    `2 errors occurred: 1) ${refusedRow} 2) Unknown`,
  ],
  ["a list of a library", "error: 1 error occurred:\n\t* no room\n\nhelp\n", "1 error occurred: * no room"],
  [
    "a stack trace",
    "Error: Cannot find module 'x'\n    at Function.resolve (loader:1)\n",
    "Error: Cannot find module 'x'",
  ],
  ["nothing", "\n", "pulumi ended with exit code 255"],
])("the reason of a failed run is what the CLI says: %s", async (_what, stderr, reason) => {
  const fleet = new Fleet();
  expect(await fleet.apply({ up: [{ code: 255, stderr }] })).toMatchObject({ outcome: "failed", reason });
});

test.each<[what: string, change: (fleet: Fleet) => Partial<ApplyOptions>, reason: string]>([
  [
    "a name with an underscore in PostgreSQL",
    (fleet) => {
      write(fleet.project.folder, { "Pulumi.ac_me.yaml": "config: {}" });
      return { stack: "ac_me", env: { ...fleet.env, PULUMI_BACKEND_URL: "postgres:///pulumi" } };
    },
    "the name of the stack has an underscore, which the Pulumi CLI cannot keep in PostgreSQL: use another name",
  ],
  [
    // The CLI reads the first of two documents, and this parser none.
    "a stack's file that cannot be read as one document",
    (fleet) => {
      write(fleet.project.folder, { "Pulumi.acme.yaml": "environment: [shared]\n---\nconfig: {}\n" });
      return {};
    },
    "FOLDER/Pulumi.acme.yaml cannot be read as the configuration of a stack",
  ],
  [
    "a link that leads to itself",
    (fleet) => {
      symlinkSync("Pulumi.loop.yaml", join(fleet.project.folder, "Pulumi.loop.yaml"));
      return { stack: "loop" };
    },
    "ELOOP: too many symbolic links encountered, stat 'FOLDER/Pulumi.loop.yaml'",
  ],
  [
    "two problems at once",
    (fleet) => ({ stack: "nope", env: { ...fleet.env, PULUMI_BACKEND_URL: "" } }),
    "there is no FOLDER/Pulumi.nope.yaml: without it, a run would encrypt the stack's secrets with a new key; keep the file of `pulumi stack init` with the project; there is no backend (PULUMI_ACCESS_TOKEN must be set): set PULUMI_BACKEND_URL, or run `pulumi login`",
  ],
  [
    "a stack that the backend does not have",
    (fleet) => {
      write(fleet.project.folder, { "Pulumi.new.yaml": "config: {}" });
      return { stack: "new" };
    },
    "the backend has no stack new of the project fleet: run `pulumi stack init new`",
  ],
  [
    "a name that is none",
    () => ({ stack: "../x; rm" }),
    '"../x; rm" is not a valid stack name: use letters, digits, "-", "_" and "."',
  ],
  [
    "no project",
    (fleet) => {
      rmSync(join(fleet.project.folder, "Pulumi.yaml"));
      return {};
    },
    "there is no Pulumi.yaml in FOLDER",
  ],
  ...["1", "true", "True"].map((value): [string, (fleet: Fleet) => Partial<ApplyOptions>, string] => [
    `PULUMI_SKIP_CHECKPOINTS=${value}`,
    (fleet) => ({ env: { ...fleet.env, PULUMI_SKIP_CHECKPOINTS: value } }),
    "PULUMI_SKIP_CHECKPOINTS is set: if the run died, the state would have none of its results; unset it",
  ]),
  [
    "a project that cannot be read",
    (fleet) => {
      write(fleet.project.folder, { "Pulumi.yaml": "{" });
      return {};
    },
    "FOLDER/Pulumi.yaml cannot be read as a Pulumi project",
  ],
])("%s is refused before any process", async (_what, change, reason) => {
  const fleet = new Fleet();
  const result = await fleet.apply({}, change(fleet));
  expect({ ...result, reason: result.reason.replaceAll(fleet.project.folder, "FOLDER") }).toMatchObject({
    outcome: "failed",
    reason,
    exitCode: 1,
  });
  expect(fleet.calls().filter((call) => call !== "whoami --json --non-interactive")).toEqual([]);
});

test.each(["0", "false", "yes", ""])("PULUMI_SKIP_CHECKPOINTS=%s, which the CLI ignores, is allowed", async (value) => {
  const fleet = new Fleet();
  const env = { ...fleet.env, PULUMI_SKIP_CHECKPOINTS: value };
  expect(await fleet.apply({}, { env })).toMatchObject({ outcome: "unchanged" });
});

test("without a pulumi, a record store, or a private folder the run fails with one line", async () => {
  const fleet = new Fleet();
  expect(await fleet.apply({}, { env: { ...fleet.env, PATH: "/nowhere" } })).toMatchObject({
    outcome: "failed",
    reason: "there is no pulumi on PATH",
  });
  const broken = { read: () => Promise.reject(new Error("no\ndatabase")), write: () => Promise.resolve() };
  expect(await fleet.apply({}, { record: broken })).toMatchObject({ outcome: "failed", reason: "no database" });
  expect(fleet.calls()).toEqual([]);
  expect(await fleet.apply({ export: [{ stdout: "{}" }] })).toMatchObject({ outcome: "failed", exitCode: 1 });
});

test("a run whose record cannot be written at its end says what it did, and is not skipped afterwards", async () => {
  const fleet = new Fleet();
  let text: string | undefined;
  let writes = 0;
  const record = {
    read: () => Promise.resolve(text),
    write: (written: string) => {
      if (++writes > 2) return Promise.reject(new Error("connection lost"));
      text = written;
      return Promise.resolve();
    },
  };
  expect(await fleet.apply({}, { record })).toMatchObject({
    outcome: "unchanged",
    reason:
      "there is no record of an earlier run; the record could not be written (connection lost), so the next run reports this one again",
  });
  writes = 0;
  expect(await fleet.apply({}, { record })).toMatchObject({
    reason: expect.stringMatching(/^the last run did not end/) as string,
  });
});

test("a caller's version of the state decides for other backends; without one nothing is skipped", async () => {
  const fleet = new Fleet();
  const env = { ...fleet.env, PULUMI_BACKEND_URL: "postgres:///pulumi" };
  let version = "1";
  const stateVersion = () => Promise.resolve(version);
  const outcome = async (options: Partial<ApplyOptions>) => {
    const { outcome, reason } = await fleet.apply({}, { env, ...options });
    return `${outcome}: ${reason}`;
  };
  await outcome({});
  expect(await outcome({})).toBe("unchanged: the version of the state is not known");
  await outcome({ stateVersion });
  expect(await outcome({ stateVersion })).toMatch(/^skipped/);
  version = "2";
  expect(await outcome({ stateVersion })).toBe("unchanged: the state changed since the last run");
});

test.each([
  ["a password with a slash", "postgres://fleet:sla/sh-pass@db.example.com/fleet", "sla/sh-pass"],
  ["a password as it is meant", "postgres://fleet:p%40ss-word@db.example.com/fleet", "p@ss-word"],
  ["a short password", "postgres://fleet:pw@db.example.com/fleet", ":pw@"],
  ["a secret of the query", "s3://state?region=eu&secret_key=abc-def-123", "abc-def-123"],
  ["a short secret of the query", "s3://state?region=eu&secret_key=abc", "secret_key=abc"],
])("no message repeats %s of the backend's URL, wherever that is from", async (_what, url, secret) => {
  const fleet = new Fleet();
  const failed = { stderr: `error: cannot connect with ${secret} to the backend\n`, code: 255 };
  const reason = "cannot connect with [redacted] to the backend";
  const result = await fleet.apply({ export: [failed] }, { env: { ...fleet.env, PULUMI_BACKEND_URL: url } });
  expect(result).toMatchObject({ outcome: "failed", reason });

  const home = temporaryFolder();
  write(home, { "credentials.json": JSON.stringify({ current: url }) });
  const loggedIn = { ...fleet.env, PULUMI_BACKEND_URL: undefined, PULUMI_HOME: home };
  expect(await fleet.apply({ export: [failed] }, { env: loggedIn })).toMatchObject({ outcome: "failed", reason });

  write(fleet.project.folder, {
    "Pulumi.yaml": `${readFileSync(join(fleet.project.folder, "Pulumi.yaml"), "utf8")}\nbackend: { url: "${url}" }\n`,
  });
  const named = { ...fleet.env, PULUMI_BACKEND_URL: undefined };
  expect(await fleet.apply({ export: [failed] }, { env: named })).toMatchObject({ outcome: "failed", reason });
});

test("a login that only the CLI can read is asked for, and a missing one has the CLI's reason", async () => {
  const fleet = new Fleet();
  const { PULUMI_BACKEND_URL: url = "", ...env } = { ...fleet.env, PULUMI_HOME: temporaryFolder() };
  const encrypted = { stdout: JSON.stringify({ user: "ann", url }) };
  expect(await fleet.apply({ whoami: [encrypted] }, { env })).toMatchObject({ outcome: "unchanged" });
  const missing = { stderr: "error: the keyring is locked\n", code: 255 };
  expect(await fleet.apply({ whoami: [missing] }, { env })).toMatchObject({
    outcome: "failed",
    reason: "there is no backend (the keyring is locked): set PULUMI_BACKEND_URL, or run `pulumi login`",
  });
});

test("a look at the state before the run is interrupted, and one after it is not", async () => {
  const fleet = new Fleet();
  const [first, second] = [new AbortController(), new AbortController()];
  const waiting = fakePulumi.replace('cat "$command/$count/stdout"', "exec sleep 300");
  write(fleet.bin, { pulumi: waiting });
  const onProgress = () => {
    first.abort();
  };
  const interrupted = await fleet.apply({}, { signal: first.signal, onProgress });
  expect(interrupted).toMatchObject({ outcome: "failed", reason: "interrupted" });
  expect(fleet.calls().filter((call) => call.startsWith("up"))).toEqual([]);

  write(fleet.bin, { pulumi: fakePulumi });
  const record = {
    read: () => Promise.resolve(undefined),
    // With the CLI's id: the update is under way.
    write: (text: string) => {
      if (text.includes('"cli"')) second.abort();
      return Promise.resolve();
    },
  };
  // Of a state that cannot be read, what is uncertain is not known.
  expect(await fleet.apply({}, { signal: second.signal, record })).toMatchObject({ uncertain: 0 });
});

test("one interrupt is one signal to the CLI, also while the record of its start is written", async () => {
  const fleet = new Fleet();
  const first = new AbortController();
  const path = (name: string) => join(fleet.bin, name);
  const until = async (name: string) => {
    while (!existsSync(path(name))) await new Promise((resolve) => setImmediate(resolve));
  };
  const counting = `if [ "$command" = up ]; then
  trap 'echo signal >> signals' INT
  : > ready
  while [ ! -e go ]; do sleep 0.02; done
fi
`;
  write(fleet.bin, { pulumi: fakePulumi.replace('cat "$command/$count/stderr"', `${counting}$&`) });
  const record = {
    read: () => Promise.resolve(undefined),
    write: async (text: string) => {
      if (!text.includes('"cli"')) return;
      await until("ready");
      first.abort();
      await until("signals");
      setImmediate(() => {
        write(fleet.bin, { go: "" });
      });
    },
  };
  await fleet.apply({}, { signal: first.signal, record });
  expect(readFileSync(path("signals"), "utf8")).toBe("signal\n");
});

test("an interrupt before the run starts nothing", async () => {
  const fleet = new Fleet();
  expect(await fleet.apply({}, { signal: AbortSignal.abort() })).toMatchObject({
    outcome: "failed",
    reason: "interrupted before the run",
  });
  expect(fleet.calls()).toEqual([]);
});

test("a violated policy is the reason of a failed run, an advisory one is not", async () => {
  const violation = (enforcementLevel: string, policyName: string) => ({
    sequence: 3,
    policyEvent: {
      resourceUrn: urn,
      message: "Secrets are rotated.\nrotateAfter is missing\n",
      color: "never",
      policyName,
      policyPackName: "pack",
      policyPackVersion: "1",
      policyPackVersionTag: "1",
      enforcementLevel,
    },
  });
  const stdout = events(prelude, violation("advisory", "soft"), violation("mandatory", "rotation"), summary("failed"));
  expect(await new Fleet().apply({ up: [{ code: 255, stdout }] })).toMatchObject({
    outcome: "failed",
    reason: "the policy rotation is violated by org-crm: Secrets are rotated. rotateAfter is missing",
  });
});

const withPreview = up.replace("--skip-preview=true", "--skip-preview=false");

test("with policy packs, their configuration is given to the CLI, which previews first in the same command", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { "policies/PulumiPolicy.yaml": "runtime: nodejs\n", "policies.json": "{}" });
  await fleet.apply({}, { policyPacks: ["policies"], policyPackConfigs: ["policies.json"] });
  expect(fleet.calls()).toContain(`${withPreview} --policy-pack policies --policy-pack-config policies.json`);
});

test.each<[what: string, env: Record<string, string>]>([
  ["in the CLI's own variable", { PULUMI_OPTION_POLICY_PACK: "policies", PULUMI_OPTION_SKIP_PREVIEW: "true" }],
  ["of Pulumi Cloud", { PULUMI_BACKEND_URL: "https://api.pulumi.com" }],
])("policy packs %s are previewed too", async (_what, env) => {
  const fleet = new Fleet();
  await fleet.apply({}, { env: { ...fleet.env, ...env } });
  expect(fleet.calls()).toContain(withPreview);
});

test.each<[where: string, env: Record<string, string>, steps: string]>([
  ["in files", {}, ""],
  ["on Pulumi Cloud", { PULUMI_BACKEND_URL: "https://api.pulumi.com" }, "128"],
  ["there, with a number of the user's", { PULUMI_BACKEND_URL: "https://api.pulumi.com", PULUMI_PARALLEL: "4" }, "4"],
])("the state is %s: each up gets its number of steps at once", async (_where, env, steps) => {
  const fleet = new Fleet();
  await fleet.apply({}, { env: { ...fleet.env, ...env } });
  expect(fleet.variables()).toBe(steps);
});

test("a preview that fails says nothing of changes, because none was made; a preview alone is no update", async () => {
  const fleet = new Fleet();
  const step = { op: "update", urn, type: webhook().type, old: webhook(), new: webhook({ rotateOn: "2027-02-19" }) };
  const previewed = {
    sequence: 9,
    summaryEvent: { isPreview: true, result: "failed", resourceChanges: { update: 1 } },
  };
  const failed = events(prelude, { sequence: 1, resourcePreEvent: { metadata: step } }, previewed);
  const policyPacks = [fleet.project.folder];
  expect(await fleet.apply({ up: [{ code: 255, stdout: failed }] }, { policyPacks })).toMatchObject({
    outcome: "failed",
    summary: "",
    risks: [],
    requests: 0,
  });
  const passed = failed.replace('"failed"', '"succeeded"');
  expect(await fleet.apply({ up: [{ stdout: passed }] }, { policyPacks })).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/^pulumi's events do not show a whole update: is there room in \S+\?$/) as string,
    summary: "",
  });
});

const sending = { stdout: events(...quietUp), requests: [rotation("crm-1")] };

/** A record that is kept in memory; the writes of these numbers, from 1, fail. */
function memory(...failing: readonly number[]) {
  let text: string | undefined;
  let count = 0;
  return {
    read: () => Promise.resolve(text),
    write: (written: string) => {
      if (failing.includes(++count)) return Promise.reject(new Error("connection lost"));
      text = written;
      return Promise.resolve();
    },
    text: () => text ?? "",
  };
}

test("a run whose record fails once it has begun is waited for, and says what it sent", async () => {
  const fleet = new Fleet();
  expect(await fleet.apply({ up: [sending] }, { record: memory(2) })).toMatchObject({
    outcome: "unchanged",
    requests: 1,
    rotations: 1,
  });
  expect(fleet.left()).toEqual([]);
});

test("a run after which the state cannot be read says what it sent, and is not skipped afterwards", async () => {
  const fleet = new Fleet();
  const lost = { code: 1, stderr: "error: the database is away\n" };
  expect(await fleet.apply({ up: [sending], export: [{ stdout: deployment([]) }, lost] })).toMatchObject({
    outcome: "failed",
    reason: "the database is away",
    requests: 1,
    rotations: 1,
    uncertain: null,
  });
  expect(await fleet.apply({})).toMatchObject({ reason: "the last run failed" });
});

test("if the version of the state cannot be read, the stack is run and the result stays true", async () => {
  const fleet = new Fleet();
  const stateVersion = () => Promise.reject(new Error("the database is away"));
  expect(await fleet.apply({ up: [sending] }, { stateVersion })).toMatchObject({ outcome: "unchanged", rotations: 1 });
  expect(await fleet.apply({}, { stateVersion })).toMatchObject({ reason: "the version of the state is not known" });
});

test("a lock in a message of the program is not this stack's", async () => {
  const fleet = new Fleet();
  const message = lockedError("worker-1", 2 ** 22 + 1).stderr;
  const problem = { sequence: 2, diagnosticEvent: { severity: "error", urn: "", message } };
  const failed = { code: 255, stdout: events(prelude, problem, summary("failed")), requests: [rotation("crm-1")] };
  expect(await fleet.apply({ up: [failed] }, { processes: own })).toMatchObject({
    outcome: "failed",
    rotations: 1,
    staleLocks: [],
  });
  expect(fleet.calls()).toEqual(["stack export", up, "stack export"]);
});

test("the CLI gets the stack's name as it was given, with its organization", async () => {
  const fleet = new Fleet();
  await fleet.apply({}, { stack: "blue/fleet/acme" });
  await fleet.apply({}, { stack: "green/fleet/acme" });
  const calls = fleet.calls().filter((call) => call.startsWith("up"));
  expect(calls.map((call) => /--stack (\S+)/.exec(call)?.[1])).toEqual(["blue/fleet/acme", "green/fleet/acme"]);
  const records = ["blue", "green"].map((name) =>
    existsSync(join(fleet.project.folder, `.voiceplane/apply/${name}/fleet/acme.json`)),
  );
  expect(records).toEqual([true, true]);
});

test("a due date that the program made secret is in no record, so the stack is not skipped", async () => {
  const fleet = new Fleet();
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
  const resource = webhook();
  const state = { stdout: deployment([{ ...resource, inputs: { ...resource.inputs, rotateOn: secret } }]) };
  await fleet.apply({ export: [state] });
  expect(await fleet.apply({ export: [state] })).toMatchObject({
    outcome: "unchanged",
    reason: "the due date of crm is a secret",
  });
});

test("while pending creates are cleared, a change of another's is not taken for the run's own, and the record names the CLI", async () => {
  const fleet = new Fleet();
  const after = { stdout: deployment([webhook()], [pendingCreate]) };
  const record = memory();
  const written: string[] = [];
  let versions = 0;
  const options = {
    record: {
      ...record,
      write: async (text: string) => {
        written.push(text);
        await record.write(text);
      },
    },
    // Another one changes the state right after the run.
    stateVersion: () => Promise.resolve(String(Math.min(++versions, 3))),
  };
  await fleet.apply({ export: [after, after, { stdout: deployment([webhook()]) }] }, options);
  expect(record.text()).not.toContain("stateVersion");
  // Before each start and with the CLI's id, for the update and for the refresh; and at the end.
  const started = (text: string) => (JSON.parse(text) as { started?: unknown[] }).started?.length ?? 0;
  expect(written.map(started)).toEqual([0, 1, 0, 1, 0]);
});

test("the output of a failed run is kept for 30 days", async () => {
  const fleet = new Fleet();
  const failed = { up: [{ code: 255, stdout: events(prelude, summary("failed")) }] };
  const [old, recent] = [await fleet.apply(failed), await fleet.apply(failed)].map(({ log }) => join(log ?? "", ".."));
  const daysAgo = (days: number) => Date.now() / 1000 - days * 86_400;
  utimesSync(old ?? "", daysAgo(31), daysAgo(31));
  utimesSync(recent ?? "", daysAgo(29), daysAgo(29));
  await fleet.apply({});
  expect([existsSync(old ?? ""), existsSync(recent ?? "")]).toEqual([false, true]);
});

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
  ["is none", { stdout: events(...quietUp) }, "the preview cannot be read as a whole"],
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
  dies(fleet, [rotation("crm-1")]);
  const refused = await fleet.apply({ preview: [risky] }, { failOn: ["risks"] });
  expect(refused).toMatchObject({ ...refusal, rotatedEarlier: [] });
  expect(journals(fleet)).toEqual(["run-dead"]);
  expect(await fleet.apply({})).toMatchObject({
    outcome: "unchanged",
    rotatedEarlier: [{ name: "crm", webhook: "crm-1" }],
  });
});

test("the preview has the mark with which settings are sent again, as the update has", async () => {
  const fleet = new Fleet();
  const mark = "2026-11-19T00:00:00.000Z";
  write(fleet.project.folder, {
    [recordPath]: JSON.stringify({ ...(JSON.parse(endedRecord) as object), open: "the last run failed", resend: mark }),
  });
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
  const before = { stdout: deployment([webhook()]) };
  const after = { stdout: deployment([webhook({ rotationCount: 2 })]) };
  expect(await moved.apply({ export: [before, before, after] }, unknown)).toMatchObject({ outcome: "failed", reason });
  expect(moved.calls()).toEqual(["stack export", "stack export", preview, "stack export"]);
  expect(await moved.apply({ export: [before] }, unknown)).toMatchObject({ outcome: "unchanged" });
});

test("after a stale lock was removed, the preview is made again, as the state may be another one", async () => {
  const fleet = new Fleet();
  write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
  const calm = { stdout: events(prelude, previewSummary()) };
  const script = { up: [lockedError("worker-1", 2 ** 22 + 1)], preview: [calm, risky] };
  expect(await fleet.apply(script, { processes: own, failOn: ["risks"] })).toMatchObject(refusal);
  expect(fleet.calls()).toEqual(["stack export", preview, up, "cancel --yes", preview]);
  expect(journals(fleet)).toEqual([]);
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
  write(fleet.project.folder, { [recordPath]: recordOf(2 ** 22 + 1) });
  const lock = (pid: number) => {
    const text = { pid, hostname: "worker-1", username: "root", timestamp: "2026-11-20T12:00:00Z" };
    write(fleet.project.folder, { ".state/.pulumi/locks/organization/fleet/acme/x.json": JSON.stringify(text) });
  };
  const options = { dryRun: true, processes: own };
  for (const [pid, outcome] of [
    [process.pid, "locked"],
    [2 ** 22 + 1, "previewed"],
  ] as const) {
    lock(pid);
    const before = contentsOf(fleet);
    expect(await fleet.apply({ preview: [risky] }, options)).toMatchObject({ outcome, staleLocks: [] });
    expect(contentsOf(fleet)).toEqual(before);
  }
});

test("a dry run keeps the record and the journal of a run that died", async () => {
  const fleet = new Fleet();
  dies(fleet, [rotation("crm-1")]);
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
