/** Answers that are lost, and requests that are cancelled: what the engine is told to keep. */
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { errorOf, halfMadeIn, startPlugin, type HalfMade, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret } from "../../../support/native/wire";
import { anyRowId } from "../../../support/ids.js";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const crm = { webhookId: ids.crm, onCreate: "rotate" };

async function lost(running: Promise<unknown>): Promise<HalfMade & { message: string }> {
  const error = await errorOf(running);
  const halfMade = halfMadeIn(error);
  if (!halfMade) throw new Error(`nothing is kept: ${error.details}`);
  expect(halfMade.reasons).toEqual([error.details]);
  return { ...halfMade, message: error.details };
}

describe("an answer that is lost", () => {
  test("to a setting: the old values are kept as uncertain, and stay secret although the new ones are not", async () => {
    const plugin = await startPlugin();
    const args = { networkPolicyId: ids.office, onCreate: "overwrite", name: secret("canary") };
    const olds = await plugin.inputsOf("NetworkPolicy", args);
    const { id, state } = await plugin.create("NetworkPolicy", olds);
    const news = await plugin.inputsOf("NetworkPolicy", { ...args, name: "plain" }, olds);
    plugin.plane.control.setFaults([{ operation: "patchNetworkPolicy", status: 500, commit: true }]);
    const halfMade = await lost(plugin.update("NetworkPolicy", id, state, news));
    expect(halfMade.state).toEqual({ ...state, uncertain: "update", requestId: anyRowId });
    expect(halfMade.state.name).toEqual(secret("canary"));
  });
});

describe("customTimeouts", () => {
  const timeout = 0.5;

  test("end a setting, and a clearing on destroy", async () => {
    const plugin = await startPlugin();
    const trunk = { trunkId: ids.carrier, cleared: false, onDelete: "clear", organization: "acme" };
    plugin.plane.control.setFaults([{ operation: "*", connection: "hang" }]);
    const inputs = await plugin.inputsOf("RetentionPolicy", {
      resource: "recordings",
      onCreate: "overwrite",
      retentionDays: 90,
    });
    const { message, state } = await lost(plugin.create("RetentionPolicy", inputs, { timeout }));
    expect(message).toMatch(/no complete answer within 0\.\d+ s/);
    expect(state.uncertain).toBe("create");
    const { details } = await errorOf(plugin.delete("TrunkOutboundAuth", ids.carrier, trunk, { timeout }));
    expect(details).toMatch(/no complete answer within 0\.\d+ s/);
  });
});

describe("cancel", () => {
  /** Resolves when the server has the request that it will never answer. */
  async function hanging(plugin: TestPlugin): Promise<void> {
    while (plugin.plane.control.faults().length > 0) await new Promise(setImmediate);
  }

  test("ends a rotation under way at once: it is recorded as uncertain, and not sent again", async () => {
    const plugin = await startPlugin();
    const inputs = await plugin.inputsOf("WebhookSecret", crm);
    plugin.plane.control.setFaults([{ operation: "rotateWebhookSecret", connection: "hang", commit: true, count: 1 }]);
    const failure = lost(plugin.create("WebhookSecret", inputs));
    await hanging(plugin);
    await plugin.call("cancel", new Empty());
    expect(await failure).toMatchObject({
      id: ids.crm,
      message: expect.stringContaining("got no usable answer: the update was cancelled") as string,
      state: { rotationState: "uncertain", rotationCount: 0 },
    });
    expect(plugin.requests()).toEqual([rotation]);
  });

  test("lets nothing be sent afterwards, whether or not something was sent before", async () => {
    for (const hasSent of [true, false]) {
      const plugin = await startPlugin();
      const trunk = await plugin.inputsOf("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: true });
      const inputs = await plugin.inputsOf("WebhookSecret", crm);
      if (hasSent) await plugin.create("TrunkOutboundAuth", trunk);
      plugin.requests();
      await plugin.call("cancel", new Empty());
      const error = await errorOf(plugin.create("WebhookSecret", inputs));
      expect(error.details).toBe("The update was cancelled, and nothing was sent.");
      expect(halfMadeIn(error)).toBeUndefined();
      expect(plugin.requests()).toEqual([]);
    }
  });

  test("is answered where nothing has been configured yet", async () => {
    const plugin = await startPlugin({ configured: false });
    await plugin.call("cancel", new Empty());
    await plugin.call("cancel", new Empty());
  });
});
