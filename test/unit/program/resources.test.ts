import { isSecret as hasSecret, output } from "@pulumi/pulumi/output";
import { ProviderResource } from "@pulumi/pulumi/resource";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, warnings } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const { NetworkPolicy, Provider, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } = dynamic;
const webhook = (webhookId: string) => ({ webhookId, onCreate: "rotate" }) as const;
const policy = (networkPolicyId: dynamic.NetworkPolicyArgs["networkPolicyId"]) =>
  ({ networkPolicyId, onCreate: "overwrite", name: "HQ" }) as const;
const trunk = (trunkId: string) => ({ trunkId, cleared: true });
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } as const;

test.each([
  ["dynamic", dynamic],
  ["native", native],
])("replaceWith is refused for an adopted webhook, whose secret only the old state has: %s", (name, module) => {
  const replaceWith = [new NetworkPolicy(`with-${name}`, policy(`with-${name}`))];
  expect(() => new module.WebhookSecret("with", { webhookId: "with", onCreate: "adopt" }, { replaceWith })).toThrow(
    'WebhookSecret "with":\n  the option replaceWith would replace an adopted webhook without its secret: ' +
      'remove it, or write onCreate: "rotate" if each replacement should rotate',
  );
  new module.WebhookSecret(`rotates-${name}`, webhook(`rotates-${name}`), { replaceWith });
});

test.each([
  ["dynamic", dynamic],
  ["native", native],
])(
  "retainOnDelete is refused for a webhook, whose only secret a rename or a replacement would drop: %s",
  (name, module) => {
    expect(() => new module.WebhookSecret("kept", webhook(`kept-${name}`), { retainOnDelete: true })).toThrow(
      'WebhookSecret "kept":\n  the option retainOnDelete would drop the only copy of the secret where the webhook is renamed or replaced: ' +
        "remove it; a delete sends nothing anyway",
    );
  },
);

test("customTimeouts, which the SDK does not pass to a dynamic provider, are named once in a run", () => {
  const seen = warnings();
  const opts = { customTimeouts: { create: "5m" } };
  new native.WebhookSecret("honoured", webhook("honoured"), opts);
  expect(seen).toEqual([]);
  new WebhookSecret("slow", webhook("slow"), opts);
  new TrunkOutboundAuth("slow", trunk("slow"), opts);
  expect(seen).toEqual([
    'WebhookSecret "slow": customTimeouts have no effect with the dynamic provider, where a request ends within a minute, ' +
      "and after a 429 within three. Import from pulumi-voiceplane/native, whose plugin honours them. [option-ignored]",
  ]);
});

test.each([
  ["what retains", () => new TrunkOutboundAuth("r1", { ...trunk("r1"), onDelete: "retain" }), true],
  ["what clears", () => new TrunkOutboundAuth("r2", { ...trunk("r2"), onDelete: "clear" }), false],
  ["what sets fields", () => new NetworkPolicy("r3", { ...policy("r3"), onDelete: { name: "x" } }), false],
  [
    "what sets days",
    () => new RetentionPolicy("r4", { ...recordings, onDelete: { retentionDays: 90, enabled: true } }),
    false,
  ],
  [
    "what clears, where the user said true",
    () => new TrunkOutboundAuth("r5", { ...trunk("r5"), onDelete: "clear" }, { retainOnDelete: true }),
    true,
  ],
  ["a webhook, which would inherit it otherwise", () => new WebhookSecret("r6", webhook("r6")), false],
  [
    "a trunk, where the user said false",
    () => new TrunkOutboundAuth("r7", trunk("r7"), { retainOnDelete: false }),
    false,
  ],
])("retainOnDelete of %s", async (_what, make, expected) => {
  const [registration] = await registered(make().urn);
  expect(registration?.retainOnDelete).toBe(expected);
});

test("an id that is no text, and a provider of another package, are left to the engine", async () => {
  const provider = new (class Random extends ProviderResource {})("random", "other");
  const odd = [
    new TrunkOutboundAuth("number", trunk(17 as never)),
    new TrunkOutboundAuth("elsewhere", trunk("elsewhere"), { provider }),
  ];
  const names = (await registered(...odd.map(({ urn }) => urn))).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["number", "elsewhere"]));
});

test("an initialSecret is secret, even if the user wrote it in plain text", async () => {
  const adopted = new WebhookSecret("plain", { webhookId: "plain", initialSecret: "s", onCreate: "adopt" });
  await registered(adopted.urn);
  expect(await isSecret((adopted as unknown as { initialSecret: typeof adopted.urn }).initialSecret)).toBe(true);
  expect(await hasSecret(adopted.webhookId)).toBe(false);
});

describe("the same object twice is refused", () => {
  const message = (type: string, other: string, name: string, object: string) =>
    `${type} "${name}" and ${type} "${other}" declare the same object, ${object}: remove one of them`;
  const here = "of acme";

  test("by the second constructor, in another spelling too, because servers accept several spellings of an id", async () => {
    const { urn } = new NetworkPolicy("first", policy("np-1"));
    for (const id of ["np-1", "NP-1"])
      expect(() => new NetworkPolicy("second", policy(id))).toThrow(
        message("NetworkPolicy", "first", "second", `"${id}" ${here}`),
      );
    expect(await registered(urn)).toHaveLength(1);
  });

  test("by two resources of the same name, which may have two parents", async () => {
    const { urn } = new NetworkPolicy("same", policy("np-3"));
    expect(() => new NetworkPolicy("same", policy("np-3"))).toThrow(
      message("NetworkPolicy", "same", "same", `"np-3" ${here}`),
    );
    await registered(urn);
  });

  test("once an id that was an output is known", async () => {
    const first = new NetworkPolicy("output-id", policy(output(Promise.resolve("np-2"))));
    await registered(first.urn);
    expect(() => new NetworkPolicy("plain-id", policy("np-2"))).toThrow(
      message("NetworkPolicy", "output-id", "plain-id", `"np-2" ${here}`),
    );
  });

  test("unless type, id or organization is another", async () => {
    const provider = new Provider("other", { baseUrl: "https://api.example.com", token: "t" });
    const all = [
      new TrunkOutboundAuth("x-1", trunk("x")),
      new WebhookSecret("x-2", webhook("x")),
      new WebhookSecret("x-3", webhook("xx")),
      new WebhookSecret("x-4", webhook("x"), { provider }),
    ];
    expect(await registered(...all.map(({ urn }) => urn))).toHaveLength(5);
    expect(() => new WebhookSecret("x-5", webhook("x"), { provider })).toThrow(
      message("WebhookSecret", "x-4", "x-5", '"x" of other'),
    );
  });
});

test("half of a character, which the engine's protocol cannot have, is refused before anything is registered", () => {
  const half = "has half of a character: write the whole character, or remove it";
  expect(() => new NetworkPolicy("half-n", { ...policy("half-n"), name: "\ud83d" })).toThrow(
    `NetworkPolicy "half-n":\n  name: ${half}`,
  );
  expect(() => new WebhookSecret("half-\ud83d", webhook("half-x"))).toThrow(
    `WebhookSecret "half-\\u{d83d}":\n  name: ${half}`,
  );
});
