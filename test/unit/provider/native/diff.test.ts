/** `diff` over the wire: whether anything changes, and at which paths. */
import { isDeepStrictEqual } from "node:util";
import fc from "../../../support/properties";
import { changedPaths } from "../../../../src/provider/native/diff.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, type Values } from "../../../support/native/wire";

const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" };
const trunk = { trunkId: ids.carrier, cleared: true };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const webhook = { webhookId: ids.crm, onCreate: "adopt" };
const same = { changes: false, replaces: [], deleteBeforeReplace: false, details: {} };

/** The first declaration is in the state, the second adds to it. */
test.each<[string, string, before: Values, edit: Values, details: object]>([
  ["a changed property", "NetworkPolicy", policy, { name: "Office" }, { name: "UPDATE" }],
  ["what is not known yet", "RetentionPolicy", recordings, { retentionDays: unknown }, { retentionDays: "UPDATE" }],
  [
    "each edit beside one that is sent",
    "NetworkPolicy",
    { ...policy, mustInclude: ["203.0.113.1", "203.0.113.2"] },
    { name: "Office", mustInclude: ["203.0.113.1"], mustExclude: ["198.51.100.1"] },
    { name: "UPDATE", "mustInclude[1]": "DELETE", mustExclude: "ADD" },
  ],
  [
    "a part of a secret",
    "TrunkOutboundAuth",
    { ...trunk, triggers: secret({ a: "1", b: "1" }) },
    { triggers: { a: secret("1"), b: secret("2") } },
    { "triggers.b": "UPDATE" },
  ],
  ["nothing for the same", "NetworkPolicy", policy, {}, {}],
  ["nothing for an empty map in place of none", "TrunkOutboundAuth", trunk, { triggers: {} }, {}],
  ["nothing for a default, written out", "RetentionPolicy", recordings, { enabled: true, onDelete: "retain" }, {}],
  ["nothing for a property that is secret now", "NetworkPolicy", policy, { name: secret("HQ") }, {}],
])("the details name %s", async (_what, type, before, edit, details) => {
  const plugin = await startPlugin();
  const olds = await plugin.inputsOf(type, before);
  const { state } = await plugin.create(type, olds);
  const news = await plugin.inputsOf(type, { ...before, ...edit }, olds);
  plugin.requests();
  const changes = Object.keys(details).length > 0;
  expect(await plugin.diff(type, state, olds, news)).toEqual({ ...same, changes, details });
  expect(plugin.requests()).toEqual([]);
});

describe("of a state that differs from the declaration", () => {
  const changed = async (type: string, args: Values, old: Values) => {
    const plugin = await startPlugin();
    const olds = { ...(await plugin.inputsOf(type, args)), ...old };
    return plugin.diff(type, olds, olds, await plugin.inputsOf(type, args, olds));
  };
  const update = { ...same, changes: true };

  test("another object replaces", async () => {
    expect(await changed("NetworkPolicy", policy, { networkPolicyId: "another", name: "Office" })).toEqual({
      ...update,
      replaces: ["networkPolicyId"],
      details: { networkPolicyId: "UPDATE_REPLACE", name: "UPDATE" },
    });
  });

  test("another organization is another object, which is deleted before it is made; an address alone is not", async () => {
    expect(await changed("RetentionPolicy", recordings, { organization: "before" })).toEqual({
      ...update,
      ...{ replaces: ["organization"], deleteBeforeReplace: true },
      details: { organization: "UPDATE_REPLACE" },
    });
    expect(await changed("RetentionPolicy", recordings, { address: "https://old.example.com" })).toEqual({
      ...update,
      details: { address: "UPDATE" },
    });
  });

  test("a date has come", async () => {
    const due = await changed("WebhookSecret", { ...webhook, rotateAfter: "90d" }, { rotateOn: "2020-01-01" });
    expect(due).toEqual({ ...update, details: { rotateOn: "UPDATE" } });
  });

  test("the text of the dynamic provider is no property", async () => {
    const text = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")';
    expect(await changed("WebhookSecret", webhook, { __provider: text })).toEqual(same);
  });
});

test("after a lost answer a setting is sent again: the detail is the output that says so, and one warning names the object and the reason", async () => {
  const plugin = await startPlugin();
  const inputs = await plugin.inputsOf("NetworkPolicy", policy);
  plugin.said();
  const diff = await plugin.diff("NetworkPolicy", { ...inputs, uncertain: "update" }, inputs, inputs);
  expect(diff).toMatchObject({ changes: true, details: { uncertain: "UPDATE" } });
  const warning = {
    severity: "warning",
    urn: "urn:pulumi:dev::test::voiceplane:index:NetworkPolicy::it",
    passes: false,
  };
  expect(plugin.engine.messages).toEqual([
    {
      ...warning,
      message:
        `NetworkPolicy "${ids.office}" of acme: admits 203.0.113.0/24 (its last request may have been carried out); replaces a range ` +
        "that cannot be read back; may lock this pipeline out, as no `mustInclude` names its address. [narrows-access]",
    },
  ]);
});

describe("changedPaths", () => {
  test.each([
    ["another text", "a", "b", { p: "UPDATE" }],
    ["a new one", undefined, "a", { p: "ADD" }],
    ["one that is gone", "a", undefined, { p: "DELETE" }],
    ["an object for a text", "retain", { days: 1 }, { p: "UPDATE" }],
    ["a list for an object", { 0: 1 }, [1], { p: "UPDATE" }],
    [
      "members",
      { a: { b: 1 }, gone: 1 },
      { a: { b: 2 }, fresh: 1 },
      { "p.a.b": "UPDATE", "p.gone": "DELETE", "p.fresh": "ADD" },
    ],
    ["items", [1, 2, 3], [1, 9], { "p[1]": "UPDATE", "p[2]": "DELETE" }],
    [
      "names that are no identifiers",
      { "a.b": 1, 'say "hi"': 1 },
      {},
      { 'p["a.b"]': "DELETE", 'p["say \\"hi\\""]': "DELETE" },
    ],
    ["what every object inherits", {}, { constructor: "1" }, { "p.constructor": "ADD" }],
    ["a prototype", JSON.parse('{"__proto__":{}}'), {}, { "p.__proto__": "DELETE" }],
  ] as [string, unknown, unknown, object][])("names %s", (_what, before, after, paths) => {
    expect(Object.fromEntries(changedPaths("p", before, after))).toEqual(paths);
  });

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

  test("is empty for equal values alone, names each path once, and turns around with its arguments", () => {
    const turned = { ADD: "DELETE", DELETE: "ADD", UPDATE: "UPDATE" } as const;
    fc.assert(
      fc.property(property, property, (before, after) => {
        expect(changedPaths("p", before, structuredClone(before))).toEqual([]);
        const there = changedPaths("p", before, after);
        expect(there.length > 0).toBe(!isDeepStrictEqual(before, after));
        expect(new Set(there.map(([path]) => path)).size).toBe(there.length);
        const back = changedPaths("p", after, before).map(([path, change]) => [path, turned[change]]);
        expect(new Map(back as [string, string][])).toEqual(new Map(there));
      }),
    );
  });
});
