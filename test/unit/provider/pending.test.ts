/** What the machine remembers: the ids of the states from which a request has left. */
import fs, {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { stateFolder } from "../../../src/machine";
import { pendingRequestsOn, whyForgetful } from "../../../src/provider/pending";
import { temporaryFolder } from "../../support/folders";

const target = { organization: "acme", address: "https://a.example.com" };

const id = (count: number): string => count.toString(16).padStart(16, "0");

function machine(env: Record<string, string> = {}, folder = join(temporaryFolder(), "state"), today = "2026-11-28") {
  const memory = pendingRequestsOn({ VOICEPLANE_STATE_DIR: folder, ...env }, () => new Date(today));
  return {
    folder,
    requests: join(folder, "requests"),
    problem: () => whyForgetful({ VOICEPLANE_STATE_DIR: folder, ...env }),
    memory,
    begin: (of: string, isDurable = true) => memory.begin(of, target, isDurable),
    /** Those that are open. */
    open: (...ids: readonly string[]) => ids.filter((each) => memory.isPending(each, target)),
  };
}

describe("a state is open", () => {
  test("once a request has left from it, also for another process; no other state is", () => {
    const here = machine();
    here.begin(id(1));
    expect(machine({}, here.folder).open(id(1), id(2))).toEqual([id(1)]);
  });

  test("not after a request that surely had no effect, unless one before may have had one", () => {
    const { begin, open } = machine();
    begin(id(1))();
    expect(open(id(1))).toEqual([]);
    begin(id(2));
    // A second attempt, and another request, both in vain.
    begin(id(2))();
    expect(open(id(2))).toEqual([id(2)]);
  });

  test("whatever text a person has made of its id", () => {
    const { requests, begin, open } = machine();
    const texts = ["../../../../root", "../".repeat(20) + "root", "", "a".repeat(5000)];
    for (const text of texts) begin(text);
    expect(open(...texts, "other")).toEqual(texts);
    const names = readdirSync(join(requests, "2026-11"));
    expect(names.filter((name) => /^[\da-f]{64}\.[\da-f]{16}$/.test(name))).toHaveLength(texts.length);
  });

  test("to none that asks, without a file or folder being made", () => {
    const { folder, open, problem } = machine();
    expect([open(id(1)), problem()]).toEqual([[], undefined]);
    expect(() => statSync(folder)).toThrow("ENOENT");
  });
});

describe("a request is of a target:", () => {
  const copy = { organization: "acme", address: "https://rehearsal.example.com" };

  test("what a copy of the stack has sent to another address is not open here, and is named", () => {
    const { memory, open, folder, requests } = machine();
    expect(memory.sentElsewhere(id(1), target)).toBeUndefined();
    memory.prepare(id(1), copy);
    memory.begin(id(1), target, true)();
    expect(machine({}, folder).memory.sentElsewhere(id(1), target)).toBeUndefined();
    machine({}, folder).memory.begin(id(1), copy, true);
    expect([open(id(1)), machine({}, folder).memory.sentElsewhere(id(1), target)]).toEqual([[], copy.address]);
    expect(machine({}, folder).memory.sentElsewhere(id(2), target)).toBeUndefined();
    const renamed = { ...target, organization: "globex" };
    expect(machine({}, folder).memory.isPending(id(1), renamed)).toBe(false);
    // The run died before it had written the address.
    for (const name of readdirSync(join(requests, "2026-11"))) writeFileSync(join(requests, "2026-11", name), "");
    expect(machine({}, folder).memory.sentElsewhere(id(1), target)).toBe("another address");
    machine({}, folder).memory.begin(id(2), target, true);
    expect(machine({}, folder).memory.sentElsewhere(id(2), target)).toBeUndefined();
  });

  test("this machine knows that nothing has left while a request waits, and after it was refused, and not once one has left", () => {
    const { memory } = machine();
    expect(memory.hasSentNothing(id(1), target)).toBe(false);
    memory.prepare(id(1), target);
    expect([memory.hasSentNothing(id(1), target), memory.isPending(id(1), target)]).toEqual([true, false]);
    memory.begin(id(1), target, true)();
    expect(memory.hasSentNothing(id(1), target)).toBe(true);
    memory.begin(id(1), target, true);
    expect([memory.hasSentNothing(id(1), target), memory.hasSentNothing(id(1), copy)]).toEqual([false, false]);
  });

  test("a run is under way while the process that has sent it lives", () => {
    const { memory, requests } = machine();
    memory.begin(id(1), target, false);
    expect([memory.isUnderWay(id(1), target), memory.isUnderWay(id(2), target)]).toEqual([true, false]);
    const month = join(requests, "2026-11");
    const [name = ""] = readdirSync(month);
    // No process has this id.
    const ended = readFileSync(join(month, name), "utf8").replace(String(process.pid), String(2 ** 22 + 1));
    writeFileSync(join(month, name), ended);
    expect(memory.isUnderWay(id(1), target)).toBe(false);
    writeFileSync(join(month, name), "{");
    expect([memory.isUnderWay(id(1), target), memory.isPending(id(1), target)]).toEqual([false, true]);
  });
});

describe("the folder", () => {
  test("has one of its own for each month, of which it keeps thirteen however many ids they have", () => {
    const { folder, requests } = machine();
    const at = (today: string) => machine({}, folder, today);
    for (const [count, today] of ["2025-11-30T23:59:59Z", "2025-12-01", "2026-11-30"].entries())
      at(today).begin(id(count));
    expect(readdirSync(requests)).toEqual(["2025-11", "2025-12", "2026-11"]);
    expect(at("2026-11-30").open(id(0), id(1), id(2))).toEqual([id(0), id(1), id(2)]);
    at("2026-12-01").begin(id(3));
    expect(readdirSync(requests)).toEqual(["2025-12", "2026-11", "2026-12"]);
    expect(at("2026-12-01").open(id(0), id(1), id(2), id(3))).toEqual([id(1), id(2), id(3)]);
  });

  test("forgets what it made and nothing else: an id of an earlier month stays after a request in vain", () => {
    const { folder, open, begin } = machine();
    begin(id(1));
    machine({}, folder, "2026-12-01").begin(id(1))();
    expect(open(id(1))).toEqual([id(1)]);
  });

  test("that a user had there keeps its mode, its files and its folders", () => {
    const { folder, requests } = machine();
    const file = `${id(1)}.${id(2)}`;
    const others = ["2019-5", "12019-05", "2019-05-31", "letters/2019-05"].map((name) => `${name}/${file}`);
    const inMonth = [`${file}.jpg`, `my-${file}`, `g${file}`];
    const files = ["letter.txt", "2019-06", file, ...others, ...inMonth.map((name) => `2019-05/${name}`)];
    for (const file of files) mkdirSync(join(requests, dirname(file)), { recursive: true });
    for (const file of files) writeFileSync(join(requests, file), "");
    for (const name of [`${id(2)}.${id(3)}`, `${id(2)}.${id(3)}.waits`, `${"a".repeat(64)}.${id(3)}`])
      writeFileSync(join(requests, "2019-05", name), "");
    chmodSync(requests, 0o755);
    machine({}, folder).begin(id(3));
    for (const file of files) expect(statSync(join(requests, file)).isFile()).toBe(true);
    expect(statSync(requests).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(requests, "2019-05")).sort()).toEqual([...inMonth].sort());
  });

  test.each([0o755, 0o777, 0o2775])("is this user's alone on a volume of mode %o, which stays as it is", (mode) => {
    const folder = temporaryFolder();
    chmodSync(folder, mode);
    const { requests, begin, open, problem } = machine({}, folder);
    begin(id(1));
    const modes = [folder, requests, join(requests, "2026-11")].map((path) => statSync(path).mode);
    expect([(modes[0] ?? 0) & 0o7777, ...modes.slice(1).map((each) => each & 0o777)]).toEqual([mode, 0o700, 0o700]);
    expect([open(id(1)), problem()]).toEqual([[id(1)], undefined]);
  });

  test("may be reached by a link to a volume, and is none itself", () => {
    const [volume, parent, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    symlinkSync(volume, join(parent, "link"));
    const { begin, open } = machine({}, join(parent, "link"));
    begin(id(1));
    expect(open(id(1))).toEqual([id(1)]);

    symlinkSync(elsewhere, join(parent, "requests"));
    const linked = machine({}, parent);
    expect(linked.problem()).toBe(`${join(parent, "requests")} is not a folder of this user`);
    expect(() => linked.begin(id(1))).toThrow("is not a folder of this user");
    expect(() => linked.open(id(1))).toThrow("is not a folder of this user");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("that cannot be made or is a file is an error, and not a settled state", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "requests"), "");
    writeFileSync(join(folder, "file"), "");
    for (const { begin, open, problem } of [machine({}, folder), machine({}, join(folder, "file/below"))]) {
      expect(problem()).toMatch(/is not a folder of this user|ENOTDIR/);
      expect(() => begin(id(1))).toThrow();
      expect(() => open(id(1))).toThrow();
    }
    rmSync(join(folder, "requests"));
    const { begin, problem } = machine({}, folder);
    expect(problem()).toBeUndefined();
    jest.spyOn(fs, "writeFileSync").mockImplementationOnce(() => {
      throw new Error("ENOSPC: no space left on device");
    });
    expect(() => begin(id(1))).toThrow("ENOSPC");
    const user = jest.spyOn(process, "getuid").mockReturnValue(2 ** 31);
    expect(problem()).toMatch("is not a folder of this user");
    user.mockRestore();
  });

  test("is on the disk before a rotation leaves, with all that is new above it, and no other request waits for that", () => {
    const { folder, requests, begin } = machine();
    const [opened, synced] = [jest.spyOn(fs, "openSync"), jest.spyOn(fs, "fsyncSync")];
    begin(id(1), false);
    expect(synced).not.toHaveBeenCalled();
    begin(id(2));
    begin(id(3));
    const month = join(requests, "2026-11");
    const read = opened.mock.calls.filter(([, flags]) => flags === "r").map(([path]) => path);
    expect(read).toEqual([requests, folder, dirname(folder), month, month]);
    expect(synced).toHaveBeenCalledTimes(5);
  });

  test("of an earlier version is ignored", () => {
    const { folder, open } = machine();
    mkdirSync(join(folder, "0123456789abcdef0123456789abcdef"), { recursive: true });
    writeFileSync(join(folder, "0123456789abcdef0123456789abcdef", `${id(1)}.${id(2)}`), "");
    expect(open(id(1), id(2))).toEqual([]);
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

  test.each(["state", "./state", "~", "~/state"])(
    "is refused as %s, which means another one in each folder",
    (path) => {
      const message = "VOICEPLANE_STATE_DIR must be an absolute path, such as /var/lib/voiceplane [state-folder]";
      expect(() => stateFolder({ VOICEPLANE_STATE_DIR: path })).toThrow(message);
      expect(whyForgetful({ VOICEPLANE_STATE_DIR: path })).toBe(message);
    },
  );
});

describe("pending operations of the engine's state", () => {
  test("are open states", () => {
    expect(machine({ VOICEPLANE_PENDING: JSON.stringify([id(1), "by hand"]) }).open(id(1), id(2), "by hand")).toEqual([
      id(1),
      "by hand",
    ]);
  });

  test("that cannot be read are an error, and not none", () => {
    for (const VOICEPLANE_PENDING of ["{", '[["WebhookSecret"]]', '"x"'])
      expect(() => machine({ VOICEPLANE_PENDING }).open(id(1))).toThrow(
        "VOICEPLANE_PENDING is not what voiceplane sets",
      );
    expect(machine({ VOICEPLANE_PENDING: "" }).open(id(1))).toEqual([]);
  });
});
