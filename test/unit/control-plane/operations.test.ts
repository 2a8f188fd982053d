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
const [policy, office] = ["/v1/retention-policies/recordings", `/v1/network-policies/${ids.office}`];
const resources = "resource must be one of recordings, conversations, audit_events";
const noRange = "source_cidr must be a network range in CIDR notation";

test.each([
  ["PUT", policy, { retention_days: 0, enabled: true }, 400, "retention_days: Too small: expected number to be >=1"],
  [
    "PUT",
    policy,
    { retention_days: 3651, enabled: true },
    400,
    "retention_days: Too big: expected number to be <=3650",
  ],
  ["PUT", policy, { enabled: true }, 400, "retention_days: Invalid input: expected number, received undefined"],
  ["PUT", "/v1/retention-policies/faxes", { retention_days: 30, enabled: true }, 400, resources],
  ["PATCH", office, { name: " " }, 400, "name must have 1 to 128 bytes"],
  ["PATCH", office, { name: "é".repeat(65) }, 400, "name must have 1 to 128 bytes"],
  ["PATCH", office, { source_cidr: "10.0.0.0/33" }, 400, noRange],
  ["PATCH", office, { source_cidr: "10.0.0.1" }, 400, noRange],
  ["DELETE", `/v1/trunks/${absent}/outbound-auth`, undefined, 404, "trunk not found"],
  ["DELETE", "/v1/trunks/carrier-a/outbound-auth", undefined, 400, "trunk_id must be a UUID"],
  ["POST", `/v1/webhooks/${absent}/rotate-secret`, undefined, 404, "webhook not found"],
  ["POST", "/v1/webhooks/crm/rotate-secret", undefined, 400, "webhook_id must be a UUID"],
  // Like a deployed server.
  ["PATCH", "/v1/network-policies/nobody", { name: "HQ" }, 500, "internal error"],
])("%s %s with %j is refused, and changes nothing", async (method, path, body, status, message) => {
  const server = await plane();
  const before = server.control.state();
  const answer = await send(server, method, path, body);
  const code = { 400: "BAD_REQUEST", 404: "NOT_FOUND", 500: "INTERNAL_ERROR" }[status] ?? "";
  expect([answer.status, answer.json]).toEqual([status, errorBody(code, message)]);
  expect(server.control.state()).toEqual(before);
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
