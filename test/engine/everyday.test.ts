import { ids } from "./support/organization";
import { project } from "./support/project";

const office = (cidr: string) =>
  `new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ", sourceCidr: "${cidr}" });`;

test("a preview sends only reads, an up exactly the declared requests, and a second up nothing", async () => {
  const stack = await project({
    program: `
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });
      new RetentionPolicy("audit", { resource: "audit_events", retentionDays: 2555, enabled: false });
      ${office("203.0.113.0/24")}
      new NetworkPolicy("runners", { networkPolicyId: "${ids.runners}", sourceCidr: "2001:db8::/48" });
      new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true });
      new TrunkOutboundAuth("carrier-b", { trunkId: "${ids.carrierB}", cleared: false });
      new WebhookSecret("crm", { webhookId: "${ids.crm}" });
      new WebhookSecret("billing", { webhookId: "${ids.billing}", rotateOnCreate: false });
      exports.webhooks = listWebhooks();
      exports.ids = require("@pulumi/pulumi").unsecret(exports.webhooks.apply((webhooks) => webhooks.map(({ id }) => id)));`,
  });

  const preview = await stack.preview();
  expect(preview).toContain("+ 9 to create");
  expect(preview).toContain("webhooks: [secret]");
  expect(preview).toContain(`ids: [\n[0]: "c0000000-0000-4000-8000-000000000003"`);
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);

  await stack.up();
  expect(stack.organization.requests().sort()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    "GET /v1/webhooks/",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ","source_cidr":"203.0.113.0/24"}',
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"source_cidr":"2001:db8::/48"}',
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);

  expect(await stack.up()).toContain("9 unchanged");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
});

test("a changed day count is one PUT, and fewer days are refused at preview until the step is named", async () => {
  const recordings = (args: string) => `new RetentionPolicy("recordings", { resource: "recordings", ${args} });`;
  const stack = await project({ program: recordings("retentionDays: 90") });
  await stack.up();
  stack.organization.requests();

  stack.program(recordings("retentionDays: 365"));
  expect(await stack.preview()).toContain("~ retentionDays: 90 => 365");
  expect(stack.organization.requests()).toEqual([]);
  await stack.up();
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);

  stack.program(recordings("retentionDays: 30"));
  expect(await stack.preview({ fails: true })).toContain(
    "retentionDays: 365 => 30 deletes recordings older than 30 days for good. " +
      "If that is meant, add allowShortening: { from: 365, to: 30 }",
  );
  expect(stack.organization.requests()).toEqual([]);

  stack.program(recordings("retentionDays: 30, allowShortening: { from: 365, to: 30 }"));
  await stack.up();
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);
});

test("another spelling of a CIDR is no change, another range is one PATCH with every declared field", async () => {
  const stack = await project({ program: office("2001:db8:0:0::/48") });
  await stack.up();
  stack.organization.requests();

  stack.program(office("2001:DB8::1/48"));
  expect(await stack.preview()).toContain("2 unchanged");
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);

  stack.program(office("2001:db8::/32"));
  expect(await stack.preview()).toContain(`~ sourceCidr: "2001:db8::/48" => "2001:db8::/32"`);
  await stack.up();
  expect(stack.organization.requests()).toEqual([
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ","source_cidr":"2001:db8::/32"}',
  ]);
});

test("a trigger is one rotation or one clearing, and the preview shows which trigger", async () => {
  const declared = (quarter: string) => `
    new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { quarter: "${quarter}" } });
    new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, triggers: { quarter: "${quarter}" } });`;
  const stack = await project({ program: declared("2026-Q3") });
  await stack.up();
  stack.organization.requests();

  stack.program(declared("2026-Q4"));
  expect(await stack.preview()).toContain(`~ quarter: "2026-Q3" => "2026-Q4"`);
  expect(stack.organization.requests()).toEqual([]);
  await stack.up();
  expect(stack.organization.requests().sort()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
  ]);

  expect(await stack.up()).toContain("3 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
