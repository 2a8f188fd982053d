/** The classes over the plugin: what differs from the dynamic ones, and that the two cannot be mixed unnoticed. */
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, valueOf } from "../../support/program.js";

// Nothing is installed: the plugin is no package of the program's.
asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" }, { installed: false });

test("both modules export the same classes and functions, by the same names", () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(dynamic).sort());
  expect(native.listWebhooks).toBe(dynamic.listWebhooks);
});

test("each class registers the plugin's type, the arguments, and an alias of the dynamic type", async () => {
  const all = [
    new native.RetentionPolicy("n-r", {
      resource: "recordings",
      onCreate: "overwrite",
      retentionDays: 90,
      onDelete: "disable",
    }),
    new native.NetworkPolicy("n-n", { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ" }),
    new native.TrunkOutboundAuth("n-t", { trunkId: "t-1", cleared: true }),
    new native.WebhookSecret("n-w", { webhookId: "w-1", onCreate: "rotate" }),
  ];
  const registrations = await registered(...all.map(({ urn }) => urn));
  const seen = registrations.map(({ type, inputs, aliases, retainOnDelete, secretOutputs }) => {
    return { type, inputs, aliases, retainOnDelete, secretOutputs };
  });
  expect(seen.sort((a, b) => a.type.localeCompare(b.type))).toEqual([
    {
      type: "voiceplane:index:NetworkPolicy",
      inputs: { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ", __kept: true },
      aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:NetworkPolicy" }],
      retainOnDelete: true,
      secretOutputs: [],
    },
    {
      type: "voiceplane:index:RetentionPolicy",
      inputs: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" },
      aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy" }],
      retainOnDelete: false,
      secretOutputs: [],
    },
    {
      type: "voiceplane:index:TrunkOutboundAuth",
      inputs: { trunkId: "t-1", cleared: true, __kept: true },
      aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:TrunkOutboundAuth" }],
      retainOnDelete: true,
      secretOutputs: [],
    },
    {
      type: "voiceplane:index:WebhookSecret",
      inputs: { webhookId: "w-1", onCreate: "rotate" },
      aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret" }],
      retainOnDelete: false,
      secretOutputs: ["secret", "previousSecret", "data"],
    },
  ]);
  expect(JSON.stringify(registrations)).not.toContain("__provider");
});

test("the user's own aliases count for the dynamic type too", async () => {
  const webhook = new native.WebhookSecret(
    "renamed",
    { webhookId: "w-2", onCreate: "rotate" },
    { aliases: [{ name: "old" }] },
  );
  const [registration] = await registered(webhook.urn);
  expect(registration?.aliases).toEqual([
    { name: "old" },
    { type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret" },
    { type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret", name: "old" },
  ]);
});

test("they are the dynamic classes by inheritance, so that functions that take one take the other", () => {
  const policy = new native.RetentionPolicy("inherits", {
    resource: "conversations",
    onCreate: "overwrite",
    retentionDays: 90,
  });
  expect(policy).toBeInstanceOf(dynamic.RetentionPolicy);
});

describe("Provider", () => {
  test("is one of the plugin, with its settings under their own names", async () => {
    const eu = new native.Provider("eu", {
      baseUrl: "https://eu.example.com",
      token: "canary-eu",
      allowInsecureHttp: true,
    });
    const [registration] = await registered(eu.urn);
    expect(registration).toMatchObject({ type: "pulumi:providers:voiceplane", name: "eu" });
    const { token, ...inputs } = registration?.inputs ?? {};
    // The label is its name.
    expect(inputs).toEqual({ baseUrl: "https://eu.example.com", allowInsecureHttp: "true" });
    expect(JSON.stringify(token)).toContain("4dabf18193072939515e22adb298388d");
    expect(eu.organization).toBe("eu");
    expect(await isSecret(eu.settings)).toBe(true);
  });

  test("manages the resources that name it", async () => {
    const provider = new native.Provider("us", { baseUrl: "https://us.example.com", token: "t" });
    const webhook = new native.WebhookSecret("us-w", { webhookId: "w-1", onCreate: "rotate" }, { provider });
    const all = await registered(webhook.urn);
    expect(all.find(({ name }) => name === "us-w")?.provider).toBe("us");
  });
});

describe("Organization", () => {
  const args = {
    onCreate: "overwrite",
    retention: { recordings: { days: 90 } },
    networkPolicies: { office: { id: "np-2", name: "HQ" } },
    trunks: { a: { id: "t-2", outboundAuth: "cleared" } },
    webhooks: { crm: { id: "w-3", onCreate: "rotate" } },
  } as const;

  test("makes resources of the plugin, with the names that the dynamic one gives", async () => {
    const provider = new native.Provider("asia", { baseUrl: "https://asia.example.com", token: "t" });
    const organization = new native.Organization("org", args, { providers: [provider] });
    await valueOf(organization.webhookSecrets);
    const made = await registered(
      ...Object.values({ ...organization.retention, ...organization.networkPolicies, ...organization.trunks }).map(
        ({ urn }) => urn,
      ),
    );
    expect(made.map(({ type, name, provider: of }) => [type, name, of]).sort()).toEqual([
      ["pulumi:providers:voiceplane", "asia", undefined],
      ["voiceplane:index:NetworkPolicy", "org-office", "asia"],
      ["voiceplane:index:Organization", "org", undefined],
      ["voiceplane:index:RetentionPolicy", "org-recordings", "asia"],
      ["voiceplane:index:TrunkOutboundAuth", "org-a", "asia"],
      ["voiceplane:index:WebhookSecret", "org-crm", "asia"],
    ]);
    expect(await isSecret(organization.webhookSecrets)).toBe(true);
    expect(organization.webhooks.crm).toBeInstanceOf(native.WebhookSecret);
  });
});

describe("a Provider of the other module is refused, because the engine would ignore it", () => {
  const providers = {
    dynamic: () => new dynamic.Provider("p", { baseUrl: "https://p.example.com", token: "t" }),
    native: () => new native.Provider("p", { baseUrl: "https://p.example.com", token: "t" }),
  };

  const trunk = { trunkId: "x", cleared: true };

  test.each<[string, "dynamic" | "native", () => unknown]>([
    ["a native resource", "native", () => new native.TrunkOutboundAuth("x", trunk, { provider: providers.dynamic() })],
    [
      "a dynamic resource",
      "dynamic",
      () => new dynamic.TrunkOutboundAuth("x", trunk, { provider: providers.native() }),
    ],
    ["a native Organization", "native", () => new native.Organization("x", {}, { providers: [providers.dynamic()] })],
    ["one with a single provider", "native", () => new native.Organization("x", {}, { provider: providers.dynamic() })],
    [
      "one with a map of providers",
      "native",
      () => new native.Organization("x", {}, { providers: { voiceplane: providers.dynamic() } }),
    ],
    ["a dynamic Organization", "dynamic", () => new dynamic.Organization("x", {}, { providers: [providers.native()] })],
  ])("by %s, which is %s", (_what, kind, make) => {
    const modules = ["pulumi-voiceplane/native", "pulumi-voiceplane"];
    const [here, there] = kind === "native" ? modules : modules.reverse();
    expect(make).toThrow(
      `the Provider "p" is from ${String(there)}, but what uses it is from ${String(here)}: import both from the same module`,
    );
  });
});
