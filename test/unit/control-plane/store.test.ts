import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ControlPlaneError, startControlPlane, type Dialect } from "../../../src/control-plane/index";
import { Store } from "../../../src/control-plane/store";
import { temporaryFolder } from "../../support/folders";
import { listen } from "../../support/listen";
import { ids, perform, plane, send } from "./plane";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const file = () => join(folder, "plane.db");

test("everything survives a restart: objects, settings, journal, counters, faults, clock", async () => {
  const first = await plane({ file: file() });
  await perform(first, "putRetentionPolicy");
  await perform(first, "rotateWebhookSecret");
  first.control.seed({ organization: { retentionPlan: { maxDays: 99 } }, remove: [ids.office] });
  first.control.setFaults([{ operation: "*", effect: "reset", count: 5 }]);
  first.control.advanceClock(86_400_000);
  const kept = ({ control }: typeof first) => [
    control.state(),
    control.journal(),
    control.counters(),
    control.faults(),
    control.clock().offsetMs,
  ];
  const before = kept(first);
  await first.close();

  const second = await plane({ file: file() });
  expect(kept(second)).toEqual(before);
});

test("control planes in memory share nothing", async () => {
  const [first, second] = [await plane(), await plane()];
  await perform(first, "putRetentionPolicy");
  expect(second.control.state().retentionPolicies).toEqual([]);
});

test("the file holds neither tokens nor signing secrets", async () => {
  const server = await plane({ file: file() });
  const { json } = await perform(server, "rotateWebhookSecret");
  const { signing_secret } = (json as { data: { signing_secret: string } }).data;
  await server.close();
  const database = new DatabaseSync(file());
  const tables = ["settings", "records", "commits", "journal"];
  const dump = JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
  database.close();
  expect(dump).toContain(ids.webhook);
  expect(dump).not.toContain(signing_secret);
  expect(dump).not.toContain("vp_dev_full");
});

test("every write is synced to disk before it is answered", () => {
  const store = new Store(file());
  const pragma = (name: string) => Object.values(store.database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([pragma("journal_mode"), pragma("synchronous")]).toEqual(["wal", 2]);
  store.close();
});

test("a failed transaction stores nothing", () => {
  const store = new Store();
  const fail = () =>
    store.transaction(() => {
      store.setSetting("a", 1);
      throw new Error("midway");
    });
  expect(fail).toThrow("midway");
  expect(store.setting("a")).toBeUndefined();
  store.close();
});

test("a full disk is named, and the stored data stays readable", () => {
  const store = new Store(file());
  store.transaction(() => {
    store.setSetting("a", "kept");
  });
  store.database.exec("PRAGMA max_page_count = 1");
  const fill = () => {
    store.transaction(() => {
      store.setSetting("a", "lost");
      store.setSetting("b", "x".repeat(100_000));
    });
  };
  expect(fill).toThrow(`the disk of ${file()} is full: free some space, or choose another file`);
  expect(store.setting("a")).toBe("kept");
  store.close();
});

test("the journal keeps its newest 100,000 entries", () => {
  const store = new Store();
  store.database.exec(`
    INSERT INTO journal (entry) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    SELECT '{}' FROM n
  `);
  const entry = { time: "", requestId: "", operation: null, method: "GET", path: "/", token: null, fault: null };
  store.appendToJournal({ ...entry, status: 404, committed: false, refusal: null }, null);
  const journal = store.journal();
  expect([journal.length, journal[0]?.id, journal.at(-1)?.id]).toEqual([100_000, 2, 100_001]);
  store.close();
});

test("the journal keeps at most 64 MiB, the newest, also after a restart and a failed transaction", () => {
  const append = (store: Store, path: string) => {
    const entry = { time: "", requestId: "", operation: null, method: "PUT", path, token: null, fault: null };
    store.transaction(() => {
      store.appendToJournal({ ...entry, status: 404, committed: false, refusal: null }, "é".repeat(1024 * 1024));
    });
  };
  const store = new Store(file());
  for (let n = 1; n <= 40; n++) append(store, `/${n}`);
  const pathsOf = (one: Store) => one.journal().map(({ path }) => path);
  expect(pathsOf(store)).toEqual(Array.from({ length: 31 }, (_, n) => `/${10 + n}`));
  expect(() => {
    store.transaction(() => {
      append(store, "/lost");
    });
  }).toThrow();
  append(store, "/41");
  expect(pathsOf(store)).toEqual(Array.from({ length: 31 }, (_, n) => `/${11 + n}`));
  store.close();
  const again = new Store(file());
  append(again, "/42");
  expect(pathsOf(again)).toEqual(Array.from({ length: 31 }, (_, n) => `/${12 + n}`));
  again.close();
});

test("a new file is for its owner alone, and so are those beside it", async () => {
  const before = process.umask(0);
  try {
    const server = await plane({ file: file() });
    await perform(server, "clearTrunkOutboundAuth");
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect([modes.length, new Set(modes)]).toEqual([2, new Set([0o600])]);
  } finally {
    process.umask(before);
  }
});

describe("writes at the same time", () => {
  const many = Array.from({ length: 20 }, (_, n) => n + 1);

  test("to the fields of one object lose no change, and are in the journal in the order in which they were stored", async () => {
    const server = await plane({ file: file() });
    const path = `/v1/network-policies/${ids.office}`;
    const answers = await Promise.all(
      many.flatMap((n) => [
        send(server, "PATCH", path, { name: `Office ${n}` }),
        send(server, "PATCH", path, { source_cidr: `10.${n}.0.0/16` }),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const stored = Object.assign({}, ...server.control.journal().map(({ body }) => body)) as Record<string, unknown>;
    expect(Object.keys(stored).sort()).toEqual(["name", "source_cidr"]);
    expect(server.control.state().networkPolicies.find(({ id }) => id === ids.office)).toMatchObject(stored);
    expect(server.control.counters()).toEqual({ patchNetworkPolicy: { total: 40, objects: { [ids.office]: 40 } } });
  });

  test("rotate as often as they are answered, and the last secret counts", async () => {
    const server = await plane({ file: file() });
    const answers = await Promise.all(many.map(() => perform(server, "rotateWebhookSecret")));
    const secrets = new Map(
      answers.map(({ headers, json }) => [
        headers.get("X-Request-ID"),
        (json as { data: { signing_secret: string } }).data.signing_secret,
      ]),
    );
    expect(new Set(secrets.values()).size).toBe(20);
    const last = secrets.get(server.control.journal().at(-1)?.requestId ?? null) ?? "no secret";
    expect(server.control.state().webhooks.find(({ id }) => id === ids.webhook)?.signing_secret_sha256).toBe(
      createHash("sha256").update(last).digest("hex"),
    );
  });

  test("use up a fault exactly as often as it counts", async () => {
    const server = await plane({ file: file() });
    server.control.setFaults([{ operation: "*", effect: "status", status: 503, count: 7, latencyMs: 1 }]);
    const answers = await Promise.all(many.map(() => perform(server, "rotateWebhookSecret")));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(13).fill(200),
      ...Array<number>(7).fill(503),
    ]);
    expect(server.control.faults()).toEqual([]);
    expect(server.control.counters().rotateWebhookSecret?.total).toBe(13);
  });
});

describe("an unusable file is refused in one line that says what to do", () => {
  const refusal = (named: string) => expect(startControlPlane({ file: named })).rejects;
  const text = "just some text, longer than a database's header ".repeat(20);

  test.each([
    ["none/plane.db", "the folder FOLDER/none does not exist: create it, or choose another file"],
    ["text/plane.db", "FILE cannot be opened or created"],
    ["text", "FILE is not a control plane's file: choose another file"],
    [".", "FILE is a folder: name a file in it"],
    ["x".repeat(300), "FILE cannot be opened or created"],
    ["plane.db\0", "the file's name has a NUL character in it: choose another file"],
  ])("%j: %s", async (name, problem) => {
    writeFileSync(join(folder, "text"), text);
    const named = join(folder, name);
    await refusal(named).toThrow(problem.replace("FILE", named).replace("FOLDER", folder));
    await refusal(named).toThrow(ControlPlaneError);
    expect(readFileSync(join(folder, "text"), "utf8")).toBe(text);
  });

  test("one in use", async () => {
    await plane({ file: file() });
    await refusal(file()).toThrow(`${file()} is in use by another process: stop that one, or choose another file`);
  });

  test("no name", async () => {
    await refusal("").toThrow("the file's name is empty: name one, or leave it out");
  });

  test("another program's database, which stays untouched", async () => {
    const other = new DatabaseSync(file());
    other.exec("CREATE TABLE theirs (a)");
    other.close();
    await refusal(file()).toThrow(`${file()} belongs to another program: choose another file`);
    const reopened = new DatabaseSync(file());
    expect(reopened.prepare("SELECT name FROM sqlite_schema").all()).toMatchObject([{ name: "theirs" }]);
    expect(reopened.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "delete" });
    reopened.close();
  });

  test("a newer version's file", async () => {
    await (await plane({ file: file() })).close();
    const newer = new DatabaseSync(file());
    newer.exec("PRAGMA user_version = 2");
    newer.close();
    await refusal(file()).toThrow(`${file()} was written by another version of voiceplane: choose another file`);
  });
});

test("a port in use is named, and the file is released", async () => {
  const blocker = createServer();
  const port = await listen(blocker);
  const attempt = startControlPlane({ port, file: file() }).finally(() => blocker.close());
  await expect(attempt).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use: stop the program that listens there, or choose another port (0 for any free one)`,
  );
  await plane({ file: file() });
});

test("an invalid port is named, and the file is released", async () => {
  const attempt = startControlPlane({ port: 70_000, file: file() });
  await expect(attempt).rejects.toThrow(ControlPlaneError);
  await expect(attempt).rejects.toThrow("70000 is not a port: choose one from 1 to 65535, or 0 for any free one");
  await plane({ file: file() });
});

test("an unknown dialect is refused, not replaced by another", async () => {
  const attempt = startControlPlane({ dialect: "Bare" as Dialect });
  await expect(attempt).rejects.toThrow(new ControlPlaneError("the dialect must be observed or bare"));
});

test("a Node version without SQLite is named", async () => {
  const lookup = jest.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  const attempt = startControlPlane().finally(() => {
    lookup.mockRestore();
  });
  await expect(attempt).rejects.toThrow(
    new ControlPlaneError(`the control plane needs Node 22.19 or newer, this is ${process.version}`),
  );
});

test.each([["0.0.0.0"], ["::"], ["192.0.2.1"], ["example.com"]])("the host %s needs expose", async (host) => {
  await expect(startControlPlane({ host })).rejects.toThrow(
    `${host} can be reached from other machines, and the tokens are public: set expose to allow it`,
  );
});

test("closing twice is the same as closing once", async () => {
  const server = await plane();
  await Promise.all([server.close(), server.close()]);
  await expect(perform(server, "listWebhooks")).rejects.toThrow("fetch failed");
});
