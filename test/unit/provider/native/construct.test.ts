import { Value } from "google-protobuf/google/protobuf/struct_pb.js";
/** The component Organization over the wire: what it registers with the engine, and what it answers. */
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { Registration } from "../../../support/native/engine";
import { messageOf, startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, unknown, valuesOf, type Values } from "../../../support/native/wire";

const organizationUrn = "urn:pulumi:dev::test::voiceplane:index:Organization::acme";

async function construct(plugin: TestPlugin, inputs: Values, change?: (request: pb.ConstructRequest) => unknown) {
  const request = new pb.ConstructRequest()
    .setType("voiceplane:index:Organization")
    .setName("acme")
    .setParent("urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev")
    .setMonitorendpoint(plugin.engine.address)
    .setInputs(struct(inputs));
  change?.(request);
  const response = await plugin.call("construct", request);
  return { urn: response.getUrn(), outputs: valuesOf(response.getState()), response };
}

/** The registrations by name; the component is "acme". */
const byName = ({ engine }: TestPlugin): Record<string, Registration> =>
  Object.fromEntries(engine.registrations.map((registration) => [registration.name, registration]));

test("its resources have it as their parent, the dynamic type as an alias, and retainOnDelete where onDelete sends nothing", async () => {
  const plugin = await startPlugin();
  await construct(
    plugin,
    {
      onCreate: "overwrite",
      retention: { recordings: { days: 90, onDelete: "disable" } },
      trunks: { a: { id: "t", outboundAuth: "cleared" } },
      webhooks: { crm: { id: ids.crm, onCreate: "rotate" } },
    },
    (request) => request.getProvidersMap().set("voiceplane", "urn:of:the:provider::its-id"),
  );
  const { acme, "acme-recordings": recordings, "acme-a": trunk, "acme-crm": crm } = byName(plugin);
  expect(acme).toMatchObject({ isCustom: false, parent: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev" });
  const child = { parent: organizationUrn, provider: "urn:of:the:provider::its-id", isCustom: true, version: "" };
  expect(recordings).toMatchObject({
    ...child,
    retainOnDelete: undefined,
    aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy", name: "" }],
  });
  expect(trunk).toMatchObject({ ...child, retainOnDelete: true });
  expect(crm).toMatchObject({
    ...child,
    retainOnDelete: undefined,
    aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret", name: "" }],
  });
});

test("the engine's options for it are those of its resources, and its aliases are its own", async () => {
  const plugin = await startPlugin();
  await construct(plugin, { webhooks: { crm: { id: ids.crm, onCreate: "rotate" } }, trunks: { a: { id: "t", outboundAuth: "tracked" } } }, (request) =>
    request
      .setProtect(true)
      .setRetainondelete(false)
      .setAliasesList([new Alias().setSpec(new Alias.Spec().setName("before"))]),
  ); // prettier-ignore
  const { acme, "acme-crm": crm, "acme-a": trunk } = byName(plugin);
  expect(acme).toMatchObject({ protect: true, retainOnDelete: false, aliases: [{ type: "", name: "before" }] });
  // The user said that destroy shall ask the provider.
  expect(crm).toMatchObject({ protect: true, retainOnDelete: false });
  expect(trunk).toMatchObject({ protect: true, retainOnDelete: false, inputs: { trunkId: "t", cleared: false } });
});

test("customTimeouts are those of its resources, and what each program in YAML passes is no reason for a warning", async () => {
  const plugin = await startPlugin();
  const timeouts = new pb.ConstructRequest.CustomTimeouts().setCreate("5m").setDelete("30s");
  await construct(plugin, { webhooks: { crm: { id: ids.crm, onCreate: "rotate" } } }, (request) =>
    request.setCustomtimeouts(timeouts).setAdditionalsecretoutputsList(["webhookSecrets", "previousWebhookSecrets"]),
  );
  expect(byName(plugin)["acme-crm"]?.customTimeouts).toEqual({ create: "5m", update: "", pb_delete: "30s", read: "" });
  expect(plugin.engine.messages).toEqual([]);
});

test("the options that are about one resource are named in its row, since its resources do not get them", async () => {
  const plugin = await startPlugin();
  await construct(plugin, { webhooks: { crm: { id: ids.crm, onCreate: "rotate" } } }, (request) =>
    request
      .setIgnorechangesList(["triggers"])
      .setReplaceonchangesList(["webhookId"])
      .setDeletebeforereplace(true)
      .setReplaceWithList(["urn:pulumi:dev::test::random:index:RandomId::salt"])
      .setReplacementTrigger(new Value().setNumberValue(1))
      .setAdditionalsecretoutputsList(["rotatedAt"])
      .setResourceHooks(new pb.ConstructRequest.ResourceHooksBinding().setAfterCreateList(["notify"])),
  );
  expect(plugin.engine.messages).toEqual([
    {
      severity: "warning",
      urn: organizationUrn,
      message:
        'Organization "acme": its resources do not get these options: ignoreChanges, replaceOnChanges, deleteBeforeReplace, ' +
        "replaceWith, replacementTrigger, additionalSecretOutputs, hooks. Declare the resource that needs them by itself, for example as a RetentionPolicy.",
      passes: false,
    },
  ]);
});

test("an engine that ends meanwhile has another error, which the component's own names", async () => {
  const plugin = await startPlugin();
  plugin.engine.answer = ({ name }) =>
    name === "acme" ? {} : new Error("rpc error: code = Canceled desc = grpc: the client connection is closing");
  await expect(construct(plugin, { webhooks: { crm: { id: ids.crm, onCreate: "adopt" } } })).rejects.toMatchObject({
    details: expect.stringContaining("the update has failed elsewhere: read the other error") as string,
  });
});

test("its outputs are the webhooks' secrets by key, each map secret as a whole", async () => {
  const plugin = await startPlugin();
  plugin.engine.answer = ({ name, type }) =>
    type.endsWith(":WebhookSecret")
      ? {
          rotationState: "rotated",
          secret: secret(`secret of ${name}`),
          ...(name === "acme-crm" && { previousSecret: secret("before") }),
        }
      : {};
  const { outputs, response } = await construct(plugin, {
    webhooks: { crm: { id: ids.crm, onCreate: "rotate" }, billing: { id: ids.billing, onCreate: "rotate" } },
    trunks: { a: { id: "t", outboundAuth: "tracked" } },
  });
  expect(outputs).toEqual({
    webhookSecrets: secret({ crm: "secret of acme-crm", billing: "secret of acme-billing" }),
    previousWebhookSecrets: secret({ crm: "before" }),
  });
  const dependencies = (output: string) => response.getStatedependenciesMap().get(output)?.getUrnsList().sort();
  const webhooks = ["billing", "crm"].map((key) => `urn:pulumi:dev::test::voiceplane:index:WebhookSecret::acme-${key}`);
  expect([dependencies("webhookSecrets"), dependencies("previousWebhookSecrets")]).toEqual([webhooks, webhooks]);
});

test("a preview knows the secrets that stay, and not those that a rotation brings", async () => {
  const plugin = await startPlugin();
  plugin.engine.answer = ({ name }) =>
    ({
      "acme-stays": { rotationState: "rotated", secret: secret("known") },
      "acme-adopted": { rotationState: "adopted" },
      "acme-rotates": { rotationState: unknown, secret: secret(unknown), previousSecret: secret("known") },
      // A provider that is not known yet is not asked.
      "acme-unasked": {},
    })[name] ?? {};
  const keys = ["stays", "adopted", "rotates", "unasked"];
  const webhooks = Object.fromEntries(keys.map((key) => [key, { id: key }]));
  const { outputs } = await construct(plugin, { webhooks }, (request) => request.setDryrun(true));
  expect(outputs).toEqual({
    webhookSecrets: secret({ stays: "known", rotates: unknown, unasked: unknown }),
    previousWebhookSecrets: secret({ rotates: "known", unasked: unknown }),
  });
});

test("values that a preview does not know yet are passed on, and an unknown section or entry declares nothing there", async () => {
  const plugin = await startPlugin();
  const { outputs } = await construct(
    plugin,
    {
      onCreate: "overwrite",
      retention: { recordings: { days: unknown, onDelete: { days: unknown, enabled: true } }, conversations: unknown },
      networkPolicies: unknown,
      trunks: { a: { id: unknown, outboundAuth: unknown } },
      webhooks: secret(unknown),
    },
    (request) => request.setDryrun(true),
  );
  const made = byName(plugin);
  expect(Object.keys(made).sort()).toEqual(["acme", "acme-a", "acme-recordings"]);
  expect(made["acme-recordings"]?.inputs).toEqual({
    resource: "recordings",
    onCreate: "overwrite",
    retentionDays: unknown,
    onDelete: { retentionDays: unknown, enabled: true },
  });
  expect(made["acme-a"]?.inputs).toEqual({
    trunkId: unknown,
    cleared: unknown,
    onCreate: "overwrite",
    __kept: true,
  });
  expect(outputs).toEqual({ webhookSecrets: secret({}), previousWebhookSecrets: secret({}) });
});

test("what comes secret is registered secret: a property, an entry, a section", async () => {
  const plugin = await startPlugin();
  await construct(plugin, {
    onCreate: "overwrite",
    networkPolicies: { office: { id: ids.office, name: secret("canary") } },
    trunks: { a: secret({ id: "t", outboundAuth: "cleared", triggers: { n: "canary" } }) },
    retention: secret({ recordings: { days: 90, onDelete: secret({ days: 30, enabled: true }) } }),
  });
  const made = byName(plugin);
  expect(made["acme-office"]?.inputs).toMatchObject({
    networkPolicyId: ids.office,
    onCreate: "overwrite",
    name: secret("canary"),
  });
  expect(made["acme-a"]?.inputs).toMatchObject({
    trunkId: secret("t"),
    cleared: secret(true),
    triggers: secret({ n: "canary" }),
  });
  expect(made["acme-recordings"]?.inputs).toMatchObject({ retentionDays: secret(90) });
  expect(JSON.stringify(made["acme-recordings"]?.inputs.onDelete)).toContain('"retentionDays":30');
});

test("all problems are one plain message without values, and nothing is registered", async () => {
  const plugin = await startPlugin();
  const message = await messageOf(
    construct(plugin, {
      onCreate: "overwrite",
      retention: { recordings: { days: secret("canary-1") }, voicemail: { days: 90 } },
      networkPolicies: { office: { id: ids.office, sourceCidr: secret("canary-2") } },
      trunks: { a: { id: "t", outboundAuth: secret("canary-3") }, b: { id: "t", cleared: true } },
      webhooks: { crm: { id: secret("canary/4"), webhookId: "w", onCreate: "rotate", rotateAfter: 90 } },
      canaries: 5,
    }),
  );
  expect(message.split("\n  ")).toEqual([
    'Organization "acme":',
    "retention.recordings.days: must be a whole number of days from 1 to 3650",
    "retention.voicemail: is not a property of retention; known are recordings, conversations, audit_events",
    expect.stringMatching(/^networkPolicies\.office\.sourceCidr: must be a network range/),
    expect.stringMatching(/^trunks\.a\.outboundAuth: must be "cleared" \(/),
    expect.stringMatching(/^trunks\.b\.outboundAuth: is missing: it must be "cleared" \(/),
    expect.stringMatching(/^trunks\.b\.cleared: is not a property of trunks\.b; known are id, outboundAuth/),
    expect.stringMatching(/^webhooks\.crm\.id: must be a string without slashes/),
    expect.stringMatching(/^webhooks\.crm\.rotateAfter: must be a number of whole days/),
    expect.stringMatching(/^webhooks\.crm\.webhookId: is not a property of webhooks\.crm; known are id/),
    "canaries: is not a property of an Organization; known are onCreate, retention, networkPolicies, trunks, webhooks",
  ]);
  expect(message).not.toMatch(/canary/);
  expect(plugin.engine.registrations).toEqual([]);
});

test("what the engine refuses is the component's own error", async () => {
  const plugin = await startPlugin();
  plugin.engine.answer = ({ name }) => (name === "acme-crm" ? new Error("resource is protected") : {});
  expect(await messageOf(construct(plugin, { webhooks: { crm: { id: ids.crm, onCreate: "rotate" } } }))).toBe(
    "resource is protected",
  );
});
