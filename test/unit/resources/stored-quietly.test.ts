import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { ids, world } from "../../support/world.js";

/** What is logged when `args` are added to `base`, and again when they are there already. */
async function loggedFor(lifecycle: { type: string }, base: object, args: object): Promise<string[]> {
  const { engine, journal, forgetRequests } = await world(lifecycle);
  await engine.up({ it: { ...base } });
  engine.said();
  forgetRequests();
  engine.preview({ it: { ...base, ...args } });
  const said = engine.said();
  await engine.up({ it: { ...base, ...args } });
  engine.said();
  await engine.up({ it: { ...base, ...args } });
  expect(engine.said()).toEqual([]);
  expect(journal()).toEqual([]);
  return said;
}

describe("a change that is stored and sends nothing is logged, once, since no preview shows it", () => {
  test.each([
    [{ rotateAfter: "90d" }, "rotateAfter"],
    [{ secretPath: "a.b" }, "secretPath"],
    [{ onCreate: "adopt" }, "onCreate"],
    [{ rotateAfter: "90d", secretPath: "a.b" }, "secretPath, rotateAfter"],
  ])("of a webhook: %j", async (args, key) => {
    expect(await loggedFor(webhookSecret, { webhookId: ids.webhook, onCreate: "rotate" }, args)).toEqual([
      `info: WebhookSecret "${ids.webhook}" of acme: ${key} changed; that is stored and sends nothing.`,
    ]);
  });

  test("of a new webhook nothing is, since nothing of it changed", async () => {
    const { engine } = await world(webhookSecret);
    const program = { it: { webhookId: ids.webhook, rotateAfter: "90d", onCreate: "adopt" } };
    engine.preview(program);
    await engine.up(program);
    expect(engine.said()).toEqual([]);
  });

  test("of the others nothing is, where nothing of the kind changed", async () => {
    const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
    expect(await loggedFor(retentionPolicy, policy, { enabled: true })).toEqual([]);
    const range = { networkPolicyId: ids.office, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" };
    expect(await loggedFor(networkPolicy, range, { sourceCidr: "203.0.113.9/24" })).toEqual([]);
  });
});
