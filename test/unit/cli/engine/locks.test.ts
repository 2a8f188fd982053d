import { fileBackend, type StackLock } from "../../../../src/cli/engine/backend";
import { holderOf, lockedReason, locksIn, staleness, type LockFacts } from "../../../../src/cli/engine/locks";
import {
  idOf,
  isGone,
  isRunning,
  processesHere,
  type ProcessId,
  type Processes,
  type StartedCli,
} from "../../../../src/cli/engine/processes";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, write } from "../../../support/folders";

const made = Date.parse("2026-11-20T12:00:00Z");
const hour = 3_600_000;
/** In a folder that machines may share. They may have one host name, and each has a process 42. */
const lock: StackLock = { file: "acme/1.json", pid: 42, host: "worker-1", user: "root", at: made };
/** Of a backend that is no folder. */
const remote: StackLock = { ...lock, file: undefined };
const ofAnother: StackLock = { ...lock, host: "worker-2" };

/** What this machine has under the id of the lock. */
const table = (found: Partial<ProcessId> | undefined, space = "boot 1"): Processes => ({
  host: "worker-1",
  space,
  find: (pid) => (found && pid === 42 ? { pid: 42, start: "100", space, ...found } : undefined),
});
const none = table(undefined);

const facts = (processes: Processes, more: Partial<LockFacts> = {}): LockFacts => ({
  processes,
  started: [],
  ofThisMachine: [],
  limitMs: undefined,
  now: made + 3 * hour,
  ...more,
});
const recorded = (cli: Partial<ProcessId> = {}, more: Partial<StartedCli> = {}): Pick<LockFacts, "started"> => ({
  started: [{ host: "worker-1", cli: { pid: 42, start: "100", space: "boot 1", ...cli }, at: made - 500, ...more }],
});
const ofBoot1 = { space: "boot-1 pid:1" };
/** @param start when the process began that this machine has started */
const factsOfBoot1 = (processes: Processes, start = "100"): LockFacts =>
  facts(processes, { ...recorded(ofBoot1), ofThisMachine: [{ pid: 42, start, ...ofBoot1 }] });
const gone = "process 42 of this machine is gone";
const old = "it is older than a run can be";

test.each<[what: string, lock: StackLock, facts: LockFacts, reason: string | undefined]>([
  ["the CLI of the record that is gone", lock, facts(none, recorded()), gone],
  ["the CLI of the record that is gone, in another backend", remote, facts(none, recorded()), gone],
  ["the CLI of the record, whose id another process has", lock, facts(table({ start: "101" }), recorded()), gone],
  ["the CLI of the record, which runs", lock, facts(table({}), recorded()), undefined],
  [
    "the CLI of the record, which runs, beyond the limit",
    lock,
    facts(table({}), { ...recorded(), limitMs: 1 }),
    undefined,
  ],
  ["the CLI of the record, whose start /proc hides", lock, facts(table({ start: "" }), recorded()), undefined],
  ["a process that no record names and is not here", lock, facts(none), undefined],
  ["a process that no record names and is not here, in another backend", remote, facts(none), undefined],
  [
    "a process that no record names, beyond the limit, of an id that is here",
    lock,
    facts(table({}), { limitMs: hour }),
    old,
  ],
  [
    "a machine of this host name, whose CLI has the id of one that the record names of another time",
    lock,
    facts(none, recorded({}, { at: made - 60_000 })),
    undefined,
  ],
  ["the CLI of a record of another boot or container", lock, facts(none, recorded({ space: "boot 2" })), undefined],
  [
    "the CLI of the record that this machine started before its restart",
    lock,
    factsOfBoot1(table({}, "boot-2 pid:1")),
    gone,
  ],
  [
    "the CLI of the record in another container of this boot",
    lock,
    factsOfBoot1(table(undefined, "boot-1 pid:2")),
    undefined,
  ],
  [
    "the CLI of the record of another boot, of which this machine has started another process",
    lock,
    factsOfBoot1(table(undefined, "boot-2 pid:1"), "99"),
    undefined,
  ],
  [
    "one of two CLIs with this id, here and in another container",
    lock,
    facts(none, { started: [...recorded().started, ...recorded({ space: "boot 2" }).started] }),
    undefined,
  ],
  [
    "one of two CLIs with this id, of which the second runs",
    lock,
    facts(table({ start: "200" }), { started: [...recorded().started, ...recorded({ start: "200" }).started] }),
    undefined,
  ],
  [
    "the CLI of the record on a system that does not say when a process started",
    lock,
    facts(table(undefined, ""), recorded({ start: "", space: "" })),
    undefined,
  ],
  [
    "the CLI of a record whose start is not known, and whose id is free",
    lock,
    facts(none, recorded({ start: "" })),
    gone,
  ],
  [
    "the CLI of a record whose start is not known, and whose id a process has",
    lock,
    facts(table({}), recorded({ start: "" })),
    undefined,
  ],
  [
    "the CLI of a record whose boot is not known",
    lock,
    facts(table(undefined, ""), recorded({ space: "" })),
    undefined,
  ],
  ["another host name than the record's", ofAnother, facts(none, recorded()), undefined],
  ["another machine's process", ofAnother, facts(none), undefined],
  ["another machine's process beyond the limit", ofAnother, facts(none, { limitMs: 2 * hour }), old],
  ["another machine's process within the limit", ofAnother, facts(none, { limitMs: 4 * hour }), undefined],
  ["a lock that cannot be read", { ...lock, pid: undefined }, facts(none, recorded()), undefined],
  [
    "the CLI of the record, without a time",
    { ...lock, at: undefined },
    facts(none, { ...recorded(), limitMs: 1 }),
    undefined,
  ],
  ["another machine's process, with a limit that is none", ofAnother, facts(none, { limitMs: 0 }), undefined],
  ["another machine's process, with a limit in the past", ofAnother, facts(none, { limitMs: -1 }), undefined],
  [
    "a lock from a clock that is ahead, beyond the limit",
    { ...ofAnother, at: made + 9 * hour },
    facts(none, { limitMs: hour }),
    undefined,
  ],
])("the lock of %s", (_what, each, given, reason) => {
  expect(staleness(each, given)).toBe(reason);
});

test("this process is alive, with its start, and an id that is not used is not", () => {
  const processes = processesHere();
  const own = processes.find(process.pid);
  expect(own).toMatchObject({ pid: process.pid, space: processes.space });
  expect(isRunning(processes, own ?? { pid: 0, start: "", space: "" })).toBe(true);
  expect(isRunning(processes, { pid: process.pid, start: "another", space: processes.space })).toBe(false);
  expect(isRunning(processes, { pid: process.pid, start: "", space: "another boot" })).toBe(false);
  expect(processes.find(2 ** 22 + 1)).toBeUndefined();
});

test("a process that /proc hides, as those of other users can be, is alive", () => {
  const processes = processesHere("linux", { read: () => undefined, run: () => undefined });
  expect(processes.find(process.pid)).toEqual({ pid: process.pid, start: "", space: "" });
  expect(isRunning(processes, { pid: process.pid, start: "1", space: "" })).toBe(true);
  expect(processes.find(2 ** 22 + 1)).toBeUndefined();
});

const uuid = "C0FFEE00-0000-4000-8000-000000000001";
const mac = (answers: (program: string, ...args: readonly string[]) => string | undefined) =>
  processesHere("darwin", { read: () => undefined, run: answers });
/** On Linux, `ps` prints the same. */
const ps = (program: string, ...args: readonly string[]) =>
  program === "ps"
    ? execFileSync(program, args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } })
    : `${uuid}\n`;

test("on macOS, a process is known by its boot and its start, so a later one with its id is another one", () => {
  const processes = mac(ps);
  const own = idOf(processes, process.pid);
  expect(own).toMatchObject({ pid: process.pid, space: uuid });
  expect(own.start).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/);
  expect([isRunning(processes, own), isGone(processes, own)]).toEqual([true, false]);
  const earlier = { ...own, start: "Wed Nov 25 03:13:46 2020" };
  expect([isRunning(processes, earlier), isGone(processes, earlier)]).toEqual([false, true]);
  const zombie = mac((program) => (program === "ps" ? "Z    Wed Nov 25 03:13:46 2020\n" : uuid));
  expect(zombie.find(process.pid)).toBeUndefined();
});

test.each<[NodeJS.Platform]>([["darwin"], ["win32"], ["freebsd"]])(
  "where %s says nothing, a process with the id keeps its lock, and one that is missing is not gone for sure",
  (platform) => {
    const processes = processesHere(platform, { read: () => undefined, run: () => undefined });
    const own = { pid: process.pid, start: "", space: "" };
    expect([processes.find(process.pid), isRunning(processes, own)]).toEqual([own, true]);
    expect(isGone(processes, { ...own, pid: 2 ** 22 + 1 })).toBe(false);
  },
);

test("whoever finds a lock that cannot be known reads how to remove it", () => {
  expect(lockedReason(lock, "acme")).toBe(
    "the stack is locked by root@worker-1 (pid 42) since 2026-11-20T12:00:00.000Z: if that run has ended, " +
      "use `pulumi cancel --stack acme` or --cancel-locks-after",
  );
  expect(lockedReason({ ...lock, pid: undefined, host: "", user: "ann" }, "acme", true)).toBe(
    "the stack is locked by an update of ann since 2026-11-20T12:00:00.000Z: about 5 minutes after that run has ended, its lease " +
      "ends too; `pulumi cancel --stack acme` ends it at once",
  );
  expect(lockedReason(undefined, "acme")).toMatch(/^the stack is locked by another run: /);
});

const error = `error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  postgres://****:****@/pulumi/.pulumi/locks/organization/fleet/acme/b7c4.json: created by root@worker-1 (pid 42) at 2026-11-20T12:00:00Z
  postgres:///pulumi/.pulumi/locks/organization/fleet/acme/c8.json: created by DOMAIN\\jo@laptop.local (pid 7) at 2026-11-20T13:00:00+02:00`;

test("the CLI's error names its locks", () => {
  expect(locksIn(error)).toEqual([
    remote,
    { file: undefined, pid: 7, host: "laptop.local", user: "DOMAIN\\jo", at: Date.parse("2026-11-20T11:00:00Z") },
  ]);
  expect(holderOf(lock)).toBe("root@worker-1 (pid 42) since 2026-11-20T12:00:00.000Z");
});

test("a lock that the error announces and does not show counts as one of an unknown process, so that nothing is cancelled", () => {
  const unknown = { file: undefined, pid: undefined, host: "", user: "", at: undefined };
  expect(locksIn(error.replace(/\n.*laptop.*$/, ""))).toEqual([remote, unknown]);
  expect(locksIn(error.replace(/pid 7/, "pid seven"))).toEqual([remote, unknown]);
  expect(locksIn("error: [409] Conflict: Another update is currently in progress.")).toEqual([unknown]);
  expect(locksIn("error: no stack named 'acme' found")).toBeUndefined();
  expect(staleness(unknown, facts(none, { limitMs: 1 }))).toBeUndefined();
  expect(holderOf(unknown)).toBe("an unknown run");
});

test("a file backend's locks are read in both layouts, and one is removed alone", () => {
  const root = temporaryFolder();
  const content = '{"pid":42,"username":"root","hostname":"worker-1","timestamp":"2026-11-20T12:00:00Z"}';
  write(root, {
    ".pulumi/locks/organization/fleet/acme/a.json": content,
    ".pulumi/locks/organization/fleet/acme/a.json.attrs": "{}",
    ".pulumi/locks/organization/fleet/other/b.json": content,
    ".pulumi/locks/acme/c.json": "half",
  });
  const backend = fileBackend(`file://${root}?no_tmp_dir=true`, "fleet", "acme", "/", {});
  const file = join(root, ".pulumi/locks/organization/fleet/acme/a.json");
  expect(backend?.locks()).toEqual([
    { ...lock, file },
    { file: join(root, ".pulumi/locks/acme/c.json"), pid: undefined, host: "", user: "", at: undefined },
  ]);
  backend?.removeLock({ ...lock, file });
  expect(backend?.locks()).toHaveLength(1);
  expect(existsSync(`${file}.attrs`)).toBe(false);
  expect(existsSync(join(root, ".pulumi/locks/organization/fleet/other/b.json"))).toBe(true);
});

test("the version of a file backend's state changes with each byte of it, in each layout and compression", () => {
  const root = temporaryFolder();
  const backend = fileBackend(`file://${root}`, "fleet", "acme", "/", {});
  expect([backend?.file(), backend?.stateVersion()]).toEqual([undefined, undefined]);
  const seen = new Set<string | undefined>();
  const names = ["fleet/acme.json", "fleet/acme.json.gz", "fleet/acme.json.zst", "acme.json", "acme.json.gz"];
  for (const name of names) {
    write(root, { [`.pulumi/stacks/${name}`]: "1" });
    seen.add(backend?.stateVersion());
    write(root, { [`.pulumi/stacks/${name}`]: "2" });
    seen.add(backend?.stateVersion());
  }
  expect(seen.size).toBe(10);
  write(root, { ".pulumi/stacks/fleet/acme.json.bak": "3", ".pulumi/stacks/fleet/acme.json.attrs": "3" });
  expect(seen).toContain(backend?.stateVersion());
});
