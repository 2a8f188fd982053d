/** What the machine remembers of requests, so that a row of state that a later request has superseded is known. */
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder, unsettledOn } from "../../../src/provider/unsettled";
import type { ObjectName } from "../../../src/resources/memory";
import { temporaryFolder } from "../../support/folders";

const crm: ObjectName = { type: "WebhookSecret", organization: "acme", id: "crm", address: "https://a.example.com" };

function machine(env: Record<string, string> = {}, folder = join(temporaryFolder(), "state")) {
  const memory = unsettledOn({ VOICEPLANE_STATE_DIR: folder, ...env });
  return {
    folder,
    /** A request from a row, which makes another. Returns what takes it back. */
    sent: (since: string, id: string, isDurable = true) => memory.announce(crm, { since, id, isDurable }),
    /** Those of the rows that are open. */
    open: (rows: readonly string[], object: Partial<ObjectName> = {}) =>
      rows.filter((row) => memory.isOpen({ ...crm, ...object }, row)),
  };
}

/** Each step is a request from a row that makes another, "in vain" if it surely had no effect, or that a row is seen in a state. */
test.each<[string, history: string[], rows: string[], open: string[]]>([
  ["once a request has left from it, and not those made elsewhere", ["r1 > r2"], ["r1", "r2", "r9"], ["r1"]],
  ["still if an earlier row is restored", ["r1 > r2", "r2 > r3"], ["r1", "r2", "r3"], ["r1", "r2"]],
  ["not after a request that surely had no effect", ["r1 > r2 in vain"], ["r1", "r2"], []],
  ["after such a one if one before may have had one", ["r1 > r2", "r1 > r3 in vain"], ["r1"], ["r1"]],
  ["after a second attempt in vain: the first may have had one", ["r1 > r2", "r1 > r2 in vain"], ["r1"], ["r1"]],
  ["as a create until a row that it made is seen", ["new > r1"], ["new", "r1"], ["new"]],
  ["no longer as a create whose row was seen", ["new > r1", "seen r1"], ["new", "r1"], []],
  ["not by an adoption", ["adopted > a1", "adopted > a2"], ["a1", "a2"], []],
  ["by a create, as of a rename", ["adopted > a1", "new > r2"], ["a1", "r2"], ["a1"]],
  ["by any later request", ["adopted > a1", "adopted > a2", "a2 > r3"], ["a1", "a2", "r3"], ["a1", "a2"]],
  ["not by one in vain", ["adopted > a1", "adopted > a2", "a2 > r3 in vain"], ["a1", "a2", "r3"], []],
  ["by a create after the first one was seen", ["new > r1", "seen r1", "new > r2"], ["r1"], ["r1"]],
  ["by a create after an import was seen", ["imported > r1", "seen r1", "new > r2"], ["r1"], ["r1"]],
])("a row is open %s", (_what, history, rows, open) => {
  const { folder, ...here } = machine();
  for (const step of history) {
    const [, since, id = "", inVain] = /^(?:(\w+) >|seen) (\w+)( in vain)?$/.exec(step) ?? [];
    if (since === undefined) expect(here.open([id])).toEqual([]);
    else {
      const takeBack = here.sent(since, id, since !== "adopted");
      if (inVain) takeBack();
    }
  }
  // Also for another process.
  expect(machine({}, folder).open(rows)).toEqual(open);
});

test("the spelling of an id makes no other object; another type, organization, id or address does", () => {
  const { sent, open } = machine();
  sent("r1", "r2");
  expect(open(["r1"], { id: "CRM", organization: "Acme" })).toEqual(["r1"]);
  const others = [{ type: "TrunkOutboundAuth" }, { organization: "eu" }, { id: "billing" }, { address: "https://b" }];
  for (const other of others) expect(open(["r1"], other)).toEqual([]);
});

describe("the folder", () => {
  test("keeps the newest twenty requests of an object", () => {
    const { folder, sent, open } = machine();
    for (let count = 0; count < 60; count++) {
      sent(`r${count}`, `r${count + 1}`);
      // The file system's clock may tell two of them the same time.
      const [name = ""] = readdirSync(folder);
      utimesSync(join(folder, name, `r${count}.r${count + 1}`), count, count);
    }
    const [name = ""] = readdirSync(folder);
    expect(readdirSync(join(folder, name)).length).toBeLessThanOrEqual(21);
    expect(open(["r59"])).toEqual(["r59"]);
  });

  test("is this user's alone, and its names have neither a secret nor an id of the platform", () => {
    const { folder, sent } = machine();
    sent("r1", "r2");
    const [object = ""] = readdirSync(folder);
    expect([folder, join(folder, object)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(object).toMatch(/^[\da-f]{32}$/);
    expect(readdirSync(join(folder, object))).toEqual(["r1.r2"]);
  });

  test("is refused if others may write to it, if it is a link to such a one, and if a file is in its place", () => {
    const parent = temporaryFolder();
    const [writable, link, file] = ["open", "link", "file"].map((name) => join(parent, name)) as [
      string,
      string,
      string,
    ];
    machine({}, writable).sent("r1", "r2");
    const before = readdirSync(writable);
    chmodSync(writable, 0o777);
    symlinkSync(writable, link);
    writeFileSync(file, "");
    for (const folder of [writable, link, join(file, "state")])
      expect(() => machine({}, folder).sent("r1", "r3")).toThrow();
    expect(readdirSync(writable)).toEqual(before);
  });

  test("of an object that cannot be read is an error, and not a settled row", () => {
    const { folder, sent, open } = machine();
    sent("r1", "r2");
    const [object = ""] = readdirSync(folder);
    rmSync(join(folder, object), { recursive: true });
    writeFileSync(join(folder, object), "");
    expect(() => open(["r1"])).toThrow("ENOTDIR");
  });

  test.each<[NodeJS.Platform, Record<string, string>, string]>([
    ["linux", { HOME: "/home/a" }, "/home/a/.local/state/voiceplane"],
    ["linux", { HOME: "/home/a", XDG_STATE_HOME: "/var/a" }, "/var/a/voiceplane"],
    ["linux", { HOME: "/home/a", XDG_STATE_HOME: "relative" }, "/home/a/.local/state/voiceplane"],
    ["darwin", { HOME: "/Users/a" }, "/Users/a/Library/Application Support/voiceplane"],
    ["win32", { HOME: "/a", LOCALAPPDATA: "/a/Local" }, "/a/Local/voiceplane"],
    ["linux", { HOME: "/home/a", VOICEPLANE_STATE_DIR: "/srv/state" }, "/srv/state"],
  ])("on %s with %j is %s", (platform, env, folder) => {
    expect(stateFolder(env, platform)).toBe(folder);
  });
});

describe("pending operations of the engine's state", () => {
  test("are open rows, at any address", () => {
    const pending = [
      ["WebhookSecret", "acme", "CRM", "r1"],
      ["RetentionPolicy", "acme", "recordings", ""],
    ];
    const { open } = machine({ VOICEPLANE_UNSETTLED: JSON.stringify(pending) });
    expect(open(["r1", "r2", "new"])).toEqual(["r1"]);
    expect(open(["new", "r1"], { type: "RetentionPolicy", id: "recordings" })).toEqual(["new"]);
  });

  test("that cannot be read are an error, and not none", () => {
    for (const VOICEPLANE_UNSETTLED of ["{", '[["WebhookSecret"]]', '"x"'])
      expect(() => machine({ VOICEPLANE_UNSETTLED }).open(["r1"])).toThrow(
        "VOICEPLANE_UNSETTLED is not what voiceplane sets",
      );
    expect(machine({ VOICEPLANE_UNSETTLED: "" }).open(["r1"])).toEqual([]);
  });
});
