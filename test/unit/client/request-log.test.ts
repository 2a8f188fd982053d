import fs, { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../../../src/client/client.js";
import { ConfigError } from "../../../src/client/errors.js";
import type { EndedAttempt } from "../../../src/client/observers.js";
import { rotateWebhookSecret } from "../../../src/client/operations.js";
import { parseRequestLog, requestLog, type RequestLog } from "../../../src/client/request-log.js";
import { temporaryFolder } from "../../support/folders";
import { FakeTime } from "../../support/client/fake-time.js";
import { answer, success } from "../../support/client/raw-server.js";
import { cleanUpAfterEach, failureOf, onCleanUp, serve } from "../../support/client/setup.js";

cleanUpAfterEach();

const folder = temporaryFolder();

const rotation: EndedAttempt = {
  operation: "rotateWebhookSecret",
  method: "POST",
  address: "https://api.example.com",
  path: "/v1/webhooks/crm/rotate-secret",
  number: 1,
  startedAt: Date.parse("2026-11-20T12:00:00.000Z"),
  endedAt: Date.parse("2026-11-20T12:00:01.500Z"),
  result: "answered",
  status: 200,
  code: undefined,
  outcome: "success",
};

const now = () => new Date("2026-11-20T12:00:02Z");
const id = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const earlierId = "16fd2706-8baf-433b-82eb-8c7fada847da";
const announced = {
  id,
  since: null,
  operation: "rotateWebhookSecret",
  method: "POST",
  path: rotation.path,
  number: 1,
} as const;
const put = {
  id,
  operation: "putRetentionPolicy",
  method: "PUT",
  path: "/v1/retention-policies/recordings",
  number: 1,
} as const;
const ended = { ...rotation, id, since: earlierId };
let files = 0;
const newFile = () => join(folder, `requests-${files++}`);

/** The log of the file. */
function logOf(file: string): RequestLog {
  const log = requestLog(file, { organization: "acme", now });
  if (log === undefined) throw new Error("no log");
  return log;
}

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("each attempt is a line of JSON in a file for its owner alone, and one of a change has a line before it", () => {
  const file = newFile();
  const log = logOf(file);
  log.announce({ ...announced, since: earlierId });
  log.ended(ended, new Date("2026-11-20T12:00:05Z"));
  const listed = { ...rotation, id, operation: "listWebhooks", method: "GET", path: "/v1/webhooks/" } as const;
  log.announce({ ...listed, number: 1 });
  log.ended({ ...listed, result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" }, undefined);
  log.announce(put);
  const common = { organization: "acme", time: "2026-11-20T12:00:02.000Z", attempt: 1 };
  expect(linesOf(file)).toEqual([
    {
      ...common,
      ...{ id, intent: true, since: earlierId },
      ...{ operation: "rotateWebhookSecret", method: "POST", path: "/v1/webhooks/crm/rotate-secret" },
    },
    {
      ...common,
      ...{ id, since: earlierId, ms: 1500 },
      ...{ operation: "rotateWebhookSecret", method: "POST", path: "/v1/webhooks/crm/rotate-secret" },
      ...{ result: "answered", status: 200, succeeded: true, outcome: "success" },
      serverTime: "2026-11-20T12:00:05.000Z",
    },
    {
      ...common,
      ...{ id, operation: "listWebhooks", method: "GET", path: "/v1/webhooks/", ms: 1500 },
      ...{ result: "lost", code: "ECONNRESET", succeeded: false, outcome: "unknown" },
    },
    { ...common, id, intent: true, ...{ operation: put.operation, method: "PUT", path: put.path } },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the line before a rotation is on the disk before the request leaves; the others are written when the system likes", () => {
  const log = logOf(newFile());
  const append = jest.spyOn(fs, "appendFileSync");
  log.announce(announced);
  log.ended(ended, undefined);
  log.announce({ ...announced, operation: "patchNetworkPolicy", method: "PATCH", path: "/v1/network-policies/np-1" });
  const flushed = append.mock.calls.map(([, , options]) => typeof options === "object" && options?.flush);
  append.mockRestore();
  expect(flushed).toEqual([true, false, false]);
});

test("without a file nothing is logged", () => {
  expect([requestLog(undefined), requestLog("")]).toEqual([undefined, undefined]);
});

test("if the file cannot be written, a setting is sent all the same, and a rotation is refused before it is sent", () => {
  const file = join(folder, "missing", "requests");
  const log = logOf(file);
  expect(() => {
    log.announce(put);
    log.ended(ended, undefined);
  }).not.toThrow();
  const refused = new ConfigError([
    `POST /v1/webhooks/crm/rotate-secret was not sent: the request log ${file} cannot be written (ENOENT), and without ` +
      "a line there, nobody would know of the rotation if this process died.",
  ]);
  expect(() => {
    log.announce(announced);
  }).toThrow(refused);
});

const readFile = (file: string) => parseRequestLog(readFileSync(file, "utf8"));
/** The attempts, and how many lines cannot be read. */
const outcomesIn = (file: string) => {
  const { attempts, unreadable } = readFile(file);
  return [...attempts.map(({ object, outcome }) => `${object} ${outcome}`), unreadable];
};
const rotationPath = "/v1/webhooks/crm/rotate-secret";
const other = (number: number) => id.replace(/^./, String(number));

test("an attempt that was announced and has no answer is read as unanswered; one that ended is read once", () => {
  const file = newFile();
  const log = logOf(file);
  log.announce({ ...announced, since: earlierId });
  log.ended(ended, undefined);
  log.announce({ ...announced, id: other(1), path: "/v1/webhooks/a%20b/rotate-secret" });
  const facts = { operation: "rotateWebhookSecret", organization: "acme", time: "2026-11-20T12:00:02.000Z" };
  const none = { status: undefined, serverTime: undefined };
  expect(readFile(file)).toEqual({
    attempts: [
      { ...facts, ...none, id, since: earlierId, object: "crm", succeeded: true, outcome: "success", status: 200 },
      { ...facts, ...none, id: other(1), since: null, object: "a b", succeeded: false, outcome: "unanswered" },
    ],
    unreadable: 0,
  });
  expect(parseRequestLog("")).toEqual({ attempts: [], unreadable: 0 });
});

test("wherever a line is cut, the lines around it are read, and what cannot be known of it is counted", () => {
  const file = newFile();
  const log = logOf(file);
  log.announce(announced);
  log.ended(ended, undefined);
  log.announce(put);
  const [intent = "", answer = "", ofPut = ""] = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const last = { ...announced, id: other(1), path: "/v1/webhooks/billing/rotate-secret" };
  for (const [line, path, object] of [
    [intent, rotationPath, "crm"],
    [ofPut, put.path, "recordings"],
  ] as const) {
    const pathEnd = line.indexOf(path) + path.length + 1;
    for (let length = 1; length < line.length; length++) {
      writeFileSync(file, `\n${line.slice(0, length)}`);
      log.announce(last);
      const known = length >= pathEnd ? [`${object} unanswered`, "billing unanswered", 0] : ["billing unanswered", 1];
      expect([length, ...outcomesIn(file)]).toEqual([length, ...known]);
    }
  }
  const idEnd = `{"id":"${id}"`.length;
  for (let length = 1; length < answer.length; length++) {
    writeFileSync(file, `\n${intent}\n\n${answer.slice(0, length)}`);
    log.announce(last);
    const unreadable = length >= idEnd ? 0 : 1;
    expect([length, ...outcomesIn(file)]).toEqual([length, "crm unanswered", "billing unanswered", unreadable]);
  }
});

test("a line that is neither an attempt nor the line before one is counted as unreadable", () => {
  const file = newFile();
  const line = {
    id: "1",
    since: null,
    operation: "rotateWebhookSecret",
    path: rotationPath,
    time: "2026-11-20T12:00:00Z",
  };
  const intent = { ...line, intent: true };
  const answer = { ...line, result: "answered", outcome: "success", status: 200 };
  const others = [
    line,
    { ...intent, id: undefined },
    { ...intent, since: undefined },
    { ...intent, since: 1 },
    { ...intent, intent: "yes" },
    { ...intent, intent: {} },
    { ...intent, path: "/v1/webhooks/%E0%A4%A/rotate-secret" },
    { ...intent, organization: {} },
    { ...answer, id: undefined },
    { ...answer, since: undefined },
    { ...answer, result: undefined },
    { ...answer, outcome: undefined },
    { ...answer, operation: "constructor" },
    { ...answer, operation: undefined },
    { ...answer, path: undefined },
    { ...answer, time: 1763640000 },
    [answer],
    "text",
    null,
  ];
  const cut = `note: {"id":"1","intent":true,"since":null,"operation":"rotateWebhookSecret","path":"${rotationPath}"`;
  writeFileSync(file, [...others.map((each) => JSON.stringify(each)), cut].join("\n"));
  expect(readFile(file)).toEqual({ attempts: [], unreadable: others.length + 1 });
  expect(parseRequestLog([intent, answer].map((each) => JSON.stringify(each)).join("\n"))).toMatchObject({
    ...{ attempts: [{ outcome: "success" }], unreadable: 0 },
  });
});

test("without a clock of its own, the log has this machine's time", () => {
  const file = newFile();
  const log = requestLog(file);
  const before = Date.now();
  log?.announce(announced);
  log?.ended(ended, undefined);
  const after = Date.now();
  const times = linesOf(file).map(({ time }) => Date.parse(String(time)));
  expect(times).toHaveLength(2);
  for (const time of times) {
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(after);
  }
});

describe("with VOICEPLANE_REQUEST_LOG", () => {
  const token = "vp_test/4f9c+1d7e2b";

  async function clientWith(file: string, script: Parameters<typeof serve>[0]) {
    const { server } = await serve(script);
    process.env.VOICEPLANE_REQUEST_LOG = file;
    onCleanUp(() => Promise.resolve(void Reflect.deleteProperty(process.env, "VOICEPLANE_REQUEST_LOG")));
    const client = new Client(
      { baseUrl: server.baseUrl, token },
      Object.assign(new FakeTime(), { organization: "acme" }),
    );
    onCleanUp(() => client.close());
    return { client, server };
  }

  test("each attempt of a rotation is two lines, with the organization and the server's time, and without the token", async () => {
    const file = newFile();
    const script = [
      answer(429, "{}", { "retry-after": "3", date: "Thu, 01 Jan 2026 00:00:00 GMT" }),
      answer(200, '{"data":{"signing_secret":"whsec_0123456789"}}', { date: "Thu, 01 Jan 2026 00:00:05 GMT" }),
    ];
    const { client } = await clientWith(file, script);
    await rotateWebhookSecret(client, token);
    const lines = linesOf(file);
    const path = "/v1/webhooks/[redacted]/rotate-secret";
    const common = { organization: "acme", operation: "rotateWebhookSecret", method: "POST", path };
    expect(lines).toMatchObject([
      { ...common, attempt: 1, intent: true },
      { ...common, attempt: 1, status: 429, succeeded: false, serverTime: "2026-01-01T00:00:00.000Z" },
      { ...common, attempt: 2, intent: true },
      { ...common, attempt: 2, status: 200, succeeded: true, serverTime: "2026-01-01T00:00:05.000Z" },
    ]);
    const [first, , second] = lines.map(({ id }) => id);
    expect(lines.map(({ id }) => id)).toEqual([first, first, second, second]);
    expect(first).not.toBe(second);
    expect(readFileSync(file, "utf8")).not.toMatch(/vp_test|whsec/);
  });

  test("a rotation whose line cannot be written is not sent", async () => {
    const { client, server } = await clientWith(join(folder, "missing", "requests"), [success(null)]);
    await failureOf(rotateWebhookSecret(client, "wh_1"), ConfigError);
    expect(server.requests).toEqual([]);
  });
});
