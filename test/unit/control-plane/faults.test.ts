import { operationNames, perform, plane, send } from "./plane";

test("a status fault answers instead of the operation, for its number of requests", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "rotateWebhookSecret", effect: "status", status: 503, count: 2 }]);
  const statuses = [];
  for (let sent = 0; sent < 3; sent++) statuses.push((await perform(server, "rotateWebhookSecret")).status);
  expect(statuses).toEqual([503, 503, 200]);
  expect(server.control.counters()).toEqual({
    rotateWebhookSecret: { total: 1, objects: { "c0000000-0000-4000-8000-000000000001": 1 } },
  });
  expect(server.control.faults()).toEqual([]);
  expect(server.control.journal()).toMatchObject([
    { status: 503, committed: false, fault: "status" },
    { status: 503, committed: false, fault: "status" },
    { status: 200, committed: true, fault: null },
  ]);
});

test("a fault applies only to its operation, and * applies to all", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "listWebhooks", effect: "status", status: 500 }]);
  expect((await perform(server, "putRetentionPolicy")).status).toBe(200);
  server.control.setFaults([{ operation: "*", effect: "status", status: 500 }]);
  for (const name of operationNames) expect((await perform(server, name)).status).toBe(500);
});

test("a 502 with commit makes the change and answers with a gateway's page", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "status", status: 502, commit: true }]);
  const answer = await perform(server, "putRetentionPolicy");
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([502, "text/html"]);
  expect(server.control.state().retentionPolicies).toMatchObject([{ resource: "recordings", retention_days: 30 }]);
  expect(server.control.journal()).toMatchObject([{ status: 502, committed: true }]);
});

test("Retry-After comes in seconds, or as a date that counts from the answer's own Date, which the clock moves", async () => {
  const server = await plane({ now: () => Date.parse("2026-06-01T12:00:00.000Z") });
  const fault = { operation: "*", effect: "status", status: 429 } as const;
  server.control.setFaults([{ ...fault, retryAfter: { seconds: 7 } }]);
  expect((await perform(server, "listWebhooks")).headers.get("Retry-After")).toBe("7");
  server.control.setFaults([{ ...fault, retryAfter: { seconds: 7, as: "date" } }]);
  server.control.advanceClock(86_400_000);
  const { headers } = await perform(server, "listWebhooks");
  expect([headers.get("Date"), headers.get("Retry-After")]).toEqual([
    "Tue, 02 Jun 2026 12:00:00 GMT",
    "Tue, 02 Jun 2026 12:00:07 GMT",
  ]);
});

test.each([
  [false, {}],
  [true, { clearTrunkOutboundAuth: { total: 1, objects: { "b0000000-0000-4000-8000-000000000001": 1 } } }],
])("a reset with commit %s leaves no answer", async (commit, counters) => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "reset", commit }]);
  await expect(perform(server, "clearTrunkOutboundAuth")).rejects.toThrow("fetch failed");
  expect(server.control.counters()).toEqual(counters);
  expect(server.control.journal()).toMatchObject([{ status: null, committed: commit, fault: "reset" }]);
});

test("a cut answer has its status and half of its body, and the secret is rotated", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "cut" }]);
  const response = await fetch(`${server.url}/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret`, {
    method: "POST",
    headers: { Authorization: "Bearer vp_dev_full" },
  });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("terminated");
  expect(server.control.counters().rotateWebhookSecret?.total).toBe(1);
});

test("a cut answer without a body is a reset", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "cut" }]);
  await expect(perform(server, "clearTrunkOutboundAuth")).rejects.toThrow("fetch failed");
  expect(server.control.counters().clearTrunkOutboundAuth?.total).toBe(1);
});

test.each([[true], [false]])(
  "a hanging request with commit %s ends only when the control plane closes",
  async (commit) => {
    const server = await plane();
    server.control.setFaults([{ operation: "rotateWebhookSecret", effect: "hang", commit }]);
    const hanging = expect(perform(server, "rotateWebhookSecret")).rejects.toThrow("fetch failed");
    const met = () => server.control.journal().find(({ fault }) => fault === "hang");
    while (met() === undefined) await perform(server, "listWebhooks");
    expect(met()).toMatchObject({ status: null, committed: commit });
    await server.close();
    await hanging;
  },
);

test("latency comes before the change, and closing does not wait for it", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "putRetentionPolicy", effect: "latency", latencyMs: 600_000, count: 1 }]);
  const slow = expect(perform(server, "putRetentionPolicy")).rejects.toThrow("fetch failed");
  const hasArrived = () => server.control.faults().length === 0;
  while (!hasArrived()) await perform(server, "listWebhooks");
  expect(server.control.state().retentionPolicies).toEqual([]);
  await server.close();
  await slow;
});

test("a slow request is answered", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "latency", latencyMs: 1 }]);
  expect((await perform(server, "putRetentionPolicy")).status).toBe(200);
});

test("a probability is decided by the random source", async () => {
  const draws = [0.5, 0.49];
  const server = await plane({ random: () => draws.shift() ?? 1 });
  server.control.setFaults([{ operation: "*", effect: "status", status: 500, probability: 0.5 }]);
  expect((await perform(server, "listWebhooks")).status).toBe(200);
  expect((await perform(server, "listWebhooks")).status).toBe(500);
});

test("a fault with commit does not skip the access checks", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "status", status: 502, commit: true }]);
  await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
  expect(server.control.counters()).toEqual({});
  expect(server.control.journal()).toMatchObject([{ status: 502, committed: false }]);
});

test("faults do not apply to unknown paths", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "reset" }]);
  expect((await send(server, "GET", "/nowhere")).status).toBe(404);
});
