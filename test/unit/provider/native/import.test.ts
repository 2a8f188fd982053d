/** What the plugin looks up: an object that is new to the engine, and the list of webhooks. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { messageOf, startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, valuesOf } from "../../../support/native/wire";
import { anyRowId } from "../../../support/ids.js";

/** The ids that a list gives, in their order. */
async function listed({ client }: TestPlugin, token: string, limit = 0): Promise<string[]> {
  const found: string[] = [];
  for await (const response of client.list(new pb.ListRequest().setToken(token).setLimit(limit))) {
    const { id, name } = (response as pb.ListResponse).getResult()?.toObject() ?? { id: "", name: "" };
    expect(name).toBe("");
    found.push(id);
  }
  return found;
}

const token = "voiceplane:index:WebhookSecret";
const listWebhooks = new pb.InvokeRequest().setTok("voiceplane:index:listWebhooks");

test.each<[string, (plugin: TestPlugin) => Promise<unknown>]>([
  ["a list", (plugin) => listed(plugin, token)],
  ["an import", (plugin) => plugin.import("WebhookSecret", ids.crm)],
  ["a call of listWebhooks", (plugin) => plugin.call("invoke", listWebhooks)],
])("%s that is refused, or has no settings, is that error", async (_what, verb) => {
  const refused = await startPlugin({ env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" } });
  expect(await messageOf(verb(refused))).toContain("GET /v1/webhooks/ was refused: 403 FORBIDDEN");
  const unset = await startPlugin({ config: {} });
  expect(await messageOf(verb(unset))).toMatch(/^no base URL: run /);
});

describe("list", () => {
  test("of webhooks gives the ids to import and nothing else, which may be secret, by one GET", async () => {
    const plugin = await startPlugin();
    const all = await listed(plugin, token);
    expect(all).toEqual(expect.arrayContaining([ids.crm, ids.billing]));
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    expect(await listed(plugin, token, 1)).toEqual(all.slice(0, 1));
    expect((await plugin.import("WebhookSecret", all[0] ?? "")).id).toBe(all[0]);
  });

  test("of another type is an error that says why", async () => {
    const plugin = await startPlugin();
    expect(await messageOf(listed(plugin, "voiceplane:index:NetworkPolicy"))).toBe(
      "voiceplane:index:NetworkPolicy cannot be listed, because the control plane has no list of it",
    );
  });
});

describe("import", () => {
  test("of a webhook takes it over as it is: by one GET, with arguments that a user can write", async () => {
    const plugin = await startPlugin();
    expect(await plugin.import("WebhookSecret", ids.crm)).toEqual({
      id: ids.crm,
      inputs: { webhookId: ids.crm, onCreate: "adopt" },
      state: {
        organization: "acme",
        webhookId: ids.crm,
        rotationCount: 0,
        rotationState: "adopted",
        requestId: anyRowId,
      },
    });
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
  });

  test("an imported webhook is unchanged by the declaration that imports it, and sends nothing", async () => {
    const plugin = await startPlugin();
    const { inputs = {}, state = {} } = await plugin.import("WebhookSecret", ids.crm);
    plugin.requests();
    const news = await plugin.inputsOf("WebhookSecret", { webhookId: ids.crm, onCreate: "adopt" }, inputs);
    expect((await plugin.diff("WebhookSecret", state, inputs, news)).changes).toBe(false);
    expect(plugin.requests()).toEqual([]);
  });

  test.each([
    ["RetentionPolicy", "recordings"],
    ["NetworkPolicy", ids.office],
    ["TrunkOutboundAuth", ids.carrier],
  ])("of a %s, which nobody can look up, says what to do instead", async (type, id) => {
    const plugin = await startPlugin();
    expect(await messageOf(plugin.import(type, id))).toBe(
      `a ${type} cannot be imported, because the control plane has no operation that reads it. ` +
        'Declare it with onCreate: "adopt" instead: the first update then sends nothing.',
    );
    expect(plugin.requests()).toEqual([]);
  });
});

describe("invoke", () => {
  test("listWebhooks answers the server's webhooks as one secret", async () => {
    const plugin = await startPlugin();
    const response = await plugin.call("invoke", listWebhooks);
    const { webhooks, ...rest } = valuesOf(response.getReturn());
    expect(rest).toEqual({});
    const named = (end: string): unknown =>
      expect.objectContaining({ id: `c0000000-0000-4000-8000-00000000000${end}` });
    expect(webhooks).toEqual(secret([named("3"), named("2"), named("1")]));
    expect(response.getFailuresList()).toEqual([]);
    expect(plugin.requests()).toEqual(["GET /v1/webhooks/"]);
    expect(plugin.engine.messages).toEqual([]);
  });

  test("another function is an error that names it", async () => {
    const plugin = await startPlugin();
    const request = new pb.InvokeRequest().setTok("voiceplane:index:listTrunks").setArgs(struct({}));
    expect(await messageOf(plugin.call("invoke", request))).toBe(
      "this plugin has no voiceplane:index:listTrunks: the versions of plugin and SDK differ",
    );
  });
});
