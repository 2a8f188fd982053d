import { answerAdmin } from "../../../src/control-plane/admin";
import { ids, perform, plane, send, sendRaw } from "./plane";

const json = { "Content-Type": "application/json" };

test("health answers without a token", async () => {
  const answer = await send(await plane(), "GET", "/_control/health", undefined, { Authorization: "" });
  expect([answer.status, answer.json]).toEqual([200, { status: "ok", dialect: "observed" }]);
});

test("the index lists every route", async () => {
  const answer = await send(await plane(), "GET", "/_control/");
  expect(answer.json).toEqual({
    routes: [
      "GET health",
      "GET state",
      "POST reset",
      "POST seed",
      "GET journal",
      "DELETE journal",
      "GET faults",
      "PUT faults",
      "GET clock",
      "PUT clock",
      "GET counters",
    ],
  });
});

test("an unknown admin route is a 404", async () => {
  expect((await send(await plane(), "POST", "/_control/state")).status).toBe(404);
  expect((await send(await plane(), "GET", "/_control/toString")).status).toBe(404);
});

test("a new control plane holds the objects that examples name", async () => {
  const answer = await send(await plane(), "GET", "/_control/state");
  const { networkPolicies, trunks, webhooks, retentionPolicies } = answer.json as Record<string, { id: string }[]>;
  expect(networkPolicies?.map(({ id }) => id)).toEqual([
    "a0000000-0000-4000-8000-000000000001",
    "a0000000-0000-4000-8000-000000000002",
  ]);
  expect(trunks?.map(({ id }) => id)).toEqual([
    "b0000000-0000-4000-8000-000000000001",
    "b0000000-0000-4000-8000-000000000002",
    "b0000000-0000-4000-8000-000000000003",
  ]);
  expect(webhooks?.map(({ id }) => id)).toEqual([
    "c0000000-0000-4000-8000-000000000001",
    "c0000000-0000-4000-8000-000000000002",
    "c0000000-0000-4000-8000-000000000003",
  ]);
  expect(retentionPolicies).toEqual([]);
});

test("the journal has the requests in order, with bodies as received and names instead of tokens", async () => {
  const server = await plane({ now: () => Date.parse("2026-06-01T12:00:00.000Z") });
  await send(server, "PUT", "/v1/retention-policies/recordings", { retention_days: 30, enabled: true, extra: 1 });
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, "{not json");
  await perform(server, "rotateWebhookSecret", "vp_dev_second_full");

  const answer = await send(server, "GET", "/_control/journal");
  const common = { requestId: expect.any(String) as string, time: "2026-06-01T12:00:00.000Z", fault: null };
  expect(answer.json).toEqual([
    {
      ...common,
      id: 1,
      operation: "putRetentionPolicy",
      method: "PUT",
      path: "/v1/retention-policies/recordings",
      token: "full",
      body: { retention_days: 30, enabled: true, extra: 1 },
      status: 200,
      committed: true,
      refusal: null,
    },
    {
      ...common,
      id: 2,
      operation: "patchNetworkPolicy",
      method: "PATCH",
      path: "/v1/network-policies/a0000000-0000-4000-8000-000000000001",
      token: "full",
      body: "{not json",
      status: 400,
      committed: false,
      refusal: "the body is not JSON",
    },
    {
      ...common,
      id: 3,
      operation: "rotateWebhookSecret",
      method: "POST",
      path: "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
      token: "secondFull",
      body: null,
      status: 200,
      committed: true,
      refusal: null,
    },
  ]);
});

test.each(["observed", "bare"] as const)(
  "in the dialect %s, the journal says why a request was refused",
  async (dialect) => {
    const server = await plane({ dialect });
    await perform(server, "listWebhooks", "nobody");
    await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");
    await send(server, "DELETE", "/v1/trunks/b0000000-0000-4000-8000-00000000ffff/outbound-auth");
    await send(server, "PATCH", "/v1/network-policies/unknown", { name: "HQ" });
    await send(server, "GET", "/nowhere");
    await send(server, "PUT", "/v1/webhooks/");
    await perform(server, "listWebhooks");
    server.control.setFaults([{ operation: "*", effect: "status", status: 502, commit: true }]);
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    server.control.setFaults([{ operation: "*", effect: "status", status: 502 }]);
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    expect(server.control.journal().map(({ status, refusal }) => [status, refusal])).toEqual([
      [401, "a valid bearer token is required"],
      [403, "credential scope required: trunks:write"],
      [404, "trunk not found"],
      [500, "no network policy has this id"],
      [404, "the interface has no such path"],
      [405, "the interface has no such method for this path, only GET"],
      [200, null],
      [502, "credential scope required: webhooks:write"],
      [502, null],
    ]);
  },
);

test("a token in a path or a body is not stored", async () => {
  const server = await plane();
  const own = { Authorization: "Bearer sk-live-123" };
  await send(server, "PATCH", "/v1/network-policies/sk-live-123", { name: "vp_dev_full sk-live-123" }, own);
  const [entry] = server.control.journal();
  expect(entry).toMatchObject({ path: "/v1/network-policies/[token]", body: { name: "[token] [token]" } });
});

test("the journal stores the start of a long or deeply nested body, and stays readable", async () => {
  const server = await plane();
  const path = `/v1/network-policies/${ids.office}`;
  await send(server, "PATCH", path, "[".repeat(100_000) + "]".repeat(100_000));
  await send(server, "PATCH", path, { name: "x".repeat(1_000_000) });
  await send(server, "PATCH", path, "[".repeat(2048) + "]".repeat(2048));
  const answer = await send(server, "GET", "/_control/journal");
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject([
    { body: "[".repeat(4096) + "…" },
    { body: `{"name":"${"x".repeat(4096 - 9)}…` },
    { body: [[[expect.any(Array)]]] },
  ]);
});

test("the journal leaves out admin requests, and DELETE empties it", async () => {
  const server = await plane();
  await perform(server, "listWebhooks");
  expect((await send(server, "GET", "/_control/journal")).json).toHaveLength(1);
  expect((await send(server, "DELETE", "/_control/journal")).json).toEqual([]);
  expect((await send(server, "GET", "/_control/journal")).json).toEqual([]);
});

test("counters count committed requests per operation and per object, without refusals and reads", async () => {
  const server = await plane();
  await perform(server, "rotateWebhookSecret");
  await perform(server, "rotateWebhookSecret");
  await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
  await send(server, "POST", "/v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret");
  await perform(server, "listWebhooks");
  expect((await send(server, "GET", "/_control/counters")).json).toEqual({
    rotateWebhookSecret: {
      total: 3,
      objects: { "c0000000-0000-4000-8000-000000000001": 2, "c0000000-0000-4000-8000-000000000002": 1 },
    },
  });
});

test("a seed adds, replaces and removes the objects that it names, and no others", async () => {
  const server = await plane();
  const seed = {
    retentionPolicies: [{ resource: "recordings", retention_days: 7, enabled: true }],
    trunks: [{ id: ids.trunk.toUpperCase(), name: "Renamed", outbound_auth: "cleared" }],
    remove: [ids.webhook, ids.office],
  };
  expect((await send(server, "POST", "/_control/seed", seed, json)).status).toBe(200);
  const state = server.control.state();
  expect(state.retentionPolicies).toMatchObject([{ resource: "recordings", retention_days: 7 }]);
  expect(state.trunks).toHaveLength(3);
  expect(state.trunks[0]).toMatchObject({ id: ids.trunk, name: "Renamed", outbound_auth: "cleared" });
  expect(state.webhooks.map(({ id }) => id)).not.toContain(ids.webhook);
  expect(state.networkPolicies).toHaveLength(1);
});

test("settings that a seed leaves out do not change", async () => {
  const { control } = await plane();
  control.seed({ organization: { entitlements: { privateNetworking: false }, callerAddress: "192.0.2.1" } });
  control.seed({ organization: { entitlements: { retentionPolicies: false } } });
  expect(control.state().organization).toMatchObject({
    callerAddress: "192.0.2.1",
    entitlements: { privateNetworking: false, retentionPolicies: false },
    retentionPlan: { maxDays: null, available: true },
  });
});

test.each([
  ["POST", "seed", { trunks: [{ id: "", name: 1 }], nonsense: true }, "trunks.0.name"],
  ["POST", "seed", undefined, "expected object"],
  ["POST", "seed", "{", "the body is not JSON"],
  ["PUT", "faults", [{ operation: "nothing", effect: "reset" }], "0.operation"],
  ["PUT", "faults", [{ operation: "*", effect: "status" }], "0.status"],
  [
    "PUT",
    "faults",
    [{ operation: "*", effect: "status", status: 429, retryAfter: { seconds: 9e15, as: "date" } }],
    "0.retryAfter.seconds",
  ],
  ["PUT", "clock", { now: "yesterday" }, "now: Invalid ISO datetime"],
  ["PUT", "clock", {}, "give exactly one of now (ISO 8601), offsetMs and advanceMs (both milliseconds)"],
  ["PUT", "clock", { advanceMs: "5" }, "give exactly one of now"],
  ["PUT", "clock", { advanceMs: 5, offsetMs: 5 }, "give exactly one of now"],
  ["PUT", "clock", { now: "9999-12-31T23:59:59Z" }, "the time has to be in the years 0 to 9998"],
  ["PUT", "clock", { advanceMs: 1e16 }, "the time has to be in the years 0 to 9998"],
  ["PUT", "clock", { offsetMs: -1e16 }, "the time has to be in the years 0 to 9998"],
])("%s %s with %j is a 400 that says where, and changes nothing", async (method, name, body, where) => {
  const server = await plane();
  const before = [server.control.state(), server.control.faults(), server.control.clock().offsetMs];
  const answer = await send(server, method, `/_control/${name}`, body);
  expect(answer.status).toBe(400);
  expect((answer.json as { error: string }).error).toContain(where);
  expect([server.control.state(), server.control.faults(), server.control.clock().offsetMs]).toEqual(before);
});

test("faults are set and shown with their defaults", async () => {
  const server = await plane();
  const answer = await send(server, "PUT", "/_control/faults", [{ operation: "*", effect: "reset", count: 3 }]);
  expect(answer.json).toEqual([
    { operation: "*", effect: "reset", count: 3, probability: 1, latencyMs: 0, commit: false },
  ]);
  expect((await send(server, "GET", "/_control/faults")).json).toEqual(answer.json);
});

test("the clock changes the dates of records, and nothing else", async () => {
  const now = Date.parse("2026-06-01T12:00:00.000Z");
  const server = await plane({ now: () => now });
  const day = 86_400_000;
  const set = await send(server, "PUT", "/_control/clock", { now: "2027-01-01T00:00:00Z" });
  expect(set.json).toEqual({ now: "2027-01-01T00:00:00.000Z", offsetMs: 213.5 * day });
  const moved = await send(server, "PUT", "/_control/clock", { advanceMs: 90 * day });
  expect(moved.json).toMatchObject({ now: "2027-04-01T00:00:00.000Z" });

  const answer = await perform(server, "putRetentionPolicy");
  expect(answer.json).toMatchObject({ data: { updated_at: "2027-04-01T00:00:00.000Z" } });
  expect(answer.headers.get("X-RateLimit-Reset")).toBe("1780315260");

  const back = await send(server, "PUT", "/_control/clock", { offsetMs: 0 });
  expect(back.json).toEqual({ now: "2026-06-01T12:00:00.000Z", offsetMs: 0 });
});

test("the clock cannot be set to a date at which requests would fail, and every operation works at the limits", async () => {
  const server = await plane({ now: () => Date.parse("2026-06-01T12:00:00.000Z") });
  expect(() => {
    server.control.advanceClock(Number.NaN);
  }).toThrow("expected number, received NaN");
  expect(() => {
    server.control.setClock(new Date(8.64e15));
  }).toThrow("the time has to be in the years 0 to 9998");

  for (const now of ["0000-01-01T00:00:00.000Z", "9999-01-01T00:00:00.000Z"]) {
    expect((await send(server, "PUT", "/_control/clock", { now })).json).toMatchObject({ now });
    expect((await perform(server, "listWebhooks")).status).toBe(200);
    expect((await send(server, "GET", "/", undefined, { Accept: "text/html" })).status).toBe(200);
  }
});

test("a reset restores the initial state", async () => {
  const server = await plane();
  const before = server.control.state();
  const fresh = before.trunks.map(({ id, outbound_auth }) => [id, outbound_auth]);
  server.control.setFaults([{ operation: "listWebhooks", effect: "reset" }]);
  server.control.advanceClock(1000);
  server.control.seed({ organization: { callerAddress: "203.0.113.1" }, remove: [ids.webhook] });
  await perform(server, "clearTrunkOutboundAuth");

  expect((await send(server, "POST", "/_control/reset")).status).toBe(200);
  const { control } = server;
  expect(control.state().organization).toEqual(before.organization);
  expect(control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth])).toEqual(fresh);
  expect(control.state().webhooks).toEqual(before.webhooks);
  expect([control.journal(), control.counters(), control.faults(), control.clock().offsetMs]).toEqual([[], {}, [], 0]);
  expect((await perform(server, "clearTrunkOutboundAuth")).headers.get("X-RateLimit-Remaining")).toBe("299");
});

test("the journal's answer has the latest 1,000 requests, and all of them in pages", async () => {
  const server = await plane();
  server.control.seed({ organization: { rateLimits: null } });
  for (let sent = 0; sent < 1001; sent += 77) {
    await Promise.all(Array.from({ length: Math.min(77, 1001 - sent) }, () => perform(server, "listWebhooks")));
  }
  const idsOf = async (query: string) => {
    const { json } = await send(server, "GET", `/_control/journal${query}`);
    return (json as { id: number }[]).map(({ id }) => id);
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  expect(await idsOf("")).toEqual(numbers(2, 1001));
  expect(await idsOf("?after=0")).toEqual(numbers(1, 1000));
  expect(await idsOf("?after=1000")).toEqual([1001]);
  expect(await idsOf("?after=1001")).toEqual([]);
  expect(server.control.journal()).toHaveLength(1001);
  const wrong = await send(server, "GET", "/_control/journal?after=latest");
  expect([wrong.status, wrong.json]).toEqual([400, { error: "after: give the id of an entry, or 0" }]);
});

describe("a page of another site whose name means this machine", () => {
  const headers = { Host: "rebound.example.com", Authorization: "Bearer vp_dev_full" };

  test.each(["/v1/webhooks/", "/elsewhere"])("cannot reach %s, which takes the public tokens", async (path) => {
    const server = await plane();
    const { status, text } = await sendRaw(server, "GET", path, headers);
    expect([status, JSON.parse(text)]).toEqual([
      403,
      {
        error:
          "this control plane accepts loopback host names only, such as 127.0.0.1: start it with --expose to allow others",
      },
    ]);
    expect(server.control.journal()).toEqual([]);
  });

  test.each(["localhost:4010", "[::1]:4010", "127.0.0.2"])("is not one that is called %s", async (Host) => {
    const server = await plane();
    expect((await sendRaw(server, "GET", "/v1/webhooks/", { ...headers, Host })).status).toBe(200);
  });

  test("reaches the interface, and not the admin, of a control plane that is exposed", async () => {
    const server = await plane({ expose: true });
    expect((await sendRaw(server, "GET", "/v1/webhooks/", headers)).status).toBe(200);
    expect((await sendRaw(server, "GET", "/_control/state", headers)).status).toBe(403);
  });
});

describe("the admin is for this machine alone", () => {
  test("another machine is refused", async () => {
    const { control } = await plane();
    const request = { method: "GET", path: "/_control/state", body: "", headers: { host: "localhost:1" } };
    expect(answerAdmin(control, "observed", { ...request, peer: "192.0.2.1" }).status).toBe(403);
    expect(answerAdmin(control, "observed", { ...request, peer: "::ffff:127.0.0.1" }).status).toBe(200);
  });

  test.each([
    [{ Host: "rebound.example.com" }, 403],
    [{ Host: "localhost.example.com:80" }, 403],
    [{ Host: "127.0.0.1", Origin: "https://example.com" }, 403],
    [{ Host: "127.0.0.1", Origin: "null" }, 403],
    [{ Host: "localhost:4010" }, 200],
    [{ Host: "[::1]:4010", Origin: "http://[::1]:4010" }, 200],
    [{ Host: "localhost:4010", Origin: "http://localhost:4011" }, 403],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "cross-site" }, 403],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "same-site" }, 403],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" }, 403],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "something-new" }, 403],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "same-origin" }, 200],
    [{ Host: "localhost:4010", "Sec-Fetch-Site": "none" }, 200],
  ])("a web page's request with %j gets %d", async (headers, status) => {
    const server = await plane();
    expect((await sendRaw(server, "POST", "/_control/reset", headers)).status).toBe(status);
  });
});
