/** What each verb does about a request of a run that died. The rotation model has the rest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unsettledOn } from "../../../src/provider/unsettled.js";
import { LostAnswerError, type Context, type Lifecycle } from "../../../src/resources/lifecycle.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { forgetful, type Unsettled } from "../../../src/resources/memory.js";
import { temporaryFolder } from "../../support/folders.js";
import { settings } from "../../support/resources/settings.js";
import { ids, world } from "../../support/world.js";

const doubt = (type: string, id: string) =>
  `warning: ${type} "${id}" of acme: it is unknown whether its last request was carried out.`;

/** A world whose machine remembers, and whose process can die when a request has been answered. */
async function dying(lifecycle: Lifecycle) {
  const the = await world(lifecycle);
  const folder = join(temporaryFolder(), "state");
  const remember = (): Unsettled => unsettledOn({ VOICEPLANE_STATE_DIR: folder });
  const { api } = the.engine.around;
  the.engine.around = { ...the.engine.around, unsettled: remember() };
  const diesAfter = async (run: () => Promise<unknown>): Promise<void> => {
    const backup = the.engine.backup();
    const death = new Promise<void>((resolve) => {
      const send: Context["api"]["send"] = async (...request) => {
        await api.send(...request);
        resolve();
        return new Promise<never>(() => undefined);
      };
      the.engine.around = { ...the.engine.around, api: { send } };
    });
    const ended = run().then(() => {
      throw new Error("the run ended before it sent anything");
    });
    await Promise.race([death, ended]);
    the.engine.around = { ...the.engine.around, api, unsettled: remember() };
    the.engine.restore(backup);
  };
  return { ...the, diesAfter };
}

describe.each(settings)("a request for a $type of a run that died", (setting) => {
  const { type, lifecycle, id, args, undo, request, undone } = setting;
  const before = { it: args };
  const after = { it: { ...args, ...setting.change } };

  test("is sent again although the edit was reverted, and said", async () => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    await engine.up(before);
    await diesAfter(() => engine.up(after));
    journal();
    engine.said();
    expect(engine.preview(before).it?.step).toBe("update");
    expect(engine.said()).toEqual([doubt(type, id)]);
    expect(await engine.up(before)).toEqual({ it: "update" });
    expect(journal()).toEqual([request]);
    expect(await engine.up(before)).toEqual({ it: "same" });
    expect(journal()).toEqual([]);
  });

  test("is kept as uncertain by a refresh", async () => {
    const { engine, diesAfter } = await dying(lifecycle);
    await engine.up(before);
    await diesAfter(() => engine.up(after));
    await engine.refresh();
    expect(engine.outputsOf("it")).toMatchObject({ uncertain: "update" });
  });

  test("of a create is said by the next one, which sends it again", async () => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    await diesAfter(() => engine.up(before));
    journal();
    engine.risks();
    engine.said();
    await engine.up(before);
    expect([...engine.risks(), ...engine.said()].join("\n")).toContain(
      `${type} "${id}" of acme: an earlier run may have carried out its first request, and no state has the result.`,
    );
    expect(journal()).toEqual([request]);
    expect(await engine.up(before)).toEqual({ it: "same" });
  });

  test("of a delete is said by the next one, which sends it again", async () => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    await engine.up({ it: { ...args, ...undo } });
    await diesAfter(() => engine.up({}));
    journal();
    engine.said();
    await engine.destroy();
    expect(engine.said()).toEqual([doubt(type, id)]);
    expect(journal()).toEqual([undone]);
  });

  test("of a delete that the program takes back is followed by what the program declares", async () => {
    const { engine, diesAfter, journal } = await dying(lifecycle);
    const program = { it: { ...args, ...undo } };
    await engine.up(program);
    await diesAfter(() => engine.up({}));
    journal();
    expect(await engine.up(program)).toEqual({ it: "update" });
    expect(journal()).toEqual([request]);
  });

  test("that was refused leaves nothing behind", async () => {
    const { engine, faults, journal } = await dying(lifecycle);
    await engine.up(before);
    faults({ operation: "*", status: 403, count: 1 });
    await expect(engine.up(after)).rejects.toThrow("403");
    journal();
    expect(await engine.up(before)).toEqual({ it: "same" });
    expect(journal()).toEqual([]);
  });
});

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

  test("keeps an error hook's second call in the same run from sending, as before", async () => {
    const the = await dying(lifecycle);
    await the.engine.up(crm(0));
    the.faults({ operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 1 });
    await expect(the.engine.up(crm(1))).rejects.toThrow(LostAnswerError);
    expect(the.engine.outputsOf("crm")).toMatchObject({ rotationState: "uncertain" });
    expect(await the.engine.up(crm(0))).toEqual({ crm: "update" });
    expect(await the.engine.up(crm(0))).toEqual({ crm: "same" });
  });

  test("remembers nothing of an adopted webhook that was never sent anything", async () => {
    const { engine, journal } = await dying(lifecycle);
    const adopted = { crm: { webhookId: ids.webhook, onCreate: "adopt" } };
    await engine.up(adopted);
    await engine.up({});
    await engine.up(adopted);
    expect(await engine.up(adopted)).toEqual({ crm: "same" });
    expect(journal()).toEqual([]);
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
