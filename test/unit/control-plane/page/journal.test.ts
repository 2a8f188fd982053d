import { ids, perform, plane, send, sendRaw } from "../plane";
import { browser, journalText, open, partText, textOf } from "./reading";

const noon = Date.parse("2026-06-01T12:00:00.000Z");

test("shows what each request was, who sent it, how it ended and why, latest first", async () => {
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
    "12:00:00 2026-06-01 Not part of the interface the interface has no such path " +
      "GET /nowhere token: full request … refused 404",
    "12:00:00 2026-06-01 List webhooks GET /v1/webhooks/ token: full request … read 200",
    "12:00:00 2026-06-01 List webhooks a valid bearer token is required " +
      "GET /v1/webhooks/ without a valid token request … refused 401",
    "12:00:00 2026-06-01 Rotate signing secret · crm.example.com " +
      `POST /v1/webhooks/${ids.webhook}/rotate-secret token: full request … committed 200`,
    "12:00:00 2026-06-01 Clear outbound authentication · Carrier A credential scope required: trunks:write " +
      `DELETE /v1/trunks/${ids.trunk}/outbound-auth token: without trunks write request … refused 403`,
    "12:00:00 2026-06-01 Network policy · HQ · range 203.0.113.0/25 , name HQ " +
      `PATCH /v1/network-policies/${ids.office} { "name": "HQ", "source_cidr": "203.0.113.0/25" } ` +
      "token: full request … committed 200",
    "12:00:00 2026-06-01 Retention · recordings retention_days: Too big: expected number to be <=3650 " +
      'PUT /v1/retention-policies/recordings { "retention_days": 4000, "enabled": true } ' +
      "token: full request … refused 400",
    "12:00:00 2026-06-01 Retention · recordings · 30 days " +
      'PUT /v1/retention-policies/recordings { "retention_days": 30, "enabled": true } ' +
      "token: full request … committed 200",
  ]);
});

test.each([
  [{ effect: "latency" }, "committed 200 slowed"],
  [{ effect: "status", status: 429 }, "fault 429 set by a fault, not carried out"],
  [{ effect: "status", status: 503, commit: true }, "fault 503 set by a fault, carried out"],
  [{ effect: "reset" }, "fault connection reset, not carried out"],
  [{ effect: "reset", commit: true }, "fault connection reset, carried out"],
  [{ effect: "cut" }, "fault 200 answer cut short, carried out"],
] as const)("the verdict on a request with the fault %j is: %s", async (fault, verdict) => {
  const server = await plane();
  server.control.setFaults([{ operation: "*", ...fault }]);
  await perform(server, "rotateWebhookSecret").catch(() => undefined); // Some faults leave no answer.
  expect((await journalText(server))[0]).toMatch(new RegExp(` token: full request … ${verdict}$`));
});

test("shows why a request was refused even if the caller does not see it, because of a fault or the dialect", async () => {
  const bare = await plane({ dialect: "bare" });
  await perform(bare, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
  expect((await journalText(bare))[0]).toContain(" · crm.example.com credential scope required: webhooks:write POST ");
  const server = await plane();
  server.control.setFaults([{ operation: "*", effect: "status", status: 502, commit: true }]);
  await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
  expect((await journalText(server))[0]).toMatch(
    / credential scope required: webhooks:write POST .* fault 502 set by a fault, not carried out$/,
  );
});

test("shows each request's id, as in its answer, with a button to copy it", async () => {
  const server = await plane();
  const { headers } = await perform(server, "listWebhooks", "stranger");
  const { text } = await open(server);
  const id = headers.get("X-Request-ID") ?? "no id";
  expect(textOf(text)).toContain(` request ${id} `);
  expect(text).toContain(`data-copy="${id}" aria-label="Copy the request id"`);
});

test("shows the latest hundred, with long values cut, counts all, and says where to find those that are not shown", async () => {
  const server = await plane();
  server.control.seed({ organization: { rateLimits: null } });
  await Promise.all(Array.from({ length: 100 }, () => perform(server, "listWebhooks")));
  expect([await partText(server, "journal-count"), await partText(server, "journal-note")]).toEqual(["100", ""]);
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "x".repeat(4000) });
  const rows = await journalText(server);
  expect(rows).toHaveLength(100);
  expect(rows[0]).toContain(` name ${"x".repeat(120)}… `);
  expect([await partText(server, "journal-count"), await partText(server, "journal-note")]).toEqual([
    "101",
    "These are the latest 100. All 101 as JSON",
  ]);
  expect((await open(server)).text).toContain('<a href="/_control/journal">All 101 as JSON</a>');
  server.control.clearJournal();
  expect(await partText(server, "journal-count")).toBe("0");
});

test("before the first request, shows the two lines that point a program here", async () => {
  const server = await plane();
  const lines = `export VOICEPLANE_BASE_URL=${server.url}\nexport VOICEPLANE_TOKEN=vp_dev_full\n`;
  expect((await open(server)).text).toContain(`<pre><code>${lines}</code></pre>`);
  expect((await open(server)).text).toContain(`data-copy="${lines}"`);
  const named = await sendRaw(server, "GET", "/", { ...browser, Host: "localhost:4010" });
  expect(named.text).toContain("export VOICEPLANE_BASE_URL=http://localhost:4010\n");
});

test.each([
  [
    { name: ["a"], signing_secret: "whsec-1", nested: { name: "whsec-2" } },
    '{ "name": [ "…" ], "signing_secret": "…", "nested": "…" }',
  ],
  [["whsec-1"], '[ "…" ]'],
  [{ name: "x".repeat(200) }, `{ "name": "${"x".repeat(120)}…" }`],
  [{ name: "x".repeat(5000) }, "A text that is not JSON, or JSON that is too long to show."],
])("the body %j is shown as %s", async (body, shown) => {
  const server = await plane();
  await send(server, "PATCH", `/v1/network-policies/${ids.office}`, body);
  const [row = ""] = await journalText(server);
  expect(/ PATCH \S+ (.*) token: full/.exec(row)?.[1]).toBe(shown);
});
