/** `diff` over the wire: whether anything changes, and at which paths. */
import { isDeepStrictEqual } from "node:util";
import fc from "../../../support/properties";
import { changedPaths } from "../../../../src/provider/native/diff.js";
import { startPlugin, type TestPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, type Values } from "../../../support/native/wire";

/** The diff between two declarations, the first of which is in the state. */
async function between(plugin: TestPlugin, type: string, before: Values, after: Values) {
  const olds = await plugin.inputsOf(type, before);
  const { state } = await plugin.create(type, olds);
  const news = await plugin.inputsOf(type, after, olds);
  plugin.requests();
  const diff = await plugin.diff(type, state, olds, news);
  expect(plugin.requests()).toEqual([]);
  return diff;
}

const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" };
const trunk = { trunkId: ids.carrier, cleared: true };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const webhook = { webhookId: ids.crm, onCreate: "adopt" };

describe("details", () => {
  test.each<[string, string, Values, Values, object]>([
    ["a changed property", "NetworkPolicy", policy, { ...policy, name: "Office" }, { name: "UPDATE" }],
    [
      "one that is new and one that is gone",
      "NetworkPolicy",
      { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" },
      { networkPolicyId: ids.office, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" },
      { name: "DELETE", sourceCidr: "ADD" },
    ],
    [
      "members of a map, also where their names are no identifiers",
      "TrunkOutboundAuth",
      { ...trunk, triggers: { quarter: "Q3", "a.b": 1, 'say "hi"': 1, gone: true } },
      { ...trunk, triggers: { quarter: "Q4", "a.b": 2, 'say "hi"': 2, fresh: true } },
      {
        "triggers.quarter": "UPDATE",
        'triggers["a.b"]': "UPDATE",
        'triggers["say \\"hi\\""]': "UPDATE",
        "triggers.gone": "DELETE",
        "triggers.fresh": "ADD",
      },
    ],
    [
      "items of a list",
      "NetworkPolicy",
      { ...policy, mustInclude: ["203.0.113.1", "203.0.113.2", "203.0.113.3"] },
      { ...policy, name: "Office", mustInclude: ["203.0.113.1", "203.0.113.9"] },
      { name: "UPDATE", "mustInclude[1]": "UPDATE", "mustInclude[2]": "DELETE" },
    ],
    [
      "members of an object, and another type in its place",
      "RetentionPolicy",
      { ...recordings, onDelete: { retentionDays: 90, enabled: true } },
      { ...recordings, onDelete: { retentionDays: 91, enabled: true } },
      { "onDelete.retentionDays": "UPDATE" },
    ],
    [
      "an object in place of a text",
      "RetentionPolicy",
      recordings,
      { ...recordings, onDelete: { retentionDays: 90, enabled: true } },
      { onDelete: "UPDATE" },
    ],
    [
      "a value that is not known yet",
      "RetentionPolicy",
      recordings,
      { ...recordings, retentionDays: unknown },
      { retentionDays: "UPDATE" },
    ],
    [
      "a part of a secret",
      "TrunkOutboundAuth",
      { ...trunk, triggers: secret({ a: "1", b: "1" }) },
      { ...trunk, triggers: { a: secret("1"), b: secret("2") } },
      { "triggers.b": "UPDATE" },
    ],
  ])("name %s", async (_what, type, before, after, details) => {
    const diff = await between(await startPlugin(), type, before, after);
    expect(diff).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false, details });
  });

  test("say which property replaces the object", async () => {
    const after = { ...policy, networkPolicyId: "another", name: "Office" };
    expect(await between(await startPlugin(), "NetworkPolicy", policy, after)).toEqual({
      changes: true,
      replaces: ["networkPolicyId"],
      deleteBeforeReplace: false,
      details: { networkPolicyId: "UPDATE_REPLACE", name: "UPDATE" },
    });
  });

  test("say that another organization is another object, which is deleted before it is made", async () => {
    const plugin = await startPlugin();
    const news = await plugin.inputsOf("RetentionPolicy", recordings);
    const olds = { ...news, organization: "before" };
    expect(await plugin.diff("RetentionPolicy", olds, olds, news)).toEqual({
      changes: true,
      replaces: ["organization"],
      deleteBeforeReplace: true,
      details: { organization: "UPDATE_REPLACE" },
    });
  });

  test("say where requests go, although the organization keeps its name", async () => {
    const plugin = await startPlugin();
    const olds = { ...(await plugin.inputsOf("RetentionPolicy", recordings)), address: "https://old.example.com" };
    const news = await plugin.inputsOf("RetentionPolicy", recordings, olds);
    expect(await plugin.diff("RetentionPolicy", olds, olds, news)).toEqual({
      changes: true,
      replaces: [],
      deleteBeforeReplace: false,
      details: { address: "UPDATE" },
    });
  });

  test("say the date that has come and the next one", async () => {
    const plugin = await startPlugin();
    const args = { ...webhook, rotateAfter: "90d" };
    const olds = { ...(await plugin.inputsOf("WebhookSecret", args)), rotateOn: "2020-01-01" };
    const { state } = await plugin.create("WebhookSecret", olds);
    const news = await plugin.inputsOf("WebhookSecret", args, olds);
    const { changes, details } = await plugin.diff("WebhookSecret", state, olds, news);
    expect({ changes, details }).toEqual({ changes: true, details: { rotateOn: "UPDATE" } });
  });
});

describe("nothing changes, and no details are given", () => {
  test.each<[string, string, Values, Values]>([
    ["the same", "NetworkPolicy", policy, policy],
    ["an empty map in place of none", "TrunkOutboundAuth", trunk, { ...trunk, triggers: {} }],
    ["a default, written out", "RetentionPolicy", recordings, { ...recordings, enabled: true, onDelete: "retain" }],
    ["a property that is secret now", "NetworkPolicy", policy, { ...policy, name: secret("HQ") }],
  ])("for %s", async (_what, type, before, after) => {
    const diff = await between(await startPlugin(), type, before, after);
    expect(diff).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false, details: {} });
  });

  test("for what the dynamic provider has left: its text in the state is no property", async () => {
    const plugin = await startPlugin();
    const inputs = await plugin.inputsOf("WebhookSecret", webhook);
    const left = { __provider: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")' };
    const { state } = await plugin.create("WebhookSecret", inputs);
    expect(await plugin.diff("WebhookSecret", { ...state, ...left }, { ...inputs, ...left }, inputs)).toEqual({
      changes: false,
      replaces: [],
      deleteBeforeReplace: false,
      details: {},
    });
  });
});

describe("after a lost answer", () => {
  test("a setting is sent again, and the detail is the output that says so", async () => {
    const plugin = await startPlugin();
    const inputs = await plugin.inputsOf("NetworkPolicy", policy);
    plugin.engine.messages.length = 0;
    const diff = await plugin.diff("NetworkPolicy", { ...inputs, uncertain: "update" }, inputs, inputs);
    expect(diff).toMatchObject({ changes: true, details: { uncertain: "UPDATE" } });
    expect(plugin.engine.messages).toEqual([
      expect.objectContaining({
        message:
          `NetworkPolicy "${ids.office}" of acme: admits 203.0.113.0/24 (its last request may have been carried out); replaces a range ` +
          "that cannot be read back; may lock this pipeline out, as no `mustInclude` names its address.",
      }),
      {
        severity: "warning",
        urn: "urn:pulumi:dev::test::voiceplane:index:NetworkPolicy::it",
        message: `NetworkPolicy "${ids.office}" of acme: it is unknown whether its last request was carried out.`,
        passes: false,
      },
    ]);
  });
});

describe("changedPaths", () => {
  const key = fc.oneof(fc.constantFrom("a", "b", "a.b", "x y", "", "0", "[0]", '"'), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(null, true, 1, "text", [], {}),
      fc.dictionary(key, tie("value"), { maxKeys: 4, noNullPrototype: true }),
      fc.array(tie("value"), { maxLength: 4 }),
    ),
  }));

  /** Undefined where the property is not there. */
  const property = fc.option(value, { nil: undefined });

  test("is empty for equal values, and only for them", () => {
    fc.assert(
      fc.property(property, property, (before, after) => {
        expect(changedPaths("p", before, structuredClone(before))).toEqual([]);
        expect(changedPaths("p", before, after).length > 0).toBe(!isDeepStrictEqual(before, after));
      }),
    );
  });

  test("takes what every object inherits for nothing", () => {
    expect(changedPaths("p", {}, { constructor: "1" })).toEqual([["p.constructor", "ADD"]]);
    expect(changedPaths("p", JSON.parse('{"__proto__":{}}'), {})).toEqual([["p.__proto__", "DELETE"]]);
  });

  test("names each path once, and turns around with its arguments", () => {
    const turned = { ADD: "DELETE", DELETE: "ADD", UPDATE: "UPDATE" } as const;
    fc.assert(
      fc.property(property, property, (before, after) => {
        const there = changedPaths("p", before, after);
        expect(new Set(there.map(([path]) => path)).size).toBe(there.length);
        const back = changedPaths("p", after, before).map(([path, change]) => [path, turned[change]]);
        expect(new Map(back as [string, string][])).toEqual(new Map(there));
      }),
    );
  });
});
