import { fileBackend, type StackLock } from "../../src/engine/backend";
import { holderOf, locksIn, staleness, type LockFacts } from "../../src/engine/locks";
import { isRunning, processesHere, type LiveProcess, type Processes } from "../../src/engine/processes";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, write } from "../support/folders";

const made = Date.parse("2026-11-20T12:00:00Z");
const hour = 3_600_000;
const lock: StackLock = { file: "acme/1.json", pid: 42, host: "worker-1", user: "root", at: made };
/** Of a backend that machines share. They may share a host name too. */
const remote: StackLock = { ...lock, file: undefined };

function table(found: Partial<LiveProcess> | undefined, seesHost = true): Processes {
  const live = found && {
    id: { pid: 42, start: "100", space: "here" },
    startedAt: made - 500,
    name: "pulumi",
    ...found,
  };
  return { host: "worker-1", seesHost, space: "here", find: (pid) => (pid === 42 ? live : undefined) };
}

const facts = (processes: Processes, more: Partial<LockFacts> = {}): LockFacts => ({
  processes,
  started: [],
  limitMs: undefined,
  now: made + 3 * hour,
  ...more,
});
const started = { host: "worker-1", cli: { pid: 42, start: "100", space: "here" }, at: made - 500 };
const gone = "process 42 of this machine is gone";
const old = "it is older than a run can be";

test.each<[what: string, lock: StackLock, facts: LockFacts, reason: string | undefined]>([
  ["a live process", lock, facts(table({})), undefined],
  ["a live process, however old its lock is", lock, facts(table({}), { limitMs: 1 }), undefined],
  ["a process that is gone", lock, facts(table(undefined)), gone],
  ["a later process with the same id", lock, facts(table({ startedAt: made + 60_000, name: "bash" })), gone],
  [
    "a process that seems later because the clock was set, but is a CLI",
    lock,
    facts(table({ startedAt: made + hour })),
    undefined,
  ],
  [
    "a process that started just after, as clocks go",
    lock,
    facts(table({ startedAt: made + 9_000, name: "bash" })),
    undefined,
  ],
  ["a process whose start is not known", lock, facts(table({ startedAt: undefined, name: "" })), undefined],
  [
    "the CLI of the record, whose id a later CLI has",
    lock,
    facts(table({ id: { pid: 42, start: "200", space: "here" }, startedAt: made + 60_000 }), { started: [started] }),
    gone,
  ],
  [
    "a later CLI with the same id as the record's, which made this lock",
    lock,
    facts(table({ id: { pid: 42, start: "200", space: "here" } }), { started: [started] }),
    undefined,
  ],
  [
    "a later CLI with the same id as the record's, whose start is unknown",
    lock,
    facts(table({ id: { pid: 42, start: "200", space: "here" }, startedAt: undefined }), { started: [started] }),
    undefined,
  ],
  ["a process of this host's name that is gone, in a shared backend", remote, facts(table(undefined)), undefined],
  [
    "the CLI of the record that is gone, in a shared backend",
    remote,
    facts(table(undefined), { started: [started] }),
    gone,
  ],
  [
    "a process in another container of this name, with the id of a CLI that has ended",
    remote,
    facts(table(undefined), { started: [{ ...started, at: made - hour }] }),
    undefined,
  ],
  [
    "the CLI of the record, on a machine of the same name or before a restart",
    remote,
    facts(table(undefined), { started: [{ ...started, cli: { ...started.cli, space: "another boot" } }] }),
    undefined,
  ],
  [
    "a live process of this host's name in a shared backend, however old its lock is",
    remote,
    facts(table({}), { limitMs: 1 }),
    undefined,
  ],
  [
    "a process of this host's name that is gone, in a shared backend, beyond the limit",
    remote,
    facts(table(undefined), { limitMs: hour }),
    old,
  ],
  ["another machine's process", { ...lock, host: "worker-2" }, facts(table(undefined)), undefined],
  [
    "another machine's process beyond the limit",
    { ...lock, host: "worker-2" },
    facts(table(undefined), { limitMs: 2 * hour }),
    old,
  ],
  [
    "another machine's process within the limit",
    { ...lock, host: "worker-2" },
    facts(table(undefined), { limitMs: 4 * hour }),
    undefined,
  ],
  ["a lock that cannot be read", { ...lock, pid: undefined }, facts(table(undefined)), undefined],
  [
    "a lock without a time, beyond the limit",
    { ...lock, host: "worker-2", at: undefined },
    facts(table(undefined), { limitMs: 1 }),
    undefined,
  ],
  ["a process of this host in another container", lock, facts(table(undefined, false)), undefined],
  ["the CLI of the record in this container", lock, facts(table(undefined, false), { started: [started] }), gone],
  [
    "the CLI of the record in a container of before",
    lock,
    facts(table(undefined, false), { started: [{ ...started, cli: { ...started.cli, space: "before" } }] }),
    undefined,
  ],
  [
    "another machine's process, with a limit that is none",
    { ...lock, host: "worker-2" },
    facts(table(undefined), { limitMs: 0 }),
    undefined,
  ],
  [
    "another machine's process, with a limit in the past",
    { ...lock, host: "worker-2" },
    facts(table(undefined), { limitMs: -1 }),
    undefined,
  ],
  [
    "a lock from a clock that is ahead, beyond the limit",
    { ...lock, host: "worker-2", at: made + 9 * hour },
    facts(table(undefined), { limitMs: hour }),
    undefined,
  ],
])("the lock of %s", (_what, each, given, reason) => {
  expect(staleness(each, given)).toBe(reason);
});

test("this process is alive, with its start and name, and an id that is not used is not", () => {
  const processes = processesHere();
  const own = processes.find(process.pid);
  expect(own?.id).toMatchObject({ pid: process.pid, space: processes.space });
  expect(isRunning(processes, own?.id ?? { pid: 0, start: "", space: "" })).toBe(true);
  expect(isRunning(processes, { pid: process.pid, start: "another", space: processes.space })).toBe(false);
  expect(isRunning(processes, { pid: process.pid, start: "", space: "another boot" })).toBe(false);
  expect(processes.find(2 ** 22 + 1)).toBeUndefined();
});

test("a process that /proc hides, as those of other users can be, is alive", () => {
  const processes = processesHere(() => undefined);
  expect(processes.find(process.pid)).toMatchObject({ startedAt: undefined, name: "" });
  expect(isRunning(processes, { pid: process.pid, start: "1", space: processes.space })).toBe(true);
  expect(processes.find(2 ** 22 + 1)).toBeUndefined();
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
  expect(staleness(unknown, facts(table(undefined), { limitMs: 1 }))).toBeUndefined();
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
  expect([backend?.exists(), backend?.stateVersion()]).toEqual([false, undefined]);
  const seen = new Set<string | undefined>();
  const names = ["fleet/acme.json", "fleet/acme.json.gz", "fleet/acme.json.zst", "acme.json", "acme.json.gz"];
  for (const name of names) {
    write(root, { [`.pulumi/stacks/${name}`]: "1" });
    seen.add(backend?.stateVersion());
    write(root, { [`.pulumi/stacks/${name}`]: "2" });
    seen.add(backend?.stateVersion());
  }
  expect(seen.size).toBe(10);
  expect(backend?.exists()).toBe(true);
  write(root, { ".pulumi/stacks/fleet/acme.json.bak": "3", ".pulumi/stacks/fleet/acme.json.attrs": "3" });
  expect(seen).toContain(backend?.stateVersion());
});
