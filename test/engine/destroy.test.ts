import { ids } from "./support/organization";
import { project } from "./support/project";

test("destroy does what onDelete says and nothing by default, and its preview tells which", async () => {
  const stack = await project({
    program: `
      new RetentionPolicy("kept", { resource: "recordings", retentionDays: 90 });
      new RetentionPolicy("disabled", { resource: "conversations", retentionDays: 60, onDelete: "disable" });
      new RetentionPolicy("reset", {
        resource: "audit_events", retentionDays: 365, onDelete: { retentionDays: 3650, enabled: true },
      });
      new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ" });
      new NetworkPolicy("runners", {
        networkPolicyId: "${ids.runners}", sourceCidr: "198.51.100.0/24", onDelete: { sourceCidr: "198.51.100.0/25" },
      });
      new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true });
      new TrunkOutboundAuth("carrier-b", { trunkId: "${ids.carrierB}", cleared: false, onDelete: "clear" });
      new WebhookSecret("crm", { webhookId: "${ids.crm}" });`,
  });
  await stack.up();
  stack.organization.requests();

  const preview = await stack.run(["destroy", "--preview-only", "--stack", "dev"]);
  for (const retained of ["kept", "office", "carrier-a", "crm"]) {
    expect(preview).toMatch(new RegExp(`- pulumi-nodejs:dynamic/voiceplane:\\w+ ${retained} delete\\[retain\\]$`, "m"));
  }
  for (const deleted of ["disabled", "reset", "runners", "carrier-b"]) {
    expect(preview).toMatch(new RegExp(`- pulumi-nodejs:dynamic/voiceplane:\\w+ ${deleted} delete$`, "m"));
  }
  expect(stack.organization.requests()).toEqual([]);

  await stack.destroy();
  expect(stack.organization.requests().sort()).toEqual([
    "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth",
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"source_cidr":"198.51.100.0/25"}',
    'PUT /v1/retention-policies/audit_events {"retention_days":3650,"enabled":true}',
    'PUT /v1/retention-policies/conversations {"retention_days":60,"enabled":false}',
  ]);
  expect(stack.state()).toEqual({});
});

const withDependent = (onDelete: string, webhook = "") => `
  new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90, onDelete: "${onDelete}" });
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}"${webhook} });
  new WebhookSecret("receiver", { webhookId: "${ids.billing}", rotateOnCreate: false, initialSecret: crm.secret });`;

test("edits of onDelete, and of what only concerns later rotations, send nothing and leave dependents alone; destroy follows onDelete", async () => {
  const stack = await project({ program: withDependent("disable") });
  await stack.up();
  stack.organization.requests();

  stack.program(withDependent("retain"));
  const preview = await stack.preview();
  expect(preview).toContain('~ onDelete: "disable" => "retain"');
  expect(preview).toContain("~ 1 to update\n3 unchanged");
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  expect(await stack.run(["destroy", "--preview-only", "--stack", "dev"])).toContain("recordings delete[retain]\n");

  const later = ', rotateAfter: "90d", rotateOnCreate: false, secretPath: "signing_secret"';
  stack.program(withDependent("retain", later));
  expect(await stack.preview()).toContain("4 unchanged");
  expect(await stack.up()).toContain("4 unchanged");
  expect(stack.organization.requests()).toEqual([]);
  expect(stack.state().crm?.inputs).toMatchObject({ rotateAfter: "90d", secretPath: "signing_secret" });

  stack.program(withDependent("disable", later));
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  await stack.destroy();
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
});
