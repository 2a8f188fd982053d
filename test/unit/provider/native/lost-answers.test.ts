/** Answers that are lost, and requests that are cancelled: what the engine is told to keep. */
import type { ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Fault } from "../../../../src/control-plane/index.js";
import { errorOf, startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, valuesOf, type Values } from "../../../support/native/wire";
import { anyRowId } from "../../../support/ids.js";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const crm = { webhookId: ids.crm, onCreate: "rotate" };

interface HalfMade {
  readonly id: string;
  readonly reasons: string[];
  readonly state: Values;
}

/** What an error says beside its message, as the engine reads it. */
function halfMadeIn({ metadata }: ServiceError): HalfMade | undefined {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) return undefined;
  const details = Status.deserializeBinary(Buffer.from(bytes)).getDetailsList();
  expect(details.map((any) => any.getTypeUrl())).toEqual(["type.googleapis.com/pulumirpc.ErrorResourceInitFailed"]);
  const failure = details[0]?.unpack(
    (data: Uint8Array) => ErrorResourceInitFailed.deserializeBinary(data),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failure) throw new Error("no details");
  // Inputs of its own would replace those that the engine knows.
  expect(failure.hasInputs()).toBe(false);
  return { id: failure.getId(), reasons: failure.getReasonsList(), state: valuesOf(failure.getProperties()) };
}

async function lost(running: Promise<unknown>): Promise<HalfMade & { message: string }> {
  const error = await errorOf(running);
  const halfMade = halfMadeIn(error);
  if (!halfMade) throw new Error(`nothing is kept: ${error.details}`);
  expect(halfMade.reasons).toEqual([error.details]);
  return { ...halfMade, message: error.details };
}

const resetRotation: Fault = { operation: "rotateWebhookSecret", connection: "reset", commit: true };

/** A webhook that was rotated, and the inputs that rotate it again. */
async function rotatedOnce() {
  const plugin = await startPlugin();
  const args = (n: number) => ({ ...crm, triggers: { n } });
  const inputs = await plugin.inputsOf("WebhookSecret", args(1));
  const before = { inputs, ...(await plugin.create("WebhookSecret", inputs)) };
  const news = await plugin.inputsOf("WebhookSecret", args(2), inputs);
  plugin.requests();
  return { plugin, before, news };
}

describe("an answer that is lost", () => {
  test("to a first rotation: the webhook is kept with what is known, and nothing was sent twice", async () => {
    const plugin = await startPlugin();
    plugin.plane.control.setFaults([resetRotation]);
    const inputs = await plugin.inputsOf("WebhookSecret", {
      ...crm,
      initialSecret: secret("canary"),
      triggers: { stamp: secret("canary") },
    });
    const { id, message, state } = await lost(plugin.create("WebhookSecret", inputs));
    expect(id).toBe(ids.crm);
    expect(message).toContain("Whether the secret was rotated is unknown, so it was not tried again");
    expect(message).not.toContain("canary");
    expect(state).toEqual({
      organization: "acme",
      webhookId: ids.crm,
      triggers: secret({ stamp: "canary" }),
      secret: secret("canary"),
      rotationCount: 0,
      requestId: anyRowId,
      rotationState: "uncertain",
    });
    expect(plugin.requests()).toEqual([rotation]);
  });

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

  test("to the first request for a setting: its inputs are kept as uncertain", async () => {
    const plugin = await startPlugin();
    const inputs = await plugin.inputsOf("NetworkPolicy", {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      name: secret("canary"),
    });
    plugin.plane.control.setFaults([{ operation: "patchNetworkPolicy", status: 500 }]);
    const { id, state } = await lost(plugin.create("NetworkPolicy", inputs));
    expect({ id, state }).toEqual({
      id: ids.office,
      state: {
        organization: "acme",
        networkPolicyId: ids.office,
        name: secret("canary"),
        uncertain: "create",
        requestId: anyRowId,
      },
    });
  });

  test("and a refusal is another thing: nothing is kept", async () => {
    const { plugin, before, news } = await rotatedOnce();
    plugin.plane.control.setFaults([{ operation: "rotateWebhookSecret", status: 403 }]);
    const error = await errorOf(plugin.update("WebhookSecret", before.id, before.state, news));
    expect(error.details).toContain("was refused: 403");
    expect(halfMadeIn(error)).toBeUndefined();
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
