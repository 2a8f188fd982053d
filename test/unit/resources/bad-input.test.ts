/** What a person wrote wrong is said at preview: in the words of their own properties, all at once, and never with a value. */
import { checkContext } from "../../support/resources/check-context.js";
import { identityOf, type Lifecycle, type Values } from "../../../src/resources/lifecycle.js";
import { organizationSchema } from "../../../src/organization-file/schema.js";
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { problemsOf, problemText } from "../../../src/resources/problems.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";

const ctx = checkContext();

const problems = (lifecycle: { type: string }, args: Values) =>
  (lifecycle as unknown as Lifecycle)
    .check(ctx, {}, args)
    .problems.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));

const anId = 'a string without slashes or spaces around it, and not empty, "." or ".."';
const settingOnCreate =
  '"overwrite" (the first update sends the setting, which replaces what the server has) or ' +
  '"adopt" (it sends nothing, because the server has the declared values)';
const aCidr = 'a network range such as "203.0.113.0/24" or "2001:db8::/48"';

describe("RetentionPolicy", () => {
  const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
  const days = "a whole number of days from 1 to 3650";
  const onDelete = '"retain", "disable" or { retentionDays: 1 to 3650, enabled: true or false }';
  const steps = "{ from, to } in days: exactly the step to allow, or a list of such steps";
  const period = 'reassertAfter: must be a number of whole days from "1d" to "9999d", such as "90d"';
  const known =
    "known are resource, retentionDays, enabled, onDelete, allowShortening, onCreate, reassertAfter, reassertUnattended";

  test.each([1, 3650])("%p days are right", (retentionDays) => {
    expect(problems(retentionPolicy, { ...policy, retentionDays })).toEqual([]);
  });

  test.each([0, -1, 3651, 1.5, "30", NaN, Infinity, null, true])("%p is not a number of days", (retentionDays) => {
    expect(problems(retentionPolicy, { ...policy, retentionDays })).toEqual([`retentionDays: must be ${days}`]);
  });

  test("missing days are said to be missing", () => {
    expect(problems(retentionPolicy, { resource: "recordings", onCreate: "adopt" })).toEqual([
      `retentionDays: is missing: it must be ${days}`,
    ]);
  });

  test("what the first update does is not guessed", () => {
    const missing = [`onCreate: is missing: it must be ${settingOnCreate}`];
    expect(problems(retentionPolicy, { resource: "recordings", retentionDays: 90 })).toEqual(missing);
    expect(problems(networkPolicy, { networkPolicyId: "np-1", name: "HQ" })).toEqual(missing);
  });

  test.each(["recording", "Recordings", "", 1, null])("%p is not a kind of data", (resource) => {
    expect(problems(retentionPolicy, { ...policy, resource })).toEqual([
      'resource: must be one of "recordings", "conversations", "audit_events"',
    ]);
  });

  test.each<readonly [object, string]>([
    [{ enabled: "yes" }, "enabled: must be true or false"],
    [{ onDelete: "delete" }, `onDelete: must be ${onDelete}`],
    [{ onDelete: { retentionDays: 90 } }, `onDelete: must be ${onDelete}`],
    [{ onDelete: { retentionDays: 0, enabled: true } }, `onDelete.retentionDays: must be ${days}`],
    [
      { onDelete: { retentionDays: 90, enabled: true, days: 7 } },
      "onDelete.days: is not a property of onDelete; known are retentionDays, enabled",
    ],
    [{ onDelete: null }, `onDelete: must be ${onDelete}`],
    [{ allowShortening: true }, `allowShortening: must be ${steps}`],
    [{ allowShortening: { from: 90 } }, `allowShortening: must be ${steps}`],
    [{ allowShortening: [null] }, `allowShortening: must be ${steps}`],
    ...["7", 7, "0d", `${"9".repeat(30)}d`].map((reassertAfter) => [{ reassertAfter }, period] as const),
    [{ days: 90 }, `days: is not a property of RetentionPolicy; ${known}`],
    [{ reassertOn: "2026-01-01" }, `reassertOn: is not a property of RetentionPolicy; ${known}`],
  ])("%j: one message", (wrong, message) => {
    expect(problems(retentionPolicy, { ...policy, ...wrong })).toEqual([message]);
  });

  test("all problems are said at once", () => {
    expect(problems(retentionPolicy, { resource: "calls", retentionDays: 0, enabeld: true, onDelete: 3 })).toEqual([
      'resource: must be one of "recordings", "conversations", "audit_events"',
      `retentionDays: must be ${days}`,
      `onDelete: must be ${onDelete}`,
      `onCreate: is missing: it must be ${settingOnCreate}`,
      `enabeld: is not a property of RetentionPolicy (did you mean enabled?); ${known}`,
    ]);
  });

  test("an unknown property is refused in a preview too, beside values that are not known yet", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(problems(retentionPolicy, { ...policy, retentionDays: unknown, enabeld: true })).toEqual([
      `enabeld: is not a property of RetentionPolicy (did you mean enabled?); ${known}`,
    ]);
  });
});

describe("NetworkPolicy", () => {
  const policy = { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ" };

  test.each(["", ".", "..", "a/b", "a\\b", " a", "a ", "a\nb", "a\0", 17, null])(
    "%j is not an id",
    (networkPolicyId) => {
      expect(problems(networkPolicy, { ...policy, networkPolicyId })).toEqual([`networkPolicyId: must be ${anId}`]);
    },
  );

  test.each(["np-1", "...", "a.b", "a%2Fb", "ä b", "a0000000-0000-4000-8000-000000000001"])("%j is an id", (id) => {
    expect(problems(networkPolicy, { ...policy, networkPolicyId: id })).toEqual([]);
  });

  test.each(["203.0.113.0", "203.0.113.0/33", "010.0.0.0/8", "203.0.113.0/24\n", "203.0.113.0/２４", ""])(
    "the range %j is refused",
    (sourceCidr) => {
      expect(problems(networkPolicy, { ...policy, sourceCidr })).toEqual([`sourceCidr: must be ${aCidr}`]);
    },
  );

  test.each<readonly [object, string]>([
    [{ name: " " }, "name: must be a name that is not empty"],
    [{ mustInclude: "203.0.113.7", sourceCidr: "203.0.113.0/24" }, 'mustInclude: must be a list of addresses or network ranges such as "203.0.113.7" or "2001:db8::/64"'], // prettier-ignore
    [{ mustInclude: ["203.0.113.7", "gate"], sourceCidr: "203.0.113.0/24" }, 'mustInclude.1: must be an address or network range such as "203.0.113.7" or "2001:db8::/64"'], // prettier-ignore
    [{ mustExclude: [7], sourceCidr: "203.0.113.0/24" }, 'mustExclude.0: must be an address or network range such as "203.0.113.7" or "2001:db8::/64"'], // prettier-ignore
    ...[{}, "disable", null].map((onDelete) => [{ onDelete }, 'onDelete: must be "retain" or { name, sourceCidr } with at least one of the two, valid as in the policy itself'] as const), // prettier-ignore
    [{ onDelete: { sourceCidr: "10/8" } }, `onDelete.sourceCidr: must be ${aCidr}`], // prettier-ignore
    [{ cidr: "10.0.0.0/8" }, "cidr: is not a property of NetworkPolicy; known are networkPolicyId, name, sourceCidr, mustInclude, mustExclude, onDelete, onCreate, reassertAfter, reassertUnattended"], // prettier-ignore
  ])("%j: one message", (wrong, message) => {
    expect(problems(networkPolicy, { ...policy, ...wrong })).toEqual([message]);
  });

  test("a policy of which nothing is declared is refused", () => {
    expect(problems(networkPolicy, { networkPolicyId: "np-1", onCreate: "adopt" })).toEqual([
      "declare name, sourceCidr or both: otherwise there is nothing to manage",
    ]);
  });
});

describe("TrunkOutboundAuth", () => {
  const trunk = { trunkId: "t-1", cleared: true };
  const known = "known are trunkId, cleared, triggers, onDelete, onCreate, reassertAfter, reassertUnattended";

  test("cleared has no default: nobody cuts a trunk off by leaving something out", () => {
    expect(problems(trunkOutboundAuth, { trunkId: "t-1" })).toEqual(["cleared: is missing: it must be true or false"]);
  });

  test.each([
    [{ trunkId: undefined }, `trunkId: is missing: it must be ${anId}`],
    [{ cleared: "true" }, "cleared: must be true or false"],
    [{ onDelete: "disable" }, 'onDelete: must be "retain" or "clear"'],
    [{ triggers: ["a"] }, 'triggers: must be a map of strings, numbers or booleans, such as { quarter: "2026-Q4" }'],
    [{ triggers: { quarter: { year: 2026 } } }, "triggers.quarter: must be a string, number or boolean"],
    [{ triggers: { quarter: null } }, "triggers.quarter: must be a string, number or boolean"],
    [{ password: "hunter2" }, `password: is not a property of TrunkOutboundAuth; ${known}`],
  ])("%j: one message", (wrong, message) => {
    expect(problems(trunkOutboundAuth, { ...trunk, ...wrong })).toEqual([message]);
  });
});

describe("WebhookSecret", () => {
  const webhook = { webhookId: "w-1", onCreate: "rotate" };
  const known = "known are webhookId, onCreate, triggers, rotateAfter, initialSecret, secretPath";
  const aPath = 'a dotted path, such as "webhook.signing_key"';
  const aSecret = "a non-empty string";
  const aPeriod = 'a number of whole days from "1d" to "9999d", such as "90d"';

  test.each<readonly [object, string]>([
    [{ webhookId: "a/b", onCreate: "rotate" }, `webhookId: must be ${anId}`],
    ...["90", "3M", "10000d"].map((rotateAfter) => [{ rotateAfter }, `rotateAfter: must be ${aPeriod}`] as const),
    [{ onCreate: "send" }, 'onCreate: must be "rotate" or "adopt"'],
    [{ onCreate: "adopt", initialSecret: "" }, `initialSecret: must be ${aSecret}`],
    [{ onCreate: "adopt", initialSecret: 12345678 }, `initialSecret: must be ${aSecret}`],
    [{ secretPath: "" }, `secretPath: must be ${aPath}`],
    [{ secretPath: "a..b" }, `secretPath: must be ${aPath}`],
    [{ secretPath: "$.a b" }, `secretPath: must be ${aPath}`],
    [{ secret: "hunter2" }, `secret: is not a property of WebhookSecret; ${known}`],
  ])("%j: one message", (wrong, message) => {
    expect(problems(webhookSecret, { ...webhook, ...wrong })).toEqual([message]);
  });
});

describe("a problem names its place by keys, which may hold dots, and says what would be right:", () => {
  const trunk = { id: "t-1", outboundAuth: "cleared" };
  const known = "id, outboundAuth, triggers, onDelete, onCreate, reassertAfter, reassertUnattended";
  const auth = '"cleared" (the trunk has no outbound authentication) or "tracked" (its credentials are set elsewhere)';

  const names = 'must be a map from names (letters, digits, "-", "_", ".") to trunks';
  const anAddress = 'must be an address or network range such as "203.0.113.7" or "2001:db8::/64"';

  test.each<[what: string, value: unknown, path: (string | number)[], reason: string]>([
    [
      "no map",
      "acme",
      [],
      "must be a map with onCreate, retention, networkPolicies, trunks and webhooks, each optional",
    ],
    [
      "a section without contents",
      { retention: null },
      ["retention"],
      "must be a map from recordings, conversations or audit_events to a policy",
    ],
    ["an entry that is no map", { trunks: { main: 5 } }, ["trunks", "main"], names],
    ["a name with a space", { trunks: { "emea main": trunk } }, ["trunks", "emea main"], names],
    [
      "a missing value",
      { retention: { recordings: {} } },
      ["retention", "recordings", "days"],
      "is missing: it must be a whole number of days from 1 to 3650",
    ],
    [
      "a value below a name with a dot",
      { trunks: { "emea.main": { ...trunk, outboundAuth: null } } },
      ["trunks", "emea.main", "outboundAuth"],
      `must be ${auth}`,
    ],
    [
      "an item of a list",
      { networkPolicies: { hq: { id: "n-1", mustInclude: ["10.0.0.1", "x"] } } },
      ["networkPolicies", "hq", "mustInclude", 1],
      anAddress,
    ],
  ])("%s", (_name, value, path, reason) => {
    const expected = { path, property: path.join("."), reason };
    expect(problemsOf(organizationSchema, value, "an organization file")).toEqual([expected]);
  });

  test("keys that do not exist", () => {
    const file = { trunk: {}, trunks: { main: { ...trunk, colour: "red" } } };
    expect(problemsOf(organizationSchema, file, "an organization file")).toEqual([
      {
        isKey: true,
        isStrange: true,
        path: ["trunks", "main", "colour"],
        property: "trunks.main.colour",
        reason: `is not a property of trunks.main; known are ${known}`,
      },
      {
        isKey: true,
        path: ["trunk"],
        property: "trunk",
        reason:
          "is not a property of an organization file (did you mean trunks?); known are onCreate, retention, networkPolicies, trunks, webhooks",
      },
    ]);
  });

  test("as one text, its place comes first, if it has one", () => {
    expect(problemText({ property: "trunks.main.id", reason: "is missing" })).toBe("trunks.main.id: is missing");
    expect(problemText({ property: "", reason: "must be a map" })).toBe("must be a map");
  });
});

describe("characters that the engine cannot have, or that a log would act on", () => {
  const half = "has half of a character: write the whole character, or remove it";

  test.each<[what: string, lifecycle: { type: string }, args: Values, problem: string]>([
    ["an id", webhookSecret, { webhookId: "w-\ud83d", onCreate: "rotate" }, `webhookId: ${half}`],
    ["a name", networkPolicy, { networkPolicyId: "n", onCreate: "overwrite", name: "\udc00" }, `name: ${half}`],
    ["a trigger", trunkOutboundAuth, { trunkId: "t", cleared: true, triggers: { a: "\ud83d" } }, `triggers.a: ${half}`],
    [
      "a trigger's name",
      trunkOutboundAuth,
      { trunkId: "t", cleared: true, triggers: { "\ud83d": 1 } },
      `triggers.\\u{d83d}: the name ${half}`,
    ],
  ])("half of a character in %s is refused", (_what, lifecycle, args, problem) => {
    expect(problems(lifecycle, args)).toEqual([problem]);
  });

  test("the key of the engine's own marks is refused in a trigger", () => {
    const triggers = { "4dabf18193072939515e22adb298388d": "mine" };
    expect(problems(trunkOutboundAuth, { trunkId: "t", cleared: true, triggers })).toEqual([
      "triggers: has the key 4dabf18193072939515e22adb298388d, which the engine keeps for itself: use another one",
    ]);
  });

  test("half of a character in a secret is refused without the secret", () => {
    const args = { webhookId: "w", onCreate: "adopt", initialSecret: "canary-\ud83d" };
    expect(problems(webhookSecret, args)).toEqual([`initialSecret: ${half}`]);
  });

  test("a key is shown with escapes", () => {
    const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, "a\r::error::x\u202e": 1 };
    expect(problems(retentionPolicy, policy)).toEqual([
      expect.stringMatching(/^a\\u\{d\}::error::x\\u\{202e\}: is not a property of RetentionPolicy; known are /),
    ]);
  });

  test("an object's name in a message is shown with escapes", () => {
    const named = { trunkId: "t-\u202e1", organization: "acme\u001b[2J" };
    expect(identityOf(trunkOutboundAuth, named)).toBe('TrunkOutboundAuth "t-\\u{202e}1" of acme\\u{1b}[2J');
  });

  test("of very many problems, the first 50 are said and the others counted", () => {
    const triggers = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`t${index}`, {}]));
    const found = problems(webhookSecret, { webhookId: "w", onCreate: "rotate", triggers });
    expect(found).toHaveLength(51);
    expect(found[50]).toBe("and 19,950 more problems");
  });

  test("a value that is nested without end has the usual problem", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level++) deep = { deep };
    expect(problems(webhookSecret, { webhookId: "w", onCreate: "rotate", triggers: { deep } })).toEqual([
      "triggers.deep: must be a string, number or boolean",
    ]);
  });
});
