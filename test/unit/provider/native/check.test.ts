/** What only the plugin's check finds. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };
const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" };
const mark = "4dabf18193072939515e22adb298388d";

test("an initialSecret is secret also beside a problem", async () => {
  const plugin = await startPlugin();
  const { inputs } = await plugin.check("WebhookSecret", { ...crm, webhookId: "a/b", initialSecret: "canary" });
  expect(inputs.initialSecret).toEqual(secret("canary"));
});

test("a trigger with the key of the engine's own marks is refused by its name, also in a secret", async () => {
  const plugin = await startPlugin();
  const reasons = [`triggers: has the key ${mark}, which the engine keeps for itself: use another one [reserved-name]`];
  for (const triggers of [{ [mark]: "mine" }, { [mark]: 5 }, secret({ [mark]: "mine" }), { [mark]: secret("x")[mark] }])
    expect((await plugin.check("WebhookSecret", { ...crm, triggers })).reasons).toEqual(reasons);
  const asset = { [mark]: "c44067f5952c0a294b673a41bacd8c17", text: "canary" };
  expect((await plugin.check("NetworkPolicy", { ...policy, name: asset })).reasons).toEqual([
    "name: must be a name that is not empty [wrong-value]",
  ]);
});

test("a type of another package or a later version is an error that names it, also as a component", async () => {
  const plugin = await startPlugin();
  const team = new pb.ConstructRequest().setType("voiceplane:index:Team");
  const message = (name: string) =>
    `this plugin has no voiceplane:index:${name}: the versions of plugin and SDK differ [plugin]`;
  expect((await plugin.failureOf(plugin.check("Voicemail", {}))).message).toBe(message("Voicemail"));
  expect((await plugin.failureOf(plugin.call("construct", team))).message).toBe(message("Team"));
});

test("a child of a component is known by the last of its types", async () => {
  const plugin = await startPlugin();
  await plugin.inputsOf("Organization$voiceplane:index:WebhookSecret", crm);
});
