import { isLoopback, refuseByNetwork } from "../../../src/control-plane/access";
import type { NetworkPolicyRecord, Organization } from "../../../src/control-plane/records";
import { errorBody, operationNames, perform, plane, send } from "./plane";

const lackingToken = {
  putRetentionPolicy: ["vp_dev_without_retention", "organization permission required: retention"],
  patchNetworkPolicy: ["vp_dev_without_networking", "organization permission required: networking"],
  clearTrunkOutboundAuth: ["vp_dev_without_trunks_write", "credential scope required: trunks:write"],
  rotateWebhookSecret: ["vp_dev_without_webhooks_write", "credential scope required: webhooks:write"],
  listWebhooks: ["vp_dev_without_webhooks_read", "credential scope required: webhooks:read"],
} as const;

describe.each(operationNames)("%s", (operation) => {
  const [token, message] = lackingToken[operation];

  test("a token without the right changes nothing", async () => {
    const server = await plane();
    const before = server.control.state();
    const answer = await perform(server, operation, token);
    expect([answer.status, answer.json]).toEqual([403, errorBody("FORBIDDEN", message)]);
    expect(server.control.state()).toEqual(before);
    expect(server.control.counters()).toEqual({});
    expect(server.control.journal()).toMatchObject([{ operation, status: 403, committed: false }]);
  });

  test("the token that lacks only this right may call the other operations", async () => {
    const server = await plane();
    const others = operationNames.filter((name) => name !== operation);
    const answers = await Promise.all(others.map((name) => perform(server, name, token)));
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  });

  test.each([[""], ["Bearer"], ["Bearer nobody"], ["Basic vp_dev_full"], ["vp_dev_full"]])(
    "with Authorization %j it is a 401 and nothing changes",
    async (authorization) => {
      const server = await plane();
      const answer = await perform(server, operation);
      expect(answer.status).toBeLessThan(300);
      const before = server.control.state();
      const [entry] = server.control.journal();
      const refused = await send(server, entry?.method ?? "", entry?.path ?? "", entry?.body ?? undefined, {
        Authorization: authorization,
      });
      expect([refused.status, refused.json]).toEqual([
        401,
        errorBody("UNAUTHORIZED", "a valid bearer token is required"),
      ]);
      expect(server.control.state()).toEqual(before);
    },
  );
});

test.each([
  ["privateNetworking", "patchNetworkPolicy", "private_networking"],
  ["retentionPolicies", "putRetentionPolicy", "retention_policies"],
] as const)("without the entitlement %s, %s is refused", async (entitlement, operation, capability) => {
  const server = await plane();
  server.control.seed({ organization: { entitlements: { [entitlement]: false } } });
  const answer = await perform(server, operation);
  const message = `organization capability "${capability}" is not enabled`;
  expect([answer.status, answer.json]).toEqual([403, errorBody("FORBIDDEN", message)]);
});

test("more days than the plan allows is a 402, and the maximum is accepted", async () => {
  const server = await plane();
  server.control.seed({ organization: { retentionPlan: { maxDays: 30 } } });
  const path = "/v1/retention-policies/recordings";
  const above = await send(server, "PUT", path, { retention_days: 31, enabled: true });
  const message = "the plan keeps data for at most 30 days";
  expect([above.status, above.json]).toEqual([402, errorBody("PAYMENT_REQUIRED", message)]);
  expect((await send(server, "PUT", path, { retention_days: 30, enabled: true })).status).toBe(200);
});

test("while the plan service is unavailable, a retention policy is a 503", async () => {
  const server = await plane();
  server.control.seed({ organization: { retentionPlan: { available: false } } });
  expect((await perform(server, "putRetentionPolicy")).status).toBe(503);
  expect((await perform(server, "patchNetworkPolicy")).status).toBe(200);
});

describe("the organization's network policies", () => {
  const blocked = errorBody("FORBIDDEN", "request source is blocked by organization network policy");

  test("a caller outside every range is locked out, even from correcting the range", async () => {
    const server = await plane();
    server.control.seed({ organization: { callerAddress: "203.0.113.7" } });
    const path = "/v1/network-policies/a0000000-0000-4000-8000-000000000001";
    expect((await send(server, "PATCH", path, { source_cidr: "192.0.2.0/24" })).status).toBe(200);
    const correction = await send(server, "PATCH", path, { source_cidr: "203.0.113.0/24" });
    expect([correction.status, correction.json]).toEqual([403, blocked]);
    expect((await perform(server, "listWebhooks")).json).toEqual(blocked);
  });

  test("X-Forwarded-For does not change the caller's address", async () => {
    const server = await plane();
    server.control.seed({ organization: { callerAddress: "192.0.2.1" } });
    const answer = await send(server, "GET", "/v1/webhooks/", undefined, { "X-Forwarded-For": "203.0.113.7" });
    expect(answer.json).toEqual(blocked);
  });

  test("a bad token is reported before the address is checked", async () => {
    const server = await plane();
    server.control.seed({ organization: { callerAddress: "192.0.2.1" } });
    expect((await perform(server, "listWebhooks", "nobody")).status).toBe(401);
  });

  const organization = { callerAddress: "203.0.113.7" } as Organization;
  const policy = (source_cidr: string, change: Partial<NetworkPolicyRecord> = {}) =>
    ({ source_cidr, action: "allow", status: "active", ...change }) as NetworkPolicyRecord;

  test.each([
    ["no policy at all", [], "127.0.0.1", true],
    ["an allow policy that holds the caller", [policy("203.0.113.0/24")], "127.0.0.1", true],
    ["an allow policy that leaves the caller out", [policy("192.0.2.0/24")], "::1", false],
    ["a disabled one that leaves the caller out", [policy("192.0.2.0/24", { status: "disabled" })], "127.0.0.1", true],
    ["a deny policy that holds the caller", [policy("203.0.113.0/24", { action: "deny" })], "127.0.0.1", false],
    ["a deny policy elsewhere", [policy("192.0.2.0/24", { action: "deny" })], "127.0.0.1", true],
    ["a caller from another machine, who counts as itself", [policy("203.0.113.0/24")], "192.0.2.9", false],
    ["such a caller in IPv6 spelling", [policy("192.0.2.0/24")], "::ffff:192.0.2.9", true],
    ["an IPv6 range and an IPv4 caller", [policy("::/0")], "127.0.0.1", false],
  ])("%s", (_, policies, peer, admitted) => {
    expect(refuseByNetwork(organization, policies, peer) === undefined).toBe(admitted);
  });
});

test.each([
  ...["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].map((address) => [address, true] as const),
  ...["192.0.2.1", "::ffff:192.0.2.1", "::", "0.0.0.0", ""].map((address) => [address, false] as const),
])("the address %j is this machine: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

describe("rate limits", () => {
  const start = Date.parse("2026-06-01T12:00:15.000Z");

  test("a credential has 300 writes a minute, and the next one is a 429 until the minute is over", async () => {
    let now = start;
    const server = await plane({ now: () => now });
    const first = await perform(server, "clearTrunkOutboundAuth");
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-ratelimit-limit": "300",
      "x-ratelimit-remaining": "299",
      "x-ratelimit-reset": "1780315260",
    });
    for (let sent = 1; sent < 300; sent++) await perform(server, "clearTrunkOutboundAuth");

    const refused = await perform(server, "clearTrunkOutboundAuth");
    expect([refused.status, refused.json]).toEqual([429, errorBody("TOO_MANY_REQUESTS", "rate limit exceeded")]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({ "retry-after": "45", "x-ratelimit-remaining": "0" });
    expect(server.control.counters().clearTrunkOutboundAuth?.total).toBe(300);
    expect((await perform(server, "listWebhooks")).headers.get("X-RateLimit-Limit")).toBe("600");
    expect((await perform(server, "clearTrunkOutboundAuth", "vp_dev_second_full")).status).toBe(204);

    now += 45_000;
    expect((await perform(server, "clearTrunkOutboundAuth")).status).toBe(204);
  });

  test("the organization's limit counts all of its credentials", async () => {
    const server = await plane({ now: () => start });
    const twoWrites = { credential: { reads: 9, writes: 9 }, organization: { reads: 9, writes: 2 } };
    server.control.seed({ organization: { rateLimits: twoWrites } });
    const names = ["vp_dev_full", "vp_dev_second_full", "vp_dev_full"];
    const statuses = [];
    for (const token of names) statuses.push((await perform(server, "clearTrunkOutboundAuth", token)).status);
    expect(statuses).toEqual([204, 204, 429]);
  });

  test("can be turned off", async () => {
    const server = await plane();
    server.control.seed({ organization: { rateLimits: null } });
    expect((await perform(server, "listWebhooks")).headers.get("X-RateLimit-Limit")).toBeNull();
  });

  test("the limit is checked before the scope", async () => {
    const server = await plane({ now: () => start });
    const none = { reads: 0, writes: 0 };
    server.control.seed({ organization: { rateLimits: { credential: none, organization: none } } });
    expect((await perform(server, "listWebhooks", "vp_dev_without_webhooks_read")).status).toBe(429);
  });
});
