/** The server of the state fails or hangs while `voiceplane apply` runs. */
import { applied, organizationProject, resultOf, rotating, webhook } from "../../support/engine/apply";
import { httpBackend, testOnHttp, testProcessesOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { expectCurrentSecret, processesOf, rotationsOf } from "../../support/faults/aftermath";

const file = (round: string): string => `retention:\n  recordings: { days: 90 }\n${webhook(round)}`;
const slow = { operation: "rotateWebhookSecret", latencyMs: 3_000, count: 1 } as const;

testOnHttp("a state that cannot be read for a moment after an update is read again", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(file("0"), { backend });
  const run = await rotating(stack, slow);
  await backend.control.setFaults({ operation: "exportStack", effect: "status", status: 400, count: 2 });
  expect(await resultOf(run)).toMatchObject({ outcome: "applied", rotations: 1, uncertain: 0 });
  expect(await backend.control.faults()).toEqual([]);
});

testOnHttp("a state that cannot be read after an update is not one that was not saved", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(file("0"), { backend });
  const run = await rotating(stack, slow);
  await backend.control.setFaults({ operation: "exportStack", effect: "status", status: 400 });
  const result = await resultOf(run);
  expect(result).toMatchObject({ outcome: "failed", rotations: 1, uncertain: null });
  expect(result.reason).toContain("[400]");
  await backend.control.setFaults();
  stack.organization.forgetRequests();
  expect(await applied(stack)).toMatchObject({
    ...{ outcome: "unchanged", requests: 0, uncertain: 0 },
    ...{ rotatedAgain: [], rotatedEarlier: [] },
  });
  expect(stack.organization.requests()).toEqual([]);
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  expect(rotationsOf(stack)).toEqual({ [ids.crm]: 1 });
  expectCurrentSecret(stack, "org-crm");
});

testProcessesOnHttp("with a server that hangs, a second interrupt ends apply within seconds", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(file("0"), { backend });
  const run = await rotating(stack, slow);
  await backend.control.setFaults({ operation: "*", effect: "hang" });
  await stack.until(async () => (await backend.control.requests()).length > 0 && rotationsOf(stack)[ids.crm] === 1);
  let progress = "";
  run.child.stderr?.on("data", (text: Buffer) => (progress += text.toString()));
  run.child.kill("SIGINT");
  // Two signals at once would be one.
  await stack.until(() => progress.includes("interrupt again"));
  const since = performance.now();
  run.child.kill("SIGINT");
  const result = await resultOf(run);
  expect(result).toMatchObject({
    outcome: "failed",
    reason: "interrupted",
    uncertain: null,
    uncertainObjects: [ids.crm],
  });
  expect(performance.now() - since).toBeLessThan(20_000);
  await stack.until(() => processesOf(stack).length === 0);
  await backend.control.setFaults();
});
