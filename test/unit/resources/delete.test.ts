/** A delete that sends nothing says so: previews of some programs only say `delete`. */
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { ids, world } from "../../support/world.js";

const stays = 'stays as it was last set, because onDelete is "retain". Nothing was sent.';

test.each([
  [
    "a retention policy",
    retentionPolicy,
    { resource: "recordings", onCreate: "overwrite", retentionDays: 90 },
    `warning: RetentionPolicy "recordings" of acme: ${stays}`,
  ],
  [
    "a network policy",
    networkPolicy,
    { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" },
    `warning: NetworkPolicy "a0000000-0000-4000-8000-000000000001" of acme: ${stays}`,
  ],
  [
    "a trunk",
    trunkOutboundAuth,
    { trunkId: ids.trunk, cleared: true, onDelete: "retain" },
    `warning: TrunkOutboundAuth "b0000000-0000-4000-8000-000000000001" of acme: ${stays}`,
  ],
  [
    "a webhook",
    webhookSecret,
    { webhookId: ids.webhook, onCreate: "rotate" },
    'warning: WebhookSecret "c0000000-0000-4000-8000-000000000001" of acme: keeps its secret. Nothing was sent.',
  ],
])("%s that stays as it is", async (_what, lifecycle, args, message) => {
  const { engine, journal } = await world(lifecycle);
  await engine.up({ it: args });
  engine.said();
  journal();
  await engine.destroy();
  expect(engine.said()).toEqual([message]);
  expect(journal()).toEqual([]);
});

test.each([
  [
    "a retention policy",
    retentionPolicy,
    { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" },
  ],
  [
    "a network policy",
    networkPolicy,
    { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", onDelete: { name: "Free" } },
  ],
  ["a trunk", trunkOutboundAuth, { trunkId: ids.trunk, cleared: false, onDelete: "clear" }],
])("%s that is set to something else says nothing: its request is what happened", async (_what, lifecycle, args) => {
  const { engine, journal } = await world(lifecycle);
  await engine.up({ it: args });
  engine.said();
  journal();
  await engine.destroy();
  expect(engine.said()).toEqual([]);
  expect(journal()).toHaveLength(1);
});

test("under an old name the reason is the declaration, and not onDelete", async () => {
  const { engine } = await world(trunkOutboundAuth);
  await engine.up({ old: { trunkId: ids.trunk, cleared: true } });
  engine.said();
  await engine.up({ renamed: { trunkId: ids.trunk, cleared: true } });
  expect(engine.said()).toEqual([
    'warning: TrunkOutboundAuth "b0000000-0000-4000-8000-000000000001" of acme: still declared by this program, so deleting it ' +
      "here sent nothing.",
  ]);
});
