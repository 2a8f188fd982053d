import { errorBody, ids, operationNames, perform, plane, send, sendRaw } from "./plane";

const authorization = { Authorization: "Bearer vp_dev_full" };

test("every answer has its own request id, and the journal has the same", async () => {
  const server = await plane();
  const answers = [
    await perform(server, "putRetentionPolicy"),
    await perform(server, "listWebhooks", "nobody"),
    await send(server, "GET", "/nowhere"),
    await send(server, "PUT", "/v1/webhooks/"),
  ];
  const given = answers.map(({ headers }) => headers.get("X-Request-ID"));
  expect(new Set(given).size).toBe(4);
  expect(server.control.journal().map(({ requestId }) => requestId)).toEqual(given);
});

test.each([
  ["/"],
  ["/v1/webhooks"],
  ["/v1/trunks//outbound-auth"],
  ["/v1/retention-policies/recordings/"],
  ["/v2/webhooks/"],
])("the unknown path %s is a 404 that is not JSON", async (path) => {
  const answer = await send(await plane(), "GET", path);
  expect([answer.status, answer.headers.get("Content-Type"), answer.text]).toEqual([
    404,
    "text/plain",
    "404 page not found\n",
  ]);
});

test("an unknown method is an empty 405, without a token too", async () => {
  const answer = await send(await plane(), "GET", `/v1/trunks/${ids.trunk}/outbound-auth`, undefined, {
    Authorization: "",
  });
  expect([answer.status, answer.text, answer.headers.get("Allow")]).toEqual([405, "", "DELETE"]);
});

test("the path is used as sent: dot segments are not resolved, slashes are not merged", async () => {
  const server = await plane();
  const paths = ["/v1/x/../webhooks/", "//v1/webhooks/", "/v1/./webhooks/"];
  const answers = await Promise.all(paths.map((path) => sendRaw(server, "GET", path, authorization)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("a query is not part of the path", async () => {
  expect((await send(await plane(), "GET", "/v1/webhooks/?page=2")).status).toBe(200);
});

test("an encoded path parameter is decoded once, and a badly encoded one is a 400", async () => {
  const server = await plane();
  server.control.seed({ networkPolicies: [{ id: "a/b %41", name: "Odd", source_cidr: "192.0.2.0/24" }] });
  expect((await send(server, "PATCH", "/v1/network-policies/a%2Fb%20%2541", { name: "Even" })).status).toBe(200);
  const bad = await sendRaw(server, "DELETE", "/v1/trunks/%zz/outbound-auth", authorization);
  expect([bad.status, JSON.parse(bad.text)]).toEqual([
    400,
    errorBody("BAD_REQUEST", "the path is not percent-encoded correctly"),
  ]);
});

test.each([
  ["no JSON", "{", "application/json", 400, "the body is not JSON"],
  ["nothing", "", "application/json", 400, "the body is not JSON"],
  ["another type", "{}", "text/plain", 400, "Content-Type must be application/json"],
  ["too much", " ".repeat(1024 * 1024 + 1), "application/json", 413, "the body is too large"],
])("a body with %s is refused", async (_, body, type, status, message) => {
  const server = await plane();
  const path = "/v1/retention-policies/recordings";
  const answer = await send(server, "PUT", path, body, { "Content-Type": type });
  expect([answer.status, answer.json]).toMatchObject([status, { error: { message } }]);
  expect(server.control.counters()).toEqual({});
});

test("a charset in the content type is accepted", async () => {
  const body = { retention_days: 30, enabled: true };
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  expect((await send(await plane(), "PUT", "/v1/retention-policies/recordings", body, headers)).status).toBe(200);
});

test.each(["observed", "bare"] as const)(
  "in the dialect %s, Date follows the control plane's clock",
  async (dialect) => {
    const server = await plane({ dialect, now: () => Date.parse("2026-06-01T12:00:00.900Z") });
    const dates = async () => [
      (await perform(server, "listWebhooks")).headers.get("Date"),
      (await perform(server, "clearTrunkOutboundAuth", "nobody")).headers.get("Date"),
      (await send(server, "GET", "/nowhere")).headers.get("Date"),
    ];
    expect(await dates()).toEqual(Array(3).fill("Mon, 01 Jun 2026 12:00:00 GMT"));
    server.control.advanceClock(-86_400_000);
    expect(await dates()).toEqual(Array(3).fill("Sun, 31 May 2026 12:00:00 GMT"));
    server.control.setFaults([{ operation: "*", effect: "status", status: 503 }]);
    expect((await dates()).slice(0, 2)).toEqual(Array(2).fill("Sun, 31 May 2026 12:00:00 GMT"));
  },
);

describe("the bare dialect", () => {
  test.each(operationNames)("%s answers without data and is carried out", async (operation) => {
    const server = await plane({ dialect: "bare" });
    const answer = await perform(server, operation);
    expect([answer.status, answer.text]).toEqual([200, '{"success":true,"data":null}']);
    const writes = operation === "listWebhooks" ? undefined : 1;
    expect(server.control.counters()[operation]?.total).toBe(writes);
  });

  test("errors have a status and nothing else", async () => {
    const server = await plane({ dialect: "bare" });
    const answers = [
      await perform(server, "listWebhooks", "nobody"),
      await perform(server, "listWebhooks", "vp_dev_without_webhooks_read"),
      await send(server, "GET", "/nowhere"),
      await send(server, "DELETE", "/v1/trunks/b0000000-0000-4000-8000-00000000ffff/outbound-auth"),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [401, ""],
      [403, ""],
      [404, ""],
      [404, ""],
    ]);
  });

  test("has no headers beyond HTTP's own", async () => {
    const server = await plane({ dialect: "bare" });
    const { headers } = await perform(server, "putRetentionPolicy");
    expect([...headers.keys()].sort()).toEqual(["connection", "content-length", "content-type", "date", "keep-alive"]);
  });
});
