/** Signals in the middle of a request of the plugin, through the real engine. */
import { ids } from "../../support/engine/organization";
import { yamlProject, type Project, type ResourceState } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { unanswered, upDuring } from "../../support/faults/deaths";

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const plugins = (stack: Project) =>
  processesOf(stack).filter(({ command }) => command.includes("pulumi-resource-voiceplane"));

test("SIGINT ends a request of the plugin at once and keeps the resource as uncertain; a killed engine leaves no plugin", async () => {
  const stack = await yamlProject({
    resources: {
      recordings: {
        type: "voiceplane:RetentionPolicy",
        properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
      },
    },
  });
  const put1 = await upDuring(stack, [{ ...unanswered, operation: "putRetentionPolicy" }]);
  expect(plugins(stack)).not.toEqual([]);
  put1.signal("SIGINT");
  const interrupted = await put1.finished;
  expect(interrupted.code).not.toBe(0);
  expect(interrupted.stdout).toContain("^C received; cancelling");
  // Not after the 20 seconds for which the client would have waited, which it would have said.
  expect(interrupted.stdout).toContain(
    "PUT /v1/retention-policies/recordings got no usable answer: the update was cancelled",
  );
  expect(interrupted.stdout).not.toContain("(2 attempts)");
  expect(stack.organization.requests()).toEqual([put]);
  await expectSound(stack);
  const kept: (ResourceState & { initErrors?: string[] }) | undefined = stack.state().recordings;
  expect(kept?.outputs).toMatchObject({
    resource: "recordings",
    retentionDays: 90,
    uncertain: "create",
  });
  expect(kept?.initErrors).toHaveLength(1);

  // In JavaScript, because the engine's own host for YAML outlives a killed engine.
  stack.native(`
    const recordings = new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });
    new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" }, { dependsOn: recordings });`);
  const killed = await upDuring(stack);
  expect(plugins(stack)).not.toEqual([]);
  killed.signal("SIGKILL");
  expect((await killed.finished).code).toBeNull();
  // Nobody tells the plugin, which would wait for 20 seconds.
  await stack.until(() => plugins(stack).length === 0);
  expect(stack.organization.requests().sort()).toEqual([rotation, put]);
  await expectSound(stack, { locks: 1, pending: 1 });
  await stack.run(["cancel", "--yes", "--stack", "dev"]);

  expect(await stack.up()).toContain("crm, interrupted while creating");
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(rotationsOf(stack)[ids.crm]).toBe(2);
  expectCurrentSecret(stack, "crm");
  expect(stack.state().recordings?.outputs).not.toHaveProperty("uncertain");
});
