/** `diff` over the wire: whether anything changes, and at which paths. */
import { isDeepStrictEqual } from "node:util";
import fc from "../../../support/properties";
import { changedPaths } from "../../../../src/provider/native/diff.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, type Values } from "../../../support/native/wire";

const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" };
const range = { networkPolicyId: ids.office, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" };
const trunk = { trunkId: ids.carrier, cleared: true };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const webhook = { webhookId: ids.crm, onCreate: "adopt" };
const deleting = { onDelete: { retentionDays: 90, enabled: true } };
const same = { changes: false, replaces: [], deleteBeforeReplace: false, details: {} };

/** The first declaration is in the state. */
test.each<[string, string, before: Values, after: Values, details: object]>([
  ["a changed property", "NetworkPolicy", policy, { ...policy, name: "Office" }, { name: "UPDATE" }],
  ["one that is new", "NetworkPolicy", range, policy, { name: "ADD" }],
  ["one that is gone", "NetworkPolicy", policy, range, { name: "DELETE" }],
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
    "members of an object",
    "RetentionPolicy",
    { ...recordings, ...deleting },
    { ...recordings, onDelete: { ...deleting.onDelete, retentionDays: 91 } },
    { "onDelete.retentionDays": "UPDATE" },
  ],
  ["an object for a text", "RetentionPolicy", recordings, { ...recordings, ...deleting }, { onDelete: "UPDATE" }],
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
  ["nothing for the same", "NetworkPolicy", policy, policy, {}],
  ["nothing for an empty map in place of none", "TrunkOutboundAuth", trunk, { ...trunk, triggers: {} }, {}],
  [
    "nothing for a default, written out",
    "RetentionPolicy",
    recordings,
    { ...recordings, enabled: true, onDelete: "retain" },
    {},
  ],
  ["nothing for a property that is secret now", "NetworkPolicy", policy, { ...policy, name: secret("HQ") }, {}],
])("the details name %s", async (_what, type, before, after, details) => {
  const plugin = await startPlugin();
  const olds = await plugin.inputsOf(type, before);
  const { state } = await plugin.create(type, olds);
  const news = await plugin.inputsOf(type, after, olds);
  plugin.requests();
  const changes = Object.keys(details).length > 0;
  expect(await plugin.diff(type, state, olds, news)).toEqual({ ...same, changes, details });
  expect(plugin.requests()).toEqual([]);
});

/** What is in the state, beside the declaration. */
test.each<[string, string, args: Values, old: Values, diff: object]>([
  [
    "another object replaces",
    "NetworkPolicy",
    policy,
    { networkPolicyId: "another", name: "Office" },
    { replaces: ["networkPolicyId"], details: { networkPolicyId: "UPDATE_REPLACE", name: "UPDATE" } },
  ],
  [
    "another organization is another object, which is deleted before it is made",
    "RetentionPolicy",
    recordings,
    { organization: "before" },
    { replaces: ["organization"], deleteBeforeReplace: true, details: { organization: "UPDATE_REPLACE" } },
  ],
  [
    "another address under the same name replaces nothing",
    "RetentionPolicy",
    recordings,
    { address: "https://old.example.com" },
    { details: { address: "UPDATE" } },
  ],
  [
    "a date that has come",
    "WebhookSecret",
    { ...webhook, rotateAfter: "90d" },
    { rotateOn: "2020-01-01" },
    { details: { rotateOn: "UPDATE" } },
  ],
  [
    "the text of the dynamic provider is no property",
    "WebhookSecret",
    webhook,
    { __provider: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")' },
    { changes: false },
  ],
])("%s", async (_what, type, args, old, diff) => {
  const plugin = await startPlugin();
  const olds = { ...(await plugin.inputsOf(type, args)), ...old };
  const news = await plugin.inputsOf(type, args, olds);
  expect(await plugin.diff(type, olds, olds, news)).toEqual({ ...same, changes: true, ...diff });
});

test("after a lost answer a setting is sent again: the detail is the output that says so, and both warnings name the object", async () => {
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
        "that cannot be read back; may lock this pipeline out, as no `mustInclude` names its address.",
    },
    {
      ...warning,
      message: `NetworkPolicy "${ids.office}" of acme: it is unknown whether its last request was carried out.`,
    },
  ]);
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

  test("takes what every object inherits for nothing", () => {
    expect(changedPaths("p", {}, { constructor: "1" })).toEqual([["p.constructor", "ADD"]]);
    expect(changedPaths("p", JSON.parse('{"__proto__":{}}'), {})).toEqual([["p.__proto__", "DELETE"]]);
  });
});
