/** What only the plugin has: looking up, cancelling, timeouts and `pulumi do --stateless`. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { resources } from "../../../../src/resources/index.js";
import { types } from "../../../support/resources/table.js";
import { anyRequestId } from "../../../support/ids.js";
import { startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, valuesOf } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

describe("looking up", () => {
  /** The ids that a list gives, in their order. */
  async function listed({ client }: TestPlugin, type = "WebhookSecret", limit = 0): Promise<string[]> {
    const found: string[] = [];
    for await (const response of client.list(
      new pb.ListRequest().setToken(`voiceplane:index:${type}`).setLimit(limit),
    )) {
      const { id, name } = (response as pb.ListResponse).getResult()?.toObject() ?? { id: "", name: "" };
      expect(name).toBe("");
      found.push(id);
    }
    return found;
  }

  const invoke = async (plugin: TestPlugin, name = "listWebhooks") =>
    plugin.call("invoke", new pb.InvokeRequest().setTok(`voiceplane:index:${name}`).setArgs(struct({})));

  test.each<[string, (plugin: TestPlugin) => Promise<unknown>]>([
    ["a list", listed],
    ["an import", (plugin) => plugin.read("WebhookSecret", ids.crm)],
    ["a call of listWebhooks", invoke],
  ])("by %s that is refused, or has no settings, is that error", async (_what, verb) => {
    const refused = await startPlugin({ env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" } });
    const { message } = await refused.failureOf(verb(refused));
    expect(message).toContain("GET /v1/webhooks/ was refused: 403 FORBIDDEN");
    const unset = await startPlugin({ configured: false });
    await unset.configure({});
    expect((await unset.failureOf(verb(unset))).message).toMatch(/^no base URL: run /);
  });

  test("by a list gives the ids to import and nothing else, which may be secret, by one GET", async () => {
    const plugin = await startPlugin();
    const all = await listed(plugin);
    expect(all).toEqual(expect.arrayContaining([ids.crm, ids.billing]));
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    expect(await listed(plugin, "WebhookSecret", 1)).toEqual(all.slice(0, 1));
  });

  test("by an import takes a webhook over as it is, by one GET; the declaration that imports it changes nothing", async () => {
    const plugin = await startPlugin();
    const { inputs, state, id } = await plugin.read("WebhookSecret", ids.crm);
    const organization = { organization: "acme", address: plugin.plane.url };
    expect({ inputs, id }).toEqual({
      inputs: { webhookId: ids.crm, onCreate: "adopt", ...organization },
      id: ids.crm,
    });
    expect(state).toEqual({
      ...{ ...organization, webhookId: ids.crm, requestId: anyRequestId },
      ...{ rotationCount: 0, rotationState: "adopted" },
    });
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    const news = await plugin.inputsOf("WebhookSecret", inputs, inputs);
    expect((await plugin.diff("WebhookSecret", state, inputs, news)).changes).toBe(false);
    expect(plugin.requests()).toEqual([]);
  });

  test("by listWebhooks answers the server's webhooks as one secret", async () => {
    const plugin = await startPlugin();
    const response = await invoke(plugin);
    const named = (end: number): unknown =>
      expect.objectContaining({ id: `c0000000-0000-4000-8000-00000000000${end}` });
    expect(valuesOf(response.getReturn())).toEqual({ webhooks: secret([named(3), named(2), named(1)]) });
    expect(response.getFailuresList()).toEqual([]);
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    expect(plugin.said()).toEqual([]);
  });

  test("what the server has no operation for is an error that says why, and sends nothing", async () => {
    const plugin = await startPlugin();
    const message = async (verb: Promise<unknown>) => (await plugin.failureOf(verb)).message;
    expect(await message(listed(plugin, "NetworkPolicy"))).toBe(
      "voiceplane:index:NetworkPolicy cannot be listed, because the control plane has no list of it [cannot-list]",
    );
    for (const type of types.filter((each) => resources[each].lifecycle.import === undefined))
      expect(await message(plugin.read(type, "x"))).toBe(
        `a ${type} cannot be imported, because the control plane has no operation that reads it. ` +
          'Declare it with onCreate: "adopt" instead: the first update then sends nothing. [cannot-import]',
      );
    expect(await message(invoke(plugin, "listTrunks"))).toBe(
      "this plugin has no voiceplane:index:listTrunks: the versions of plugin and SDK differ [plugin-version]",
    );
    expect(plugin.requests()).toEqual([]);
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

describe("`pulumi do --stateless`, which configures a provider without a name,", () => {
  const refusal =
    "a rotation is refused in `pulumi do --stateless`, which keeps no state, so the new secret would be lost: leave out --stateless, " +
    "or declare the webhook in a program [rotation-unsaved]";

  async function stateless(): Promise<TestPlugin> {
    const plugin = await startPlugin({ configured: false });
    await plugin.configure({ baseUrl: plugin.plane.url, token: "vp_dev_full", organization: "acme" }, "");
    return plugin;
  }

  test("rotates nothing", async () => {
    const plugin = await stateless();
    expect((await plugin.check("WebhookSecret", crm)).reasons).toEqual([refusal]);
    const { message } = await plugin.failureOf(plugin.create("WebhookSecret", { ...crm, organization: "acme" }));
    expect(message).toBe(`WebhookSecret "${ids.crm}" of acme: ${refusal}`);
    expect(plugin.requests()).toEqual([]);
    expect(plugin.said().filter((text) => text.includes("no guard"))).toEqual([]);
  });

  test("sets a setting, and says before that no guard knows what is in force", async () => {
    const plugin = await stateless();
    const inputs = await plugin.inputsOf("RetentionPolicy", recordings);
    expect(plugin.said()).toEqual([
      'RetentionPolicy "recordings" of acme: sets 90 days; may delete what is older. [deletes-data]',
      'RetentionPolicy "recordings" of acme: `pulumi do --stateless` knows no state, so no guard compares this with what is in force, ' +
        "and a stack that declares the object does not learn of it. [state-not-kept]",
    ]);
    await plugin.create("RetentionPolicy", inputs);
    expect(plugin.requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}']);
  });

  test("is not what an older engine does, which sends neither name nor URN", async () => {
    const plugin = await startPlugin({ configured: false });
    const args = struct({ baseUrl: plugin.plane.url, token: "vp_dev_full", organization: "acme" });
    await plugin.call("configure", new pb.ConfigureRequest().setArgs(args));
    await plugin.inputsOf("WebhookSecret", crm);
  });
});

test("a failure of the engine's log fails no operation", async () => {
  const plugin = await startPlugin();
  plugin.engine.close();
  await plugin.delete("WebhookSecret", ids.crm, { webhookId: ids.crm, organization: "elsewhere" });
});
