/** The plugin before it has a resource to care for: who it is, and which organization it talks to. */
import { status, type ServiceError } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { messageOf, startPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, unknown, type Values } from "../../../support/native/wire";

const schema = JSON.stringify({ name: "voiceplane", resources: { "voiceplane:index:RetentionPolicy": {} } });

const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };

describe("who it is", () => {
  test("the handshake says that it takes secrets as secrets", async () => {
    const plugin = await startPlugin({ configured: false });
    const response = await plugin.call("handshake", new pb.ProviderHandshakeRequest().setEngineAddress(""));
    expect(response.getAcceptSecrets()).toBe(true);
    expect(response.getAcceptResources()).toBe(false);
    expect(response.getAcceptOutputs()).toBe(false);
  });

  test("its version is that of the package", async () => {
    const plugin = await startPlugin({ configured: false });
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
  });

  test("its schema is the package's, with the version", async () => {
    const plugin = await startPlugin({ configured: false, schema });
    const response = await plugin.call("getSchema", new pb.GetSchemaRequest());
    expect(JSON.parse(response.getSchema())).toEqual({
      name: "voiceplane",
      version: "1.2.3",
      resources: { "voiceplane:index:RetentionPolicy": {} },
    });
  });

  test("a later version of the schema's format is refused", async () => {
    const plugin = await startPlugin({ configured: false, schema });
    expect(await messageOf(plugin.call("getSchema", new pb.GetSchemaRequest().setVersion(1)))).toBe(
      "schema version 1 is not supported",
    );
  });

  test.each([
    ["parameterize", new pb.ParameterizeRequest()],
    ["call", new pb.CallRequest().setTok("voiceplane:index:Organization/rename")],
    ["getMappings", new pb.GetMappingsRequest().setKey("terraform")],
  ] as const)("%s, which it does not have, is answered as unimplemented", async (verb, request) => {
    const plugin = await startPlugin({ configured: false });
    const error: unknown = await plugin
      .call(verb, request as pb.ParameterizeRequest & pb.CallRequest)
      .catch((e: unknown) => e);
    expect((error as ServiceError).code).toBe(status.UNIMPLEMENTED);
  });
});

describe("the engine, to which its messages go", () => {
  test.each(["argument", "handshake", "attach"] as const)("is known by %s", async (introduction) => {
    const plugin = await startPlugin({ introduction });
    await plugin.delete("WebhookSecret", ids.crm, { organization: "acme", webhookId: ids.crm });
    expect(plugin.engine.messages.map(({ message }) => message)).toEqual([
      `WebhookSecret "${ids.crm}" of acme: keeps its secret. Nothing was sent.`,
    ]);
  });
});

describe("checkConfig", () => {
  test("has the configuration as it came, with the token secret whether or not it came so", async () => {
    const plugin = await startPlugin({ configured: false });
    const config = {
      baseUrl: "https://api.example.com",
      organization: "acme",
      allowInsecureHttp: "false",
      version: "1.2.3",
    };
    const wrapped = { ...config, token: secret("a-token") };
    const expected = { inputs: wrapped, reasons: [], properties: [] };
    expect(await plugin.checkConfig({ ...config, token: "a-token" })).toEqual(expected);
    expect(await plugin.checkConfig({ ...config, token: secret("a-token") })).toEqual(expected);
  });

  test("keeps another property secret that came so", async () => {
    const plugin = await startPlugin({ configured: false });
    const { inputs } = await plugin.checkConfig({ baseUrl: secret("https://api.example.com"), token: "a-token" });
    expect(inputs).toEqual({ baseUrl: secret("https://api.example.com"), token: secret("a-token") });
  });

  test.each<[string, string, Values, string[]]>([
    [
      "an empty configuration of the default provider",
      "default",
      {},
      [
        "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
        "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
      ],
    ],
    [
      "an empty one of an explicit provider",
      "eu-west",
      {},
      [
        'no base URL: give the Provider "eu-west" a baseUrl or set VOICEPLANE_BASE_URL_EU_WEST',
        'no token: give the Provider "eu-west" a token or set VOICEPLANE_TOKEN_EU_WEST',
      ],
    ],
    [
      "a flag that is none",
      "default",
      { baseUrl: "https://x.example.com", token: "t", allowInsecureHttp: ["canary"] },
      ["voiceplane:allowInsecureHttp: must be true or false"],
    ],
    ["values that a preview does not know yet", "eu", { baseUrl: unknown, token: secret(unknown) }, []],
  ])("reports what is wrong: %s", async (_what, name, config, expected) => {
    const plugin = await startPlugin({ configured: false });
    const { reasons } = await plugin.checkConfig(config, name);
    expect(reasons).toEqual(expected);
  });
});

describe("a misspelt key", () => {
  const right = { baseUrl: "https://api.example.com", token: "a-token" };

  test("is a warning of the provider, whether or not something else is wrong", async () => {
    const plugin = await startPlugin({ configured: false });
    await plugin.checkConfig({ ...right, tokn: "canary", version: "1.2.3" });
    await plugin.checkConfig({ baseUrl: right.baseUrl, allowInsecureHTTP: "canary" }, "eu");
    expect(plugin.engine.messages).toEqual([
      {
        severity: "warning",
        urn: "urn:pulumi:dev::test::pulumi:providers:voiceplane::default",
        message: "the configuration has voiceplane:tokn, which is not read: did you mean voiceplane:token?",
        passes: false,
      },
      {
        severity: "warning",
        urn: "urn:pulumi:dev::test::pulumi:providers:voiceplane::eu",
        message: 'the Provider "eu" has allowInsecureHTTP, which is not read: did you mean allowInsecureHttp?',
        passes: false,
      },
    ]);
  });
});

describe("diffConfig", () => {
  const before = { baseUrl: "https://api.example.com", token: secret("old"), version: "1.2.3" };

  test.each<[string, Values, object]>([
    ["nothing", before, { changes: false, details: {} }],
    ["the plugin's version alone", { ...before, version: "2.0.0" }, { changes: false, details: {} }],
    ["a new token", { ...before, token: secret("new") }, { changes: true, details: { token: "UPDATE" } }],
    [
      "another organization",
      { baseUrl: "https://eu.example.com", token: secret("old"), organization: "acme", version: "1.2.3" },
      { changes: true, details: { baseUrl: "UPDATE", organization: "ADD" } },
    ],
    ["a token from elsewhere", { baseUrl: before.baseUrl }, { changes: true, details: { token: "DELETE" } }],
  ])("is never a replacement, which would replace every resource: %s", async (_what, after, expected) => {
    const plugin = await startPlugin({ configured: false });
    expect(await plugin.diffConfig(before, after)).toEqual({
      replaces: [],
      deleteBeforeReplace: false,
      ...expected,
    });
  });

  test("nor is the configuration of the dynamic provider, which had these resources before", async () => {
    const plugin = await startPlugin({ configured: false });
    const dynamic = { "voiceplane:baseUrl": "https://api.example.com", "voiceplane:token": secret("a-token") };
    const { replaces, details } = await plugin.diffConfig(dynamic, { baseUrl: "https://api.example.com" });
    expect(replaces).toEqual([]);
    expect(Object.values(details).filter((kind) => kind.endsWith("_REPLACE"))).toEqual([]);
  });
});

describe("configure", () => {
  test("answers that it takes secrets and has previews", async () => {
    const plugin = await startPlugin({ configured: false });
    const response = await plugin.configure({ baseUrl: plugin.plane.url, token: secret("vp_dev_full") });
    expect([response.getAcceptsecrets(), response.getSupportspreview()]).toEqual([true, true]);
  });

  test.each([
    ["default", "acme"],
    ["default_0_1_0", "acme"],
    ["default_0_1_0-alpha_1", "acme"],
    ["default_file://./node_modules/_bin", "acme"],
    ["default_0_1_0_https://example_com", "acme"],
    ["default_eu", "default_eu"],
    ["defaults", "defaults"],
    ["eu", "eu"],
  ])("the provider %j manages the organization %j", async (name, organization) => {
    const plugin = await startPlugin({ configured: false });
    await plugin.configure({ baseUrl: plugin.plane.url, token: secret("vp_dev_full"), organization: "acme" }, name);
    const inputs = await plugin.inputsOf("RetentionPolicy", recordings);
    expect(inputs.organization).toBe(organization);
  });

  test("an engine that gives no name gives a URN", async () => {
    const plugin = await startPlugin({ configured: false });
    const args = { baseUrl: plugin.plane.url, token: secret("vp_dev_full") };
    const urn = "urn:pulumi:dev::test::pulumi:providers:voiceplane::eu";
    await plugin.call("configure", new pb.ConfigureRequest().setUrn(urn).setArgs(struct(args)));
    const inputs = await plugin.inputsOf("RetentionPolicy", recordings);
    expect(inputs.organization).toBe("eu");
  });

  test("VOICEPLANE_TOKEN is the default provider's and wins over its configuration; VOICEPLANE_TOKEN_EU is that of the provider eu", async () => {
    const env = { VOICEPLANE_TOKEN: "vp_dev_full", VOICEPLANE_TOKEN_EU: "vp_dev_second_full" };
    const used = async (name: string, token?: string) => {
      const plugin = await startPlugin({ configured: false, env });
      await plugin.configure({ baseUrl: plugin.plane.url, ...(token !== undefined && { token: secret(token) }) }, name);
      const inputs = await plugin.inputsOf("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: true });
      await plugin.create("TrunkOutboundAuth", inputs);
      return plugin.plane.control.journal().map((entry) => entry.token);
    };
    expect(await used("default")).toEqual(["full"]);
    expect(await used("default", "vp_dev_restricted")).toEqual(["full"]);
    expect(await used("eu")).toEqual(["secondFull"]);
    expect(await used("us", "vp_dev_second_full")).toEqual(["secondFull"]);
  });

  test("two served plugins of one process know nothing of each other", async () => {
    const [one, other] = [await startPlugin(), await startPlugin()];
    await one.inputsOf("RetentionPolicy", recordings);
    const again = await other.check("RetentionPolicy", { ...recordings, retentionDays: 30 }, { name: "other" });
    expect(again.reasons).toEqual([]);
  });
});
