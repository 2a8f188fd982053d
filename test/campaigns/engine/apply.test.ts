/** `voiceplane apply` with the real engine, when a run is killed or a policy is violated. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Fault } from "../../../src/control-plane/index";
import {
  applied,
  leftFiles,
  organizationProject,
  resultOf,
  rotating,
  startApply,
  webhook,
} from "../../support/engine/apply";
import { ids, organization } from "../../support/engine/organization";
import { expectCurrentSecret, expectSound, locksOf, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { engine, killAll, unanswered } from "../../support/faults/deaths";
import { gateTo } from "./gate";

const slow: Fault = { operation: "rotateWebhookSecret", latencyMs: 6_000, count: 1 };

test("a provider whose CLI is killed before the engine first calls it ends too", async () => {
  const stack = await organizationProject(webhook("0"));
  const { child, finished } = startApply(stack);
  await stack.until(() => processesOf(stack).some(({ command }) => /node .*cmd\/dynamic-provider/.test(command)));
  await killAll(stack, engine);
  child.kill("SIGKILL");
  await finished;
  await stack.until(() => processesOf(stack).length === 0);
  expect(rotationsOf(stack)[ids.crm] ?? 0).toBe(0);
});

test("a live run keeps its lock; a killed apply loses nothing; after a killed CLI, the rotation that makes up for it is named", async () => {
  const target = await organization();
  const gate = await gateTo(target.url);
  const stack = await organizationProject(webhook("0"), {
    organization: target,
    env: { VOICEPLANE_BASE_URL: gate.url },
  });
  const rotations = () => rotationsOf(stack)[ids.crm] ?? 0;
  const recorded = () => stack.state()["org-crm"]?.outputs?.rotationCount;

  // The first run dies during its create, with its CLI.
  const create = await rotating(stack, unanswered);
  create.child.kill("SIGKILL");
  await killAll(stack, engine);
  await create.finished;
  expect(rotations()).toBe(1);
  await stack.until(() => processesOf(stack).length === 0);
  expect(locksOf(stack)).toHaveLength(1);

  const after = await applied(stack);
  expect(after).toMatchObject({
    outcome: "applied",
    reason: "the last run did not end",
    // To clear the pending create, nothing is read.
    requests: 1,
    rotations: 1,
    rotatedAgain: [{ name: "crm", webhook: ids.crm, why: "an earlier run died while rotating it" }],
    pending: [],
  });
  expect(after.staleLocks).toEqual([
    expect.stringMatching(/^\S+@\S+ \(pid \d+\) since \S+: process \d+ of this machine is gone$/),
  ]);
  expect([rotations(), recorded()]).toEqual([2, 1]);
  await expectSound(stack);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  expect(leftFiles(stack)).toEqual([]);

  // apply alone dies: its CLI finishes, and the next apply waits for it.
  stack.write("organization.yaml", webhook("1"));
  gate.shut();
  const update = startApply(stack);
  await stack.until(() => rotations() === 3);
  update.child.kill("SIGKILL");
  await update.finished;
  const locks = locksOf(stack);
  expect(locks).toHaveLength(1);
  const limit = ["--cancel-locks-after", "1s"];
  const refused = await applied(stack, { flags: limit });
  expect(refused).toMatchObject({ outcome: "locked", requests: 0, code: 4 });
  expect(refused.reason).toMatch(/^another apply on this machine is running the stack \(pid \d+\)$/);
  expect(locksOf(stack)).toEqual(locks);
  gate.open();
  await expectSound(stack);
  expect([rotations(), recorded()]).toEqual([3, 2]);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", requests: 0, rotatedAgain: [], code: 0 });

  // No record names a person's run: its lock stays, unless a limit says that it is too old.
  stack.write("organization.yaml", webhook("2"));
  gate.shut();
  const person = stack.startUp();
  await stack.until(() => rotations() === 4);
  const held = locksOf(stack);
  const locked = await applied(stack);
  expect(locked).toMatchObject({ outcome: "locked", code: 4 });
  expect(locked.reason).toMatch(
    /^the stack is locked by \S+@\S+ \(pid \d+\) since \S+: if that run has ended, use `pulumi cancel --stack dev` or --cancel-locks-after$/,
  );
  expect(locksOf(stack)).toEqual(held);
  gate.open();
  expect((await person.finished).code).toBe(0);
  expect([rotations(), recorded()]).toEqual([4, 3]);

  // Two at once: one runs. One SIGINT lets it end its call.
  stack.write("organization.yaml", webhook("3"));
  const first = await rotating(stack, slow);
  expect(await applied(stack)).toMatchObject({ outcome: "locked", code: 4 });
  first.child.kill("SIGINT");
  expect(await resultOf(first)).toMatchObject({
    outcome: "failed",
    reason: "interrupted",
    rotations: 1,
    uncertain: 0,
    code: 1,
  });
  expect([rotations(), recorded()]).toEqual([5, 4]);
  await expectSound(stack);

  // The lost answer of a run that ended is named too.
  stack.write("organization.yaml", webhook("4"));
  stack.organization.control.setFaults([
    { operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 1 },
  ]);
  const lost = await applied(stack);
  expect(lost).toMatchObject({ outcome: "failed", rotations: 0, uncertain: 1, code: 1 });
  expect(lost.log).toEqual(expect.stringContaining("voiceplane-apply-"));
  expect(await applied(stack)).toMatchObject({
    outcome: "applied",
    rotations: 1,
    rotatedAgain: [{ name: "crm", webhook: ids.crm, why: "its last rotation may have been carried out" }],
  });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
});

const policies = ["--policy-pack", resolve(__dirname, "../../../examples/policies")];

test("with a policy pack, a violation sends nothing; later runs are whole, also after a kill, and each run's spans are one trace", async () => {
  const retention = "retention:\n  recordings: { days: 90 }\n";
  const stack = await organizationProject(retention + webhook("0"));
  const violating = await applied(stack, { flags: policies });
  expect(violating).toMatchObject({ outcome: "failed", summary: "", risks: [], requests: 0, rotations: 0, code: 1 });
  expect(violating.reason).toBe(
    "the policy webhook-rotation is violated by crm: A webhook's secret is rotated regularly. " +
      'rotateAfter is missing: declare "90d" or less.',
  );
  expect(stack.organization.requests()).toEqual([]);
  expect(stack.state()).toEqual({});

  const RECORDED = join(stack.folder, ".recorded");
  const required = [
    join(__dirname, "../../support/engine/pin-clock.cjs"),
    join(__dirname, "../../unit/provider/telemetry/register.cjs"),
  ];
  const telemetry = {
    OTEL_TRACES_EXPORTER: "otlp",
    OTEL_METRICS_EXPORTER: "otlp",
    NODE_OPTIONS: required.map((file) => `--require "${file}"`).join(" "),
    RECORDED,
  };
  const recorded = (kind: string) =>
    readFileSync(`${RECORDED}.${kind}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown> & { readonly name: string });
  const complying = (round: string) => retention + webhook(round, ", rotateAfter: 90d");
  stack.write("organization.yaml", complying("0"));
  expect(await applied(stack, { flags: policies, env: telemetry })).toMatchObject({
    outcome: "applied",
    summary: "2 requests: deletes data, rotates a secret",
    requests: 2,
    rotations: 1,
    nextDueDate: "2027-02-18",
    code: 3,
  });
  const spans = recorded("spans").filter(({ name }) => name !== "a span of the user's own");
  const [run] = spans.filter(({ name }) => name === "voiceplane apply");
  expect(run?.attributes).toEqual({
    "voiceplane.organization": "dev",
    "voiceplane.stack": "dev",
    "voiceplane.outcome": "applied",
    "voiceplane.requests": 2,
    "voiceplane.rotations": 1,
    "voiceplane.rotated_again": 0,
    "voiceplane.uncertain": 0,
  });
  const requests = spans.filter(({ name }) => name !== "voiceplane apply");
  expect(requests.map(({ name }) => name).sort()).toEqual([
    "POST /v1/webhooks/{webhook_id}/rotate-secret",
    "PUT /v1/retention-policies/{resource}",
  ]);
  for (const { traceId, parent } of requests)
    expect({ traceId, parent }).toEqual({ traceId: run?.traceId, parent: run?.spanId });
  expect(recorded("metrics")).toContainEqual({
    kind: "metrics",
    name: "voiceplane.runs",
    attributes: { "voiceplane.organization": "dev", "voiceplane.outcome": "applied" },
    value: 1,
  });
  expect(await applied(stack, { flags: policies, env: telemetry })).toMatchObject({ outcome: "skipped" });
  expect(recorded("spans").at(-1)).toMatchObject({
    name: "voiceplane apply",
    attributes: { "voiceplane.outcome": "skipped", "voiceplane.requests": 0 },
  });

  stack.write("organization.yaml", complying("1"));
  const update = await rotating(stack, unanswered, { flags: policies });
  update.child.kill("SIGKILL");
  await killAll(stack, engine);
  await update.finished;
  await stack.until(() => processesOf(stack).length === 0);
  expect(rotationsOf(stack)[ids.crm]).toBe(2);
  const after = await applied(stack, { flags: policies });
  expect(after).toMatchObject({
    outcome: "applied",
    rotations: 1,
    rotatedAgain: [{ name: "crm", webhook: ids.crm, why: "an earlier run died while rotating it" }],
    pending: [],
  });
  expect(after.staleLocks).toHaveLength(1);
  expect(rotationsOf(stack)[ids.crm]).toBe(3);
  await expectSound(stack);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack, { flags: policies })).toMatchObject({ outcome: "skipped" });
});
