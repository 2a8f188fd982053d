import { ids } from "../../support/engine/organization";
import { project, type Project, type Run } from "../../support/engine/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const sentAgain = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
  'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
];

/** A run at a time that both this machine and the server use. */
function at(stack: Project, time: string): Run {
  stack.organization.control.setClock(time);
  return { at: time };
}

test("after the clock alone has moved, the preview names the dates, a refresh shows nothing, and one up sends what is due, once", async () => {
  const stack = await project({
    program: `
      new WebhookSecret("crm", { webhookId: "${ids.crm}", rotateAfter: "90d" });
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90, reassertAfter: "89d" });
      new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ", reassertAfter: "89d" });
      new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, reassertAfter: "89d" });`,
  });
  const rotateOn = () => stack.state().crm?.inputs?.rotateOn;
  await stack.up(at(stack, "2026-11-20T12:00:00Z"));
  expect(rotateOn()).toBe("2027-02-18");
  stack.organization.forgetRequests();

  // One day before the rotation, the setting is due to be sent again.
  const reassert = await stack.preview(at(stack, "2027-02-17T12:00:00Z"));
  expect(reassert).toContain('~ reassertOn: "2027-02-17" => "2027-05-17"');
  expect(reassert).toContain("~ 3 to update\n2 unchanged");
  expect(stack.organization.requests()).toEqual([]);

  // On the day of the rotation a refresh shows nothing, and one up sends both.
  const due = at(stack, "2027-02-18T00:00:05Z");
  expect(await stack.refresh(due)).toContain("5 unchanged");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  const rotated = await stack.up({ ...due, flags: ["--diff"] });
  expect(rotated).toContain('~ rotateOn: "2027-02-18" => "2027-05-19"');
  expect(rotated).toContain('~ reassertOn: "2027-02-17" => "2027-05-18"');
  expect(rotated).toContain("~ 4 updated\n1 unchanged");
  expect(rotateOn()).toBe("2027-05-19");
  expect(stack.organization.requests().sort()).toEqual([...sentAgain, "GET /v1/webhooks/", rotation].sort());

  // Nothing more is sent before the next date.
  expect(await stack.up(at(stack, "2027-05-16T12:00:00Z"))).toContain("5 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
