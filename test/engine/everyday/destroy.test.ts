/** What a destroy deletes, what its preview says, and what edits of onDelete do before it. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { providers, resource } from "../../support/engine/declared";

const mine = "a0000000-0000-4000-8000-000000000009";

interface Edited {
  readonly options?: string;
  /** Of the two policies whose onDelete is edited. */
  readonly onDelete: readonly [string, string];
  readonly webhook?: string;
}

const program = ({ options = "{}", onDelete: [first, second], webhook = "" }: Edited) => `
  new RetentionPolicy("edited", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "${first}" });
  new RetentionPolicy("disabled", { resource: "conversations", onCreate: "overwrite", retentionDays: 60, onDelete: "${second}" }, ${options});
  new RetentionPolicy("reset", {
    resource: "audit_events", onCreate: "overwrite", retentionDays: 365, onDelete: { retentionDays: 3650, enabled: true },
  });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "HQ" });
  new NetworkPolicy("runners", {
    networkPolicyId: "${ids.runners}", onCreate: "overwrite", sourceCidr: "198.51.100.0/24", onDelete: { sourceCidr: "198.51.100.0/25" },
  });
  new NetworkPolicy("mine", { networkPolicyId: "${mine}", onCreate: "overwrite", name: "Mine", onDelete: { name: "gone" } }, { retainOnDelete: true });
  new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true });
  new TrunkOutboundAuth("carrier-b", { trunkId: "${ids.carrierB}", cleared: false, onDelete: "clear" });
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate"${webhook} });
  new WebhookSecret("receiver", { webhookId: "${ids.billing}", onCreate: "adopt", initialSecret: crm.secret });`;

test("destroy spares protected resources and otherwise does what onDelete says, by default nothing; its preview says which, and edits of onDelete send nothing", async () => {
  const stack = await project();
  stack.declare("dynamic", program({ options: "{ protect: true }", onDelete: ["disable", "retain"] }));
  stack.organization.control.seed({
    networkPolicies: [{ id: mine, name: "Mine", source_cidr: "192.0.2.0/24" }],
  });
  await stack.up();
  stack.organization.forgetRequests();

  // A protected resource is not destroyed. (The engine would destroy the others, which a later step needs.)
  const target = ["--target", stack.state().disabled?.urn ?? ""];
  expect(await stack.destroy({ flags: target, fails: true })).toContain("protected");
  expect(stack.organization.requests()).toEqual([]);

  // Edits of onDelete show in the preview and send nothing. So do edits of properties that only later rotations use, which do not update
  // dependents either.
  const later = ', rotateAfter: "90d", onCreate: "adopt", secretPath: "signing_secret"';
  stack.declare("dynamic", program({ onDelete: ["retain", "disable"], webhook: later }));
  const edit = await stack.up({ flags: ["--diff"] });
  expect(edit).toContain('~ onDelete: "disable" => "retain"');
  expect(edit).toContain('~ onDelete: "retain" => "disable"');
  expect(edit).toContain("~ 2 updated\n9 unchanged");
  expect(stack.organization.requests()).toEqual([]);
  expect(stack.state().crm?.inputs).toMatchObject({ rotateAfter: "90d", secretPath: "signing_secret" });

  const preview = await stack.run(["destroy", "--preview-only", "--stack", "dev"]);
  // The user's retainOnDelete wins over the package's: "mine" has an onDelete that would send a request.
  for (const retained of ["edited", "office", "mine", "carrier-a"]) {
    expect(preview).toMatch(new RegExp(`- pulumi-nodejs:dynamic/voiceplane:\\w+ ${retained} delete\\[retain\\]$`, "m"));
  }
  for (const deleted of ["disabled", "reset", "runners", "carrier-b", "crm", "receiver"]) {
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

// life.test.ts has such a destroy with the dynamic provider.
test("with the plugin, a destroy that runs the program, as hooks of deletes need it, sends what onDelete says", async () => {
  const stack = await project();
  stack.declare(
    "native",
    `
    const hook = new (require("@pulumi/pulumi").ResourceHook)("before", () => console.log("the hook has run"));
    const hooks = { beforeDelete: [hook] };
    new RetentionPolicy("disabled", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" }, { hooks });
    new RetentionPolicy("kept", { resource: "conversations", onCreate: "overwrite", retentionDays: 90 }, { hooks, retainOnDelete: false });
    new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" }, { hooks });`,
  );
  await stack.up();
  stack.organization.forgetRequests();
  expect(await stack.destroy({ flags: ["--run-program"] })).toContain("the hook has run");
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
  expect(stack.state()).toEqual({});
});

test.each(providers)(
  "with the %s provider, each state of a resource is reported and sent by itself, also one that a failed replacement has left",
  async (provider) => {
    const stack = await project();
    const clears = (id: string): string => `DELETE /v1/trunks/${id}/outbound-auth`;
    const declare = (trunkId: string): void => {
      const carrier = resource("TrunkOutboundAuth", { trunkId, cleared: true, onDelete: "clear" });
      stack.declare(provider, { resources: { carrier } });
    };
    declare(ids.carrierA);
    await stack.up();
    declare(ids.carrierB);
    const operation = "clearTrunkOutboundAuth";
    stack.organization.control.setFaults([
      { operation, count: 1, latencyMs: 0 },
      { operation, status: 403 },
    ]);
    await stack.up({ fails: true });
    stack.organization.control.setFaults([]);
    stack.organization.forgetRequests();

    const preview = await stack.voiceplane(["preview", "--destroy", "--format", "json"]);
    expect(JSON.parse(preview.stdout)).toMatchObject({
      requestCount: 2,
      changes: [{ id: ids.carrierA }, { id: ids.carrierB }],
    });
    await stack.destroy();
    expect(stack.organization.requests().sort()).toEqual([clears(ids.carrierA), clears(ids.carrierB)]);
  },
);
