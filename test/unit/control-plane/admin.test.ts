import { ids, perform, plane, send } from "./plane";

test("GET / says in text what the tokens and the routes are", async () => {
  const server = await plane();
  const answer = await send(server, "GET", "/");
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.text).toContain(`control plane at ${server.url} (`);
  expect(answer.text).toContain("  vp_dev_no_rights    lacks the right of every operation\n");
  expect(answer.text).toContain("  GET /_control/held\n");
});

test("health answers without a token, and an unknown admin route is a 404", async () => {
  const server = await plane();
  expect((await send(server, "GET", "/_control/health", undefined, { Authorization: "" })).json).toEqual({
    status: "ok",
  });
  expect((await send(server, "POST", "/_control/state")).status).toBe(404);
  expect((await send(server, "GET", "/_control/toString")).status).toBe(404);
});

test("the journal has the requests in order, with names instead of tokens, and no value of an unknown field", async () => {
  const server = await plane();
  const body = { retention_days: 30, enabled: true, extra: "a secret", nested: { name: ["a secret"] } };
  await send(server, "PUT", "/v1/retention-policies/recordings", body);
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, "{not json");
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, '"a secret"');
  await perform(server, "rotateWebhookSecret", "vp_dev_second_full");

  const answer = await send(server, "GET", "/_control/journal");
  expect(answer.text).not.toContain("a secret");
  expect(answer.json).toMatchObject([
    { operation: "putRetentionPolicy", body: { retention_days: 30, enabled: true, extra: "…", nested: "…" } },
    { body: "(not JSON)", status: 400, committed: false, refusal: "the body is not JSON" },
    { body: "…", status: 400 },
    {
      id: 4,
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      operation: "rotateWebhookSecret",
      method: "POST",
      path: "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
      token: "secondFull",
      body: null,
      status: 200,
      committed: true,
      refusal: null,
      fault: null,
    },
  ]);
  expect((await send(server, "GET", "/_control/journal?after=3")).json).toEqual((answer.json as unknown[]).slice(3));
});

test("the journal says why a request was refused, where the answer does not", async () => {
  const server = await plane();
  await send(server, "PATCH", "/v1/network-policies/unknown", { name: "HQ" });
  await send(server, "GET", "/nowhere");
  await send(server, "PUT", "/v1/webhooks/");
  server.control.setFaults([{ status: 502, commit: true }]);
  await perform(server, "rotateWebhookSecret", "vp_dev_no_rights");
  expect(server.control.journal().map(({ status, refusal }) => [status, refusal])).toEqual([
    [500, "no network policy has this id"],
    [404, "the interface has no such path"],
    [405, "the interface has no such method for this path, only GET"],
    [502, "credential scope required: webhooks:write"],
  ]);
});

test("a token in a path or a body is not stored", async () => {
  const server = await plane();
  const own = { Authorization: "Bearer sk-live-123" };
  await send(server, "PATCH", "/v1/network-policies/sk-live-123", { name: "vp_dev_full sk-live-123" }, own);
  const [entry] = server.control.journal();
  expect(entry).toMatchObject({ path: "/v1/network-policies/[token]", body: { name: "[token] [token]" } });
});

test("the journal leaves out admin requests, and DELETE empties it", async () => {
  const server = await plane();
  await perform(server, "listWebhooks");
  expect((await send(server, "GET", "/_control/journal")).json).toHaveLength(1);
  await send(server, "DELETE", "/_control/journal");
  expect((await send(server, "GET", "/_control/journal")).json).toEqual([]);
});

test("counters count committed requests per operation and per object, without refusals and reads", async () => {
  const server = await plane();
  await perform(server, "rotateWebhookSecret");
  await perform(server, "rotateWebhookSecret");
  await perform(server, "rotateWebhookSecret", "vp_dev_no_rights");
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
  expect((await send(server, "POST", "/_control/seed", seed)).status).toBe(200);
  const state = server.control.state();
  expect(state.retentionPolicies).toMatchObject([{ resource: "recordings", retention_days: 7 }]);
  expect(state.trunks).toHaveLength(3);
  expect(state.trunks[0]).toMatchObject({ id: ids.trunk, name: "Renamed", outbound_auth: "cleared" });
  expect(state.webhooks.map(({ id }) => id)).not.toContain(ids.webhook);
  expect(state.networkPolicies).toHaveLength(1);
});

test.each([
  ["POST", "seed", { trunks: [{ id: "", name: 1 }], nonsense: true }, "trunks.0.name"],
  ["POST", "seed", undefined, "expected object"],
  ["POST", "seed", "{", "in JSON at position 1"],
  ["PUT", "faults", [{ operation: "nothing", connection: "reset" }], "0.operation"],
  [
    "PUT",
    "faults",
    [{ effect: "reset" }],
    "0: no such key: effect; known are operation, count, latencyMs, hold, status, body, retryAfter, connection, commit",
  ],
  ["PUT", "faults", [{ status: 429, retryAfter: "7\r\nX-Evil: 1" }], "0.retryAfter"],
  ["PUT", "clock", { now: "yesterday" }, "now: Invalid ISO datetime"],
  ["PUT", "clock", { advanceMs: 1e16 }, "the time has to be in the years 0 to 9998"],
  ["POST", "release?operation=nothing", undefined, "operation"],
])("%s %s with %j is a 400 that says where, and changes nothing", async (method, name, body, where) => {
  const server = await plane();
  const before = [server.control.state(), server.control.faults(), server.control.clock().offsetMs];
  const answer = await send(server, method, `/_control/${name}`, body);
  expect(answer.status).toBe(400);
  expect((answer.json as { error: string }).error).toContain(where);
  expect([server.control.state(), server.control.faults(), server.control.clock().offsetMs]).toEqual(before);
});

test("the clock is set and moved, and changes the dates of records", async () => {
  const server = await plane();
  await send(server, "PUT", "/_control/clock", { now: "2027-01-01T00:00:00Z" });
  await send(server, "PUT", "/_control/clock", { advanceMs: 90 * 86_400_000 });
  const answer = await perform(server, "putRetentionPolicy");
  const { data } = answer.json as { data: { updated_at: string } };
  expect(data.updated_at).toMatch(/^2027-04-01T00:/);
  expect(() => {
    server.control.setClock("never");
  }).toThrow("the time has to be in the years 0 to 9998");
});

test("a reset restores the initial state", async () => {
  const server = await plane();
  const { control } = server;
  const fresh = control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth]);
  control.setFaults([{ operation: "listWebhooks", connection: "reset" }]);
  control.advanceClock(1000);
  await perform(server, "clearTrunkOutboundAuth");
  expect((await send(server, "POST", "/_control/reset")).status).toBe(200);
  expect(control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth])).toEqual(fresh);
  expect([control.journal(), control.counters(), control.faults(), control.clock().offsetMs]).toEqual([[], {}, [], 0]);
});

test.each(["page.css", "page.js"])("the page and its %s are files", async (name) => {
  const server = await plane();
  const page = await send(server, "GET", "/", undefined, { Accept: "text/html" });
  expect(page.text).toContain(`"/_control/${name}"`);
  expect((await send(server, "GET", `/_control/${name}`)).status).toBe(200);
});
