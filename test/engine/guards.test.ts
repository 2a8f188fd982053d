/** What a person reads in the preview before something that cannot be taken back; nothing is sent then. */
import { ids } from "./support/organization";
import { project } from "./support/project";

const office = (args: string) =>
  `new NetworkPolicy("office", { networkPolicyId: "${ids.office}", sourceCidr: "203.0.113.0/24", ${args} });`;

test("each guard refuses at preview, says what is wrong and where, and sends nothing", async () => {
  const stack = await project();
  const refusals = [
    [
      office('mustExclude: ["203.0.113.128/25"]'),
      "sourceCidr: 203.0.113.0/24 reaches 203.0.113.128/25, which mustExclude says it must not",
    ],
    [
      office('mustInclude: ["203.0.113.7"], onDelete: { sourceCidr: "203.0.113.64/26" }'),
      "onDelete.sourceCidr: 203.0.113.64/26 does not contain 203.0.113.7, which mustInclude says it must",
    ],
    [
      'new RetentionPolicy("r", { resource: "recordings", retentionDays: 365, onDelete: { retentionDays: 30, enabled: true } });',
      "onDelete.retentionDays: 365 => 30 deletes recordings older than 30 days for good. " +
        "If that is meant, add allowShortening: { from: 365, to: 30 }",
    ],
  ] as const;
  for (const [program, message] of refusals) {
    stack.program(program);
    expect(await stack.preview({ fails: true })).toContain(message);
  }
  expect(stack.organization.requests()).toEqual([]);
});

test("an object that an Organization declares is not declared again beside it", async () => {
  const stack = await project();
  const both = [
    [
      "retention: { recordings: { days: 90 } }",
      'new RetentionPolicy("again", { resource: "recordings", retentionDays: 90 });',
      "RetentionPolicy",
      "org-recordings",
    ],
    [
      `networkPolicies: { office: { id: "${ids.office}", name: "Office" } }`,
      `new NetworkPolicy("again", { networkPolicyId: "${ids.office}", name: "Office" });`,
      "NetworkPolicy",
      "org-office",
    ],
    [
      `trunks: { a: { id: "${ids.carrierA}", outboundAuth: "tracked" } }`,
      `new TrunkOutboundAuth("again", { trunkId: "${ids.carrierA}", cleared: false });`,
      "TrunkOutboundAuth",
      "org-a",
    ],
    [
      `webhooks: { crm: { id: "${ids.crm}" } }`,
      `new WebhookSecret("again", { webhookId: "${ids.crm}" });`,
      "WebhookSecret",
      "org-crm",
    ],
  ] as const;
  for (const [entry, single, type, first] of both) {
    stack.program(`new Organization("org", { ${entry} });\n${single}`);
    const output = await stack.preview({ fails: true });
    expect(output).toContain(`${type} "again" and ${type} "${first}" declare the same object`);
  }
  expect(stack.organization.requests()).toEqual([]);
});

test("a protected resource is not destroyed; a user's own retainOnDelete wins over ours", async () => {
  const policy = (options: string) =>
    `new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90, onDelete: "disable" }, ${options});`;
  const stack = await project({ program: policy("{ protect: true }") });
  await stack.up();
  stack.organization.requests();
  expect(await stack.run(["destroy", "--yes", "--skip-preview", "--stack", "dev"], { fails: true })).toContain(
    "protected",
  );
  expect(stack.organization.requests()).toEqual([]);

  stack.program(policy("{ retainOnDelete: true }"));
  await stack.up();
  stack.program("");
  expect(await stack.preview()).toContain("delete[retain]");
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
});
