/** What the machine remembers of webhooks. Settings are in settings.test.ts, and the rotation model has the rest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pendingRequestsOn } from "../../../src/provider/pending.js";
import type { Lifecycle } from "../../../src/lifecycle/lifecycle.js";
import { forgetful } from "../../../src/lifecycle/context.js";
import { trunkOutboundAuthLifecycle } from "../../../src/resources/trunk-outbound-auth/lifecycle.js";
import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";
import { temporaryFolder } from "../../support/folders.js";
import type { Program } from "../../support/played-engine.js";
import { dying } from "../../support/resources/dying.js";
import { ids, world } from "../../support/world.js";

describe("a machine", () => {
  const lifecycle = webhookSecretLifecycle as unknown as Lifecycle;
  const crm = (n: number) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", triggers: { n } } });

  test("that takes turns with another one sees no state as uncertain", async () => {
    const { engine, journal } = await world(lifecycle);
    const machines = [1, 2].map(() => pendingRequestsOn({ VOICEPLANE_STATE_DIR: join(temporaryFolder(), "state") }));
    for (let turn = 0; turn < 6; turn++) {
      engine.around = { ...engine.around, pending: machines[turn % 2] ?? forgetful };
      expect(await engine.up(crm(turn))).toEqual({ crm: turn === 0 ? "create" : "update" });
      expect(await engine.up(crm(turn))).toEqual({ crm: "same" });
    }
    expect(journal()).toHaveLength(6);
    expect(engine.said()).toEqual([]);
  });

  test("that cannot remember says so once per run, and sends all the same", async () => {
    const { engine, journal } = await world(lifecycle);
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    engine.around = {
      ...engine.around,
      pending: pendingRequestsOn({ VOICEPLANE_STATE_DIR: join(folder, "file/state") }),
    };
    const declared = (n: number) => ({
      ...crm(n),
      other: { webhookId: ids.otherWebhook, onCreate: "rotate", triggers: { n } },
    });
    await engine.up(declared(0));
    // A create starts from no state.
    expect(engine.said()).toEqual([]);
    await engine.up(declared(1));
    expect(journal()).toHaveLength(4);
    const said = engine.said();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^warning: this machine cannot remember what it sends \(E\w+: .*\): if a run is killed, the next one does not know which requests left\. Set VOICEPLANE_STATE_DIR to a folder in which this user may write\.$/,
    );
  });

  test("sees nothing pending of a webhook that was removed from the state and adopted again", async () => {
    const { engine, journal } = await dying(lifecycle);
    await engine.up(crm(0));
    engine.restore(new Map());
    const adopted = { crm: { ...crm(0).crm, onCreate: "adopt" } };
    await engine.up(adopted);
    expect(await engine.up(adopted)).toEqual({ crm: "same" });
    expect(journal()).toHaveLength(1);
    expect(engine.said()).toEqual([]);
  });

  test("whose rotation was refused does not take the later rotation of another machine, from the same state, for one that was never sent", async () => {
    const { engine, faults } = await world(lifecycle);
    const memory = pendingRequestsOn({ VOICEPLANE_STATE_DIR: join(temporaryFolder(), "state") });
    engine.around = { ...engine.around, pending: memory };
    await engine.up(crm(0));
    const id = String(engine.outputsOf("crm")?.requestId);
    faults({ operation: "rotateWebhookSecret", status: 403, count: 1 });
    await expect(engine.up(crm(1))).rejects.toThrow("403");
    expect(memory.hasSentNothing(id, { organization: "acme", address: "" })).toBe(false);
  });

  const doubt = `warning: WebhookSecret "${ids.webhook}" of acme: it is unknown whether its last rotation was carried out, so its secret may no longer work.`;

  test.each<[what: string, declared: Program, replace: string[]]>([
    ["a rename that adopts", { renamed: { webhookId: ids.webhook, onCreate: "adopt" } }, []],
    ["a replacement that adopts", { crm: { webhookId: ids.webhook, onCreate: "adopt" } }, ["crm"]],
    ["a removal", {}, []],
  ])("says of %s that the secret may be dead", async (_what, declared, replace) => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    await engine.up(crm(0));
    await diesAfter(() => engine.up(crm(1)));
    journal();
    engine.said();
    // The old state stays while it has the only copy of the secret.
    await engine.up(declared, { replace }).catch(() => undefined);
    expect(journal()).toEqual([]);
    expect(engine.said()[0]).toContain(doubt);
  });

  test("says nothing of one that the same run rotates under another name", async () => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    await engine.up(crm(0));
    await diesAfter(() => engine.up(crm(1)));
    journal();
    engine.said();
    await engine.up({ renamed: crm(1).crm });
    expect(journal()).toHaveLength(1);
    expect(engine.said().join()).not.toContain("unknown");
  });

  test("that remembers a request of one stack says nothing to another one, which declares the same webhook", async () => {
    const [first, second] = [await dying(lifecycle), await world(lifecycle)];
    second.engine.around = { ...second.engine.around, pending: first.engine.around.pending ?? forgetful };
    for (let turn = 0; turn < 3; turn++)
      for (const { engine } of [first, second]) {
        await engine.up(crm(turn));
        expect(await engine.up(crm(turn))).toEqual({ crm: "same" });
        expect(engine.said()).toEqual([]);
      }
  });

  test("sees nothing pending of what was created, destroyed and created again", async () => {
    const { engine, journal } = await dying(lifecycle);
    for (let turn = 0; turn < 2; turn++) {
      await engine.up(crm(0));
      expect(await engine.up(crm(0))).toEqual({ crm: "same" });
      expect(engine.said()).toEqual([]);
      await engine.destroy();
      engine.said();
    }
    expect(journal()).toHaveLength(2);
  });

  test("forgets a trunk's doubt once it is only tracked, and has said that the credentials may be gone", async () => {
    const { engine, diesAfter, journal } = await dying(trunkOutboundAuthLifecycle);
    const trunk = (cleared: boolean, triggers = {}) => ({ it: { trunkId: ids.trunk, cleared, triggers } });
    await engine.up(trunk(true));
    await diesAfter(() => engine.up(trunk(true, { n: 1 })));
    journal();
    engine.said();
    const said = `warning: TrunkOutboundAuth "${ids.trunk}" of acme: it is unknown whether its last request was carried out: its outbound credentials may be gone.`;
    expect(await engine.up(trunk(false))).toEqual({ it: "update" });
    expect(engine.said()).toEqual([said]);
    expect(await engine.up(trunk(false))).toEqual({ it: "same" });
    expect([engine.said(), journal()]).toEqual([[], []]);
    expect(engine.outputsOf("it")).not.toHaveProperty("uncertain");
  });
});
