import { output } from "@pulumi/pulumi/output";
import { isSecret as hasSecret } from "@pulumi/pulumi/output";
import { ProviderResource } from "@pulumi/pulumi/resource";
import {
  NetworkPolicy,
  Provider,
  RetentionPolicy,
  TrunkOutboundAuth,
  WebhookSecret,
} from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, warnings } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token" });

test("replaceWith is refused for an adopted webhook, whose secret only the old state has", () => {
  const policy = new RetentionPolicy("with", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });
  const webhook = (onCreate: "adopt" | "rotate", module: { WebhookSecret: typeof WebhookSecret }) => () =>
    new module.WebhookSecret(`with-${onCreate}`, { webhookId: onCreate, onCreate }, { replaceWith: [policy] });
  for (const module of [{ WebhookSecret }, native]) {
    expect(webhook("adopt", module)).toThrow(
      'WebhookSecret "with-adopt": the option replaceWith would replace an adopted webhook without its secret: ' +
        'remove it, or write onCreate: "rotate" if each replacement should rotate',
    );
  }
  expect(webhook("rotate", { WebhookSecret })).not.toThrow();
});

test("customTimeouts, which the SDK does not pass to a dynamic provider, are named once in a run", () => {
  const seen = warnings();
  const opts = { customTimeouts: { create: "5m" } };
  new native.WebhookSecret("honoured", { webhookId: "honoured", onCreate: "rotate" }, opts);
  expect(seen).toEqual([]);
  new WebhookSecret("slow", { webhookId: "slow", onCreate: "rotate" }, opts);
  new TrunkOutboundAuth("slow", { trunkId: "slow", cleared: true }, opts);
  expect(seen).toEqual([
    'WebhookSecret "slow": customTimeouts have no effect with the dynamic provider, where a request ends within a minute, ' +
      "and after a 429 within three. Import from pulumi-voiceplane/native, whose plugin honours them.",
  ]);
});

describe("retainOnDelete", () => {
  let next = 0;
  const id = () => `retain-${next++}`;
  const trunk = (onDelete?: "retain" | "clear") => ({ trunkId: id(), cleared: true, ...(onDelete && { onDelete }) });
  const network = (onDelete?: "retain" | { name: string }) => ({
    networkPolicyId: id(),
    onCreate: "overwrite" as const,
    name: "HQ",
    onDelete,
  });

  test.each([
    ["a trunk by default", () => new TrunkOutboundAuth(id(), trunk()), true],
    ["a trunk with retain", () => new TrunkOutboundAuth(id(), trunk("retain")), true],
    ["a trunk with clear", () => new TrunkOutboundAuth(id(), trunk("clear")), false],
    ["a policy by default", () => new NetworkPolicy(id(), network()), true],
    ["a policy with fields", () => new NetworkPolicy(id(), network({ name: "x" })), false],
    [
      "a webhook, whose provider has to be asked",
      () => new WebhookSecret(id(), { webhookId: id(), onCreate: "rotate" }),
      false,
    ],
    ["where the user said true", () => new TrunkOutboundAuth(id(), trunk("clear"), { retainOnDelete: true }), true],
    [
      "a webhook where the user said true",
      () => new WebhookSecret(id(), { webhookId: id(), onCreate: "rotate" }, { retainOnDelete: true }),
      true,
    ],
    ["where the user said false", () => new TrunkOutboundAuth(id(), trunk(), { retainOnDelete: false }), false],
  ])("of %s", async (_name, make, expected) => {
    const [registration] = await registered(make().urn);
    expect(registration?.retainOnDelete).toBe(expected);
  });

  test.each([
    [undefined, true],
    ["disable" as const, false],
    [{ retentionDays: 90, enabled: true }, false],
  ])("of a retention policy with onDelete %j", async (onDelete, expected) => {
    const provider = new Provider(id(), { baseUrl: "https://eu.example.com", token: "t" });
    const policy = new RetentionPolicy(
      id(),
      { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete },
      { provider },
    );
    const all = await registered(policy.urn);
    expect(all.find(({ type }) => type.endsWith(":RetentionPolicy"))?.retainOnDelete).toBe(expected);
  });
});

test("an id that is no text, and a provider of another package, are left to the engine", async () => {
  const provider = new (class Random extends ProviderResource {})("random", "other");
  const odd = [
    new TrunkOutboundAuth("number", { trunkId: 17 as never, cleared: true }),
    new TrunkOutboundAuth("foreign", { trunkId: "foreign", cleared: true }, { provider }),
  ];
  const names = (await registered(...odd.map(({ urn }) => urn))).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["number", "foreign"]));
});

describe("secrets", () => {
  test("an initialSecret is secret, even if the user wrote it in plain text", async () => {
    const webhook = new WebhookSecret("plain", { webhookId: "plain", initialSecret: "s", onCreate: "adopt" });
    await registered(webhook.urn);
    expect(await isSecret((webhook as unknown as { initialSecret: typeof webhook.urn }).initialSecret)).toBe(true);
    expect(await hasSecret(webhook.webhookId)).toBe(false);
  });
});

describe("the same object twice", () => {
  const message = (type: string, names: [string, string], id: string, organization = "https://api.example.com") =>
    `${type} "${names[1]}" and ${type} "${names[0]}" declare the same object, "${id}" of ${organization}: remove one of them`;

  test("is refused by the second constructor", () => {
    new NetworkPolicy("first", { networkPolicyId: "np-1", onCreate: "overwrite", name: "A" });
    expect(() => new NetworkPolicy("second", { networkPolicyId: "np-1", onCreate: "overwrite", name: "B" })).toThrow(
      message("NetworkPolicy", ["first", "second"], "np-1"),
    );
  });

  test("is refused once an id that was an output is known", async () => {
    const first = new NetworkPolicy("output-id", {
      networkPolicyId: output(Promise.resolve("np-2")),
      onCreate: "overwrite",
      name: "A",
    });
    await registered(first.urn);
    expect(() => new NetworkPolicy("plain-id", { networkPolicyId: "np-2", onCreate: "overwrite", name: "B" })).toThrow(
      message("NetworkPolicy", ["output-id", "plain-id"], "np-2"),
    );
  });

  test("is refused in another spelling, because servers accept several spellings of an id", async () => {
    const { urn } = new NetworkPolicy("lower", { networkPolicyId: "np-a", onCreate: "overwrite", name: "A" });
    expect(() => new NetworkPolicy("upper", { networkPolicyId: "NP-A", onCreate: "overwrite", name: "B" })).toThrow(
      message("NetworkPolicy", ["lower", "upper"], "NP-A"),
    );
    expect(await registered(urn)).toHaveLength(1);
  });

  test("is not the same with another type, id or organization", async () => {
    const provider = new Provider("other", { baseUrl: "https://api.example.com", token: "t" });
    const all = [
      new TrunkOutboundAuth("x-1", { trunkId: "x", cleared: true }),
      new WebhookSecret("x-2", { webhookId: "x", onCreate: "rotate" }),
      new WebhookSecret("x-3", { webhookId: "xx", onCreate: "rotate" }),
      new WebhookSecret("x-4", { webhookId: "x", onCreate: "rotate" }, { provider }),
    ];
    expect(await registered(...all.map(({ urn }) => urn))).toHaveLength(5);
    expect(() => new WebhookSecret("x-5", { webhookId: "x", onCreate: "rotate" }, { provider })).toThrow(
      message("WebhookSecret", ["x-4", "x-5"], "x", "other"),
    );
  });
});

describe("half of a character, which the engine's protocol cannot have", () => {
  const half = "has half of a character: write the whole character, or remove it";

  test.each([
    [
      "an argument",
      () => new NetworkPolicy("half-n", { networkPolicyId: "half-n", onCreate: "overwrite", name: "\ud83d" }),
      'NetworkPolicy "half-n": name',
    ],
    [
      "a name",
      () => new WebhookSecret("half-\ud83d", { webhookId: "half-x", onCreate: "rotate" }),
      'WebhookSecret "half-\\u{d83d}": name',
    ],
  ])("%s is refused before anything is registered", (_what, declare, subject) => {
    expect(declare).toThrow(`${subject}: ${half}`);
  });
});
