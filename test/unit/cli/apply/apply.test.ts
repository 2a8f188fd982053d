/**
 * What no real CLI can be made to do: its answers about databases, broken output, and failures between two lines of `apply`. What the
 * real one shows is in test/engine/apply (runs, skips, refusals) and test/campaigns/engine/apply.test.ts (locks, interrupts, lost answers).
 */
import fs, {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { recordFile, type ApplyOptions, type ApplyResult } from "../../../../src/cli/apply/index";
import { processesHere } from "../../../../src/cli/engine/processes";
import {
  broken,
  deadCli,
  events,
  fakePulumi,
  Fleet,
  here,
  lockedError,
  memory,
  ofWebhook,
  prelude,
  quiet,
  root,
  rotation,
  stateWith,
  summary,
  urn,
  webhook,
} from "../../../support/fake-cli";
import { testOnLinux } from "../../../support/machine";
import { until } from "../../../support/processes";
import { temporaryFolder, write } from "../../../support/project-folder";

const up = "up --yes --json --skip-preview=true";

test("a skip leaves the record as it is, and says since when nothing changed; a run that was requested asks for no state first", async () => {
  const fleet = new Fleet();
  await fleet.apply({});
  const record = fleet.record();
  const reason = "nothing changed since 2026-11-20T12:00:00.000Z";
  expect(await fleet.apply({})).toMatchObject({ outcome: "skipped", reason, nextDueDate: "2027-02-18" });
  expect(fleet.record()).toBe(record);
  fleet.calls();
  expect(await fleet.apply({}, { skip: false })).toMatchObject({ outcome: "unchanged", reason: "a run was requested" });
  // The record proves that nothing is pending: the state is not asked for before the run.
  expect(fleet.calls()).toEqual([up, "stack export"]);
  expect(fleet.left()).toEqual([]);
});

test("requests and confirmed rotations are counted; what did not leave, and what was refused, is not", async () => {
  const requests = [
    rotation("r1", null, { outcome: "not-sent" }),
    rotation("r2", null, { outcome: "refused", status: 429 }),
    rotation("r3"),
    rotation("s1", null, { operation: "putRetentionPolicy" }),
  ];
  expect(await new Fleet().apply({ up: [{ ...quiet, requests }] })).toMatchObject({ requests: 3, rotations: 1 });
});

test("a run that leaves something to do is not the last one", async () => {
  const fleet = new Fleet();
  const state = stateWith("r1", { rotationState: "unread" });
  await fleet.apply({ export: [state] });
  const reason = "the secret of crm is not known";
  expect(await fleet.apply({ export: [state] })).toMatchObject({ outcome: "unchanged", reason });
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

test("each spelling of a stack's name has the same record and the same lock", async () => {
  const fleet = new Fleet();
  const long = "organization/fleet/acme";
  await fleet.apply({}, { stack: long });
  expect(fleet.calls()).toContainEqual(expect.stringMatching(/^up .* --stack organization\/fleet\/acme /) as string);
  expect(await fleet.apply({})).toMatchObject({ outcome: "skipped" });

  // A write is under the lock.
  const meanwhile: ApplyResult[] = [];
  const record = memory(async () => {
    if (meanwhile.length === 0) meanwhile.push(await fleet.apply({}, { skip: false }));
  });
  await fleet.apply({}, { stack: long, record });
  const reason = `another apply on this machine is running the stack (pid ${process.pid})`;
  expect(meanwhile).toMatchObject([{ outcome: "locked", reason }]);
});

test("an option of a file backend makes it no other one", async () => {
  const fleet = new Fleet();
  await fleet.apply({});
  const env = { ...fleet.env, PULUMI_BACKEND_URL: `${fleet.env.PULUMI_BACKEND_URL ?? ""}?metadata=skip` };
  expect(await fleet.apply({}, { env })).toMatchObject({ outcome: "skipped" });
});

test("a record for two stacks is refused, and neither loses its journal", async () => {
  const fleet = new Fleet();
  const shared = join(fleet.project.folder, "shared.json");
  write(fleet.project.folder, {
    "Pulumi.globex.yaml": "encryptionsalt: v1:abc\n",
    ".state/.pulumi/stacks/fleet/globex.json": "{}",
  });
  const record = recordFile(shared);
  const onProgress = (line: string) => {
    if (line.startsWith("runs")) write(fleet.project.folder, { "shared.journal/run-live": `${header}\n` });
  };
  const header = JSON.stringify({
    journal: { backend: fleet.env.PULUMI_BACKEND_URL, project: "fleet", stack: "acme" },
  });
  await fleet.apply({ up: [broken] }, { record, onProgress });
  fleet.calls();
  const refused = await fleet.apply({}, { record, stack: "globex" });
  expect(refused).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(
      /^the record is of the stack acme of the project fleet in file:.*: give each stack a --record/,
    ) as string,
  });
  rmSync(shared);
  const journal = await fleet.apply({}, { record, stack: "globex" });
  expect(journal.reason).toMatch(/^the journal .*run-live is of the stack acme/);
  expect(fleet.calls()).toEqual([]);
  expect(readdirSync(join(fleet.project.folder, "shared.journal"))).toEqual(["run-live"]);
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

const stale = lockedError("worker-1", deadCli);

test("a stale lock of another backend is cancelled once, and a live one never", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  expect(await fleet.apply({ up: [stale, quiet] })).toMatchObject({
    outcome: "unchanged",
    staleLocks: ["root@worker-1 (pid 4194305) since 2026-11-20T12:00:00.000Z: process 4194305 of this machine is gone"],
  });
  expect(fleet.calls()).toEqual(["stack export", up, "cancel --yes", up, "stack export"]);

  const record = fleet.record();
  // Of another machine; of a process that runs; of one that no record names, for machines may share a name.
  for (const live of [lockedError("worker-2", deadCli), lockedError("worker-1", process.pid), stale]) {
    expect(await fleet.apply({ up: [live] }, { skip: false })).toMatchObject({
      outcome: "locked",
      reason: expect.stringMatching(/^the stack is locked by root@worker-[12] \(pid \d+\) since/) as string,
      staleLocks: [],
      exitCode: 4,
    });
    expect(fleet.calls()).toEqual([up]);
  }
  // Nothing was run, so the last run's record still holds.
  expect(fleet.record()).toBe(record);

  fleet.writeRecordOfDead();
  expect(await fleet.apply({ up: [stale, stale] }, { skip: false })).toMatchObject({
    outcome: "locked",
  });
  expect(fleet.calls()).toEqual(["stack export", up, "cancel --yes", up]);
});

test("the lock of a CLI that died alone is removed by the next apply, also after a run that failed before it saw it", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  expect(await fleet.apply({ up: [broken] })).toMatchObject({ outcome: "failed" });
  expect(await fleet.apply({ up: [stale, quiet] })).toMatchObject({
    ...{ outcome: "unchanged", staleLocks: [expect.stringContaining("process 4194305 of this machine is gone")] },
  });
});

testOnLinux(
  "after a restart of the machine, the lock of its CLI is stale, and one of another machine's with the same id is not",
  async () => {
    const fleet = new Fleet();
    fleet.writeRecordOfDead();
    const earlier = { pid: deadCli, start: "1", space: here.space };
    const restarted = { ...here, space: "another-boot pid:1", find: () => undefined };
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
  fleet.writeRecordOfDead();
  const refuse = (_text: string, number: number) => {
    if (number > 1) throw new Error("the connection is gone");
  };
  const record = memory(refuse, fleet.record());
  expect(await fleet.apply({ up: [stale] }, { record })).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(/^the connection is gone; the record could not be written/) as string,
  });
  expect(fleet.calls()).toEqual(["stack export", up]);
});

test("a lock that looks like that of this run's own CLI, which has ended, belongs to another container", async () => {
  const fleet = new Fleet();
  const withOwnPid = 'sed "s/4242/$$/" "$command/$count/stderr" >&2';
  write(fleet.bin, { pulumi: fakePulumi.replace('cat "$command/$count/stderr" >&2', () => withOwnPid) });
  expect(await fleet.apply({ up: [lockedError("worker-1", 4242)] })).toMatchObject({
    ...{ outcome: "locked", reason: expect.stringMatching(/by root@worker-1 \(pid \d+\)/) as string, staleLocks: [] },
  });
  expect(fleet.calls()).toEqual(["stack export", up]);
});

test("two locks, of which one is live, are both left", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  const { stderr } = stale;
  const second = stderr.split("\n")[1]?.replace("worker-1", "worker-2") ?? "";
  const both = { code: 255, stderr: `${stderr.replace("1 lock(s)", "2 lock(s)")}${second}\n` };
  expect(await fleet.apply({ up: [both] })).toMatchObject({ outcome: "locked" });
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

const refused = (status: number, more: object = {}) => rotation("r1", null, { outcome: "refused", status, ...more });
const list = refused(403, { operation: "listWebhooks", path: "/v1/webhooks/" });
const lost = rotation("r2", null, { result: "lost", outcome: "unknown" });
const unanswered = rotation("r2", null, { outcome: "unknown", status: 503, ...ofWebhook("crm-2") });
test.each<[what: string, needsPerson: boolean, requests: object[], message: string]>([
  ["a token that is not accepted", true, [refused(401), refused(401, ofWebhook("crm-2"))], "it failed"],
  ["a value that the server refuses", true, [refused(429), refused(422)], "it failed"],
  ["a refusal of one, and no answer for another", false, [refused(401), unanswered], "it failed"],
  ["too many requests", false, [refused(429)], "it failed"],
  ["a lost answer", false, [lost], "it failed"],
  ["a success after a refusal", false, [refused(401), rotation("r2")], "it failed"],
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

interface WrongInput {
  readonly stack?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly change?: (folder: string) => void;
}

test.each<[what: string, wrong: WrongInput, reason: string]>([
  [
    "a name with an underscore in PostgreSQL",
    { stack: "ac_me", files: { "Pulumi.ac_me.yaml": "config: {}" }, env: { PULUMI_BACKEND_URL: "postgres:///pulumi" } },
    "the name of the stack has an underscore, which the Pulumi CLI cannot keep in PostgreSQL: use another name",
  ],
  [
    // The CLI reads the first of two documents, and this parser none.
    "a stack's file that cannot be read as one document",
    { files: { "Pulumi.acme.yaml": "environment: [shared]\n---\nconfig: {}\n" } },
    "FOLDER/Pulumi.acme.yaml cannot be read as the configuration of a stack",
  ],
  [
    "a link that leads to itself",
    {
      stack: "loop",
      change: (folder) => {
        symlinkSync("Pulumi.loop.yaml", join(folder, "Pulumi.loop.yaml"));
      },
    },
    "ELOOP: too many symbolic links encountered, stat 'FOLDER/Pulumi.loop.yaml'",
  ],
  [
    "two problems at once",
    { stack: "nope", env: { PULUMI_BACKEND_URL: "" } },
    "there is no FOLDER/Pulumi.nope.yaml: without it, a run would encrypt the stack's secrets with a new key; keep the file of `pulumi stack init` with the project; there is no backend (PULUMI_ACCESS_TOKEN must be set): set PULUMI_BACKEND_URL, or run `pulumi login`",
  ],
  [
    "a stack that the backend does not have",
    { stack: "new", files: { "Pulumi.new.yaml": "config: {}" } },
    "the backend has no stack new of the project fleet: run `pulumi stack init new`",
  ],
  [
    "a name that is none",
    { stack: "../x; rm" },
    '"../x; rm" is not a valid stack name: use letters, digits, "-", "_" and "."',
  ],
  [
    "no project",
    {
      change: (folder) => {
        rmSync(join(folder, "Pulumi.yaml"));
      },
    },
    "there is no Pulumi.yaml in FOLDER",
  ],
  ...["1", "true", "True"].map((value): [string, WrongInput, string] => [
    `PULUMI_SKIP_CHECKPOINTS=${value}`,
    { env: { PULUMI_SKIP_CHECKPOINTS: value } },
    "PULUMI_SKIP_CHECKPOINTS is set: if the run died, the state would have none of its results; unset it",
  ]),
  [
    "a project that cannot be read",
    { files: { "Pulumi.yaml": "{" } },
    "FOLDER/Pulumi.yaml cannot be read as a Pulumi project",
  ],
])("%s is refused before any process", async (_what, { stack = "acme", env, files = {}, change }, reason) => {
  const fleet = new Fleet();
  const { folder } = fleet.project;
  write(folder, files);
  change?.(folder);
  const result = await fleet.apply({}, { stack, env: { ...fleet.env, ...env } });
  expect({ ...result, reason: result.reason.replaceAll(folder, "FOLDER") }).toMatchObject({
    ...{ outcome: "failed", reason, exitCode: 1 },
  });
  expect(fleet.calls().filter((call) => call !== "whoami --json --non-interactive")).toEqual([]);
});

test.each(["0", "false", "yes", ""])("PULUMI_SKIP_CHECKPOINTS=%s, which the CLI ignores, is allowed", async (value) => {
  const fleet = new Fleet();
  const env = { ...fleet.env, PULUMI_SKIP_CHECKPOINTS: value };
  expect(await fleet.apply({}, { env })).toMatchObject({ outcome: "unchanged" });
});

test("each kind of result is written: of bad input, of a stack that another run holds, and of a skip", async () => {
  const written: string[] = [];
  const onResult = ({ outcome }: { outcome: string }) => Promise.resolve(void written.push(outcome));
  const fleet = new Fleet();
  await fleet.apply({}, { onResult, stack: "a b" });
  const busy = { onResult: () => fleet.apply({}, { onResult }).then(() => undefined) };
  await fleet.apply({}, busy);
  await fleet.apply({}, { onResult });
  expect(written).toEqual(["failed", "locked", "skipped"]);
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
  // Each run begins, starts the CLI, and ends.
  const record = memory((_text, number) => {
    if (number % 3 === 0) throw new Error("connection lost");
  });
  expect(await fleet.apply({}, { record })).toMatchObject({
    outcome: "unchanged",
    reason:
      "there is no record of an earlier run; the record could not be written (connection lost), so the next run reports this one again",
  });
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
  const record = memory((text) => {
    // With the CLI's id: the update is under way.
    if (text.includes('"cli"')) second.abort();
  });
  // Of a state that cannot be read, what is uncertain is not known.
  expect(await fleet.apply({}, { signal: second.signal, record })).toMatchObject({ uncertain: 0 });
});

test("one interrupt is one signal to the CLI, also while the record of its start is written", async () => {
  const fleet = new Fleet();
  const first = new AbortController();
  const path = (name: string) => join(fleet.bin, name);
  const made = (name: string) => until(() => existsSync(path(name)));
  const counting = `if [ "$command" = up ]; then
  trap 'echo signal >> signals' INT
  : > ready
  while [ ! -e go ]; do sleep 0.02; done
fi
`;
  write(fleet.bin, { pulumi: fakePulumi.replace('cat "$command/$count/stderr"', `${counting}$&`) });
  const record = memory(async (text) => {
    if (!text.includes('"cli"')) return;
    await made("ready");
    first.abort();
    await made("signals");
    setImmediate(() => {
      write(fleet.bin, { go: "" });
    });
  });
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
      ...{ resourceUrn: urn, policyName, enforcementLevel },
      message: "Secrets are rotated.\nrotateAfter is missing\n",
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

const sending = { ...quiet, requests: [rotation()] };

test("a run whose record fails once it has begun is waited for, and says what it sent", async () => {
  const fleet = new Fleet();
  const record = memory((_text, number) => {
    if (number === 2) throw new Error("connection lost");
  });
  expect(await fleet.apply({ up: [sending] }, { record })).toMatchObject({
    ...{ outcome: "unchanged", requests: 1, rotations: 1 },
  });
  expect(fleet.left()).toEqual([]);
});

test("if the version of the state cannot be read, the stack is run and the result stays true", async () => {
  const fleet = new Fleet();
  const stateVersion = () => Promise.reject(new Error("the database is away"));
  expect(await fleet.apply({ up: [sending] }, { stateVersion })).toMatchObject({ outcome: "unchanged", rotations: 1 });
  expect(await fleet.apply({}, { stateVersion })).toMatchObject({ reason: "the version of the state is not known" });
});

test("a lock in a message of the program is not this stack's", async () => {
  const fleet = new Fleet();
  fleet.writeRecordOfDead();
  const problem = { sequence: 2, diagnosticEvent: { severity: "error", urn: "", message: stale.stderr } };
  const failed = { code: 255, stdout: events(prelude, problem, summary("failed")), requests: [rotation()] };
  expect(await fleet.apply({ up: [failed] })).toMatchObject({
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

testOnLinux(
  "the journal, the record and their folders are on the disk before the CLI starts, and the record again at the end",
  async () => {
    const fleet = new Fleet();
    const saved: string[] = [];
    const fsync = jest.spyOn(fs, "fsyncSync").mockImplementation((fd) => {
      saved.push(readlinkSync(`/proc/self/fd/${fd}`).split("/").at(-1) ?? "");
    });
    await fleet.apply({});
    fsync.mockRestore();
    const names = saved.map((name) => name.replace(/^run-\w+$/, "run").replace(/\d+$/, "new"));
    const record = ["acme.json.new", "apply"];
    // The record of the run, of its CLI, and of its end.
    expect(names).toEqual(["run", "acme.journal", ...record, ...record, ...record]);
  },
);
