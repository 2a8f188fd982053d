import { isSecret as hasSecret } from "@pulumi/pulumi/output";
import { ProviderResource } from "@pulumi/pulumi/resource";
import { setAllConfig } from "@pulumi/pulumi/runtime";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const { NetworkPolicy, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } = dynamic;
const webhook = (webhookId: string) => ({ webhookId, onCreate: "rotate" }) as const;
const policy = (networkPolicyId: string) => ({ networkPolicyId, onCreate: "overwrite", name: "HQ" }) as const;
const trunk = (trunkId: string) => ({ trunkId, cleared: true });
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } as const;

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

test("a token in plain text in the stack's configuration ends the program, because it would be in its state", () => {
  jest.spyOn(settings, "getEngine").mockReturnValue({} as never);
  setAllConfig({ "voiceplane:token": "canary-token" }, []);
  expect(() => new TrunkOutboundAuth("plain", trunk("plain"))).toThrow(
    /^the token is in plain text in the stack's configuration, and would be in its state: .* \[plain-secret\]$/,
  );
});
