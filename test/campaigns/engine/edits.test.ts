/** Edits that the engine passes on in an unusual way. None may be lost, and none may bypass a check. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

test("ignored changes of dates keep the old dates", async () => {
  const ignored = { date: '["rotateOn"]', organization: '["organization"]', everything: '["*"]' };
  const webhooks = (ignores: boolean) =>
    Object.entries(ignored)
      .map(
        ([name, keys]) => `new WebhookSecret("${name}", { webhookId: "${name}", rotateAfter: "90d", onCreate: "adopt" },
          { ignoreChanges: ${ignores ? keys : "[]"} });`,
      )
      .join("\n");
  const stack = await project({ program: webhooks(false) });
  await stack.up({ at: "2026-11-20T12:00:00Z" });

  // ignoreChanges of the organization's name lets the date change.
  stack.program(webhooks(true));
  const preview = await stack.preview({ at: "2027-11-20T12:00:00Z" });
  const changed = preview.split("[urn=").filter((step) => step.includes("rotateOn"));
  expect(changed).toHaveLength(1);
  expect(changed[0]).toMatch(/^\S+::organization\]/);
  expect(changed[0]).toContain('~ rotateOn: "2027-02-18" => "2028-02-18"');
  expect(preview).toContain("~ 1 to update\n3 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});

test("an onDelete that a transform adds is refused, because the engine would never call delete, and so is a transform that means fewer days", async () => {
  const stack = await project({
    program: `
      new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 365 }, {
        transforms: [({ props, opts }) => ({ props: { ...props, onDelete: { retentionDays: 30, enabled: true } }, opts })],
      });`,
  });
  const refused = await stack.preview({ fails: true });
  expect(refused).toContain("onDelete: was set by a transform, which is too late");
  expect(refused).toContain(
    "onDelete.retentionDays: 365 => 30 deletes recordings older than 30 days for good. " +
      "If this is intended, add `allowShortening: { from: 365, to: 30 }` [retention-shortened]",
  );
  expect(stack.organization.requests()).toEqual([]);
});

test("a duplicate that is found late is refused in one line; a destroy does what a transform added, and prints the cause of another failure once", async () => {
  const trunk = `new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true, onDelete: "clear" });`;
  const policy = (name: string, id: string) =>
    `new NetworkPolicy("${name}", { networkPolicyId: ${id}, onCreate: "overwrite", name: "${name}" });`;
  const late = (id: string) => `trunk.urn.apply(() => "${id}")`;
  const stack = await project({
    program: `const trunk = ${trunk}
      ${policy("one", late(ids.office))}
      ${policy("two", late(ids.office))}
      ${policy("three", `"${ids.runners}"`)}
      ${policy("four", late(ids.runners))}`,
  });
  const duplicates = await stack.up({ fails: true });
  expect(duplicates).toContain('NetworkPolicy "two" and NetworkPolicy "one" declare the same object');
  expect(duplicates).toContain('NetworkPolicy "four" and NetworkPolicy "three" declare the same object');
  expect(duplicates).not.toMatch(/\n\s*at /);
  const second = stack.organization.requests().filter((request) => /"(two|four)"/.test(request));
  expect(second).toEqual([]);

  // With retainOnDelete: false, the engine calls delete for an onDelete that a transform adds.
  stack.program(`${trunk}
    new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 }, {
      transforms: [({ props, opts }) => ({ props: { ...props, onDelete: "disable" }, opts })], retainOnDelete: false,
    });`);
  await stack.up();
  stack.organization.forgetRequests();
  const failed = await stack.destroy({
    fails: true,
    flags: ["--continue-on-error"],
    env: { VOICEPLANE_TOKEN: "vp_dev_without_trunks_write" },
  });
  expect(stack.organization.requests().filter((request) => request.startsWith("PUT "))).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
  const [, diagnostics = ""] = failed.split("Diagnostics:");
  expect(diagnostics.match(/DELETE \S+ was refused: 403/g)).toHaveLength(1);
  expect(failed).not.toContain("see the error of the resource");
});
