/** The component Organization over the wire: what it registers with the engine, and what it answers. */
import { Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, unknown, valuesOf, type Values } from "../../../support/native/wire";

const organizationUrn = "urn:pulumi:dev::test::voiceplane:index:Organization::acme";
const crm = { id: ids.crm, onCreate: "rotate" };
const trunk = { id: "t", outboundAuth: "tracked" };

async function construct(plugin: TestPlugin, inputs: Values, change?: (request: pb.ConstructRequest) => unknown) {
  const request = new pb.ConstructRequest()
    .setType("voiceplane:index:Organization")
    .setName("acme")
    .setParent("urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev")
    .setMonitorendpoint(plugin.engine.address)
    .setInputs(struct(inputs));
  change?.(request);
  const response = await plugin.call("construct", request);
  // By their names; the component is "acme".
  const made = Object.fromEntries(plugin.engine.registrations.map((each) => [each.name.replace("acme-", ""), each]));
  return { made, outputs: valuesOf(response.getState()), response };
}

describe("registers", () => {
  test("resources with it as their parent, the dynamic type as an alias, and retainOnDelete where onDelete sends nothing", async () => {
    const { made } = await construct(
      await startPlugin(),
      {
        onCreate: "overwrite",
        retention: { recordings: { days: 90, onDelete: "disable" } },
        trunks: { trunk },
        webhooks: { crm: { ...crm, formerly: secret(["crm-x", "old"]) } },
      },
      (request) => request.getProvidersMap().set("voiceplane", "urn:of:the:provider::its-id"),
    );
    expect(made.acme).toMatchObject({
      isCustom: false,
      parent: "urn:pulumi:dev::test::pulumi:pulumi:Stack::test-dev",
    });
    const child = (type: string, retainOnDelete?: boolean, former: readonly object[] = []) => ({
      ...{ parent: organizationUrn, provider: "urn:of:the:provider::its-id", isCustom: true, version: "" },
      retainOnDelete,
      aliases: [
        { type: `pulumi-nodejs:dynamic/voiceplane:${type}` },
        ...former.map((each) => ({ type: `pulumi-nodejs:dynamic/voiceplane:${type}`, ...each })),
        ...former,
      ],
    });
    expect(made.recordings).toMatchObject(child("RetentionPolicy"));
    expect(made.trunk).toMatchObject(child("TrunkOutboundAuth", true));
    // It would inherit the option of the component.
    expect(made.crm).toMatchObject(
      child("WebhookSecret", false, [
        { name: "acme-crm-x" },
        { name: "crm-x", noParent: true },
        { name: "acme-old" },
        { name: "old", noParent: true },
      ]),
    );
    expect(made.crm?.inputs).toEqual({ webhookId: ids.crm, onCreate: "rotate" });
  });

  test("them with the engine's options and customTimeouts for it, and its own aliases for itself", async () => {
    const plugin = await startPlugin();
    const timeouts = new pb.ConstructRequest.CustomTimeouts().setCreate("5m").setDelete("30s");
    const { made } = await construct(plugin, { webhooks: { crm }, trunks: { trunk } }, (request) =>
      request
        .setProtect(true)
        .setRetainondelete(false)
        .setAliasesList([new Alias().setSpec(new Alias.Spec().setName("before"))])
        .setCustomtimeouts(timeouts)
        // As each program in YAML does.
        .setAdditionalsecretoutputsList(["webhookSecrets", "previousWebhookSecrets"]),
    );
    const given = { protect: true, retainOnDelete: false };
    expect(made.acme).toMatchObject({ ...given, aliases: [{ name: "before" }] });
    const customTimeouts = { create: "5m", update: "", pb_delete: "30s", read: "" };
    expect(made.crm).toMatchObject({ ...given, customTimeouts });
    // The user said that destroy shall ask the provider.
    expect(made.trunk).toMatchObject({ ...given, inputs: { trunkId: "t", cleared: false } });
    expect(plugin.said()).toEqual([]);
  });

  test("each with the dependencies of the section that declares it, and no input that a dependency decides", async () => {
    const urn = (name: string) => `urn:pulumi:dev::test::voiceplane:index:NetworkPolicy::${name}`;
    const { made } = await construct(await startPlugin(), { webhooks: { crm }, trunks: { trunk } }, (request) => {
      request.setDependenciesList([urn("a"), urn("b")]);
      request
        .getInputdependenciesMap()
        .set("webhooks", new pb.ConstructRequest.PropertyDependencies().setUrnsList([urn("a")]));
    });
    expect(made.acme?.dependencies).toEqual([urn("a"), urn("b")]);
    expect(made.crm).toMatchObject({
      dependencies: [urn("a")],
      propertyDependencies: { webhookId: [], onCreate: [] },
    });
    expect(made.trunk).toMatchObject({ dependencies: [], propertyDependencies: { trunkId: [], cleared: [] } });
  });

  test("none with the options that are about one resource, and names those at the component", async () => {
    const plugin = await startPlugin();
    await construct(plugin, { webhooks: { crm } }, (request) =>
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
        ...{ severity: "warning", urn: organizationUrn, passes: false },
        message:
          'Organization "acme": its resources do not get these options: ignoreChanges, replaceOnChanges, deleteBeforeReplace, ' +
          "replaceWith, replacementTrigger, additionalSecretOutputs, hooks. Declare the resource that needs them by itself, for example as a RetentionPolicy. [option-ignored]",
      },
    ]);
  });

  test("what a preview does not know yet as it is, and nothing of a section that it does not know", async () => {
    const onDelete = { days: unknown, enabled: true };
    const { made, outputs } = await construct(
      await startPlugin(),
      {
        onCreate: "overwrite",
        retention: { recordings: { days: unknown, onDelete }, conversations: unknown },
        networkPolicies: unknown,
        trunks: { trunk: { id: unknown, outboundAuth: unknown } },
        webhooks: secret(unknown),
      },
      (request) => request.setDryrun(true),
    );
    expect(Object.keys(made).sort()).toEqual(["acme", "recordings", "trunk"]);
    expect(made.recordings?.inputs).toEqual({
      ...{ resource: "recordings", onCreate: "overwrite", retentionDays: unknown },
      onDelete: { retentionDays: unknown, enabled: true },
    });
    expect(made.trunk?.inputs).toEqual({ trunkId: unknown, cleared: unknown, onCreate: "overwrite" });
    expect(outputs).toEqual({ webhookSecrets: secret({}), previousWebhookSecrets: secret({}), webhookRequestIds: {} });
  });

  test("what comes secret as a secret: a property, an entry, a section", async () => {
    const { made } = await construct(await startPlugin(), {
      onCreate: "overwrite",
      networkPolicies: { office: { id: ids.office, name: secret("canary") } },
      trunks: { trunk: secret({ ...trunk, triggers: { n: "canary" } }) },
      retention: secret({ recordings: { days: 90, onDelete: secret({ days: 30, enabled: true }) } }),
    });
    expect(made.office?.inputs).toMatchObject({ networkPolicyId: ids.office, name: secret("canary") });
    expect(made.trunk?.inputs).toMatchObject({
      ...{ trunkId: secret("t"), cleared: secret(false), triggers: secret({ n: "canary" }) },
    });
    expect(made.recordings?.inputs).toMatchObject({ retentionDays: secret(90) });
    expect(JSON.stringify(made.recordings?.inputs.onDelete)).toContain('"retentionDays":30');
  });
});

describe("answers", () => {
  const given: Record<string, Values> = {
    "acme-crm": {
      organization: "acme",
      rotationState: "rotated",
      secret: secret("of crm"),
      previousSecret: secret("before"),
      requestId: "r-1",
    },
    "acme-billing": { organization: "acme", rotationState: "rotated", secret: secret("of billing"), requestId: "r-2" },
    "acme-adopted": { organization: "acme", rotationState: "adopted" },
    "acme-rotates": {
      organization: "acme",
      rotationState: unknown,
      secret: secret(unknown),
      previousSecret: secret("before"),
      requestId: unknown,
    },
    // A provider that is not known yet is not asked.
    "acme-unasked": {},
  };

  test.each<[string, boolean, keys: string[], secrets: Values, previous: Values, webhookRequestIds: Values]>([
    [
      "of an update, by key",
      false,
      ["billing", "crm"],
      { crm: "of crm", billing: "of billing" },
      { crm: "before" },
      { crm: "r-1", billing: "r-2" },
    ],
    [
      "of a preview that stay, and not those that a rotation brings",
      true,
      ["adopted", "billing", "rotates", "unasked"],
      { billing: "of billing", rotates: unknown, unasked: unknown },
      { rotates: "before", unasked: unknown },
      { billing: "r-2", rotates: unknown, unasked: unknown },
    ],
  ])("the webhooks' secrets %s, each map secret as a whole", async (_what, isPreview, keys, secrets, previous, ids) => {
    const plugin = await startPlugin();
    plugin.engine.answer = ({ name }) => given[name] ?? {};
    const webhooks = Object.fromEntries(keys.map((key) => [key, { id: key, onCreate: "rotate" }]));
    const inputs = { webhooks, trunks: { trunk } };
    const { outputs, response } = await construct(plugin, inputs, (request) => request.setDryrun(isPreview));
    const webhookRequestIds = ids;
    const both = { webhookSecrets: secret(secrets), previousWebhookSecrets: secret(previous) };
    expect(outputs).toEqual({ ...both, webhookRequestIds });
    expect(plugin.engine.finished).toEqual({ [organizationUrn]: { webhookRequestIds } });
    for (const output of ["webhookSecrets", "previousWebhookSecrets"])
      expect(response.getStatedependenciesMap().get(output)?.getUrnsList()).toEqual(
        keys.map((key) => `urn:pulumi:dev::test::voiceplane:index:WebhookSecret::acme-${key}`),
      );
  });

  test.each([
    ["what it refuses", "resource is protected", "resource is protected"],
    [
      "its end by another error",
      "rpc error: code = Canceled desc = grpc: the client connection is closing",
      "the update has failed elsewhere: read the other error",
    ],
  ])("the engine's error, %s", async (_what, error, message) => {
    const plugin = await startPlugin();
    plugin.engine.answer = ({ name }) => (name === "acme-crm" ? new Error(error) : {});
    expect(await plugin.failureOf(construct(plugin, { webhooks: { crm } }))).toEqual({ message, kept: undefined });
  });

  test("all problems in one plain message without values, and registers nothing", async () => {
    const plugin = await startPlugin();
    const { message } = await plugin.failureOf(
      construct(plugin, {
        onCreate: "overwrite",
        retention: { recordings: { days: secret("canary-1") }, voicemail: { days: 90 } },
        networkPolicies: { office: { id: ids.office, sourceCidr: secret("canary-2") } },
        trunks: { a: { id: "t", outboundAuth: secret("canary-3") }, b: { id: "t", cleared: true } },
        webhooks: { crm: { id: secret("canary/4"), webhookId: "w", onCreate: "rotate", rotateAfter: 90 } },
        canaries: 5,
      }),
    );
    const lines = message.split("\n  ");
    expect(lines.map((line) => /^.*?:( must be \S+| is missing| is not a property|$)/.exec(line)?.[0])).toEqual([
      'Organization "acme":',
      "retention.recordings.days: must be a",
      "retention.voicemail: is not a property",
      "networkPolicies.office.sourceCidr: must be a",
      'trunks.a.outboundAuth: must be "cleared"',
      "trunks.b.outboundAuth: is missing",
      "trunks.b.cleared: is not a property",
      "webhooks.crm.id: must be a",
      "webhooks.crm.rotateAfter: must be text",
      "webhooks.crm.webhookId: is not a property",
      "canaries: is not a property",
    ]);
    expect(lines.at(-1)).toContain(
      "of an Organization; known are onCreate, retention, networkPolicies, trunks, webhooks",
    );
    expect(message).not.toMatch(/canary/);
    expect(plugin.engine.registrations).toEqual([]);
  });
});
