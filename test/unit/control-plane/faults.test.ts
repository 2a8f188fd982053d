import { committed, ids, operationNames, perform, plane, send } from "./plane";

test("a status fault answers instead of the operation, for its number of requests", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "rotateWebhookSecret", status: 503, count: 2 }]);
  const statuses = [];
  for (let sent = 0; sent < 3; sent++) statuses.push((await perform(server, "rotateWebhookSecret")).status);
  expect(statuses).toEqual([503, 503, 200]);
  expect(server.control.faults()).toEqual([]);
  expect(server.control.journal()).toMatchObject([
    { status: 503, committed: false, fault: "status" },
    { status: 503, committed: false, fault: "status" },
    { status: 200, committed: true, fault: null },
  ]);
});

test("a fault applies only to its operation, and * applies to all", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "listWebhooks", status: 500 }]);
  expect((await perform(server, "putRetentionPolicy")).status).toBe(200);
  server.control.setFaults([{ operation: "*", status: 500 }]);
  for (const name of operationNames) expect((await perform(server, name)).status).toBe(500);
});

test("a 502 with commit makes the change and answers with a gateway's page", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", status: 502, commit: true }]);
  const answer = await perform(server, "putRetentionPolicy");
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([502, "text/html"]);
  expect(server.control.state().retentionPolicies).toMatchObject([{ resource: "recordings", retention_days: 30 }]);
  expect(server.control.journal()).toMatchObject([{ status: 502, committed: true }]);
});

test.each([7, "Tue, 02 Jun 2026 12:00:07 GMT"])("Retry-After is sent as %j", async (retryAfter) => {
  const server = await plane();
  server.control.setFaults([{ status: 429, retryAfter }]);
  expect((await perform(server, "listWebhooks")).headers.get("Retry-After")).toBe(String(retryAfter));
});

test("a body with a status is any server's answer, and the change is made where the fault says so", async () => {
  const server = await plane();
  server.control.setFaults([{ status: 200, commit: true, body: { success: true, data: null } }]);
  expect((await perform(server, "rotateWebhookSecret")).text).toBe('{"success":true,"data":null}');
  server.control.setFaults([{ status: 401, body: "<p>Log in</p>" }]);
  const page = await perform(server, "rotateWebhookSecret");
  expect([page.status, page.headers.get("Content-Type"), page.text]).toEqual([401, "text/html", "<p>Log in</p>"]);
  expect(committed(server)).toEqual([ids.webhook]);
});

test.each([false, true])("a reset with commit %s leaves no answer", async (commit) => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", connection: "reset", commit }]);
  await expect(perform(server, "clearTrunkOutboundAuth")).rejects.toThrow("fetch failed");
  expect(server.control.state().trunks[0]?.outbound_auth).toBe(commit ? "cleared" : "set");
  expect(server.control.journal()).toMatchObject([{ status: null, committed: commit, fault: "reset" }]);
});

test("a cut answer has its status and half of its body, and the secret is rotated", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", connection: "cut" }]);
  const response = await fetch(`${server.url}/v1/webhooks/${ids.webhook}/rotate-secret`, {
    method: "POST",
    headers: { Authorization: "Bearer vp_dev_full" },
  });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("terminated");
  expect(committed(server)).toEqual([ids.webhook]);
});

test.each([[true], [false]])(
  "a hanging request with commit %s ends only when the control plane closes",
  async (commit) => {
    const server = await plane();
    server.control.setFaults([{ operation: "rotateWebhookSecret", connection: "hang", commit }]);
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
  server.control.setFaults([{ operation: "putRetentionPolicy", latencyMs: 600_000, count: 1 }]);
  const slow = expect(perform(server, "putRetentionPolicy")).rejects.toThrow("fetch failed");
  const hasArrived = () => server.control.faults().length === 0;
  while (!hasArrived()) await perform(server, "listWebhooks");
  expect(server.control.state().retentionPolicies).toEqual([]);
  await server.close();
  await slow;
});

describe("hold and release", () => {
  const rotation = "rotateWebhookSecret";

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("a request held %s its commit waits until it is released", async (hold, before) => {
    const server = await plane();
    server.control.setFaults([{ operation: rotation, hold }]);
    const answer = perform(server, rotation);
    await server.control.held(rotation);
    expect(committed(server)).toHaveLength(before);
    server.control.release(rotation);
    expect((await answer).status).toBe(200);
    expect(committed(server)).toEqual([ids.webhook]);
  });

  test("held waits for the given number of requests, and release is for those of one operation", async () => {
    const server = await plane();
    server.control.setFaults([{ hold: "before" }]);
    const rotations = [perform(server, rotation), perform(server, rotation)];
    const list = perform(server, "listWebhooks");
    await server.control.held(rotation, 2);
    await server.control.held("*", 3);
    server.control.release("listWebhooks");
    expect((await list).status).toBe(200);
    expect(committed(server)).toEqual([]);
    server.control.release();
    expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("with another field, it is lost after its release", async () => {
    const server = await plane();
    server.control.setFaults([{ hold: "before", connection: "reset" }]);
    const lost = expect(perform(server, rotation)).rejects.toThrow("fetch failed");
    await server.control.held();
    server.control.release();
    await lost;
    expect(server.control.journal()).toMatchObject([{ status: null, committed: false, fault: "hold, reset" }]);
  });

  test("over HTTP, for tests of other processes", async () => {
    const server = await plane();
    await send(server, "PUT", "/_control/faults", [{ operation: rotation, hold: "after" }]);
    const answer = perform(server, rotation);
    expect((await send(server, "GET", `/_control/held?operation=${rotation}&count=1`)).status).toBe(200);
    expect(committed(server)).toEqual([ids.webhook]);
    expect((await send(server, "POST", `/_control/release?operation=${rotation}`)).status).toBe(200);
    expect((await answer).status).toBe(200);
  });

  test("after a reset or a close, nothing is carried out and no answer comes", async () => {
    const server = await plane();
    server.control.setFaults([{ hold: "before" }]);
    const first = expect(perform(server, rotation)).rejects.toThrow("fetch failed");
    await server.control.held();
    server.control.reset();
    server.control.release();
    server.control.setFaults([{ hold: "before" }]);
    const second = expect(perform(server, rotation)).rejects.toThrow("fetch failed");
    await server.control.held();
    await server.close();
    server.control.release();
    await Promise.all([first, second]);
    expect(server.control.journal()).toEqual([]);
  });
});

test("a fault with commit does not skip the access checks", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", status: 502, commit: true }]);
  await perform(server, "rotateWebhookSecret", "vp_dev_no_rights");
  expect(server.control.journal()).toMatchObject([{ status: 502, committed: false }]);
});

test("faults do not apply to unknown paths", async () => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", connection: "reset" }]);
  expect((await send(server, "GET", "/nowhere")).status).toBe(404);
});
