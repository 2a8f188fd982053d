/** The life of a stack in YAML over the plugin: what is said, what is sent. */
import { ids } from "../../support/engine/organization";
import { yamlProject, type YamlProgram } from "../../support/engine/project";

interface Declared {
  readonly days?: number;
  readonly allowShortening?: object;
  readonly range?: string;
  readonly quarter?: string;
}

const program = ({ days = 90, allowShortening, range = "2001:db8:0:0::/48", quarter = "2026-Q3" }: Declared) => ({
  variables: { list: { "fn::invoke": { function: "voiceplane:listWebhooks", return: "webhooks" } } },
  resources: {
    recordings: {
      type: "voiceplane:RetentionPolicy",
      properties: {
        resource: "recordings",
        retentionDays: days,
        onDelete: "disable",
        ...(allowShortening && { allowShortening }),
      },
    },
    runners: {
      type: "voiceplane:NetworkPolicy",
      properties: { networkPolicyId: ids.runners, name: "Runners", sourceCidr: range },
    },
    "carrier-a": {
      type: "voiceplane:TrunkOutboundAuth",
      // Known only after the rotation.
      properties: { trunkId: ids.carrierA, cleared: true, triggers: { "rotated.at": "${crm.rotatedAt}" } },
    },
    "carrier-b": { type: "voiceplane:TrunkOutboundAuth", properties: { trunkId: ids.carrierB, cleared: false } },
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate", triggers: { quarter } },
    },
    billing: { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.billing, onCreate: "adopt" } },
  },
  outputs: { secret: "${crm.secret}", webhooks: "${list}" },
});

/** A policy whose id only the rotation would tell. */
const withUnknownId: YamlProgram = {
  ...program({}),
  resources: {
    ...program({}).resources,
    unknown: {
      type: "voiceplane:NetworkPolicy",
      properties: { networkPolicyId: "${crm.rotatedAt}", name: "Unknown" },
    },
  },
};

const edited = { days: 365, range: "2001:db8::/32", quarter: "2026-Q4" };

test("create, no-op, refusal, update, another spelling, refresh and destroy: each says what it does, and sends exactly that", async () => {
  const stack = await yamlProject(withUnknownId);
  const requests = () => stack.organization.requests().sort();

  const preview = await stack.preview();
  expect(preview).toContain("+ 8 to create");
  expect(preview).toContain('networkPolicyId: [unknown]\nonDelete: "retain"');
  expect(preview).toContain("triggers: {\nrotated.at: [unknown]\n}");
  expect(preview).toContain("webhooks: [secret]");
  expect(requests()).toEqual(["GET /v1/webhooks/"]);

  stack.yaml(program({}));
  await stack.up();
  expect(requests()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    "GET /v1/webhooks/",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/48"}',
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
  const { recordings, crm } = stack.state();
  expect(recordings).toMatchObject({ type: "voiceplane:index:RetentionPolicy", id: "recordings" });
  expect(crm).toMatchObject({
    type: "voiceplane:index:WebhookSecret",
    id: ids.crm,
    inputs: { webhookId: ids.crm, triggers: { quarter: "2026-Q3" }, account: stack.organization.url },
    outputs: { secret: "[secret]", rotationCount: 1, rotationState: "rotated" },
  });
  expect(JSON.stringify(stack.state())).not.toContain("__provider");

  stack.yaml(program({ ...edited, days: 30 }));
  const refused = await stack.preview({ fails: true });
  expect(refused).toContain(
    "resource 'recordings': property retentionDays value {30} has a problem: 90 => 30 deletes recordings older than 30 days for good. " +
      "If this is intended, add allowShortening: { from: 90, to: 30 }",
  );

  stack.yaml(program(edited));
  requests();
  const updatePreview = await stack.preview();
  expect(updatePreview).toContain("~ retentionDays: 90 => 365");
  expect(updatePreview).toContain('~ sourceCidr: "2001:db8::/48" => "2001:db8::/32"');
  expect(updatePreview).toContain('~ triggers: {\n~ quarter: "2026-Q3" => "2026-Q4"\n}');
  // What the rotation will bring is unknown, and so is what depends on it.
  expect(updatePreview).toMatch(/~ triggers: \{\n~ rotated\.at: "\S+" => \[unknown\]\n\}/);
  expect(updatePreview).toContain("~ 4 to update\n3 unchanged");
  expect(requests()).toEqual(["GET /v1/webhooks/"]);

  expect(await stack.up()).toContain("~ 4 updated\n3 unchanged");
  expect(requests()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
    "GET /v1/webhooks/",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/32"}',
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);

  stack.yaml(program({ ...edited, range: "2001:DB8::1/32" }));
  expect(await stack.up({ flags: ["--refresh"] })).toContain("7 unchanged");
  // One for the refresh, one for the program.
  expect(requests()).toEqual(["GET /v1/webhooks/", "GET /v1/webhooks/"]);

  stack.organization.control.seed({ remove: [ids.billing] });
  const gone = await stack.refresh();
  expect(gone).toContain("7 unchanged");
  expect(gone).toContain(
    `WebhookSecret "${ids.billing}" of ${stack.organization.url}: is not in the server's list of webhooks. The state is kept`,
  );
  expect(requests()).toEqual(["GET /v1/webhooks/"]);

  const destroyed = await stack.destroy();
  expect(destroyed).toContain(
    `voiceplane:index:WebhookSecret (crm):\nwarning: WebhookSecret "${ids.crm}" of ${stack.organization.url}: ` +
      "keeps its secret. Nothing was sent.",
  );
  expect(destroyed).toContain(
    `warning: NetworkPolicy "${ids.runners}" of ${stack.organization.url}: stays as it was last set, because onDelete is ` +
      '"retain". Nothing was sent.',
  );
  expect(requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":false}']);
});
