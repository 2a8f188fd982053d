/** A project that has the package as a link. */
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { install } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const policy =
  'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });';
const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

test("a workspace that links the package goes up and down", async () => {
  const parent = temporaryFolder();
  install(parent);
  const modules = join(parent, "node_modules");
  const linked = join(modules, "pulumi-voiceplane");
  const actual = join(parent, "packages/pulumi-voiceplane");
  mkdirSync(dirname(actual));
  renameSync(linked, actual);
  symlinkSync(actual, linked);

  const undone = policy.replace("90", '90, onDelete: "disable"');
  const stack = await project({
    parent,
    program: `
      ${undone}
      const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });
      new NetworkPolicy("office", { networkPolicyId: crm.secret.apply(() => "${ids.office}"), onCreate: "overwrite", name: "HQ" });`,
  });
  // An id that is another resource's output is unknown in the preview, and the up uses it.
  expect(await stack.preview()).toContain("networkPolicyId: [unknown]");
  expect(stack.organization.requests()).toEqual([]);
  await stack.up();
  const requests = stack.organization.requests();
  const patch = 'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}';
  expect([...requests].sort()).toEqual([patch, rotation, put]);
  expect(requests.indexOf(rotation)).toBeLessThan(requests.indexOf(patch));

  await stack.destroy();
  expect(stack.organization.requests()).toEqual([put.replace("true", "false")]);
});
