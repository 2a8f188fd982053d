import { createHash } from "node:crypto";
import { ids, errorBody, operationNames, perform, plane, requests, send } from "./plane";

const noon = Date.parse("2026-06-01T12:00:00.000Z");

afterEach(() => jest.restoreAllMocks());

test("a retention policy is created, then replaced with its creation date kept", async () => {
  const now = jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  const path = "/v1/retention-policies/audit_events";

  const created = await send(server, "PUT", path, { retention_days: 3650, enabled: true });
  now.mockReturnValue(noon + 60_000);
  const replaced = await send(server, "PUT", path, { retention_days: 1, enabled: false });

  expect([created.status, replaced.status]).toEqual([200, 200]);
  const unchanging = {
    organization_id: ids.organization,
    resource: "audit_events",
    created_at: "2026-06-01T12:00:00.000Z",
  };
  expect(created.json).toEqual({
    success: true,
    data: { ...unchanging, retention_days: 3650, enabled: true, updated_at: "2026-06-01T12:00:00.000Z" },
  });
  expect(replaced.json).toEqual({
    success: true,
    data: { ...unchanging, retention_days: 1, enabled: false, updated_at: "2026-06-01T12:01:00.000Z" },
  });
  expect(server.control.state().retentionPolicies).toEqual([(replaced.json as { data: unknown }).data]);
});

test.each([
  [{ retention_days: 0, enabled: true }],
  [{ retention_days: 3651, enabled: true }],
  [{ retention_days: 30 }],
  [{ enabled: true }],
  [null],
])("the retention policy %j is refused and nothing is stored", async (body) => {
  const server = await plane();
  const answer = await send(server, "PUT", "/v1/retention-policies/recordings", body);
  expect([answer.status, answer.json]).toMatchObject([400, { success: false, error: { code: "BAD_REQUEST" } }]);
  expect(server.control.state().retentionPolicies).toEqual([]);
});

test("an unknown kind of retention policy is refused", async () => {
  const answer = await send(await plane(), "PUT", "/v1/retention-policies/faxes", {
    retention_days: 30,
    enabled: true,
  });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual(
    errorBody("BAD_REQUEST", "resource must be one of recordings, conversations, audit_events"),
  );
});

test("a network policy changes only the fields that are sent, in canonical form", async () => {
  const now = jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  const path = `/v1/network-policies/${ids.office}`;

  now.mockReturnValue(noon + 60_000);
  const renamed = await send(server, "PATCH", path, { name: "  HQ " });
  const moved = await send(server, "PATCH", path, { source_cidr: "198.51.100.77/24" });

  const record = {
    id: ids.office,
    organization_id: ids.organization,
    name: "HQ",
    action: "allow",
    source_cidr: "203.0.113.0/24",
    status: "active",
    created_at: "2026-06-01T12:00:00.000Z",
    updated_at: "2026-06-01T12:01:00.000Z",
  };
  expect(renamed.status).toBe(200);
  expect(renamed.json).toEqual({ success: true, data: record });
  expect(moved.json).toEqual({ success: true, data: { ...record, source_cidr: "198.51.100.0/24" } });
});

test.each([
  [{ name: " " }, "name must have 1 to 128 bytes"],
  [{ name: "é".repeat(65) }, "name must have 1 to 128 bytes"],
  [{ source_cidr: "10.0.0.0/33" }, "source_cidr must be a network range in CIDR notation"],
  [{ source_cidr: "10.0.0.1" }, "source_cidr must be a network range in CIDR notation"],
])("the network policy %j is refused", async (body, message) => {
  const answer = await send(await plane(), "PATCH", `/v1/network-policies/${ids.office}`, body);
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual(errorBody("BAD_REQUEST", message));
});

test("an unknown network policy answers 500, like a deployed server", async () => {
  const answer = await send(await plane(), "PATCH", "/v1/network-policies/nobody", { name: "HQ" });
  expect(answer.status).toBe(500);
  expect(answer.json).toEqual(errorBody("INTERNAL_ERROR", "internal error"));
});

test("clearing a trunk twice answers an empty 204 twice", async () => {
  const server = await plane();
  const answers = [await perform(server, "clearTrunkOutboundAuth"), await perform(server, "clearTrunkOutboundAuth")];
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [204, ""],
    [204, ""],
  ]);
  expect(server.control.state().trunks[0]).toMatchObject({ id: ids.trunk, outbound_auth: "cleared" });
});

const absent = "00000000-0000-4000-8000-00000000ffff";

test.each([
  ["DELETE", `/v1/trunks/${absent}/outbound-auth`, 404, errorBody("NOT_FOUND", "trunk not found")],
  ["DELETE", "/v1/trunks/carrier-a/outbound-auth", 400, errorBody("BAD_REQUEST", "trunk_id must be a UUID")],
  ["POST", `/v1/webhooks/${absent}/rotate-secret`, 404, errorBody("NOT_FOUND", "webhook not found")],
  ["POST", "/v1/webhooks/crm/rotate-secret", 400, errorBody("BAD_REQUEST", "webhook_id must be a UUID")],
])("%s %s, where there is no such object, is a %d", async (method, path, status, body) => {
  const answer = await send(await plane(), method, path);
  expect([answer.status, answer.json]).toEqual([status, body]);
});

test("a rotation shows 43 characters of base64url once, and moves updated_at", async () => {
  jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  const answer = await perform(server, "rotateWebhookSecret");

  expect(answer.status).toBe(200);
  const { data } = answer.json as { data: { signing_secret: string } };
  expect(answer.json).toEqual({
    success: true,
    data: {
      webhook: {
        id: ids.webhook,
        organization_id: ids.organization,
        url: "https://crm.example.com/voice",
        enabled: true,
        subscribed_events: ["call.completed"],
        consecutive_failures: 0,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-06-01T12:00:00.000Z",
      },
      signing_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
    },
  });
  const everythingElse = JSON.stringify([server.control.state(), server.control.journal(), server.control.counters()]);
  expect(everythingElse).not.toContain(data.signing_secret);
  const digest = createHash("sha256").update(data.signing_secret).digest("hex");
  expect(server.control.state().webhooks[0]?.signing_secret_sha256).toBe(digest);
});

test("webhooks are listed newest first, without secrets", async () => {
  const server = await plane();
  await perform(server, "rotateWebhookSecret");
  const answer = await perform(server, "listWebhooks");
  const { data } = answer.json as { data: { webhooks: { id: string }[] } };
  expect(answer.status).toBe(200);
  expect(data.webhooks.map(({ id }) => id)).toEqual([
    "c0000000-0000-4000-8000-000000000003",
    "c0000000-0000-4000-8000-000000000002",
    "c0000000-0000-4000-8000-000000000001",
  ]);
  expect(data.webhooks[0]).toEqual({
    id: "c0000000-0000-4000-8000-000000000003",
    organization_id: ids.organization,
    url: "https://retired.example.com/voice",
    enabled: false,
    subscribed_events: [],
    consecutive_failures: 0,
    disabled_at: "2026-03-01T00:00:00.000Z",
    created_at: "2026-03-01T00:00:00.000Z",
    updated_at: "2026-03-01T00:00:00.000Z",
  });
  expect(answer.text).not.toContain("secret");
});

test("an object from a seed is found by its id, whatever the id's format", async () => {
  const server = await plane();
  server.control.seed({
    trunks: [{ id: "carrier a", name: "A" }],
    webhooks: [{ id: "wh_1", url: "https://a.example.com" }],
  });
  expect((await send(server, "DELETE", "/v1/trunks/carrier%20a/outbound-auth")).status).toBe(204);
  expect((await send(server, "POST", "/v1/webhooks/wh_1/rotate-secret")).status).toBe(200);
  expect(server.control.counters()).toMatchObject({
    clearTrunkOutboundAuth: { objects: { "carrier a": 1 } },
    rotateWebhookSecret: { objects: { wh_1: 1 } },
  });
});

test("a UUID in another letter case is the same object", async () => {
  const server = await plane();
  await send(server, "DELETE", `/v1/trunks/${ids.trunk.toUpperCase()}/outbound-auth`);
  await send(server, "DELETE", `/v1/trunks/${ids.trunk}/outbound-auth`);
  expect(server.control.counters()).toEqual({ clearTrunkOutboundAuth: { total: 2, objects: { [ids.trunk]: 2 } } });
});

describe("every operation", () => {
  const ofObject = operationNames.filter((name) => name !== "listWebhooks");

  test.each(ofObject)("%s refuses an object that there is none of, and changes nothing", async (name) => {
    const server = await plane();
    const before = server.control.state();
    const [method, path, body] = requests[name];
    const other = path.replace(/recordings|[\da-f]{8}-[\da-f-]{27}/, "none");
    expect(other).not.toBe(path);
    const answer = await send(server, method, other, body);
    expect([400, 404, 500]).toContain(answer.status);
    expect(answer.json).toMatchObject({ success: false });
    expect(server.control.state()).toEqual(before);
  });

  const members = operationNames.flatMap((name) => Object.keys(requests[name][2] ?? {}).map((key) => [name, key]));

  test.each(members as [(typeof operationNames)[number], string][])(
    "%s refuses a wrong %s, and changes nothing",
    async (name, key) => {
      const server = await plane();
      const before = server.control.state();
      const [method, path, body] = requests[name];
      const answer = await send(server, method, path, { ...body, [key]: [[1]] });
      expect([answer.status, answer.json]).toMatchObject([400, { success: false }]);
      expect(server.control.state()).toEqual(before);
    },
  );
});
