/** What a person wrote wrong is said at preview: in the words of their own properties, all at once, and never with a value. */
import { objectText } from "../../../src/lifecycle/object.js";
import type { Lifecycle } from "../../../src/lifecycle/lifecycle.js";
import type { Values } from "../../../src/values/any.js";
import { networkPolicyArgs } from "../../../src/resources/network-policy/arguments.js";
import { networkPolicyLifecycle } from "../../../src/resources/network-policy/lifecycle.js";
import { problemsOf } from "../../../src/schema/problems.js";
import { sentenceOf } from "../../../src/values/diagnostic.js";
import { retentionPolicyLifecycle } from "../../../src/resources/retention-policy/lifecycle.js";
import type { ResourceType } from "../../../src/resources/index.js";
import { trunkOutboundAuthLifecycle } from "../../../src/resources/trunk-outbound-auth/lifecycle.js";
import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";
import { unknownValue as unknown } from "../../../src/values/engine.js";
import { checkContext } from "../../support/resources/check-context.js";

const problems = (lifecycle: { type: string }, args: Values) =>
  (lifecycle as unknown as Lifecycle).check(checkContext(), {}, args).problems.map(sentenceOf);

const anId = 'a string without slashes or spaces around it, and not empty, "." or ".."';
const settingOnCreate =
  '"overwrite" (the first update sends the setting, which replaces what the server has) or ' +
  '"adopt" (it sends nothing, because the server has the declared values)';
const aCidr = 'a network range such as "203.0.113.0/24" or "2001:db8::/48"';
const anAddress = 'an address or network range such as "203.0.113.7" or "2001:db8::/64"';
const aFlag = "must be true or false";
const days = "a whole number of days from 1 to 3650";
const aPeriod = 'must be text such as "90d", from "1d" to "9999d"';
const aTrigger = "must be a string, a boolean or a whole number below 2^53 (any other number in quotes)";
const known = {
  RetentionPolicy: "resource, retentionDays, enabled, onDelete, allowShortening, onCreate, reassertAfter",
  NetworkPolicy: "networkPolicyId, name, sourceCidr, mustInclude, mustExclude, onDelete, onCreate, reassertAfter",
  TrunkOutboundAuth: "trunkId, cleared, triggers, onDelete, onCreate, reassertAfter",
  WebhookSecret: "webhookId, onCreate, triggers, rotateAfter, initialSecret, secretPath",
} satisfies Record<ResourceType, string>;
const noProperty = (of: keyof typeof known, hint = "") => `is not a property of ${of}${hint}; known are ${known[of]}`;

/** What differs from right arguments, and the problems. */
type Row = [wrong: Values, ...problems: string[]];

/** Each of the values is a row. Without a problem, they are right. */
const each = (property: string, values: readonly unknown[], problem?: string): Row[] =>
  values.map((value) => [{ [property]: value }, ...(problem === undefined ? [] : [`${property}: ${problem}`])]);

describe("a RetentionPolicy", () => {
  const right = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
  const onDelete = '"retain", "disable" or { retentionDays: 1 to 3650, enabled: true or false }';
  const steps = "must be { from, to } in days: exactly the step to allow, or a list of such steps";
  const kinds = 'must be one of "recordings", "conversations", "audit_events"';

  test.each<Row>([
    ...each("retentionDays", [1, 3650]),
    ...each("retentionDays", [0, -1, 3651, 1.5, "30", NaN, Infinity, null, true], `must be ${days}`),
    ...each("retentionDays", ["365d"], `must be ${days}, without "d"`),
    ...each("retentionDays", [undefined], `is missing: it must be ${days}`),
    ...each("resource", ["recording", "Recordings", "", 1, null], kinds),
    ...each("onCreate", [undefined], `is missing: it must be ${settingOnCreate}`),
    ...each("onCreate", ["take"], `must be ${settingOnCreate}`),
    ...each("enabled", ["yes"], aFlag),
    ...each("onDelete", ["delete", null, { retentionDays: 90 }], `must be ${onDelete}`),
    [{ onDelete: { retentionDays: 0, enabled: true } }, `onDelete.retentionDays: must be ${days}`],
    [
      { onDelete: { retentionDays: 90, enabled: true, days: 7 } },
      "onDelete.days: is not a property of onDelete; known are retentionDays, enabled",
    ],
    ...each("allowShortening", [true, { from: 90 }, [null]], steps),
    ...each("reassertAfter", ["7", 7, "0d", `${"9".repeat(30)}d`], aPeriod),
    ...each("days", [90], noProperty("RetentionPolicy")),
    ...each("reassertOn", ["2026-01-01"], noProperty("RetentionPolicy")),
    // In a preview too, beside a value that is not known yet.
    [
      { retentionDays: unknown, enabeld: true },
      `enabeld: ${noProperty("RetentionPolicy", " (did you mean enabled?)")}`,
    ],
    [
      { resource: "calls", retentionDays: 0, enabeld: true, onDelete: 3, onCreate: undefined },
      `resource: ${kinds}`,
      `retentionDays: must be ${days}`,
      `onDelete: must be ${onDelete}`,
      `onCreate: is missing: it must be ${settingOnCreate}`,
      `enabeld: ${noProperty("RetentionPolicy", " (did you mean enabled?)")}`,
    ],
    // A key is shown with escapes.
    [{ "a\r::error::x\u202e": 1 }, `a\\u{d}::error::x\\u{202e}: ${noProperty("RetentionPolicy")}`],
  ])("with %p", (wrong, ...expected) => {
    expect(problems(retentionPolicyLifecycle, { ...right, ...wrong })).toEqual(expected);
  });
});

describe("a NetworkPolicy", () => {
  const right = { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ" };
  const sourceCidr = "203.0.113.0/24";
  const onDelete = '"retain" or { name, sourceCidr } with at least one of the two, valid as in the policy itself';

  test.each<Row>([
    ...each("networkPolicyId", ["np-1", "...", "a.b", "a%2Fb", "ä b", "a0000000-0000-4000-8000-000000000001"]),
    ...each("networkPolicyId", ["", ".", "..", "a/b", "a\\b", " a", "a ", 17, null], `must be ${anId}`),
    ...each("networkPolicyId", ["a\nb", "a\r\n"], `must be ${anId}; it has a line end, perhaps copied with it`),
    ...["\0", "\ufeff", "\u200b", "\u00ad", "\u202e"].map((sign): Row => {
      const code = sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      return [
        { networkPolicyId: `a${sign}b` },
        `networkPolicyId: must be ${anId}; it has U+${code}, perhaps copied with it`,
      ];
    }),
    ...each("sourceCidr", ["203.0.113.0", "203.0.113.0/33", "010.0.0.0/8", "203.0.113.0/２４", ""], `must be ${aCidr}`),
    ...each("sourceCidr", ["203.0.113.0/24\n"], `must be ${aCidr}; it has a line end, perhaps copied with it`),
    ...each("name", [" "], "must be a name that is not empty"),
    ...each("name", ["HQ\u00ad"], "must be a name that is not empty; it has U+00AD, perhaps copied with it"),
    ...each("name", ["\u{1f469}\u200d\u{1f4bb} desk"]),
    ...each("onCreate", [undefined], `is missing: it must be ${settingOnCreate}`),
    ...each("onDelete", [{}, "disable", null], `must be ${onDelete}`),
    [{ onDelete: { sourceCidr: "10/8" } }, `onDelete.sourceCidr: must be ${aCidr}`],
    [
      { sourceCidr, mustInclude: "203.0.113.7" },
      'mustInclude: must be a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64"',
    ],
    [{ sourceCidr, mustInclude: ["203.0.113.7", "gate"] }, `mustInclude.1: must be ${anAddress}`],
    [{ sourceCidr, mustExclude: [7] }, `mustExclude.0: must be ${anAddress}`],
    [{ name: undefined }, "declare name, sourceCidr or both: otherwise there is nothing to manage"],
    ...each("cidr", ["10.0.0.0/8"], noProperty("NetworkPolicy")),
  ])("with %p", (wrong, ...expected) => {
    expect(problems(networkPolicyLifecycle, { ...right, ...wrong })).toEqual(expected);
  });
});

describe("a TrunkOutboundAuth", () => {
  const right = { trunkId: "t-1", cleared: true };

  test.each<Row>([
    ...each("trunkId", [undefined], `is missing: it must be ${anId}`),
    // Nobody cuts a trunk off by leaving something out.
    ...each("cleared", [undefined], "is missing: it must be true or false"),
    ...each("cleared", ["true"], aFlag),
    ...each("onDelete", ["disable"], 'must be "retain" or "clear"'),
    ...each("triggers", [["a"]], 'must be a map of strings, whole numbers or booleans, such as { quarter: "2026-Q4" }'),
    [{ triggers: { quarter: { year: 2026 } } }, `triggers.quarter: ${aTrigger}`],
    ...[1.1, 2 ** 53, Number.NaN].map((quarter): Row => [{ triggers: { quarter } }, `triggers.quarter: ${aTrigger}`]),
    [{ triggers: { quarter: 2 ** 53 - 1 } }],
    [{ triggers: { quarter: null } }, `triggers.quarter: ${aTrigger}`],
    ...each("password", ["hunter2"], noProperty("TrunkOutboundAuth")),
  ])("with %p", (wrong, ...expected) => {
    expect(problems(trunkOutboundAuthLifecycle, { ...right, ...wrong })).toEqual(expected);
  });

  test("is named with escapes", () => {
    const named = { trunkId: "t-\u202e1", organization: "acme\u001b[2J" };
    expect(objectText(trunkOutboundAuthLifecycle, named)).toBe('TrunkOutboundAuth "t-\\u{202e}1" of acme\\u{1b}[2J');
  });
});

describe("a WebhookSecret", () => {
  const aSecret = "must be a signing secret: ASCII characters without white space";
  const right = { webhookId: "w-1", onCreate: "adopt" };

  test.each<Row>([
    ...each("webhookId", ["a/b"], `must be ${anId}`),
    // Nobody ends a secret in use by leaving something out.
    ...each("onCreate", [undefined], 'is missing: it must be "rotate" or "adopt"'),
    ...each("onCreate", ["send"], 'must be "rotate" or "adopt"'),
    ...each("rotateAfter", ["90", "3M", "10000d"], aPeriod),
    ...each("initialSecret", ["", 12345678, "two words"], aSecret),
    ...each("initialSecret", ["whs_1a2b\u200b"], `${aSecret}; it has U+200B, perhaps copied with it`),
    [{ initialSecret: "whs_1a2b\r\n" }, `initialSecret: ${aSecret}; it has a line end, perhaps copied with it`],
    ...each("secretPath", ["", "a..b", "$.a b"], 'must be a dotted path, such as "webhook.signing_key"'),
    ...each("secret", ["hunter2"], noProperty("WebhookSecret")),
  ])("with %p", (wrong, ...expected) => {
    expect(problems(webhookSecretLifecycle, { ...right, ...wrong })).toEqual(expected);
  });
});

test("a schema that says nothing about itself still gives a sentence", () => {
  expect(problemsOf(networkPolicyArgs, "np-1", "NetworkPolicy")).toEqual([
    { code: "wrong-value", severity: "problem", path: [], text: "must be a value of the documented type" },
  ]);
});
