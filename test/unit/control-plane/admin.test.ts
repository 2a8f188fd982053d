import { ids, perform, plane, send } from "./plane";

test("an unknown route is a 404 that names the others", async () => {
  const server = await plane();
  for (const [method, name] of [
    ["POST", "state"],
    ["GET", "toString"],
    ["GET", ""],
  ] as const) {
    const answer = await send(server, method, `/_control/${name}`, undefined, { Authorization: "" });
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining("GET state, POST reset, POST seed")]);
  }
});

test("the journal has the requests in order, with names instead of tokens, and no requests to the admin", async () => {
  const server = await plane();
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, "{not json");
  await perform(server, "putRetentionPolicy");
  await perform(server, "rotateWebhookSecret", "vp_dev_second_full");
  expect((await send(server, "GET", "/_control/journal")).json).toMatchObject([
    { operation: "patchNetworkPolicy", body: null, status: 400, committed: false },
    { operation: "putRetentionPolicy", body: { retention_days: 30, enabled: true }, token: "full" },
    {
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      operation: "rotateWebhookSecret",
      method: "POST",
      path: `/v1/webhooks/${ids.webhook}/rotate-secret`,
      token: "secondFull",
      body: null,
      status: 200,
      committed: true,
      refusal: null,
      fault: null,
    },
  ]);
  expect(server.control.journal()).toHaveLength(3);
});

test("the journal says why a request was refused, also where the answer does not", async () => {
  const server = await plane();
  await send(server, "PATCH", "/v1/network-policies/unknown", { name: "HQ" });
  await send(server, "GET", "/nowhere");
  server.control.setFaults([{ status: 502, commit: true }]);
  await perform(server, "rotateWebhookSecret", "vp_dev_no_rights");
  expect(server.control.journal().map(({ status, refusal }) => [status, refusal])).toEqual([
    [500, "no object has this id"],
    [404, "the interface has no such path or method"],
    [502, "credential scope required: webhooks:write"],
  ]);
});

test("a token in a path or a body is not stored", async () => {
  const server = await plane();
  const own = { Authorization: "Bearer sk-live-123" };
  await send(server, "PATCH", "/v1/network-policies/sk-live-123", { name: "my sk-live-123" }, own);
  const [entry] = server.control.journal();
  expect(entry).toMatchObject({ path: "/v1/network-policies/[token]", body: { name: "my [token]" } });
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
  ["POST", "seed", "{", "in JSON at position 1"],
  ["PUT", "faults", [{ operation: "nothing", connection: "reset" }], "0.operation"],
  ["PUT", "faults", [{ effect: "reset" }], '0: Unrecognized key: "effect"'],
  ["PUT", "faults", [{ status: 429, retryAfter: "7\r\nX-Evil: 1" }], "0.retryAfter"],
  ["PUT", "clock", { now: "yesterday" }, "expected date"],
  ["POST", "release?operation=nothing", undefined, "operation"],
])("%s %s with %j is a 400 that says where, and changes nothing", async (method, name, body, where) => {
  const server = await plane();
  const before = [server.control.state(), server.control.faults(), server.control.clock().offsetMs];
  const answer = await send(server, method, `/_control/${name}`, body);
  expect(answer.status).toBe(400);
  expect((answer.json as { error: string }).error).toContain(where);
  expect([server.control.state(), server.control.faults(), server.control.clock().offsetMs]).toEqual(before);
});

test("the clock is set, and changes the dates of records", async () => {
  const server = await plane();
  await send(server, "PUT", "/_control/clock", { now: "2027-01-01T00:00:00Z" });
  const answer = await perform(server, "putRetentionPolicy");
  const { data } = answer.json as { data: { updated_at: string } };
  expect(data.updated_at).toMatch(/^2027-01-01T00:/);
});

test("a reset restores the initial state", async () => {
  const server = await plane();
  const { control } = server;
  const fresh = control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth]);
  control.setFaults([{ operation: "listWebhooks", connection: "reset" }]);
  control.setClock("2027-01-01");
  await perform(server, "clearTrunkOutboundAuth");
  expect((await send(server, "POST", "/_control/reset")).status).toBe(200);
  expect(control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth])).toEqual(fresh);
  expect([control.journal(), control.faults(), control.clock().offsetMs]).toEqual([[], [], 0]);
});

test("the page is a file", async () => {
  const page = await send(await plane(), "GET", "/");
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.text).toContain("<h1>voiceplane control plane</h1>");
});
