/** `pulumi cancel` while a rotation runs: its update goes on, and what it has received is refused. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { applied, organizationProject, resultOf, rotating, webhook } from "../../support/engine/apply";
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";

const slow = { operation: "rotateWebhookSecret", latencyMs: 4_000, count: 1 } as const;
const named = { name: "crm", webhook: ids.crm };

testOnHttp("a rotation whose update was cancelled is uncertain, and named once when it is rotated again", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(webhook("0"), { backend });
  const cancelled = async () => {
    const run = await rotating(stack, slow);
    await stack.run(["cancel", "--yes", "--stack", "dev"]);
    const result = await resultOf(run);
    expect(result).toMatchObject({ outcome: "failed", requests: 1, rotations: 1, uncertain: 1, rotatedAgain: [] });
    expect(result.reason).toContain("[403] The provided update token has expired.");
    return result.uncertainObjects;
  };
  const why = "its last rotation was answered, and the state did not take the secret";

  expect(await cancelled()).toEqual([ids.crm]);
  // It creates the object, and leaves the pending create of the cancelled one.
  await stack.up();
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", uncertain: 0, rotatedAgain: [{ ...named, why }] });

  stack.write("organization.yaml", webhook("1"));
  expect(await cancelled()).toEqual(["crm"]);
  expect(await applied(stack)).toMatchObject({ outcome: "applied", uncertain: 0, rotatedAgain: [{ ...named, why }] });

  stack.write("organization.yaml", webhook("2"));
  await cancelled();
  // Another machine has only the state.
  rmSync(join(stack.folder, ".voiceplane"), { recursive: true });
  expect(await applied(stack)).toMatchObject({
    ...{ outcome: "applied", uncertain: 0 },
    rotatedAgain: [{ ...named, why: "an earlier run died while updating it" }],
  });
  expect(rotationsOf(stack)).toEqual({ [ids.crm]: 6 });
  expectCurrentSecret(stack, "org-crm");
});
