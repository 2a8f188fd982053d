/** Edits that the engine hands over in a way of its own, and that must neither be lost nor go past a guard. */
import { ids } from "./support/organization";
import { project } from "./support/project";

test("two policies that swap their kinds are refused where that means fewer days, and nothing is sent", async () => {
  const policies = (first: string, second: string) => `
    new RetentionPolicy("long", { resource: "${first}", retentionDays: 365 });
    new RetentionPolicy("short", { resource: "${second}", retentionDays: 30 });`;
  const stack = await project({ program: policies("recordings", "audit_events") });
  await stack.up();
  stack.organization.requests();

  stack.program(policies("audit_events", "recordings"));
  const step = /365 => 30 deletes recordings older than 30 days for good/;
  expect(await stack.preview({ fails: true })).toMatch(step);
  expect(await stack.up({ fails: true })).toMatch(step);
  const puts = stack.organization.requests().filter((request) => request.includes("/recordings"));
  expect(puts).toEqual([]);
});

test("ignoreChanges of a date, of the organization's name or of everything keeps the old values", async () => {
  const webhook = (ignored: string) => `new WebhookSecret("crm", { webhookId: "${ids.crm}", rotateAfter: "90d" },
    { ignoreChanges: ${ignored} });`;
  const stack = await project({ program: webhook("[]") });
  await stack.up({ at: "2026-11-20T12:00:00Z" });
  stack.organization.requests();
  const late = { at: "2027-11-20T12:00:00Z" };
  for (const ignored of ['["rotateOn"]', '["account"]', '["*"]']) {
    stack.program(webhook(ignored));
    const preview = await stack.preview(late);
    if (ignored === '["account"]') expect(preview).toContain('~ rotateOn: "2027-02-18" => "2028-02-18"');
    else expect(preview).toContain("2 unchanged");
  }
  expect(stack.organization.requests()).toEqual([]);
});

test("an onDelete that a transform adds is refused, because the engine would never ask for it", async () => {
  const policy = 'new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 }';
  const transform = `{ transforms: [({ props, opts }) => ({ props: { ...props, onDelete: "disable" }, opts })]`;
  const stack = await project({ program: `${policy}, ${transform} });` });
  expect(await stack.preview({ fails: true })).toContain("onDelete: comes from a transform, which is too late");

  stack.program(`${policy}, ${transform}, retainOnDelete: false });`);
  await stack.up();
  stack.organization.requests();
  await stack.destroy();
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
});

test("a refresh of many webhooks asks once for all of them", async () => {
  const stack = await project({
    program: `for (let n = 0; n < 34; n++)
      new WebhookSecret("w" + n, { webhookId: "w-" + n, rotateOnCreate: false });`,
  });
  await stack.up();
  stack.organization.requests();
  await stack.run(["refresh", "--preview-only", "--stack", "dev"]);
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
});

test("a duplicate that is found late is refused in one line, and a failed destroy says why once", async () => {
  const trunk = `new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, onDelete: "clear" });`;
  const office = (name: string) =>
    `new NetworkPolicy("${name}", { networkPolicyId: trunk.urn.apply(() => "${ids.office}"), name: "${name}" });`;
  const stack = await project({ program: `const trunk = ${trunk}\n${office("one")}\n${office("two")}` });
  const duplicate = await stack.up({ fails: true });
  expect(duplicate).toContain('NetworkPolicy "two" and NetworkPolicy "one" declare the same object');
  expect(duplicate).not.toMatch(/\n\s*at /);
  expect(stack.organization.requests().filter((request) => request.includes('"two"'))).toEqual([]);

  stack.program(trunk);
  await stack.up();
  const failed = await stack.destroy({ fails: true, env: { VOICEPLANE_TOKEN: "vp_dev_without_trunks_write" } });
  const [, diagnostics = ""] = failed.split("Diagnostics:");
  expect(diagnostics.match(/DELETE \S+ was refused: 403/g)).toHaveLength(1);
  expect(failed).not.toContain("see the error of the resource");
});
