import { ids } from "../../support/engine/organization";
import { project, type ResourceState } from "../../support/engine/project";

interface Declared {
  readonly recordings?: string;
  readonly audit?: string;
  readonly range?: string;
  readonly quarter?: string;
  readonly outputs?: string;
}

const listed = `
  exports.webhooks = listWebhooks();
  exports.ids = require("@pulumi/pulumi").unsecret(exports.webhooks.apply((webhooks) => webhooks.map(({ id }) => id)));`;

const program = ({
  recordings = "retentionDays: 90",
  audit = "retentionDays: 2555",
  range = "2001:db8:0:0::/48",
  quarter = "2026-Q3",
  outputs = "",
}: Declared) => `
  new RetentionPolicy("recordings", { resource: "recordings", ${recordings} });
  new RetentionPolicy("audit", { resource: "audit_events", ${audit}, enabled: false });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ", sourceCidr: "203.0.113.0/24" });
  new NetworkPolicy("runners", { networkPolicyId: "${ids.runners}", name: "Runners", sourceCidr: "${range}" });
  new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, triggers: { quarter: "${quarter}" } });
  new TrunkOutboundAuth("carrier-b", { trunkId: "${ids.carrierB}", cleared: false });
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { quarter: "${quarter}" } });
  new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "adopt" });${outputs}`;

const edited = { recordings: "retentionDays: 365", range: "2001:db8::/32", quarter: "2026-Q4" };
const shorter = { ...edited, audit: "retentionDays: 30" };
const allowed = { ...edited, audit: "retentionDays: 30, allowShortening: { from: 2555, to: 30 }" };
const respelled = { ...allowed, range: "2001:DB8::1/32" };

interface Step {
  readonly output: string;
  readonly sent: string[];
}

/** Runs one stack through its life. Each test checks one part of the record. */
const steps = {} as Record<"preview" | "up" | "refused" | "edited" | "respelled", Step>;
let positions: (string | undefined)[] = [];
let frames: ResourceState["stackTrace"][] = [];
beforeAll(async () => {
  const stack = await project({ program: program({ outputs: listed }) });
  const step = async (running: Promise<string>): Promise<Step> => ({
    output: await running,
    sent: stack.organization.requests().sort(),
  });
  steps.preview = await step(stack.preview());
  steps.up = await step(stack.up());
  positions = Object.values(stack.state()).map(({ sourcePosition }) => sourcePosition);
  frames = Object.values(stack.state()).map(({ stackTrace }) => stackTrace);
  stack.program(program(shorter));
  steps.refused = await step(stack.preview({ fails: true }));
  stack.program(program(allowed));
  steps.edited = await step(stack.up({ flags: ["--diff"] }));
  stack.program(program({ ...respelled, outputs: listed }));
  steps.respelled = await step(stack.up());
}, 900_000);

test("a preview only reads, an up sends exactly the declared requests, and a second up sends nothing", () => {
  expect(steps.preview.output).toContain("+ 9 to create");
  expect(steps.preview.output).toContain("webhooks: [secret]");
  expect(steps.preview.output).toContain(`ids: [\n[0]: "c0000000-0000-4000-8000-000000000003"`);
  expect(steps.preview.sent).toEqual(["GET /v1/webhooks/"]);

  expect(steps.up.sent).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    "GET /v1/webhooks/",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ","source_cidr":"203.0.113.0/24"}',
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/48"}',
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);

  expect(steps.respelled.output).toContain("9 unchanged");
  expect(steps.respelled.sent).toEqual(["GET /v1/webhooks/"]);
});

test("a changed day count is one PUT, and fewer days are refused in the preview until allowShortening names the step", () => {
  expect(steps.refused.output).toContain(
    "retentionDays: 2555 => 30 deletes audit_events older than 30 days for good. " +
      "If this is intended, add allowShortening: { from: 2555, to: 30 }",
  );
  expect(steps.refused.sent).toEqual([]);
  expect(steps.edited.output).toContain("~ retentionDays: 90 => 365");
  expect(steps.edited.output).toContain("~ retentionDays: 2555 => 30");
  expect(steps.edited.sent.filter((request) => request.startsWith("PUT "))).toEqual([
    'PUT /v1/retention-policies/audit_events {"retention_days":30,"enabled":false}',
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);
});

test("another spelling of a CIDR is no change, and another range is one PATCH with every declared field", () => {
  const patches = ({ sent }: Step) => sent.filter((request) => request.startsWith("PATCH "));
  expect(steps.edited.output).toContain(`~ sourceCidr: "2001:db8::/48" => "2001:db8::/32"`);
  expect(patches(steps.edited)).toEqual([
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/32"}',
  ]);
  expect(steps.respelled.output).toContain("9 unchanged");
  expect(patches(steps.respelled)).toEqual([]);
});

test("a trigger causes one rotation or one clearing, and the diff shows which trigger", () => {
  expect(steps.edited.output.match(/~ quarter: "2026-Q3" => "2026-Q4"/g)).toHaveLength(2);
  expect(steps.edited.sent).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/32"}',
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PUT /v1/retention-policies/audit_events {"retention_days":30,"enabled":false}',
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);
});

test("the state names the line of the program that declares each resource, not a line of this package, and no other line", () => {
  expect(positions).toHaveLength(8);
  for (const position of positions) expect(position).toMatch(/^project:\/\/\/index\.js#\d+,\d+$/);
  expect(new Set(positions).size).toBe(8);
  expect(frames).toEqual(positions.map((sourcePosition) => [{ sourcePosition }]));
});
