/** What the classes of either module register: the rules that both have. */
import type { CustomResource } from "@pulumi/pulumi";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import type { ResourceType } from "../../../src/resources/index.js";
import { types } from "../../support/resources/table.js";
import { asProgram, isSecret, registered, valueOf } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const network = { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ" };
const trunk = { trunkId: "t-1", cleared: true };
const webhook = { webhookId: "w-1", onCreate: "rotate" } as const;

/** The arguments of each class, whether destroy sends nothing, and the secret outputs. */
const cases: Record<ResourceType, { args: object; retains?: boolean; secrets?: string[] }> = {
  NetworkPolicy: { args: network, retains: true },
  RetentionPolicy: { args: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" } },
  TrunkOutboundAuth: { args: trunk, retains: true },
  WebhookSecret: { args: webhook, secrets: ["secret", "previousSecret", "data"] },
};

const dynamicType = (type: string) => `pulumi-nodejs:dynamic/voiceplane:${type}`;
const nativeType = (type: string) => `voiceplane:index:${type}`;
/** Frozen: the states of existing stacks have them. */
const texts = {
  NetworkPolicy: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/network-policy")',
  RetentionPolicy: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")',
  TrunkOutboundAuth: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/trunk-outbound-auth")',
  WebhookSecret: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")',
} satisfies Record<ResourceType, string>;

describe.each([
  {
    module: "pulumi-voiceplane",
    classes: dynamic,
    prefix: "d",
    typeOf: dynamicType,
    otherType: nativeType,
    own: (type: keyof typeof texts, name: string): object => ({ __provider: texts[type], __declaredAs: name }),
    providerType: "pulumi:providers:pulumi-nodejs",
    setting: (key: string) => `voiceplane:${key}`,
    label: { "voiceplane:providerName": "d-eu" },
  },
  {
    module: "pulumi-voiceplane/native",
    classes: native,
    prefix: "n",
    typeOf: nativeType,
    otherType: dynamicType,
    own: (): object => ({}),
    providerType: "pulumi:providers:voiceplane",
    setting: (key: string) => key,
    // The engine passes the provider's name.
    label: {},
  },
])("$module", ({ classes, prefix, typeOf, otherType, own, providerType, setting, label }) => {
  test("registers each class with its type, its arguments and an alias of the other type, and nothing else", async () => {
    // An organization of its own, in which nobody else declares these objects.
    const settings = { baseUrl: "https://frozen.example.com", token: "canary-token" };
    const provider = new classes.Provider(`${prefix}-frozen`, settings);
    for (const type of types) {
      const { args, retains = false, secrets = [] } = cases[type];
      const name = `${prefix}-frozen-${type}`;
      const Class = classes[type] as new (name: string, args: object, opts: object) => CustomResource;
      const all = await registered(new Class(name, args, { provider }).urn);
      const found = all.find((each) => each.name === name);
      expect(found).toMatchObject({
        type: typeOf(type),
        aliases: [{ type: otherType(type) }],
        retainOnDelete: retains,
      });
      expect(found?.inputs).toEqual({ ...args, ...own(type, name) });
      expect(found?.secretOutputs).toEqual(secrets);
      expect(JSON.stringify(found)).not.toContain("canary-token");
    }
  });

  test("counts the user's own aliases for both types, so that a rename and a move may be one step, and keeps their secret outputs", async () => {
    const urn = `urn:pulumi:dev::test::${nativeType("WebhookSecret")}::older`;
    const aliases = [{ name: "old" }, urn, { type: otherType("WebhookSecret"), name: "older" }];
    const renamed = new classes.WebhookSecret(
      `${prefix}-renamed`,
      { ...webhook, webhookId: `${prefix}-2` },
      { aliases, additionalSecretOutputs: ["triggers"] },
    );
    const registration = (await registered(renamed.urn)).find(({ name }) => name === `${prefix}-renamed`);
    expect(registration?.aliases).toEqual([
      { name: "old" },
      { type: otherType("WebhookSecret"), name: "older" },
      { type: otherType("WebhookSecret") },
      { type: otherType("WebhookSecret"), name: "old" },
    ]);
    expect(registration?.secretOutputs).toEqual(["triggers", "secret", "previousSecret", "data"]);
  });

  test.each([
    ["false", undefined],
    [false, undefined],
    ["true", "true"],
    ["yes", "yes"],
  ])("registers a Provider's allowInsecureHttp %p of a program without types as %p", async (given, registeredAs) => {
    const name = `${prefix}-http-${String(given)}-${typeof given}`;
    const allowInsecureHttp = given as boolean;
    const provider = new classes.Provider(name, { baseUrl: "http://eu.example.com", token: "t", allowInsecureHttp });
    const all = await registered(provider.urn);
    expect(all.find((each) => each.name === name)?.inputs[setting("allowInsecureHttp")]).toBe(registeredAs);
    const { problems } = await valueOf(provider.settings);
    const expected = { false: ["base-url"], true: [], yes: ["setting-value", "base-url"] }[String(given)];
    expect(problems.map(({ code }) => code)).toEqual(expected);
  });

  test.each(["default", "default_1_2_3"])("refuses a Provider called %s, as the engine calls its own", (name) => {
    expect(() => new classes.Provider(name, { baseUrl: "https://eu.example.com" })).toThrow(
      "a Provider of your own cannot be called default, as the engine calls the stack's: give it the name of its organization [provider-name]",
    );
  });

  test("registers a Provider with its settings, its token as a secret, and what uses it", async () => {
    const provider = new classes.Provider(`${prefix}-eu`, {
      baseUrl: "https://eu.example.com",
      token: "canary-eu",
      allowInsecureHttp: true,
    });
    const user = new classes.WebhookSecret(`${prefix}-eu-w`, webhook, { provider });
    const all = await registered(provider.urn, user.urn);
    const registration = all.find(({ name }) => name === `${prefix}-eu`);
    expect(registration?.type).toBe(providerType);
    const { [setting("token")]: token, ...inputs } = registration?.inputs ?? {};
    expect(inputs).toEqual({
      ...label,
      [setting("baseUrl")]: "https://eu.example.com",
      [setting("allowInsecureHttp")]: "true",
    });
    // In the engine's own wrapper.
    expect(JSON.stringify(token)).toContain("4dabf18193072939515e22adb298388d");
    expect(provider.organization).toBe(`${prefix}-eu`);
    expect(await isSecret(provider.settings)).toBe(true);
    expect(all.find(({ name }) => name === `${prefix}-eu-w`)?.provider).toBe(`${prefix}-eu`);
  });
});
