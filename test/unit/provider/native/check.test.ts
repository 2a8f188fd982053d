/** `check` over the wire: what it finds, what it adds, and what stays secret or unknown. */
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, urnOf, type Values } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };

describe("inputs", () => {
  test("that came secret go out secret, as a whole or in a part", async () => {
    const plugin = await startPlugin();
    const { inputs, reasons } = await plugin.check("TrunkOutboundAuth", {
      trunkId: secret(ids.carrier),
      cleared: true,
      triggers: { quarter: "2026-Q4", stamp: secret("canary-1"), count: secret(3) },
    });
    expect(reasons).toEqual([]);
    expect(inputs).toMatchObject({
      trunkId: secret(ids.carrier),
      cleared: true,
      triggers: secret({ quarter: "2026-Q4", stamp: "canary-1", count: 3 }),
    });
    const nested = await plugin.inputsOf("NetworkPolicy", {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      sourceCidr: "203.0.113.0/24",
      mustInclude: ["203.0.113.7", secret("203.0.113.8")],
      onDelete: { name: secret(secret("canary-2")) },
    });
    expect(nested).toMatchObject({
      mustInclude: secret(["203.0.113.7", "203.0.113.8"]),
      onDelete: secret({ name: "canary-2" }),
    });
  });

  test("an initialSecret is secret, although the program wrote it plainly", async () => {
    const plugin = await startPlugin();
    const args = { webhookId: ids.crm, onCreate: "adopt", initialSecret: "canary-3" };
    expect(await plugin.inputsOf("WebhookSecret", args)).toMatchObject({ initialSecret: secret("canary-3") });
    const { inputs } = await plugin.check("WebhookSecret", {
      webhookId: "a/b",
      onCreate: "rotate",
      initialSecret: "canary-4",
    });
    expect(inputs.initialSecret).toEqual(secret("canary-4"));
  });

  test("that a preview does not know yet are no problem, and stay unknown", async () => {
    const plugin = await startPlugin();
    const first = await plugin.inputsOf("NetworkPolicy", {
      networkPolicyId: unknown,
      onCreate: "overwrite",
      sourceCidr: secret(unknown),
    });
    expect(first).toMatchObject({ networkPolicyId: unknown, sourceCidr: secret(unknown), organization: "acme" });
    const second = await plugin.inputsOf("WebhookSecret", {
      webhookId: unknown,
      onCreate: "rotate",
      rotateAfter: unknown,
      triggers: { of: unknown },
    });
    expect(second).toMatchObject({
      webhookId: unknown,
      onCreate: "rotate",
      rotateAfter: unknown,
      triggers: { of: unknown },
    });
    const third = await plugin.inputsOf("RetentionPolicy", {
      resource: "recordings",
      onCreate: "overwrite",
      retentionDays: unknown,
      onDelete: { retentionDays: unknown, enabled: true },
    });
    expect(third).toMatchObject({ retentionDays: unknown, onDelete: { retentionDays: unknown, enabled: true } });
  });
});

describe("problems", () => {
  test.each<[string, Values, string]>([
    ["a number", { retentionDays: 0 }, "retentionDays"],
    ["a flag, where a number should be", { retentionDays: true }, "retentionDays"],
    ["a property that is missing", {}, "retentionDays"],
    ["a secret number", { retentionDays: secret(0) }, ""],
    ["a text, which may be a misplaced token", { retentionDays: "canary" }, ""],
    ["a nested value", { retentionDays: 90, onDelete: { retentionDays: 0, enabled: true } }, ""],
  ])("name the property of the failure where the engine may print its value: %s", async (_what, news, property) => {
    const plugin = await startPlugin();
    const { properties } = await plugin.check("RetentionPolicy", {
      resource: "recordings",
      onCreate: "adopt",
      ...news,
    });
    expect(properties).toEqual([property]);
  });

  test("a trigger with the key of the engine's own marks is refused by its name, also in a secret", async () => {
    const plugin = await startPlugin();
    const key = "4dabf18193072939515e22adb298388d";
    for (const triggers of [{ [key]: "mine" }, { [key]: 5 }, secret({ [key]: "mine" }), { [key]: secret("x")[key] }]) {
      expect((await plugin.check("WebhookSecret", { ...crm, triggers })).reasons).toEqual([
        `triggers: has the key ${key}, which the engine keeps for itself: use another one`,
      ]);
    }
    const asset = { [key]: "c44067f5952c0a294b673a41bacd8c17", text: "canary" };
    expect(
      (await plugin.check("NetworkPolicy", { networkPolicyId: ids.office, onCreate: "overwrite", name: asset }))
        .reasons,
    ).toEqual(["name: must be a name that is not empty"]);
  });

  test("of two that declare one object, the organization is named only if it is known", async () => {
    const plugin = await startPlugin({ config: {} });
    const missing = (await plugin.check("WebhookSecret", { webhookId: "w", onCreate: "rotate" })).reasons;
    expect(
      (await plugin.check("WebhookSecret", { webhookId: "w", onCreate: "rotate" }, { name: "other" })).reasons,
    ).toEqual([...missing, 'declares the same object as WebhookSecret "it", "w": remove one of them']);
  });

  test("a type of another package or a later version is an error that names it", async () => {
    const plugin = await startPlugin();
    await expect(plugin.check("Voicemail", {})).rejects.toMatchObject({
      details: "this plugin has no voiceplane:index:Voicemail: the versions of plugin and SDK differ",
    });
  });

  test("a child of a component is known by the last of its types", async () => {
    const plugin = await startPlugin();
    const name = "it";
    const urn = urnOf("Organization$voiceplane:index:WebhookSecret", name);
    expect(urn).toBe("urn:pulumi:dev::test::voiceplane:index:Organization$voiceplane:index:WebhookSecret::it");
    const { inputs } = await plugin.check("Organization$voiceplane:index:WebhookSecret", crm);
    expect(inputs.webhookId).toBe(ids.crm);
  });
});

describe("the same object twice", () => {
  const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" };
  const message = (other: string, id: string) =>
    `declares the same object as NetworkPolicy "${other}", "${id}" of acme: remove one of them`;

  test("is refused with the name of the other resource, also in another spelling", async () => {
    const plugin = await startPlugin();
    await plugin.check("NetworkPolicy", policy, { name: "the first" });
    const second = await plugin.check("NetworkPolicy", policy, { name: "second" });
    expect(second.reasons).toEqual([message("the first", ids.office)]);
    const upper = { ...policy, networkPolicyId: ids.office.toUpperCase() };
    const third = await plugin.check("NetworkPolicy", upper, { name: "third" });
    expect(third.reasons).toEqual([message("the first", ids.office.toUpperCase())]);
  });

  test("is not reported when a resource is checked more than once, as for a replacement", async () => {
    const plugin = await startPlugin();
    const olds = await plugin.inputsOf("NetworkPolicy", policy);
    const news = { ...policy, networkPolicyId: "another" };
    await plugin.inputsOf("NetworkPolicy", news, olds);
    await plugin.inputsOf("NetworkPolicy", news);
    await plugin.inputsOf("NetworkPolicy", policy, olds);
  });

  test("is allowed for an object that its first resource gives up in the same run, so that two resources can swap", async () => {
    const plugin = await startPlugin();
    const id = (networkPolicyId: string) => ({ networkPolicyId, onCreate: "overwrite", name: "HQ" });
    const swapped = async (name: string, before: string, after: string) =>
      (await plugin.check("NetworkPolicy", id(after), { name, olds: { ...id(before), organization: "acme" } })).reasons;
    expect(await swapped("one", "a", "b")).toEqual([]);
    expect(await swapped("two", "b", "a")).toEqual([]);
  });

  test("is not reported for another type with the same id, or while an id is unknown", async () => {
    const plugin = await startPlugin();
    await plugin.inputsOf("WebhookSecret", { webhookId: "x", onCreate: "rotate" });
    await plugin.inputsOf("TrunkOutboundAuth", { trunkId: "x", cleared: true });
    for (const name of ["one", "two"]) {
      const { reasons } = await plugin.check(
        "NetworkPolicy",
        { networkPolicyId: unknown, onCreate: "overwrite", name: "HQ" },
        { name },
      );
      expect(reasons).toEqual([]);
    }
  });
});
