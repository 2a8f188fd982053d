/** Signals in the middle of a request of the plugin, through the real engine. */
import { yamlProject, type ResourceState } from "../../support/engine/project";
import { expectSound } from "../../support/faults/aftermath";
import { unanswered, upDuring } from "../../support/faults/deaths";

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

test("SIGINT ends a request of the plugin at once and keeps the resource as uncertain", async () => {
  const stack = await yamlProject({
    resources: {
      recordings: {
        type: "voiceplane:RetentionPolicy",
        properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
      },
    },
  });
  const put1 = await upDuring(stack, [{ ...unanswered, operation: "putRetentionPolicy" }]);
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

  expect(await stack.up()).toContain("~ 1 updated");
  expect(stack.state().recordings?.outputs).not.toHaveProperty("uncertain");
});
