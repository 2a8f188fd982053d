import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder, unsettledOn } from "../../../src/provider/unsettled";
import type { ObjectName, Unsettled } from "../../../src/resources/memory";
import { temporaryFolder } from "../../support/folders";

const crm: ObjectName = { type: "WebhookSecret", organization: "acme", id: "crm", address: "https://a.example.com" };
const request = (since: string, id: string) => ({ since, id, isDurable: true });

function machine(env: Record<string, string> = {}): { folder: string; memory: Unsettled } {
  const folder = join(temporaryFolder(), "state");
  return { folder, memory: unsettledOn({ VOICEPLANE_STATE_DIR: folder, ...env }) };
}

test("a row is open once a request that started from it has left, also for another process", () => {
  const { folder, memory } = machine();
  expect(memory.isOpen(crm, "r1")).toBe(false);
  memory.announce(crm, request("r1", "r2"));
  const another = unsettledOn({ VOICEPLANE_STATE_DIR: folder });
  expect([another.isOpen(crm, "r1"), another.isOpen(crm, "r2"), another.isOpen(crm, "made elsewhere")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a request that surely had no effect is taken back, and the one before it is not", () => {
  const { memory } = machine();
  memory.announce(crm, request("r1", "r2"))();
  expect(memory.isOpen(crm, "r1")).toBe(false);
  memory.announce(crm, request("r1", "r3"));
  memory.announce(crm, request("r1", "r4"))();
  // A second attempt of one request: the first may have been carried out.
  memory.announce(crm, request("r1", "r3"))();
  expect(memory.isOpen(crm, "r1")).toBe(true);
});

test("an earlier row that is restored is open still", () => {
  const { memory } = machine();
  memory.announce(crm, request("r1", "r2"));
  memory.announce(crm, request("r2", "r3"));
  expect(["r1", "r2", "r3"].map((row) => memory.isOpen(crm, row))).toEqual([true, true, false]);
});

test("a create is open until a row that it made is seen", () => {
  const { memory } = machine();
  memory.announce(crm, request("new", "r1"));
  expect(memory.isOpen(crm, "new")).toBe(true);
  expect(memory.isOpen(crm, "r1")).toBe(false);
  expect(memory.isOpen(crm, "new")).toBe(false);
});

test("a create, as of a rename, supersedes the rows that this machine made before", () => {
  const { memory } = machine();
  memory.announce(crm, { ...request("adopted", "a1"), isDurable: false });
  expect(memory.isOpen(crm, "a1")).toBe(false);
  memory.announce(crm, request("new", "r2"));
  expect(memory.isOpen(crm, "a1")).toBe(true);
});

test("a request supersedes every row of its object that this machine made, such as the one before a replacement that sent nothing", () => {
  const { memory } = machine();
  memory.announce(crm, { ...request("adopted", "a1"), isDurable: false });
  memory.announce(crm, { ...request("adopted", "a2"), isDurable: false });
  const takeBack = memory.announce(crm, request("a2", "r3"));
  expect(["a1", "a2", "r3"].map((row) => memory.isOpen(crm, row))).toEqual([true, true, false]);
  takeBack();
  expect(["a1", "a2", "r3"].map((row) => memory.isOpen(crm, row))).toEqual([false, false, false]);
});

test.each(["new", "imported"])("also the row of a first request from %s that was seen since", (first) => {
  const { memory } = machine();
  memory.announce(crm, request(first, "r1"));
  expect(memory.isOpen(crm, "r1")).toBe(false);
  memory.announce(crm, request("new", "r2"));
  expect(memory.isOpen(crm, "r1")).toBe(true);
});

test("the spelling of an id makes no other object; another type, organization, id or address does", () => {
  const { memory } = machine();
  memory.announce(crm, request("r1", "r2"));
  expect(memory.isOpen({ ...crm, id: "CRM", organization: "Acme" }, "r1")).toBe(true);
  for (const other of [
    { type: "TrunkOutboundAuth" },
    { organization: "eu" },
    { id: "billing" },
    { address: "https://b" },
  ])
    expect(memory.isOpen({ ...crm, ...other }, "r1")).toBe(false);
});

test("the newest twenty requests of an object are kept", () => {
  const { folder, memory } = machine();
  for (let count = 0; count < 60; count++) {
    memory.announce(crm, request(`r${count}`, `r${count + 1}`));
    // The file system's clock may tell two of them the same time.
    const [name = ""] = readdirSync(folder);
    utimesSync(join(folder, name, `r${count}.r${count + 1}`), count, count);
  }
  const [name = ""] = readdirSync(folder);
  expect(readdirSync(join(folder, name)).length).toBeLessThanOrEqual(21);
  expect(memory.isOpen(crm, "r59")).toBe(true);
});

test("the folder is this user's alone, and its names have neither a secret nor an id of the platform", () => {
  const { folder, memory } = machine();
  memory.announce(crm, request("r1", "r2"));
  const [object = ""] = readdirSync(folder);
  expect([folder, join(folder, object)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(object).toMatch(/^[\da-f]{32}$/);
  expect(readdirSync(join(folder, object))).toEqual(["r1.r2"]);
});

test("a folder that others may write to, a link to one, and a file in its place are refused", () => {
  const open = temporaryFolder();
  chmodSync(open, 0o777);
  const link = join(temporaryFolder(), "link");
  symlinkSync(open, link);
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const folder of [open, link, join(file, "state")]) {
    const memory = unsettledOn({ VOICEPLANE_STATE_DIR: folder });
    expect(() => memory.announce(crm, request("r1", "r2"))).toThrow();
  }
  expect(readdirSync(open)).toEqual([]);
});

test("where an object's folder cannot be read, that is an error, and not a settled row", () => {
  const { folder, memory } = machine();
  memory.announce(crm, request("r1", "r2"));
  const [object = ""] = readdirSync(folder);
  rmSync(join(folder, object), { recursive: true });
  writeFileSync(join(folder, object), "");
  expect(() => memory.isOpen(crm, "r1")).toThrow("ENOTDIR");
});

describe("pending operations of the engine's state", () => {
  const pending = (...list: unknown[]) => ({ VOICEPLANE_UNSETTLED: JSON.stringify(list) });

  test("are open rows, at any address", () => {
    const { memory } = machine(
      pending(["WebhookSecret", "acme", "CRM", "r1"], ["RetentionPolicy", "acme", "recordings", ""]),
    );
    expect([memory.isOpen(crm, "r1"), memory.isOpen(crm, "r2"), memory.isOpen(crm, "new")]).toEqual([
      true,
      false,
      false,
    ]);
    const recordings = { ...crm, type: "RetentionPolicy", id: "recordings" };
    expect([memory.isOpen(recordings, "new"), memory.isOpen(recordings, "r1")]).toEqual([true, false]);
  });

  test("that cannot be read are an error, and not none", () => {
    for (const text of ["{", '[["WebhookSecret"]]', '"x"']) {
      const { memory } = machine({ VOICEPLANE_UNSETTLED: text });
      expect(() => memory.isOpen(crm, "r1")).toThrow("VOICEPLANE_UNSETTLED is not what voiceplane sets");
    }
    expect(machine({ VOICEPLANE_UNSETTLED: "" }).memory.isOpen(crm, "r1")).toBe(false);
  });
});

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ["linux", { HOME: "/home/a" }, "/home/a/.local/state/voiceplane"],
  ["linux", { HOME: "/home/a", XDG_STATE_HOME: "/var/a" }, "/var/a/voiceplane"],
  ["linux", { HOME: "/home/a", XDG_STATE_HOME: "relative" }, "/home/a/.local/state/voiceplane"],
  ["darwin", { HOME: "/Users/a" }, "/Users/a/Library/Application Support/voiceplane"],
  ["win32", { HOME: "/a", LOCALAPPDATA: "/a/Local" }, "/a/Local/voiceplane"],
  ["linux", { HOME: "/home/a", VOICEPLANE_STATE_DIR: "/srv/state" }, "/srv/state"],
])("on %s with %j, it is in %s", (platform, env, folder) => {
  expect(stateFolder(env, platform)).toBe(folder);
});
