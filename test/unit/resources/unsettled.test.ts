/** What the machine remembers of webhooks. Settings are in settings.test.ts, and the rotation model has the rest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unsettledOn } from "../../../src/provider/unsettled.js";
import type { Lifecycle } from "../../../src/resources/lifecycle.js";
import { forgetful } from "../../../src/resources/memory.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { temporaryFolder } from "../../support/folders.js";
import { dying } from "../../support/resources/dying.js";
import { ids, world } from "../../support/world.js";

describe("a machine", () => {
  const lifecycle = webhookSecret as unknown as Lifecycle;
  const crm = (n: number) => ({ crm: { webhookId: ids.webhook, onCreate: "rotate", triggers: { n } } });

  test("that takes turns with another one sees no row as open", async () => {
    const { engine, journal } = await world(lifecycle);
    const machines = [1, 2].map(() => unsettledOn({ VOICEPLANE_STATE_DIR: join(temporaryFolder(), "state") }));
    for (let turn = 0; turn < 6; turn++) {
      engine.around = { ...engine.around, unsettled: machines[turn % 2] ?? forgetful };
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
    engine.around = { ...engine.around, unsettled: unsettledOn({ VOICEPLANE_STATE_DIR: join(folder, "file/state") }) };
    await engine.up({ ...crm(0), other: { webhookId: ids.otherWebhook, onCreate: "rotate" } });
    expect(journal()).toHaveLength(2);
    const said = engine.said();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^warning: this machine cannot remember what it sends \(E\w+: .*\): if this run is killed, the next one does not know which requests left\. Set VOICEPLANE_STATE_DIR to a folder of this user\.$/,
    );
  });

  test("sees a webhook that was removed from the state and adopted again as settled", async () => {
    const { engine, journal } = await dying(lifecycle);
    await engine.up(crm(0));
    engine.restore(new Map());
    const adopted = { crm: { ...crm(0).crm, onCreate: "adopt" } };
    await engine.up(adopted);
    expect(await engine.up(adopted)).toEqual({ crm: "same" });
    expect(journal()).toHaveLength(1);
    expect(engine.said()).toEqual([]);
  });
});
