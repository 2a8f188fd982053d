import { createHash } from "node:crypto";
import { operations } from "../../../src/contract/index";
import { committed, ids, errorBody, operationNames, perform, plane, requests, send } from "./plane";

const noon = Date.parse("2026-06-01T12:00:00.000Z");

afterEach(() => jest.restoreAllMocks());

test("a retention policy is created, then replaced", async () => {
  const now = jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  const path = "/v1/retention-policies/audit_events";
  const created = await send(server, "PUT", path, { retention_days: 3650, enabled: true });
  now.mockReturnValue(noon + 60_000);
  const replaced = await send(server, "PUT", path, { retention_days: 1, enabled: false });
  expect([created.status, replaced.status]).toEqual([200, 200]);
  const resource = "audit_events";
  const policies = [
    { resource, retention_days: 3650, enabled: true, updated_at: "2026-06-01T12:00:00.000Z" },
    { resource, retention_days: 1, enabled: false, updated_at: "2026-06-01T12:01:00.000Z" },
  ];
  expect([created.json, replaced.json]).toEqual(policies.map((data) => ({ success: true, data })));
  expect(server.control.state().retentionPolicies).toEqual(policies.slice(1));
});

test("a network policy changes only the fields that are sent, in canonical form", async () => {
  jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  const path = `/v1/network-policies/${ids.office}`;
  const renamed = await send(server, "PATCH", path, { name: "  HQ " });
  const moved = await send(server, "PATCH", path, { source_cidr: "198.51.100.77/24" });
  const record = { id: ids.office, name: "HQ", source_cidr: "203.0.113.0/24", updated_at: "2026-06-01T12:00:00.000Z" };
  expect([renamed.status, renamed.json]).toEqual([200, { success: true, data: record }]);
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

const [policy, office] = ["/v1/retention-policies/recordings", `/v1/network-policies/${ids.office}`];

test.each([
  ["PUT", policy, { retention_days: 0, enabled: true }, "retention_days: Too small: expected number to be >=1"],
  ["PUT", policy, { retention_days: 3651, enabled: true }, "retention_days: Too big: expected number to be <=3650"],
  ["PUT", policy, { enabled: true }, "retention_days: Invalid input: expected number, received undefined"],
  ["PUT", policy, "{", "Invalid input: expected object, received undefined"],
  ["PATCH", office, { name: " " }, "name: Too small: expected string to have >=1 characters"],
  ["PATCH", office, { source_cidr: "10.0.0.1" }, "source_cidr: must be a network range in CIDR notation"],
])("%s %s with %j is refused, and changes nothing", async (method, path, body, message) => {
  const server = await plane();
  const before = server.control.state();
  const answer = await send(server, method, path, body);
  expect([answer.status, answer.json]).toEqual([400, errorBody("BAD_REQUEST", message)]);
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
        url: "https://crm.example.com/voice",
        enabled: true,
        subscribed_events: ["call.completed"],
        updated_at: "2026-06-01T12:00:00.000Z",
      },
      signing_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
    },
  });
  const everythingElse = JSON.stringify([server.control.state(), server.control.journal()]);
  expect(everythingElse).not.toContain(data.signing_secret);
  const digest = createHash("sha256").update(data.signing_secret).digest("hex");
  expect(server.control.state().webhooks[0]?.signing_secret_sha256).toBe(digest);
});

test("webhooks are listed without secrets", async () => {
  jest.spyOn(Date, "now").mockReturnValue(noon);
  const server = await plane();
  await perform(server, "rotateWebhookSecret");
  const answer = await perform(server, "listWebhooks");
  const { data } = answer.json as { data: { webhooks: { id: string }[] } };
  expect([answer.status, data.webhooks.length]).toEqual([200, 3]);
  expect(data.webhooks[2]).toEqual({
    id: "c0000000-0000-4000-8000-000000000003",
    url: "https://retired.example.com/voice",
    enabled: false,
    subscribed_events: [],
    updated_at: "2026-06-01T12:00:00.000Z",
  });
  expect(answer.text).not.toContain("secret");
});

test("an object from a seed is found by its id, whatever the id's format and a UUID's letter case", async () => {
  const server = await plane();
  server.control.seed({ trunks: [{ id: "a/b %41", name: "A" }] });
  for (const id of ["a%2Fb%20%2541", ids.trunk.toUpperCase()])
    expect((await send(server, "DELETE", `/v1/trunks/${id}/outbound-auth`)).status).toBe(204);
  expect(server.control.state().trunks.map(({ id, outbound_auth }) => [id, outbound_auth])).toEqual(
    expect.arrayContaining([
      ["a/b %41", "cleared"],
      [ids.trunk, "cleared"],
    ]),
  );
  expect(committed(server)).toHaveLength(2);
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
    const unknown = name === "putRetentionPolicy" ? 400 : "unknownId" in operations[name] ? 500 : 404;
    expect([answer.status, answer.json]).toMatchObject([unknown, { success: false }]);
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
