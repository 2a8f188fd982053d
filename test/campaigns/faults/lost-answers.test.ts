/** Answers that are lost, late or refusals, with the real engine. */
import type { Fault } from "../../../src/control-plane/index";
import { project } from "../../support/engine/project";
import { expectSound, rotationsOf } from "../../support/faults/aftermath";
import { diagnosticsOf, expectOnPage } from "../../support/faults/page";

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
] as const satisfies { fault: Fault; committed: boolean }[];

const faults: Fault[] = [
  ...losses.map(({ fault }) => fault),
  { ...rotate, ...tooMany, count: 3, retryAfter: 1 },
  // After the three 429s, the next attempt succeeds. The next webhook gets a Retry-After above the client's time limit.
  { ...rotate },
  { ...rotate, ...tooMany, retryAfter: 3600 },
  { ...put, connection: "reset" },
  { ...put, connection: "reset", commit: true },
  { ...put, connection: "cut" },
  { ...put, status: 504, commit: true },
  { ...patch, count: 1, status: 500 },
  { ...patch, count: 7, status: 503 },
  { operation: "clearTrunkOutboundAuth", count: 2, ...tooMany, retryAfter: new Date(Date.now() + 1_000).toUTCString() },
];

/** One for each loss, one for the three 429s and one for the long Retry-After. */
const webhooks = Array.from({ length: losses.length + 2 }, (_, index) => ({
  name: `crm-${index}`,
  id: `c1000000-0000-4000-8000-00000000000${index}`,
}));
const [office, runners] = ["a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002"];
const carrier = "b0000000-0000-4000-8000-000000000001";

const program = (round: string, days: number) => `
  for (const { name, id } of ${JSON.stringify(webhooks)}) {
    new WebhookSecret(name, { webhookId: id, onCreate: "rotate", triggers: { round: "${round}" } });
  }
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days} });
  new NetworkPolicy("office", { networkPolicyId: "${office}", onCreate: "overwrite", name: "Office ${round}" });
  new NetworkPolicy("runners", { networkPolicyId: "${runners}", onCreate: "overwrite", name: "Runners ${round}" });
  new TrunkOutboundAuth("carrier", { trunkId: "${carrier}", cleared: true, triggers: { round: "${round}" } });`;

test("whatever happens to the answers, a rotation is sent once, everything else until it succeeds, and the next up repairs the rest", async () => {
  const stack = await project();
  const { control } = stack.organization;
  control.seed({ webhooks: webhooks.map(({ id }) => ({ id, url: "https://example.com/voice" })) });
  stack.program(program("first", 90));
  await stack.up();
  control.clearJournal();

  control.setFaults(faults);
  stack.program(program("second", 365));
  // One request at a time, so that the journal shows which fault hit which resource. The order is the engine's.
  const { code, stdout } = await stack.startUp({ flags: ["--parallel", "1", "--continue-on-error"] }).finished;
  expect(code).not.toBe(0);
  expect(control.faults()).toEqual([]);
  const journal = control.journal();
  const rotated = [...new Set(journal.filter(({ method }) => method === "POST").map(({ path }) => path))].map(
    (path) => {
      const webhook = webhooks.find(({ id }) => path === `/v1/webhooks/${id}/rotate-secret`);
      return { ...webhook, name: webhook?.name ?? "", id: webhook?.id ?? "", path };
    },
  );
  const attempts = (path: string) => journal.filter((entry) => entry.path === path).length;

  for (const [index, { committed }] of losses.entries()) {
    const { name, id, path } = rotated[index] ?? { name: "", id: "", path: "" };
    const diagnostics = diagnosticsOf(stdout, name);
    expect(diagnostics).toContain("Whether the secret was rotated is unknown, so it was not tried again");
    expectOnPage(diagnostics);
    expect(attempts(path)).toBe(1);
    expect(rotationsOf(stack)[id]).toBe(committed ? 2 : 1);
    expect(stack.state()[name]?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 1 });
  }

  const [storm, longWait] = rotated.slice(losses.length);
  expect(attempts(storm?.path ?? "")).toBe(4);
  expect(rotationsOf(stack)[storm?.id ?? ""]).toBe(2);
  expect(rotationsOf(stack)[longWait?.id ?? ""]).toBe(1);
  const refused = diagnosticsOf(stdout, longWait?.name ?? "");
  expect(refused).toContain("The server asks to wait 3600 s, longer than the request may take.");
  expectOnPage(refused);
  for (const name of [storm?.name, "carrier"]) {
    const line = stdout.split("\n").find((each) => each.includes(` ${name ?? ""} updated `)) ?? "";
    expect(line).toContain("updated (");
    expectOnPage(line);
  }

  expect(attempts("/v1/retention-policies/recordings")).toBe(5);
  expect(attempts(`/v1/trunks/${carrier}/outbound-auth`)).toBe(3);
  const policies = [...new Set(journal.filter(({ method }) => method === "PATCH").map(({ path }) => path))];
  expect(policies.map(attempts)).toEqual([1, 7]);
  const [unknown, outage] = policies[0]?.endsWith(office) ? ["office", "runners"] : ["runners", "office"];
  expect(diagnosticsOf(stdout, unknown)).toContain("A 500 may also mean an unknown id: check the id first.");
  expectOnPage(diagnosticsOf(stdout, unknown));
  expect(diagnosticsOf(stdout, outage)).toContain("7 attempts)");
  expectOnPage(diagnosticsOf(stdout, outage));
  await expectSound(stack);

  const before = rotationsOf(stack);
  await stack.up();
  for (const { name, id } of webhooks) {
    expect(rotationsOf(stack)[id]).toBe((before[id] ?? 0) + (name === storm?.name ? 0 : 1));
    expect(stack.state()[name]?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
  }
  expect(
    control
      .state()
      .networkPolicies.map(({ name }) => name)
      .sort(),
  ).toEqual(["Office second", "Runners second"]);
  control.clearJournal();
  expect(await stack.up()).toContain("14 unchanged");
  expect(control.journal()).toEqual([]);
});
