/** What only the plugin has: listWebhooks, cancelling and timeouts. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { types } from "../../../support/resources/table.js";
import { startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, valuesOf } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

describe("listWebhooks", () => {
  const invoke = async (plugin: TestPlugin, name = "listWebhooks") =>
    plugin.call("invoke", new pb.InvokeRequest().setTok(`voiceplane:index:${name}`).setArgs(struct({})));

  test("that is refused, has no settings, or is of a later version, is that error", async () => {
    const refused = await startPlugin({ env: { VOICEPLANE_TOKEN: "vp_dev_no_rights" } });
    const { message } = await refused.failureOf(invoke(refused));
    expect(message).toContain("GET /v1/webhooks/ was refused: 403 FORBIDDEN");
    const unset = await startPlugin({ configured: false });
    await unset.configure({});
    expect((await unset.failureOf(invoke(unset))).message).toMatch(/^no base URL: run /);
    expect((await unset.failureOf(invoke(unset, "listTrunks"))).message).toBe(
      "this plugin has no voiceplane:index:listTrunks: the versions of plugin and SDK differ [plugin]",
    );
  });

  test("answers the server's webhooks as one secret", async () => {
    const plugin = await startPlugin();
    const response = await invoke(plugin);
    const named = (end: number): unknown =>
      expect.objectContaining({ id: `c0000000-0000-4000-8000-00000000000${end}` });
    expect(valuesOf(response.getReturn())).toEqual({ webhooks: secret([named(1), named(2), named(3)]) });
    expect(response.getFailuresList()).toEqual([]);
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    expect(plugin.said()).toEqual([]);
  });
});

test.each(types)("a %s is not imported, and the error says how to take it over", async (type) => {
  const plugin = await startPlugin();
  expect((await plugin.failureOf(plugin.read(type, "x"))).message).toBe(
    `a ${type} is not imported: declare it with onCreate: "adopt", which sends nothing [cannot-import]`,
  );
  expect(plugin.requests()).toEqual([]);
});

test("an update shows no difference of its own, and a replacement names what it needs", async () => {
  const plugin = await startPlugin();
  const olds = await plugin.inputsOf("RetentionPolicy", recordings);
  const { state } = await plugin.create("RetentionPolicy", olds);
  const same = { changes: false, replaces: [], deleteBeforeReplace: false };
  expect(await plugin.diff("RetentionPolicy", state, olds, olds)).toEqual(same);
  expect(await plugin.diff("RetentionPolicy", state, olds, { ...olds, retentionDays: 120 })).toEqual({
    ...same,
    changes: true,
  });
  expect(await plugin.diff("RetentionPolicy", { ...state, uncertain: "update" }, olds, olds)).toEqual({
    ...same,
    changes: true,
  });
  expect(await plugin.diff("RetentionPolicy", state, olds, { ...olds, organization: "other" })).toEqual({
    ...{ changes: true, replaces: ["organization"], deleteBeforeReplace: true },
  });
});

test("a further attempt is announced at the resource, for as long as that is in progress", async () => {
  const plugin = await startPlugin();
  const inputs = await plugin.inputsOf("RetentionPolicy", recordings);
  plugin.said();
  plugin.plane.control.setFaults([{ operation: "putRetentionPolicy", status: 503, count: 1 }]);
  await plugin.create("RetentionPolicy", inputs);
  expect(plugin.engine.messages).toEqual([
    {
      severity: "info",
      urn: "urn:pulumi:dev::test::voiceplane:index:RetentionPolicy::it",
      message: expect.stringContaining("; attempt 2 follows within 1 s") as string,
      passes: true,
    },
  ]);
});

test("customTimeouts end a setting, and a clearing on destroy", async () => {
  const plugin = await startPlugin();
  plugin.plane.control.setFaults([{ operation: "*", connection: "hang" }]);
  const inputs = await plugin.inputsOf("RetentionPolicy", recordings);
  const trunk = { trunkId: ids.carrier, cleared: false, onDelete: "clear", organization: "acme" };
  const { message, kept } = await plugin.failureOf(plugin.create("RetentionPolicy", inputs, { timeout: 0.5 }));
  expect(message).toMatch(/no complete answer within 0\.\d+ s/);
  expect(kept?.state.uncertain).toBe("create");
  const clearing = await plugin.failureOf(plugin.delete("TrunkOutboundAuth", ids.carrier, trunk, { timeout: 0.5 }));
  expect(clearing.message).toMatch(/no complete answer within 0\.\d+ s/);
});

describe("cancel", () => {
  test("lets a rotation that has left end: its secret is not lost", async () => {
    const plugin = await startPlugin();
    const { control } = plugin.plane;
    const inputs = await plugin.inputsOf("WebhookSecret", crm);
    control.setFaults([{ operation: "rotateWebhookSecret", hold: "after", count: 1 }]);
    const made = plugin.create("WebhookSecret", inputs);
    await control.held();
    await plugin.call("cancel", new Empty());
    control.release();
    expect((await made).state).toMatchObject({ rotationState: "rotated" });
    expect(plugin.requests()).toEqual([rotation]);
  });

  test.each([true, false])("lets nothing be sent afterwards, if something was sent before: %s", async (hasSent) => {
    const plugin = await startPlugin();
    const trunk = await plugin.inputsOf("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: true });
    const inputs = await plugin.inputsOf("WebhookSecret", crm);
    if (hasSent) await plugin.create("TrunkOutboundAuth", trunk);
    plugin.requests();
    await plugin.call("cancel", new Empty());
    const message = "The update was cancelled, and nothing was sent. [cancelled]";
    expect(await plugin.failureOf(plugin.create("WebhookSecret", inputs))).toEqual({ message, kept: undefined });
    expect(plugin.requests()).toEqual([]);
  });

  test("is answered where nothing has been configured yet", async () => {
    const plugin = await startPlugin({ configured: false });
    for (let times = 0; times < 2; times++) await plugin.call("cancel", new Empty());
  });
});

test("a failure of the engine's log fails no operation", async () => {
  const plugin = await startPlugin();
  plugin.engine.close();
  await plugin.delete("WebhookSecret", ids.crm, { webhookId: ids.crm, organization: "elsewhere" });
});
