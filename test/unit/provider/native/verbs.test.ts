/** create, update, delete and read over the wire: what they send, what they store, and what previews know. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { startPlugin, messageOf, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, unknown, type Values } from "../../../support/native/wire";
const deletion = 'RetentionPolicy "recordings" of acme: sets 90 days; may delete what is older.';
const rotates = `WebhookSecret "${ids.crm}" of acme: rotates its signing secret on creation: the old secret stops working.`;
const crm = { webhookId: ids.crm, onCreate: "rotate" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const aSecret = secret(expect.stringMatching(/^[\w-]{43}$/));

async function created(plugin: TestPlugin, type: string, args: Values) {
  const inputs = await plugin.inputsOf(type, args);
  return { inputs, ...(await plugin.create(type, inputs)) };
}

describe("create", () => {
  test("keeps secret what came secret", async () => {
    const plugin = await startPlugin();
    const policy = {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      name: secret("canary"),
      sourceCidr: "203.0.113.0/24",
    };
    expect((await created(plugin, "NetworkPolicy", policy)).state).toMatchObject({
      name: secret("canary"),
      sourceCidr: "203.0.113.0/24",
    });
    const trunk = { trunkId: ids.carrier, cleared: true, triggers: { stamp: secret("canary") } };
    expect((await created(plugin, "TrunkOutboundAuth", trunk)).state.triggers).toEqual(secret({ stamp: "canary" }));
    const webhook = { ...crm, initialSecret: "canary" };
    expect((await created(plugin, "WebhookSecret", webhook)).state).toMatchObject({
      secret: aSecret,
      previousSecret: secret("canary"),
    });
  });
});

describe("previews", () => {
  test("of a create know all but what an answer decides, and send nothing", async () => {
    const plugin = await startPlugin();
    const policy = await plugin.inputsOf("NetworkPolicy", {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      name: secret("canary"),
    });
    expect(await plugin.create("NetworkPolicy", policy, { preview: true })).toEqual({
      id: ids.office,
      state: {
        networkPolicyId: ids.office,
        name: secret("canary"),
        organization: "acme",
        address: plugin.plane.url,
        requestId: unknown,
      },
    });
    const webhook = await plugin.inputsOf("WebhookSecret", crm);
    expect(await plugin.create("WebhookSecret", webhook, { preview: true })).toEqual({
      id: ids.crm,
      state: {
        webhookId: ids.crm,
        organization: "acme",
        address: plugin.plane.url,
        secret: secret(unknown),
        data: secret(unknown),
        rotatedAt: unknown,
        rotationState: unknown,
        requestId: unknown,
        rotationCount: 1,
      },
    });
    expect(plugin.requests()).toEqual([]);
    // A warning that no secret was found would be about an answer that nobody gave.
    expect(plugin.engine.messages.map(({ message }) => message)).toEqual([rotates]);
  });

  test("of a create that will send nothing know everything", async () => {
    const plugin = await startPlugin();
    const inputs = await plugin.inputsOf("WebhookSecret", { ...crm, onCreate: "adopt", initialSecret: "canary" });
    const { state } = await plugin.create("WebhookSecret", inputs, { preview: true });
    expect(state).toMatchObject({ secret: secret("canary"), rotationCount: 0, rotationState: "adopted" });
    expect(state).not.toHaveProperty("rotatedAt");
  });

  test("do not know the id of an object whose id they do not know", async () => {
    const plugin = await startPlugin();
    const policy = await plugin.inputsOf("NetworkPolicy", {
      networkPolicyId: unknown,
      onCreate: "overwrite",
      name: "HQ",
    });
    const { id, state } = await plugin.create("NetworkPolicy", policy, { preview: true });
    expect({ id, networkPolicyId: state.networkPolicyId }).toEqual({ id: "", networkPolicyId: unknown });
    const webhook = await plugin.inputsOf("WebhookSecret", { webhookId: unknown, onCreate: "rotate" });
    expect((await plugin.create("WebhookSecret", webhook, { preview: true })).id).toBe("");
    expect(plugin.requests()).toEqual([]);
  });

  test("of an update that rotates know the previous secret, and no new one", async () => {
    const plugin = await startPlugin();
    const { id, inputs, state } = await created(plugin, "WebhookSecret", { ...crm, triggers: { n: 1 } });
    plugin.requests();
    const news = await plugin.inputsOf("WebhookSecret", { ...crm, triggers: { n: 2 } }, inputs);
    expect(await plugin.update("WebhookSecret", id, state, news, { preview: true })).toMatchObject({
      triggers: { n: 2 },
      secret: secret(unknown),
      previousSecret: state.secret,
      rotatedAt: unknown,
      rotationCount: 2,
      rotationState: unknown,
    });
    expect(plugin.requests()).toEqual([]);
  });

  test("of an update that a date alone makes due do not ask for the server's time", async () => {
    const plugin = await startPlugin();
    const args = { ...crm, rotateAfter: "90d" };
    const { id, inputs, state } = await created(plugin, "WebhookSecret", args);
    plugin.requests();
    const news = await plugin.inputsOf("WebhookSecret", args, { ...inputs, rotateOn: "2020-01-01" });
    const planned = await plugin.update("WebhookSecret", id, state, news, { preview: true });
    expect(planned).toMatchObject({ __due: "2020-01-01", secret: secret(unknown), rotationCount: 2 });
    expect(plugin.requests()).toEqual([]);
  });

  test("of an update of a setting know its outputs", async () => {
    const plugin = await startPlugin();
    const { id, inputs, state } = await created(plugin, "RetentionPolicy", recordings);
    plugin.requests();
    const news = await plugin.inputsOf("RetentionPolicy", { ...recordings, retentionDays: 365 }, inputs);
    const planned = await plugin.update("RetentionPolicy", id, state, news, { preview: true });
    expect(planned).toEqual({ ...state, retentionDays: 365, requestId: unknown });
    expect(plugin.requests()).toEqual([]);
  });
});

describe("update", () => {
  test("sends once, and keeps secrets secret", async () => {
    const plugin = await startPlugin();
    const args = { networkPolicyId: ids.office, onCreate: "overwrite", name: secret("canary-1") };
    const { id, inputs, state } = await created(plugin, "NetworkPolicy", args);
    const news = await plugin.inputsOf("NetworkPolicy", { ...args, name: secret("canary-2") }, inputs);
    plugin.requests();
    expect(await plugin.update("NetworkPolicy", id, state, news)).toMatchObject({ name: secret("canary-2") });
    expect(plugin.requests()).toEqual([
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"canary-2"}',
    ]);
  });
});

describe("delete", () => {
  test("sends what onDelete says, which may be secret", async () => {
    const plugin = await startPlugin();
    const state = {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      name: "HQ",
      onDelete: secret({ sourceCidr: "203.0.113.7/32" }),
    };
    await plugin.delete("NetworkPolicy", ids.office, { organization: "acme", ...state });
    expect(plugin.requests()).toEqual([
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"source_cidr":"203.0.113.7/32"}',
    ]);
    expect(plugin.engine.messages).toEqual([]);
  });
});

describe("read", () => {
  test("of a setting sends nothing, and answers what it was asked with, secrets included", async () => {
    const plugin = await startPlugin();
    const args = { networkPolicyId: ids.office, onCreate: "overwrite", name: secret("canary") };
    const { id, inputs, state } = await created(plugin, "NetworkPolicy", args);
    plugin.requests();
    expect(await plugin.read("NetworkPolicy", id, state, inputs)).toEqual({ id, state, inputs });
    expect(plugin.requests()).toEqual([]);
  });
});

test.each(["delete", "update", "read", "diff"] as const)(
  "%s of a state that does not name its object is an error that says what is missing, and sends nothing",
  async (verb) => {
    const plugin = await startPlugin();
    const nameless = { organization: "acme", triggers: { n: 1 } };
    const verbs = {
      delete: (state: Values) => plugin.delete("WebhookSecret", ids.crm, state),
      update: (state: Values) => plugin.update("WebhookSecret", ids.crm, state, nameless),
      read: (state: Values) => plugin.read("WebhookSecret", ids.crm, { ...state, organization: "acme" }),
      diff: (state: Values) => plugin.diff("WebhookSecret", state, {}, nameless),
    };
    const ending =
      "no webhookId, so nothing was sent: restore it with `pulumi stack import`, or remove the resource with `pulumi state delete`";
    expect(await messageOf(verbs[verb](nameless))).toBe(`the state of this WebhookSecret has ${ending}`);
    if (verb !== "read")
      expect(await messageOf(verbs[verb]({}))).toBe(
        `the state of this WebhookSecret has no organization and ${ending}`,
      );
    expect(plugin.requests()).toEqual([]);
    expect(plugin.engine.messages).toEqual([]);
  },
);

describe("`pulumi do --stateless`, which configures a provider without a name,", () => {
  const refusal =
    "a rotation is refused in `pulumi do --stateless`, which keeps no state, so the new secret would be lost: leave out --stateless, " +
    "or declare the webhook in a program";

  async function stateless(): Promise<TestPlugin> {
    const plugin = await startPlugin({ configured: false });
    await plugin.configure({ baseUrl: plugin.plane.url, token: "vp_dev_full", organization: "acme" }, "");
    return plugin;
  }

  test("rotates nothing: neither a create nor a change of triggers", async () => {
    const plugin = await stateless();
    expect((await plugin.check("WebhookSecret", crm)).reasons).toEqual([refusal]);
    const named = `WebhookSecret "${ids.crm}" of acme: ${refusal}`;
    expect(await messageOf(plugin.create("WebhookSecret", { ...crm, organization: "acme" }))).toBe(named);
    const adopted = await created(plugin, "WebhookSecret", { ...crm, onCreate: "adopt" });
    const triggers = { n: 1 };
    const changed = await plugin.check("WebhookSecret", { ...crm, triggers }, { olds: adopted.inputs });
    expect(changed.reasons).toEqual([refusal]);
    expect(plugin.requests()).toEqual([]);
    expect(plugin.engine.messages.filter(({ message }) => message.includes("no guard"))).toEqual([]);
  });

  test("sets a setting, and says before that no guard knows what is in force", async () => {
    const plugin = await stateless();
    const inputs = await plugin.inputsOf("RetentionPolicy", { ...recordings, retentionDays: 30 });
    expect(plugin.engine.messages.map(({ message }) => message)).toEqual([
      deletion.replace("90", "30"),
      'RetentionPolicy "recordings" of acme: `pulumi do --stateless` knows no state, so no guard compares this with what is in force, ' +
        "and a stack that declares the object does not learn of it.",
    ]);
    await plugin.create("RetentionPolicy", inputs);
    expect(plugin.requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}']);
  });

  test("is not what an older engine does, which sends neither name nor URN", async () => {
    const plugin = await startPlugin({ configured: false });
    const args = struct({ baseUrl: plugin.plane.url, token: "vp_dev_full" });
    await plugin.call("configure", new pb.ConfigureRequest().setArgs(args));
    expect((await plugin.check("WebhookSecret", crm)).reasons).toEqual([]);
  });
});

test("a failure of the engine's log fails no operation", async () => {
  const plugin = await startPlugin();
  const { id, state } = await created(plugin, "WebhookSecret", crm);
  plugin.engine.close();
  await plugin.delete("WebhookSecret", id, { ...state, organization: "elsewhere" });
  expect(await messageOf(plugin.import("TrunkOutboundAuth", ids.carrier))).toContain("cannot be imported");
});
