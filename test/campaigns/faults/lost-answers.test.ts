/** Answers that are lost, late or refusals, with the real engine. */
import type { OperationName } from "../../../src/contract/index";
import type { Fault } from "../../../src/control-plane/index";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { diagnosticsOf } from "../../support/faults/diagnostics";

const rotate = { operation: "rotateWebhookSecret", count: 1 } as const;
const patch = { operation: "patchNetworkPolicy" } as const;
const put = { operation: "putRetentionPolicy", count: 1 } as const;
const tooMany = { status: 429 } as const;

/** Each fault hits one rotation. With `committed`, the server has rotated the secret. */
const losses = [
  { fault: { ...rotate, connection: "reset" }, committed: false },
  { fault: { ...rotate, connection: "reset", commit: true }, committed: true },
  { fault: { ...rotate, connection: "cut" }, committed: true },
  { fault: { ...rotate, status: 500, commit: true }, committed: true },
  { fault: { ...rotate, status: 502 }, committed: false },
  { fault: { ...rotate, status: 503 }, committed: false },
  { fault: { ...rotate, status: 504, commit: true }, committed: true },
  // Ends after 20 s, the client's time limit for an answer.
  { fault: { ...rotate, connection: "hang", commit: true }, committed: true },
] as const satisfies { fault: Fault; committed: boolean }[];

/** What hits each operation that changes something. */
const faultsOf: { [Name in Exclude<OperationName, "listWebhooks">]: (Fault & { operation: Name })[] } = {
  rotateWebhookSecret: [
    ...losses.map(({ fault }) => fault),
    { ...rotate, ...tooMany, count: 3, retryAfter: 1 },
    // After the three 429s, the next attempt succeeds. The next webhook gets a Retry-After above the client's time limit.
    { ...rotate },
    { ...rotate, ...tooMany, retryAfter: 3600 },
  ],
  putRetentionPolicy: [
    { ...put, connection: "reset" },
    { ...put, connection: "reset", commit: true },
    { ...put, connection: "cut" },
    { ...put, status: 504, commit: true },
    { ...put, connection: "hang", commit: true },
  ],
  patchNetworkPolicy: [
    { ...patch, count: 1, status: 500 },
    { ...patch, count: 7, status: 503 },
  ],
  clearTrunkOutboundAuth: [
    { operation: "clearTrunkOutboundAuth", count: 2, ...tooMany, retryAfter: "Thu, 01 Jan 2026 00:00:00 GMT" },
  ],
};

/** One for each loss, one for the three 429s and one for the long Retry-After. */
const webhooks = Array.from({ length: losses.length + 2 }, (_, index) => ({
  name: `crm-${index}`,
  id: `c1000000-0000-4000-8000-00000000000${index}`,
}));
const program = (round: string, days: number) => `
  for (const { name, id } of ${JSON.stringify(webhooks)}) {
    new WebhookSecret(name, { webhookId: id, onCreate: "rotate", triggers: { round: "${round}" } });
  }
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days} });
  new NetworkPolicy("office", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "Office ${round}" });
  new NetworkPolicy("runners", { networkPolicyId: "${ids.runners}", onCreate: "overwrite", name: "Runners ${round}" });
  new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true, triggers: { round: "${round}" } });`;

const objects = [
  ...webhooks,
  { name: "recordings", id: "recordings" },
  { name: "office", id: ids.office },
  { name: "runners", id: ids.runners },
  { name: "carrier", id: ids.carrierA },
];

test("whatever happens to the answers, a rotation is sent once, everything else until it succeeds, and the next up repairs the rest", async () => {
  const stack = await project();
  const { control } = stack.organization;
  control.seed({ webhooks: webhooks.map(({ id }) => ({ id, url: "https://example.com/voice" })) });
  stack.program(program("first", 90));
  await stack.up();
  const before = control.journal().length;

  control.setFaults(Object.values(faultsOf).flat());
  stack.program(program("second", 365));
  // One request at a time, so that the journal shows which fault hit which resource. The order is the engine's.
  const { code, stdout } = await stack.startUp({ flags: ["--parallel", "1", "--continue-on-error"] }).finished;
  expect(code).not.toBe(0);
  expect(control.faults()).toEqual([]);
  /** How often a request for each resource arrived, in the order of the first ones. */
  const attempts = new Map<string, number>();
  for (const { path } of control.journal().slice(before)) {
    const { name = path } = objects.find(({ id }) => path.includes(id)) ?? {};
    attempts.set(name, (attempts.get(name) ?? 0) + 1);
  }
  const inOrder = (...names: readonly string[]) => [...attempts.keys()].filter((each) => names.includes(each));
  const rotations = (name: string) => rotationsOf(stack)[objects.find((each) => each.name === name)?.id ?? ""] ?? 0;
  const expectShown = (name: string, text: string) => {
    expect(diagnosticsOf(stdout, name)).toContain(text);
  };

  const rotated = inOrder(...webhooks.map(({ name }) => name));
  for (const [index, { committed }] of losses.entries()) {
    const name = rotated[index] ?? "";
    expectShown(name, "Whether the secret was rotated is unknown, so it was not tried again");
    expect([attempts.get(name), rotations(name)]).toEqual([1, committed ? 2 : 1]);
    expect(stack.state()[name]?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 1 });
  }
  expectShown(rotated[losses.length - 1] ?? "", "no complete answer within 20 s");
  const [storm = "", longWait = ""] = rotated.slice(losses.length);
  expect([attempts.get(storm), rotations(storm), rotations(longWait)]).toEqual([4, 2, 1]);
  expectShown(longWait, "The server asks to wait 3600 s.");

  const [unknown = "", outage = ""] = inOrder("office", "runners");
  const counts = ["recordings", "carrier", unknown, outage].map((name) => attempts.get(name));
  expect(counts).toEqual([6, 3, 1, 7]);
  expectShown(unknown, "A 500 may also mean an unknown id: check the id first.");
  expectShown(outage, "7 attempts)");
  await expectSound(stack);

  await stack.up();
  for (const { name } of webhooks) {
    expect(stack.state()[name]?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
    expectCurrentSecret(stack, name);
  }
  const lost = losses.map(({ committed }) => (committed ? 3 : 2));
  expect(rotated.map(rotations)).toEqual([...lost, 2, 2]);
  const names = control.state().networkPolicies.map(({ name }) => name);
  expect(names.sort()).toEqual(["Office second", "Runners second"]);
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain("15 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
