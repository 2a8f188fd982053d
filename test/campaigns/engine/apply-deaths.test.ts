/**
 * Who dies, and when: after each death, the rotations of the server, those of the state and those that the results name agree. With
 * the real CLI, for both providers.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../../src/control-plane/index";
import {
  applied,
  dateLocks,
  organizationProject,
  resultOf,
  rotating,
  startApply,
  webhook,
  type Applied,
} from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import { yamlProject, type Project } from "../../support/engine/project";
import { expectCurrentSecret, locksOf, rotationsOf } from "../../support/faults/aftermath";
import { allEnded, endAfterTest, engine, killAll, providers, unanswered } from "../../support/faults/deaths";
import { webhookStacks } from "./webhook-stacks";

const slow: Fault = { operation: "rotateWebhookSecret", latencyMs: 3_000, count: 1 };

const preloaded = [
  join(__dirname, "../../support/engine/pin-clock.cjs"),
  join(__dirname, "../../support/faults/die-at-line.cjs"),
];
const dyingAt = (death: string) => ({
  env: { DEATH: death, NODE_OPTIONS: preloaded.map((file) => `--require "${file}"`).join(" ") },
});

async function providerKilled(stack: Project): Promise<Applied> {
  const run = await rotating(stack, unanswered);
  await killAll(stack, providers);
  return resultOf(run);
}

/** The CLI dies, and its provider notices that. */
async function engineKilled(stack: Project): Promise<Applied> {
  const run = await rotating(stack, unanswered);
  await killAll(stack, engine);
  return resultOf(run);
}

async function bothKilled(stack: Project): Promise<undefined> {
  const run = await rotating(stack, unanswered);
  run.child.kill("SIGKILL");
  await killAll(stack, engine);
  await run.finished;
  return undefined;
}

/** The CLI ends its run. */
async function applyKilled(stack: Project): Promise<undefined> {
  const run = await rotating(stack, slow);
  run.child.kill("SIGKILL");
  await run.finished;
  await stack.until(() => locksOf(stack).length === 0);
  return undefined;
}

interface Death {
  readonly die: (stack: Project) => Promise<Applied | undefined>;
  /** Rotations by the server before the next run. */
  readonly rotated: 0 | 1;
  /** What the run said; undefined if nobody was left to say anything. */
  readonly said?: { readonly requests: number; readonly rotations: number; readonly uncertain: number };
  /** Why the next run rotated once more; undefined if it found the secret in the state. */
  readonly again?: string;
}

const lost = "its last rotation may have been carried out";
const notTaken = "its last rotation was answered, and the state did not take the secret";
const died = "an earlier run died while rotating it";
const unknown = { requests: 1, rotations: 0, uncertain: 1 };
const notStored = { requests: 1, rotations: 1, uncertain: 1 };

const deaths: Readonly<Record<string, Death>> = {
  "the provider, before it sends": {
    die: (stack) => applied(stack, dyingAt("intent")),
    rotated: 0,
    said: unknown,
    again: lost,
  },
  "the provider, within the line before it sends": {
    die: (stack) => applied(stack, dyingAt("cut")),
    rotated: 0,
    said: unknown,
    again: lost,
  },
  "the provider, while it waits": { die: providerKilled, rotated: 1, said: unknown, again: lost },
  "the provider, after the answer": {
    die: (stack) => applied(stack, dyingAt("answer")),
    rotated: 1,
    said: notStored,
    again: notTaken,
  },
  "the CLI and the provider, after the answer": {
    die: (stack) => applied(stack, dyingAt("engine")),
    rotated: 1,
    said: notStored,
    again: notTaken,
  },
  "the CLI, while it waits": { die: engineKilled, rotated: 1, said: unknown, again: lost },
  "apply and the CLI, while they wait": { die: bothKilled, rotated: 1, again: died },
  "apply alone": { die: applyKilled, rotated: 1 },
};

test.each(webhookStacks("crm"))("whoever dies, each rotation is named: %s", async (_provider, setup) => {
  const { make, edit, resource } = setup;
  const stack = await make();
  const onServer = () => rotationsOf(stack)[ids.crm] ?? 0;
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
  for (const [who, { die, rotated, said, again }] of Object.entries(deaths)) {
    const before = onServer();
    edit(stack, who);
    const first = await die(stack);
    await allEnded(stack);
    expect([who, first]).toEqual([
      who,
      said && expect.objectContaining({ outcome: "failed", ...said, rotatedAgain: [] }),
    ]);
    expect([who, onServer() - before]).toEqual([who, rotated]);

    const next = await applied(stack);
    const named = again === undefined ? [] : [{ name: "crm", webhook: ids.crm, why: again }];
    expect([who, next]).toEqual([who, expect.objectContaining({ uncertain: 0, pending: [], rotatedAgain: named })]);
    expect([who, next.rotations, next.rotatedEarlier.length]).toEqual([
      who,
      again === undefined ? 0 : 1,
      again === undefined ? 1 : 0,
    ]);
    expect([who, onServer() - before]).toEqual([who, rotated + next.rotations]);
    expectCurrentSecret(stack, resource);
  }
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
});

const policy = (days: number, audit = 400) => ({
  resources: {
    recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: days } },
    audit: { type: "voiceplane:RetentionPolicy", properties: { resource: "audit_events", retentionDays: audit } },
  },
});
const policyFile = (days: number, audit = 400) =>
  `retention:\n  recordings: { days: ${days} }\n  audit_events: { days: ${audit} }\n`;
const put = (kind: string, days: number) =>
  `PUT /v1/retention-policies/${kind} {"retention_days":${days},"enabled":true}`;
const refusedPut: Fault = { operation: "putRetentionPolicy", status: 422, count: 1 };
const slowPut: Fault = { operation: "putRetentionPolicy", latencyMs: 2_000, count: 1 };

const policies: readonly [string, () => Promise<Project>, (stack: Project, days: number, audit?: number) => void][] = [
  [
    "native plugin",
    () => yamlProject(policy(90)),
    (stack, days, audit) => {
      stack.yaml(policy(days, audit));
    },
  ],
  [
    "dynamic provider",
    () => organizationProject(policyFile(90)),
    (stack, days, audit) => {
      stack.write("organization.yaml", policyFile(days, audit));
    },
  ],
];

test.each(policies)(
  "a provider that dies after the answer to a setting has it sent again, also if the file is what it was: %s",
  async (_provider, make, edit) => {
    // The engine dates its state by the machine's clock.
    const now = () => ({ at: new Date().toISOString() });
    const stack = endAfterTest(await make());
    expect(await applied(stack, now())).toMatchObject({ outcome: "applied", requests: 2 });
    edit(stack, 365);
    const died = await applied(stack, { ...now(), ...dyingAt("answer") });
    expect(died).toMatchObject({ outcome: "failed", requests: 1, uncertain: 1 });

    edit(stack, 90);
    stack.organization.forgetRequests();
    const next = await applied(stack, now());
    expect(next).toMatchObject({ outcome: "applied", requests: 2, uncertain: 0 });
    expect(next.reason).toContain("every setting is sent again");
    expect(stack.organization.requests().sort()).toEqual([put("audit_events", 400), put("recordings", 90)]);

    // What the engine has saved is not sent again because another resource failed.
    edit(stack, 91, 401);
    // The first one takes longer than the second one's refusal, after which the engine begins nothing more.
    stack.organization.control.setFaults([slowPut, refusedPut]);
    expect(await applied(stack, now())).toMatchObject({ outcome: "failed", requests: 2, uncertain: 0 });
    expect(await applied(stack, now())).toMatchObject({
      outcome: "applied",
      reason: "the last run failed",
      requests: 1,
    });
    expect(await applied(stack, now())).toMatchObject({ outcome: "skipped" });
  },
);

test("a run that begins and dies on another machine while this one asks for the state's version is named", async () => {
  const stack = endAfterTest(await organizationProject(webhook("0")));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
  stack.write("organization.yaml", webhook("1"));
  const waits = `touch "${stack.folder}/asked"; while [ ! -e "${stack.folder}/go" ]; do sleep 0.1; done; date +%N`;
  const second = startApply(stack, { flags: ["--state-version", waits] });
  await stack.until(() => existsSync(join(stack.folder, "asked")));
  // The folder of the locks between the applies of one machine.
  stack.write("other/empty", "");
  const first = await rotating(stack, unanswered, { env: { TMPDIR: join(stack.folder, "other") } });
  first.child.kill("SIGKILL");
  await killAll(stack, engine);
  await first.finished;
  dateLocks(stack);
  stack.write("go", "");
  expect(await resultOf(second)).toMatchObject({
    outcome: "applied",
    reason: "the last run did not end",
    rotations: 1,
    rotatedAgain: [{ name: "crm", webhook: ids.crm, why: died }],
  });
  expect(rotationsOf(stack)[ids.crm]).toBe(3);
  expectCurrentSecret(stack, "org-crm");
});
