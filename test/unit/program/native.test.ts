/** The classes over the plugin: what differs from the dynamic ones, and that the two cannot be mixed unnoticed. */
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, valueOf } from "../../support/program.js";

// Nothing is installed: the plugin is no package of the program's.
asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" }, { installed: false });

test("both modules export the same, and the native classes are the dynamic ones by inheritance", () => {
  expect(Object.keys(native).sort()).toEqual(Object.keys(dynamic).sort());
  expect(native.listWebhooks).toBe(dynamic.listWebhooks);
  // So that functions that take one take the other.
  expect(native.RetentionPolicy.prototype).toBeInstanceOf(dynamic.RetentionPolicy);
});

test("an Organization makes resources of the plugin, with its Provider", async () => {
  const provider = new native.Provider("asia", { baseUrl: "https://asia.example.com", token: "t" });
  const args = { webhooks: { crm: { id: "w-3", onCreate: "rotate" } } } as const;
  const organization = new native.Organization("org", args, { providers: [provider] });
  await valueOf(organization.webhookSecrets);
  const made = await registered();
  expect(made.map(({ type, name, provider: of }) => [type, name, of]).sort()).toEqual([
    ["pulumi:providers:voiceplane", "asia", ""],
    ["voiceplane:index:Organization", "org", ""],
    ["voiceplane:index:WebhookSecret", "org-crm", "asia"],
  ]);
  expect(await isSecret(organization.webhookSecrets)).toBe(true);
  expect(organization.webhooks.crm).toBeInstanceOf(native.WebhookSecret);
});

const settings = { baseUrl: "https://p.example.com", token: "t" };
const trunk = { trunkId: "x", cleared: true };

test.each([
  { here: "pulumi-voiceplane/native", classes: native, there: "pulumi-voiceplane", other: dynamic },
  { here: "pulumi-voiceplane", classes: dynamic, there: "pulumi-voiceplane/native", other: native },
])("a Provider of $there is refused, because the engine would ignore it", ({ here, classes, there, other }) => {
  const provider = new other.Provider("p", settings);
  for (const use of [
    () => new classes.TrunkOutboundAuth("x", trunk, { provider }),
    () => new classes.Organization("x", {}, { provider }),
    () => new classes.Organization("x", {}, { providers: [provider] }),
    () => new classes.Organization("x", {}, { providers: { voiceplane: provider } }),
  ])
    expect(use).toThrow(
      `the Provider "p" is from ${there}, but what uses it is from ${here}: import both from the same module`,
    );
});
