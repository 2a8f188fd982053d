import { startPlugin } from "../../support/native/plugin";
import { ids, secret } from "../../support/native/wire";
const mark = "4dabf18193072939515e22adb298388d";
const show = async (what: string, running: Promise<unknown>) => {
  const r = await running.then(
    (v) => JSON.stringify(v),
    (e: Error) => "ERROR " + e.message,
  );
  require("node:fs").appendFileSync("/tmp/h2.out", what + ": " + r + "\n");
};
test("x", async () => {
  const plugin = await startPlugin();
  const base = { baseUrl: "https://x.example.com", token: "t" };
  for (const v of [5, { a: 1 }, [true], "yes", "", null])
    await show("insecure " + JSON.stringify(v), plugin.checkConfig({ ...base, allowInsecureHttp: v }));
  for (const v of [5, { a: 1 }, [true], null]) {
    await show("token " + JSON.stringify(v), plugin.checkConfig({ ...base, token: v }));
    await show("url " + JSON.stringify(v), plugin.checkConfig({ ...base, baseUrl: v }));
    await show("account " + JSON.stringify(v), plugin.checkConfig({ ...base, account: v }));
  }
  for (const t of ["WebhookSecret", "RetentionPolicy", "TrunkOutboundAuth", "NetworkPolicy"]) {
    await show("delete " + t, plugin.delete(t, "an-id", {}));
    await show("read " + t, plugin.read(t, "an-id", { account: "acme" }));
    await show("update " + t, plugin.update(t, "an-id", {}, {}));
    await show("create " + t, plugin.create(t, {}));
    await show("diff " + t, plugin.diff(t, {}, {}, {}));
    await show("delete acc " + t, plugin.delete(t, "an-id", { account: "acme" }));
    await show("delete onDelete " + t, plugin.delete(t, "an-id", { account: "acme", onDelete: "clear" }));
  }
  require("node:fs").appendFileSync(
    "/tmp/h2.out",
    JSON.stringify(
      plugin.engine.messages.map((m) => m.message),
      null,
      1,
    ) +
      JSON.stringify(plugin.requests()) +
      "\n",
  );
  for (const v of [
    "x",
    "1b47061264138c4ac30d75fd1eb44270",
    5,
    "c44067f5952c0a294b673a41bacd8c17",
    "0def7320c3a5731c473e5ecbe6d01bc7",
    "5cf8f73096256a8f31e491e813e4eb8e",
  ]) {
    await show("trigger key " + v, plugin.check("WebhookSecret", { webhookId: ids.crm, triggers: { [mark]: v } }));
    await show("top " + v, plugin.check("WebhookSecret", { webhookId: ids.crm, [mark]: v }, { name: "b" }));
    await show("id " + v, plugin.check("WebhookSecret", { webhookId: { [mark]: v } }, { name: "b" }));
    await show(
      "secret marked " + v,
      plugin.check("WebhookSecret", { webhookId: ids.crm, triggers: secret({ [mark]: v }) }, { name: "it" }),
    );
  }
  const none = await startPlugin({ config: {} });
  await show("one", none.check("WebhookSecret", { webhookId: "w" }));
  await show("two", none.check("WebhookSecret", { webhookId: "w" }, { name: "other" }));
  await show(
    "diff",
    none.diff(
      "RetentionPolicy",
      { account: "", resource: "recordings", retentionDays: 90, enabled: true, uncertain: "update" },
      {},
      { resource: "recordings", retentionDays: 90, enabled: true, account: "" },
    ),
  );
  require("node:fs").appendFileSync(
    "/tmp/h2.out",
    JSON.stringify(
      none.engine.messages.map((m) => m.message),
      null,
      1,
    ) + "\n",
  );
});
