import { ids } from "./support/organization";
import { project } from "./support/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const sentAgain = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
  'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
];

test("when only the clock has moved the preview names the dates, a refresh shows nothing, and one up rotates once and sends the desired state again", async () => {
  const stack = await project({
    program: `
      new WebhookSecret("crm", { webhookId: "${ids.crm}", rotateAfter: "90d" });
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90, reassertAfter: "7d" });
      new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ", reassertAfter: "7d" });
      new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, reassertAfter: "7d" });`,
  });
  await stack.up({ at: "2026-11-20T12:00:00Z" });
  expect(stack.state().crm?.inputs?.rotateOn).toBe("2027-02-18");
  stack.organization.requests();

  const reassertDue = { at: "2026-11-27T12:00:00Z" };
  expect(await stack.preview(reassertDue)).toContain('~ reassertOn: "2026-11-27" => "2026-12-04"');
  expect(stack.organization.requests()).toEqual([]);
  await stack.up(reassertDue);
  expect(stack.organization.requests().sort()).toEqual(sentAgain);

  // Neither before the next date.
  expect(await stack.up({ at: "2026-12-03T12:00:00Z" })).toContain("5 unchanged");
  expect(stack.organization.requests()).toEqual([]);

  // Of the rotation alone: the day before it is due everything else is sent once more.
  await stack.up({ at: "2027-02-17T12:00:00Z" });
  expect(stack.organization.requests().sort()).toEqual(sentAgain);
  expect(await stack.preview({ at: "2027-02-17T12:00:00Z" })).toContain("5 unchanged");

  const due = { at: "2027-02-18T00:00:05Z" };
  expect(await stack.preview(due)).toContain('~ rotateOn: "2027-02-18" => "2027-05-19"');
  expect(await stack.refresh(due)).toContain("5 unchanged");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);

  await stack.up(due);
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(await stack.up(due)).toContain("5 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
