import { ids, perform, plane, send } from "../control-plane/plane";
import { journalText } from "./reading";

const noon = Date.parse("2026-06-01T12:00:00.000Z");

test("tells each request's wish, caller and verdict, the latest first", async () => {
  const server = await plane({ now: () => noon });
  await perform(server, "putRetentionPolicy");
  await send(server, "PUT", "/v1/retention-policies/recordings", { retention_days: 4000, enabled: true });
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "HQ", source_cidr: "203.0.113.0/25" });
  await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");
  await perform(server, "rotateWebhookSecret");
  await perform(server, "listWebhooks", "stranger");
  await perform(server, "listWebhooks");
  await send(server, "GET", "/nowhere");
  expect(await journalText(server)).toEqual([
    "12:00:00 Not in the interface GET /nowhere token: full refused 404",
    "12:00:00 List webhooks GET /v1/webhooks/ token: full read 200",
    "12:00:00 List webhooks GET /v1/webhooks/ without a valid token refused 401",
    `12:00:00 Rotate signing secret · crm.example.com POST /v1/webhooks/${ids.webhook}/rotate-secret token: full committed 200`,
    `12:00:00 Clear outbound authentication · Carrier A DELETE /v1/trunks/${ids.trunk}/outbound-auth ` +
      "token: without trunks write refused 403",
    `12:00:00 Network policy · HQ · range 203.0.113.0/25 , name HQ PATCH /v1/network-policies/${ids.office} ` +
      "token: full committed 200",
    "12:00:00 Retention · recordings PUT /v1/retention-policies/recordings token: full refused 400",
    "12:00:00 Retention · recordings · 30 days PUT /v1/retention-policies/recordings token: full committed 200",
  ]);
});

test.each([
  [{ effect: "latency" }, "committed 200 slowed"],
  [{ effect: "status", status: 429 }, "fault 429 set by a fault, not carried out"],
  [{ effect: "status", status: 503, commit: true }, "fault 503 set by a fault, carried out"],
  [{ effect: "reset" }, "fault connection reset, not carried out"],
  [{ effect: "reset", commit: true }, "fault connection reset, carried out"],
  [{ effect: "cut" }, "fault 200 answer cut short, carried out"],
] as const)("the verdict on a request that meets %j is: %s", async (fault, verdict) => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", ...fault }]);
  await perform(server, "rotateWebhookSecret").catch(() => undefined); // what the fault is about
  expect((await journalText(server))[0]).toMatch(new RegExp(` token: full ${verdict}$`));
});

test("shows the latest hundred, and nothing at any length", async () => {
  const server = await plane();
  server.control.seed({ organization: { rateLimits: null } });
  await Promise.all(Array.from({ length: 105 }, () => perform(server, "listWebhooks")));
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "x".repeat(4000) });
  const rows = await journalText(server);
  expect(rows).toHaveLength(100);
  expect(rows[0]).toContain(` name ${"x".repeat(120)}… `);
});
