/** The plugin before it has a resource to care for: who it is, and which organization it talks to. */
import { status, type ServiceError } from "@grpc/grpc-js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, struct, unknown, type Values } from "../../../support/native/wire";

const unconfigured = (schema?: string, env?: NodeJS.ProcessEnv) =>
  startPlugin({ configured: false, ...(schema && { schema }), ...(env && { env }) });
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const right = { baseUrl: "https://api.example.com", token: "a-token" };

describe("who it is", () => {
  test("the handshake says that it takes secrets as secrets", async () => {
    const plugin = await unconfigured();
    const response = await plugin.call("handshake", new pb.ProviderHandshakeRequest().setEngineAddress(""));
    expect(response.toObject()).toMatchObject({ acceptSecrets: true, acceptResources: false, acceptOutputs: false });
  });

  test("its version and its schema are the package's; a later version of the schema's format is refused", async () => {
    const resources = { "voiceplane:index:RetentionPolicy": {} };
    const plugin = await unconfigured(JSON.stringify({ name: "voiceplane", resources }));
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe("1.2.3");
    const schema = (await plugin.call("getSchema", new pb.GetSchemaRequest())).getSchema();
    expect(JSON.parse(schema)).toEqual({ name: "voiceplane", version: "1.2.3", resources });
    const later = plugin.call("getSchema", new pb.GetSchemaRequest().setVersion(1));
    expect((await plugin.failureOf(later)).message).toBe("schema version 1 is not supported");
  });

  test.each([
    ["parameterize", new pb.ParameterizeRequest()],
    ["call", new pb.CallRequest().setTok("voiceplane:index:Organization/rename")],
    ["getMappings", new pb.GetMappingsRequest().setKey("terraform")],
  ] as const)("%s, which it does not have, is answered as unimplemented", async (verb, request) => {
    const plugin = await unconfigured();
    const error: unknown = await plugin.call(verb, request as never).catch((e: unknown) => e);
    expect((error as ServiceError).code).toBe(status.UNIMPLEMENTED);
  });

  test("its messages go to the engine that its argument names", async () => {
    const plugin = await startPlugin();
    await plugin.delete("WebhookSecret", ids.crm, { organization: "acme", webhookId: ids.crm });
    expect(plugin.said()).toEqual([
      `WebhookSecret "${ids.crm}" of acme: keeps its secret. Nothing was sent. [object-left]`,
    ]);
  });

  test("two that one process serves know nothing of each other", async () => {
    const [one, other] = [await startPlugin(), await startPlugin()];
    await one.inputsOf("RetentionPolicy", recordings);
    expect((await other.check("RetentionPolicy", recordings, {}, "other")).reasons).toEqual([]);
  });
});

describe("checkConfig", () => {
  const checked = async (config: Values, name?: string) => (await unconfigured()).checkConfig(config, name);

  test("answers the configuration as it came, with the token secret, and what came secret", async () => {
    const config = { ...right, organization: "acme", allowInsecureHttp: "false", version: "1.2.3" };
    const inputs = { ...config, token: secret("a-token") };
    expect(await checked(config)).toEqual({ inputs, reasons: [], properties: [] });
    const secrets = { baseUrl: secret(right.baseUrl), token: secret("a-token") };
    expect((await checked(secrets)).inputs).toEqual(secrets);
  });

  test("reports what is wrong, and nothing that a preview does not know yet or does not need", async () => {
    expect((await checked({}, "eu-west")).reasons).toEqual([
      'no base URL: give the Provider "eu-west" a baseUrl or set VOICEPLANE_BASE_URL_EU_WEST [base-url]',
    ]);
    expect((await checked({ baseUrl: right.baseUrl }, "eu-west")).reasons).toEqual([]);
    const flag = await checked({ ...right, organization: "acme", allowInsecureHttp: ["canary"] });
    expect(flag.reasons).toEqual(["voiceplane:allowInsecureHttp: must be true or false [setting-value]"]);
    expect((await checked({ baseUrl: unknown, token: secret(unknown) }, "eu")).reasons).toEqual([]);
  });

  test("refuses an explicit provider with a name of the engine's own, which has no organization and would get the stack's token", async () => {
    const env = { VOICEPLANE_TOKEN: "vp_dev_full" };
    const { reasons } = await (await unconfigured("{}", env)).checkConfig(right, "default_1_2_3");
    expect(reasons).toEqual([
      "no name of the organization: run `pulumi config set voiceplane:organization NAME` [organization-missing]",
    ]);
  });

  test("refuses a name that may stand for the variable of another one", async () => {
    expect((await checked(right, "eu_1")).reasons).toEqual([
      "the name of a Provider has lower-case letters, digits and hyphens, and nothing else [provider-name]",
    ]);
  });
});

describe("diffConfig is never a replacement, which would replace every resource:", () => {
  const before = { baseUrl: "https://api.example.com", token: secret("old"), version: "1.2.3" };
  // Of the dynamic provider, which had these resources before.
  const dynamic = { "voiceplane:baseUrl": "https://api.example.com", token: secret("old") };

  test.each<[string, Values, Values, boolean]>([
    ["nothing", before, {}, false],
    ["the plugin's version alone", before, { version: "2.0.0" }, false],
    ["a new token", before, { token: secret("new") }, true],
    ["a token from elsewhere", before, { token: undefined }, true],
    ["another address", before, { baseUrl: "https://eu.example.com" }, true],
    ["an organization", before, { organization: "acme" }, true],
    ["another provider", dynamic, {}, true],
  ])("%s", async (_what, olds, edit, changes) => {
    const edited: Values = { ...before, ...edit };
    const news = Object.fromEntries(Object.entries(edited).filter(([, value]) => value !== undefined));
    const request = new pb.DiffRequest().setOldInputs(struct(olds)).setNews(struct(news));
    const response = await (await unconfigured()).call("diffConfig", request);
    const { DIFF_NONE, DIFF_SOME } = pb.DiffResponse.DiffChanges;
    expect(response.toObject()).toMatchObject({
      ...{ changes: changes ? DIFF_SOME : DIFF_NONE, replacesList: [], deletebeforereplace: false },
    });
  });
});

describe("configure", () => {
  test("answers that it takes secrets and has previews", async () => {
    const plugin = await unconfigured();
    const response = await plugin.configure({ baseUrl: plugin.plane.url, token: secret("vp_dev_full") });
    expect([response.getAcceptsecrets(), response.getSupportspreview()]).toEqual([true, true]);
  });

  test.each([
    ["default", "acme"],
    ["default_0_1_0", "acme"],
    ["default_0_1_0-alpha_1", "acme"],
    ["default_file://./node_modules/_bin", "acme"],
    ["default_0_1_0_https://example_com", "acme"],
    ["default-eu", "default-eu"],
    ["defaults", "defaults"],
    ["eu", "eu"],
  ])("the provider %j manages the organization %j", async (name, organization) => {
    const plugin = await unconfigured();
    await plugin.configure({ ...right, organization: "acme" }, name);
    expect((await plugin.inputsOf("RetentionPolicy", recordings)).organization).toBe(organization);
  });

  test("an engine that gives no name gives a URN", async () => {
    const plugin = await unconfigured();
    const urn = "urn:pulumi:dev::test::pulumi:providers:voiceplane::eu";
    await plugin.call("configure", new pb.ConfigureRequest().setUrn(urn).setArgs(struct(right)));
    expect((await plugin.inputsOf("RetentionPolicy", recordings)).organization).toBe("eu");
  });

  test("without a token, nothing is sent", async () => {
    const plugin = await unconfigured();
    await plugin.configure({ baseUrl: plugin.plane.url });
    const trunk = { trunkId: ids.carrier, cleared: true, organization: plugin.plane.url };
    expect((await plugin.failureOf(plugin.create("TrunkOutboundAuth", trunk))).message).toMatch(/^no token: /);
    expect(plugin.requests()).toEqual([]);
  });

  test.each([
    ["default", undefined, "full"],
    ["default", "vp_dev_restricted", "full"],
    ["eu", undefined, "secondFull"],
    ["us", "vp_dev_second_full", "secondFull"],
  ])("with a variable for each, the provider %s with the token %s sends that of %s", async (name, token, sent) => {
    const env = { VOICEPLANE_TOKEN: "vp_dev_full", VOICEPLANE_TOKEN_EU: "vp_dev_second_full" };
    const plugin = await unconfigured("{}", env);
    await plugin.configure(
      { baseUrl: plugin.plane.url, organization: "default", ...(token !== undefined && { token: secret(token) }) },
      name,
    );
    await plugin.create("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: true, organization: name });
    expect(plugin.plane.control.journal().map((entry) => entry.token)).toEqual([sent]);
  });
});
