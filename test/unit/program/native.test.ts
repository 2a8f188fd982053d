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

test("they are the dynamic classes by inheritance, so that functions that take one take the other", () => {
  const policy = new native.RetentionPolicy("inherits", {
    resource: "conversations",
    onCreate: "overwrite",
    retentionDays: 90,
  });
  expect(policy).toBeInstanceOf(dynamic.RetentionPolicy);
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
