/** What only the plugin's check finds. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };

test("an initialSecret is secret also beside a problem", async () => {
  const plugin = await startPlugin();
  const { inputs } = await plugin.check("WebhookSecret", { ...crm, webhookId: "a/b", initialSecret: "canary" });
  expect(inputs.initialSecret).toEqual(secret("canary"));
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
