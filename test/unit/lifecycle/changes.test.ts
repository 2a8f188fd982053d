/** Each change of a declaration: what it sends, the provider's warning before it, and the line of the report with its risks. */
import { describeRun } from "../../../src/cli/report/describe.js";
import { unknownValue as unknown } from "../../../src/values/engine.js";
import { read } from "../../support/repository";
import { changeLines } from "../../support/recorded";
import { guardsOf, never } from "../../../src/lifecycle/effects/guards.js";
import { resources, type ResourceType } from "../../../src/resources/index.js";
import { lifecycles } from "../../support/resources/table.js";
import { ids, messageOf, world } from "../../support/world.js";

interface More {
  /** The day of the preview. Default: that of the update before. */
  readonly on?: string;
  /** What the engine hides of the new inputs, or of the state that is deleted. */
  readonly secret?: readonly string[];
  /** What the state has otherwise, such as after a lost answer. */
  readonly state?: object;
  /** The row of docs/operate/undo.md about its revert, and what that sends. */
  readonly undo?: readonly [row: string, ...sends: string[]];
  /** The row about a revert that the preview refuses, and the error. */
  readonly refused?: readonly [row: string, problem: string];
}

/** The request, and the line of the report: the risks in brackets, then the effects without the object's name. */
type Result = [sends: string, line: string, more?: More];
interface Cases {
  readonly created: [after: object, ...Result][];
  readonly changed: [before: object, after: object, ...Result][];
  readonly removed: [before: object, ...Result][];
}
const none = undefined;
const nothing = "nothing";
const unchanged = "unchanged";

const objects = {
  RetentionPolicy: { recordings: { resource: "recordings", onCreate: "overwrite" } },
  NetworkPolicy: { office: { networkPolicyId: ids.office, onCreate: "overwrite" } },
  TrunkOutboundAuth: { carrier: { trunkId: ids.trunk } },
  WebhookSecret: { crm: { webhookId: ids.webhook, onCreate: "rotate" } },
} as const satisfies Record<ResourceType, object>;

const put = (days: number, enabled = true) =>
  `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":${enabled}}`;
const patch = (body: object) => `PATCH /v1/network-policies/${ids.office} ${JSON.stringify(body)}`;
const clear = `DELETE /v1/trunks/${ids.trunk}/outbound-auth`;
const rotate = `POST /v1/webhooks/${ids.webhook}/rotate-secret`;

const adopt = { onCreate: "adopt" };
const again = { reassertAfter: "30d" };
const unattended = { ...again, reassertUnattended: true };
const due = { on: "2026-02-01" };
const lost = { uncertain: "update" };
const off = (days: number) => `turns the policy off, with ${days} days: what happens to the data is up to the server`;
const elsewhere = "; replaces whatever was set elsewhere";
const lockout = "; may lock this pipeline out, as no `mustInclude` names its address";
const both = "[narrows access, widens access]";
const [small, large] = [{ sourceCidr: "203.0.113.0/25" }, { sourceCidr: "203.0.113.0/24" }];
const [whole, toWhole] = [{ sourceCidr: "0.0.0.0/0" }, patch({ source_cidr: "0.0.0.0/0" })];
const [toSmall, toLarge] = [patch({ source_cidr: "203.0.113.0/25" }), patch({ source_cidr: "203.0.113.0/24" })];
const lacks = (range: string, address: string) =>
  `${range} does not contain ${address}, which mustInclude requires [address-left-out]`;
const reaches = (range: string, address: string) =>
  `${range} reaches ${address}, which mustExclude forbids [address-let-in]`;
const restore = "which this provider cannot restore";
const rotates = (why: string) => `[rotates a secret] rotates its signing secret${why}: the old secret stops working`;
const mayRotate = (why: string) =>
  `[rotates a secret] may rotate its signing secret (${why}): if so, the old secret stops working`;
const days = (retentionDays: number, more: object = {}) => ({ retentionDays, ...more });
const allows = (from: number, to: number) => ({ allowShortening: { from, to } });
const allowsEach = (...steps: [from: number, to: number][]) => ({
  allowShortening: steps.map(([from, to]) => ({ from, to })),
});
const allowed = "`+ allowShortening: { from: 90, to: 30 }`";
const deletes = (from: number, to: number, property = "retentionDays") =>
  `${property}: ${from} => ${to} deletes recordings older than ${to} days for good. ` +
  `If this is intended, add \`allowShortening: { from: ${from}, to: ${to} }\` [retention-shortened]`;
const otherKind =
  "resource: this policy is for recordings and cannot be for conversations, because nothing here knows how long conversations are kept: " +
  "leave recordings here, and declare conversations in a resource of its own [kind-changed]";

const cases: Record<ResourceType, Cases> = {
  RetentionPolicy: {
    created: [
      [
        days(90),
        put(90),
        "[deletes data] sets 90 days; may delete what is older",
        { undo: ["a new RetentionPolicy or NetworkPolicy"] },
      ],
      [days(1), put(1), "[deletes data] sets 1 day; may delete what is older"],
      [days(90, { enabled: false }), put(90, false), `[deletes data] ${off(90)}`],
      [days(90, adopt), nothing, "adopted as 90 days without a request; the server may have another value"],
      [
        days(90, { ...adopt, ...unattended, ...allows(90, 30) }),
        nothing,
        "[weakens a guard] `+ reassertUnattended: true`; `+ allowShortening: { from: 90, to: 30 }`; " +
          "adopted as 90 days without a request; the server may have another value",
      ],
    ],
    changed: [
      [
        days(90, adopt),
        days(120, adopt),
        put(120),
        "[deletes data] 90 → 120 days, still turned on; may delete what is older: 90 days adopted, never sent",
      ],
      [
        days(90, adopt),
        days(120, adopt),
        put(120),
        "[deletes data] sets 120 days (its last request may have been carried out); may delete what is older",
        { state: lost },
      ],
      // Adopted days are not known, also if no approval is needed.
      [
        days(90, { ...adopt, ...unattended }),
        days(90, { ...adopt, ...unattended }),
        put(90),
        "[deletes data] sends 90 days, still turned on (due 2026-01-31); may delete what is older: 90 days adopted, never sent",
        due,
      ],
      [
        days(90),
        days(30, allows(90, 30)),
        put(30),
        `[deletes data] 90 → 30 days, still turned on; deletes what is older; ${allowed}`,
        { undo: ["RetentionPolicy: fewer days", put(90)] },
      ],
      [
        days(365),
        days(90, allowsEach([90, 30], [365, 90])),
        put(90),
        "[deletes data, weakens a guard] 365 → 90 days, still turned on; deletes what is older; `+ allowShortening: [{ from: 90, to: 30 }, { from: 365, to: 90 }]`",
      ],
      [
        days(365),
        days(90, { allowShortening: { from: 365, to: unknown } }),
        nothing,
        "[deletes data, weakens a guard] 365 → 90 days, still turned on; deletes what is older; `+ allowShortening: (not known yet)`",
      ],
      [
        days(1),
        days(2),
        put(2),
        "1 → 2 days, still turned on",
        { refused: ["RetentionPolicy: more days", deletes(2, 1)] },
      ],
      [
        days(90, { enabled: false }),
        days(120),
        put(120),
        "[deletes data] turns the policy on, with 120 days; deletes what is older",
      ],
      [days(90), days(120, { enabled: false }), put(120, false), `[deletes data] ${off(120)}`],
      [
        days(90, { enabled: false }),
        days(120, { enabled: false }),
        put(120, false),
        "[deletes data] 90 → 120 days, still turned off; may delete data",
      ],
      [
        days(90),
        { retentionDays: unknown },
        nothing,
        "[deletes data] may set any number of days: it is not known yet; may delete data",
      ],
      [
        days(90),
        days(120),
        put(120),
        "[deletes data] may set any number of days: it is a secret value; may delete data",
        { secret: ["retentionDays"] },
      ],
      [
        days(90),
        days(90, { enabled: unknown }),
        nothing,
        "[deletes data] may turn the policy on or off: that is not known yet; may delete data",
      ],
      [days(90), days(90), nothing, unchanged],
      [
        days(90),
        days(120),
        put(120),
        "[deletes data] sets 120 days (its last request may have been carried out); may delete what is older",
        { state: lost },
      ],
      [
        days(90, again),
        days(90, again),
        put(90),
        "[deletes data] sends 90 days again (due 2026-01-31); replaces whatever was set elsewhere and may delete what is older",
        due,
      ],
      [
        days(90, unattended),
        days(90, unattended),
        put(90),
        "sends 90 days again (due 2026-01-31); replaces whatever was set elsewhere",
        due,
      ],
      [days(90, unattended), days(120, unattended), put(120), "90 → 120 days, still turned on (due 2026-01-31)", due],
      [days(90), days(90, { onDelete: "disable" }), nothing, '[weakens a guard] `~ onDelete: "retain" => "disable"`'],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 30, enabled: true }, ...allows(90, 30) }),
        nothing,
        `[weakens a guard] \`~ onDelete: "retain" => { retentionDays: 30, enabled: true }\`; ${allowed}`,
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 90, enabled: true } }),
        nothing,
        '`~ onDelete: "retain" => { retentionDays: 90, enabled: true }`',
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 120, enabled: false } }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 120, enabled: false }`',
      ],
      [
        days(90, { enabled: false }),
        days(90, { enabled: false, onDelete: { retentionDays: 90, enabled: true } }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 90, enabled: true }`',
      ],
      [days(90, { onDelete: "disable" }), days(90), nothing, '`~ onDelete: "disable" => "retain"`'],
      [days(90), days(90, allows(90, 30)), nothing, `[weakens a guard] ${allowed}`],
      [days(90, allows(90, 30)), days(90), nothing, "`- allowShortening: { from: 90, to: 30 }`"],
      [
        days(90),
        days(90, allows(90, 30)),
        nothing,
        "[weakens a guard] `+ allowShortening: (a secret value)`",
        { secret: ["allowShortening"] },
      ],
      [days(90), days(90, again), nothing, '`+ reassertAfter: "30d"`'],
      [days(90, again), days(90, { reassertAfter: "7d" }), nothing, '`~ reassertAfter: "30d" => "7d"`'],
      [days(90, again), days(90), nothing, '[weakens a guard] `- reassertAfter: "30d"`'],
      [
        days(90, again),
        days(90, { reassertAfter: "7d" }),
        nothing,
        '[weakens a guard] `~ reassertAfter: "30d" => (a secret value)`',
        { secret: ["reassertAfter"] },
      ],
      [days(90, again), days(90, unattended), nothing, "[weakens a guard] `+ reassertUnattended: true`"],
      [days(90, unattended), days(90, again), nothing, "`- reassertUnattended: true`"],
      [days(90), days(90, adopt), nothing, '`~ onCreate: "overwrite" => "adopt"`'],
    ],
    removed: [
      [
        days(90, { onDelete: { retentionDays: 90, enabled: true } }),
        put(90),
        "[deletes data] by `onDelete`, may set any number of days: it is a secret value; may delete data",
        { secret: ["onDelete"] },
      ],
      [
        days(90, { onDelete: { retentionDays: 30, enabled: true }, ...allows(90, 30) }),
        put(30),
        "[deletes data] by `onDelete`, 90 → 30 days, still turned on; deletes what is older",
      ],
      [
        days(90),
        nothing,
        "[stops managing] no longer managed, left as last set (90 days)",
        { undo: ["a removed RetentionPolicy or NetworkPolicy", put(90)] },
      ],
      [
        days(90, adopt),
        nothing,
        "[stops managing] no longer managed, left as it is",
        { undo: ["a removed RetentionPolicy or NetworkPolicy"] },
      ],
      [days(90, { onDelete: "disable" }), put(90, false), `[deletes data] by \`onDelete\`, ${off(90)}`],
      [
        days(90, { onDelete: { retentionDays: 365, enabled: true } }),
        put(365),
        "by `onDelete`, 90 → 365 days, still turned on",
      ],
    ],
  },
  NetworkPolicy: {
    created: [
      [
        { ...small, mustInclude: [] },
        toSmall,
        `${both} admits 203.0.113.0/25; replaces a range that cannot be read back${lockout}`,
        { undo: ["a new RetentionPolicy or NetworkPolicy"] },
      ],
      [
        { ...small, name: "HQ", ...adopt },
        nothing,
        'adopted as 203.0.113.0/25 and the name "HQ" without a request; the server may have another value',
      ],
      [
        {
          sourceCidr: "203.0.113.7/25",
          mustInclude: ["203.0.113.7", "203.0.113.64/26"],
          mustExclude: ["203.0.113.128/25"],
        },
        toSmall,
        `${both} admits 203.0.113.0/25; replaces a range that cannot be read back`,
      ],
      [whole, toWhole, `${both} admits the whole internet (0.0.0.0/0); replaces a range that cannot be read back`],
      [{ name: "HQ", mustInclude: [], mustExclude: [] }, patch({ name: "HQ" }), 'sets the name "HQ"'],
      [{ name: "HQ" }, patch({ name: "HQ" }), 'sets the name "HQ"'],
    ],
    changed: [
      [
        { ...small, ...adopt },
        { ...large, ...adopt },
        toLarge,
        `${both} admits 203.0.113.0/24; replaces 203.0.113.0/25, which was adopted and never sent${lockout}`,
      ],
      [
        { ...large, ...adopt },
        { ...whole, ...adopt },
        toWhole,
        "[widens access] admits the whole internet (0.0.0.0/0); replaces 203.0.113.0/24, which was adopted and never sent",
      ],
      [
        large,
        small,
        toSmall,
        `${both} admits 203.0.113.0/25 (its last request may have been carried out); replaces a range that cannot be read back${lockout}`,
        { state: lost },
      ],
      [{ sourceCidr: "2001:db8::/32" }, { sourceCidr: "2001:0DB8:0:0:0:0:0:0/32" }, nothing, unchanged],
      [
        { name: "HQ" },
        { ...small, name: "HQ" },
        patch({ name: "HQ", source_cidr: small.sourceCidr }),
        `${both} admits 203.0.113.0/25; replaces a range that cannot be read back${lockout}; sends the name "HQ" again${elsewhere}`,
        { undo: ["NetworkPolicy: a first range"] },
      ],
      [
        { ...small, name: "Office" },
        { ...small, name: "HQ" },
        patch({ name: "HQ", source_cidr: small.sourceCidr }),
        `${both} sends 203.0.113.0/25 again${elsewhere}; sets the name "HQ" instead of "Office"`,
        { undo: ["NetworkPolicy: another range or name", patch({ name: "Office", source_cidr: small.sourceCidr })] },
      ],
      [
        { name: "Office" },
        { name: "HQ" },
        patch({ name: "HQ" }),
        "may set any name: it is a secret value",
        { secret: ["name"] },
      ],
      [large, small, toSmall, `[narrows access] admits 203.0.113.0/25, half of 203.0.113.0/24${lockout}`],
      [
        { sourceCidr: "::/0" },
        { sourceCidr: "2001:db8::/32", mustInclude: ["2001:db8::7"] },
        patch({ source_cidr: "2001:db8::/32" }),
        '[narrows access] admits 2001:db8::/32, a tiny part of the whole internet (::/0); `+ mustInclude: ["2001:db8::7"]`',
      ],
      [small, large, toLarge, "[widens access] admits 203.0.113.0/24, twice 203.0.113.0/25"],
      [
        { sourceCidr: "203.0.113.7/32" },
        { sourceCidr: "203.0.0.0/16" },
        patch({ source_cidr: "203.0.0.0/16" }),
        "[widens access] admits 203.0.0.0/16, 65536 times 203.0.113.7/32",
      ],
      [
        { sourceCidr: "203.0.0.0/16" },
        { sourceCidr: "203.0.113.7/32" },
        patch({ source_cidr: "203.0.113.7/32" }),
        `[narrows access] admits 203.0.113.7/32, 1/65536 of 203.0.0.0/16${lockout}`,
      ],
      [large, whole, toWhole, "[widens access] admits the whole internet (0.0.0.0/0) instead of 203.0.113.0/24"],
      [
        large,
        { sourceCidr: "2001:db8::/32" },
        patch({ source_cidr: "2001:db8::/32" }),
        `${both} admits 2001:db8::/32 and no longer 203.0.113.0/24, which is another range${lockout}`,
      ],
      [large, { sourceCidr: unknown }, nothing, `${both} may admit any range: it is not known yet${lockout}`],
      [
        large,
        small,
        toSmall,
        `${both} may admit any range: it is a secret value${lockout}`,
        { secret: ["sourceCidr"] },
      ],
      [
        { ...large, name: "HQ" },
        { name: "HQ" },
        nothing,
        '[stops managing] range no longer managed, left as last set (203.0.113.0/24); `- sourceCidr: "203.0.113.0/24"`',
      ],
      [
        { ...small, name: "HQ" },
        large,
        toLarge,
        "[widens access, stops managing] admits 203.0.113.0/24, twice 203.0.113.0/25; name no longer managed, left as last set (HQ)",
      ],
      [
        { ...large, name: "HQ", ...again },
        { ...large, name: "HQ", ...again },
        patch({ name: "HQ", source_cidr: large.sourceCidr }),
        `${both} sends 203.0.113.0/24 and its name again (due 2026-01-31); replaces whatever was set elsewhere`,
        due,
      ],
      [
        { ...large, name: "HQ", ...again },
        { ...large, name: "Office", ...again },
        patch({ name: "Office", source_cidr: large.sourceCidr }),
        `${both} sends 203.0.113.0/24 again (due 2026-01-31); replaces whatever was set elsewhere; sets the name "Office" instead of "HQ"`,
        due,
      ],
      [
        { ...large, ...unattended },
        { ...large, ...unattended },
        toLarge,
        "sends 203.0.113.0/24 again (due 2026-01-31); replaces whatever was set elsewhere",
        due,
      ],
      [
        { name: "HQ", ...again },
        { name: "HQ", ...again },
        patch({ name: "HQ" }),
        'sends the name "HQ" again (due 2026-01-31); replaces whatever was set elsewhere',
        due,
      ],
      [
        large,
        { ...large, onDelete: small },
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { sourceCidr: "203.0.113.0/25" }`',
      ],
      [
        { ...large, onDelete: { sourceCidr: "10.0.0.0/8" } },
        { ...large, onDelete: { sourceCidr: "10.9.9.9/8" } },
        nothing,
        unchanged,
      ],
      [large, { ...large, onDelete: { name: "old" } }, nothing, '`~ onDelete: "retain" => { name: "old" }`'],
      [
        { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
        { ...large, mustInclude: ["203.0.113.7"] },
        nothing,
        '[weakens a guard] `~ mustInclude: ["203.0.113.7", "203.0.113.8"] => ["203.0.113.7"]`',
      ],
      [
        { ...large, mustInclude: ["203.0.113.7"] },
        { ...large, mustInclude: ["203.0.113.8", "203.0.113.7"] },
        nothing,
        '`~ mustInclude: ["203.0.113.7"] => ["203.0.113.8", "203.0.113.7"]`',
      ],
      [
        { ...large, mustExclude: ["198.51.100.7"] },
        large,
        nothing,
        '[weakens a guard] `- mustExclude: ["198.51.100.7"]`',
      ],
      [
        { ...large, mustInclude: ["203.0.113.7"] },
        { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
        nothing,
        '[weakens a guard] `~ mustInclude: ["203.0.113.7"] => (a secret value)`',
        { secret: ["mustInclude"] },
      ],
    ],
    removed: [
      [
        large,
        nothing,
        "[stops managing] no longer managed, left as last set (203.0.113.0/24)",
        { undo: ["a removed RetentionPolicy or NetworkPolicy", toLarge] },
      ],
      [{ ...large, ...adopt }, nothing, "[stops managing] no longer managed, left as it is"],
      [large, nothing, "[stops managing] no longer managed, left as last set", { secret: ["sourceCidr"] }],
      [
        { ...large, onDelete: small },
        toSmall,
        "[narrows access] by `onDelete`, admits 203.0.113.0/25, half of 203.0.113.0/24",
      ],
      [
        { ...large, onDelete: large },
        toLarge,
        `${both} by \`onDelete\`, sends 203.0.113.0/24 again; replaces whatever was set elsewhere`,
      ],
      [
        { ...large, onDelete: small },
        toSmall,
        `${both} by \`onDelete\`, may admit any range: it is a secret value`,
        { secret: ["onDelete"] },
      ],
      [
        { name: "HQ", onDelete: { sourceCidr: "10.1.2.3/9" } },
        patch({ source_cidr: "10.0.0.0/9" }),
        `${both} by \`onDelete\`, admits 10.0.0.0/9; replaces a range that cannot be read back`,
      ],
    ],
  },
  TrunkOutboundAuth: {
    created: [
      [
        { cleared: true },
        clear,
        `[cuts a trunk] clears its outbound credentials, ${restore}`,
        { undo: ["TrunkOutboundAuth: cleared"] },
      ],
      [{ cleared: false }, nothing, "tracked, with its outbound credentials left as they are"],
      [{ cleared: true, ...adopt }, nothing, "adopted as cleared without a request; the server may have another value"],
      [
        { cleared: false, onDelete: "clear" },
        nothing,
        '[weakens a guard] `+ onDelete: "clear"`; tracked, with its outbound credentials left as they are',
      ],
    ],
    changed: [
      [
        { cleared: false },
        { cleared: true },
        clear,
        `[cuts a trunk] clears its outbound credentials, ${restore}`,
        { undo: ["TrunkOutboundAuth: cleared"] },
      ],
      [
        { cleared: true },
        { cleared: false },
        nothing,
        "only tracked from now on: credentials that were cleared are not restored; `~ cleared: true => false`",
      ],
      [
        { cleared: false },
        { cleared: unknown },
        nothing,
        `[cuts a trunk] may clear its outbound credentials (whether it is cleared is not known yet), ${restore}`,
      ],
      [
        { cleared: true, triggers: { a: 1 } },
        { cleared: true, triggers: { a: 2 } },
        clear,
        `[cuts a trunk] clears its outbound credentials once more (trigger a changed), ${restore}`,
        { undo: ["TrunkOutboundAuth: other triggers, or removed", clear] },
      ],
      [
        { cleared: false },
        { cleared: false, triggers: { a: 1 } },
        nothing,
        "`+ triggers.a: 1`: stored without a request",
      ],
      [
        { cleared: true, ...again },
        { cleared: true, ...again },
        clear,
        `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31), ${restore}`,
        due,
      ],
      [
        { cleared: true, ...unattended },
        { cleared: true, ...unattended },
        clear,
        `clears its outbound credentials once more (due 2026-01-31), ${restore}`,
        due,
      ],
      [
        { cleared: true, ...unattended },
        { cleared: true, ...unattended, triggers: { a: 1 } },
        clear,
        `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31, trigger a changed), ${restore}`,
        due,
      ],
      [
        { cleared: true, ...unattended },
        { cleared: true, ...unattended },
        clear,
        `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31, its last request may have been carried out), ${restore}`,
        { state: lost, ...due },
      ],
      [
        { cleared: false },
        { cleared: false, onDelete: "clear" },
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => "clear"`',
      ],
    ],
    removed: [
      [
        { cleared: true },
        nothing,
        "[stops managing] no longer managed, left as it is",
        { undo: ["TrunkOutboundAuth: other triggers, or removed", clear] },
      ],
      [
        { cleared: false, onDelete: "clear" },
        clear,
        `[cuts a trunk] by \`onDelete\`, clears its outbound credentials, ${restore}`,
      ],
    ],
  },
  WebhookSecret: {
    created: [
      [{}, rotate, rotates(" on creation"), { undo: ["a new WebhookSecret"] }],
      [
        { onCreate: unknown },
        nothing,
        mayRotate("`onCreate` is not known yet").replace("secret (", "secret on creation ("),
      ],
      [adopt, nothing, "adopted, with its signing secret left as it is"],
    ],
    changed: [
      [
        { triggers: { a: 1, b: 1 } },
        { triggers: { a: 2, c: 1 } },
        rotate,
        rotates(" (triggers a, c changed, trigger b removed)"),
        { undo: ["WebhookSecret: other triggers", rotate] },
      ],
      [{}, { triggers: {} }, nothing, unchanged],
      [{ triggers: { a: 1, b: 1 } }, { triggers: { b: 1, a: 1 } }, nothing, unchanged],
      [{}, { triggers: { a: 1, b: 1, c: 1, d: 1, e: 1 } }, rotate, rotates(" (triggers a, b, c, d, … changed)")],
      [{ triggers: { a: 1 } }, { triggers: { a: unknown } }, nothing, mayRotate("trigger a: not known yet")],
      [{ triggers: { a: 1 } }, { triggers: { a: 2, b: unknown } }, nothing, rotates(" (trigger a changed)")],
      [
        { triggers: { a: 1 } },
        { triggers: { a: 2 } },
        rotate,
        mayRotate("triggers: a secret value"),
        { secret: ["triggers"] },
      ],
      [{ rotateAfter: "90d" }, { rotateAfter: "90d" }, rotate, rotates(" (due 2026-04-01)"), { on: "2026-04-02" }],
      [
        {},
        {},
        rotate,
        rotates(" (its last rotation may have been carried out)"),
        { state: { rotationState: "uncertain" } },
      ],
      [{}, { rotateAfter: "90d" }, nothing, '`+ rotateAfter: "90d"`', { undo: ["WebhookSecret: a first rotateAfter"] }],
      [{ rotateAfter: "90d" }, { rotateAfter: "91d" }, nothing, '[weakens a guard] `~ rotateAfter: "90d" => "91d"`'],
      [
        {},
        { ...adopt, secretPath: "key", initialSecret: "canary" },
        nothing,
        '`~ onCreate: "rotate" => "adopt"`; `+ secretPath: "key"`; `+ initialSecret: (a secret value)`',
        { secret: ["initialSecret"] },
      ],
    ],
    removed: [
      [
        {},
        nothing,
        "[forgets a secret, stops managing] signing secret no longer managed; deletes its only known copy, in the state, " +
          "while the webhook keeps using it",
        { undo: ["a removed WebhookSecret", rotate] },
      ],
      [
        adopt,
        nothing,
        "[stops managing] signing secret no longer managed, left as it is",
        { undo: ["a removed WebhookSecret"] },
      ],
    ],
  },
};

/** The same, with the whole error of the preview, which sends nothing. */
const refusals: Record<ResourceType, [before: object | undefined, after: object, problem: string][]> = {
  TrunkOutboundAuth: [],
  WebhookSecret: [],
  RetentionPolicy: [
    [days(365), days(90), deletes(365, 90)],
    [days(365), days(90, { allowShortening: [] }), deletes(365, 90)],
    [days(365, adopt), days(90, adopt), deletes(365, 90)],
    [days(365), days(90, allows(364, 90)), deletes(365, 90)],
    [days(365), days(90, allows(365, 30)), deletes(365, 90)],
    [days(365), days(90, allowsEach([365, 180], [180, 90])), deletes(365, 90)],
    [days(90, allows(365, 90)), days(30, allows(365, 90)), deletes(90, 30)],
    [days(365), days(0), "retentionDays: must be a whole number of days from 1 to 3650 [wrong-value]"],
    [days(90), days(365, { resource: "conversations" }), otherKind],
    [days(90), days(90, { resource: "conversations", ...adopt }), otherKind],
    [none, days(90, { onDelete: { retentionDays: 30, enabled: true } }), deletes(90, 30, "onDelete.retentionDays")],
  ],
  NetworkPolicy: [
    [
      none,
      { ...small, mustInclude: ["203.0.113.7", "203.0.113.200"] },
      lacks("sourceCidr: 203.0.113.0/25", "203.0.113.200"),
    ],
    [none, { ...large, mustInclude: [unknown, "192.0.2.1"] }, lacks("sourceCidr: 203.0.113.0/24", "192.0.2.1")],
    [none, { ...small, mustInclude: ["203.0.113.0/24"] }, lacks("sourceCidr: 203.0.113.0/25", "203.0.113.0/24")],
    [
      none,
      { sourceCidr: "::ffff:203.0.113.0/120", mustInclude: ["203.0.113.7"] },
      "sourceCidr: ::ffff:203.0.113.0/120 does not surely contain 203.0.113.7, which mustInclude requires: write it as 203.0.113.0/24 [address-left-out]",
    ],
    [none, { sourceCidr: "::/0", mustInclude: ["203.0.113.7"] }, lacks("sourceCidr: ::/0", "203.0.113.7")],
    [none, { ...large, mustExclude: ["203.0.113.128/25"] }, reaches("sourceCidr: 203.0.113.0/24", "203.0.113.128/25")],
    [none, { ...small, mustExclude: ["203.0.113.0/24"] }, reaches("sourceCidr: 203.0.113.0/25", "203.0.113.0/24")],
    [
      none,
      { ...large, mustInclude: ["203.0.113.7"], onDelete: { sourceCidr: "10.0.0.0/8" } },
      lacks("onDelete.sourceCidr: 10.0.0.0/8", "203.0.113.7"),
    ],
    [
      none,
      { ...large, mustExclude: ["192.0.2.1"], onDelete: { sourceCidr: "0.0.0.0/0" } },
      reaches("onDelete.sourceCidr: 0.0.0.0/0", "192.0.2.1"),
    ],
    [
      none,
      { name: "HQ", mustInclude: ["203.0.113.7"] },
      "mustInclude: has an effect only with a sourceCidr [range-missing]",
    ],
    [
      none,
      { name: "HQ", mustExclude: ["203.0.113.7"] },
      "mustExclude: has an effect only with a sourceCidr [range-missing]",
    ],
  ],
};

/** A world for programs of one object: the arguments beside its name and `onCreate`. */
async function worldOf(type: ResourceType) {
  const [[name, identity] = ["", {}]] = Object.entries<object>(objects[type]);
  return {
    ...(await world(lifecycles[type])),
    name,
    program: (args?: object) => (args ? { [name]: { ...identity, ...args } } : {}),
  };
}

describe.each(Object.keys(cases) as ResourceType[])("%s", (type) => {
  const { created, changed, removed } = cases[type];
  test.each<[before: object | undefined, after: object | undefined, ...Result]>([
    ...created.map(([after, ...result]) => [none, after, ...result] as [undefined, object, ...Result]),
    ...changed,
    ...removed.map(([before, ...result]) => [before, none, ...result] as [object, undefined, ...Result]),
  ])("%j => %j", async (before, after, sends, line, { on, secret = [], state, undo, refused } = {}) => {
    const { engine, today, journal, forgetRequests, name, program } = await worldOf(type);
    if (before) await engine.up(program(before));
    if (state) Object.assign(engine.outputsOf(name) ?? {}, state);
    if (on) today(on);
    forgetRequests();
    engine.risks();

    const steps = structuredClone(engine.steps(program(after)));
    const warned = engine.risks();
    for (const step of steps)
      for (const key of secret) Object.assign(step.after?.inputs ?? step.before?.outputs ?? {}, { [key]: "[secret]" });
    const run = { phase: "preview", steps, errors: [], warnings: [], violations: [], complete: true } as const;
    const [change = unchanged, ...others] = changeLines(await describeRun({ ...run, organizationFile: undefined }));
    expect(others).toEqual([]);
    expect(change.replace(`${name}: `, "")).toEqual(line);

    // The provider warns of each risk of the request, in the words of the report, unless the engine hides a value from the report.
    const isSent = after !== undefined && /^\[(?!weakens|stops|forgets)/.test(line);
    const isUncertainRotation = state !== undefined && "rotationState" in state;
    if (secret.length === 0 && !isUncertainRotation) {
      expect(warned).toHaveLength(isSent ? 1 : 0);
      for (const text of warned) expect(line).toContain(text.replace(/^.*? of acme: /, "").slice(0, -1));
    }
    if (JSON.stringify(after ?? {}).includes(unknown)) return;
    // The same program again sends nothing more.
    await engine.up(program(after));
    await engine.up(program(after));
    expect(journal()).toEqual(sends === nothing ? [] : [sends]);
    if (refused) expect(await messageOf(engine.up(program(before)))).toBe(refused[1]);
    else if (undo) await engine.up(program(before));
    expect(journal()).toEqual(undo?.slice(1) ?? []);
  });
});

test.each(Object.keys(cases) as ResourceType[])("%s: a row above shows each risk and each loosened guard", (type) => {
  const { created, changed, removed } = cases[type];
  const lines = [...created, ...removed, ...changed.map(([, ...row]) => row)].map(([, , line]) => line);
  const isShown = (risk: string, property = "") =>
    lines.some((line) => /^\[(.*?)\]/.exec(line)?.[1]?.split(", ").includes(risk) && line.includes(property));
  const { worst, guards } = resources[type].lifecycle;
  // The guards of every resource have a row in one of the tables. What is harmless in an `onDelete` is the resource's own.
  const shared = Object.keys(guardsOf({})).filter((property) => property !== "onDelete");
  const own = Object.keys(resources[type].args.shape).filter((property) => !shared.includes(property));
  const loosened = own.filter((property) => guards[property] && guards[property] !== never);
  expect(worst.filter((risk) => !isShown(risk))).toEqual([]);
  expect(loosened.filter((property) => !isShown("weakens a guard", property))).toEqual([]);
});

const refused = (Object.keys(refusals) as ResourceType[]).flatMap((type) =>
  refusals[type].map((refusal) => [type, ...refusal] as const),
);
test.each(refused)("a preview refuses a %s: %j => %j", async (type, before, after, problem) => {
  const { engine, journal, forgetRequests, program } = await worldOf(type);
  if (before) await engine.up(program(before));
  forgetRequests();
  expect(() => engine.preview(program(after))).toThrow(problem);
  expect(await messageOf(engine.up(program(after)))).toBe(problem);
  expect(journal()).toEqual([]);
});

test.each(Object.entries(cases))(
  "of a %s, what a revert sends is tested for a new one, a change and a removal",
  (type, { created, changed, removed }) => {
    const isAbout = ({ undo, refused }: More): boolean =>
      [undo?.[0], refused?.[0]].some((name) => name?.includes(type));
    const tested = (rows: readonly (readonly unknown[])[]) => rows.some((row) => isAbout(row.at(-1) as More));
    expect({ created: tested(created), changed: tested(changed), removed: tested(removed) }).toEqual({
      created: true,
      changed: true,
      removed: true,
    });
  },
);

test("docs/operate/undo.md has a row for each change above that is reverted, which says what is sent", () => {
  const [, table = ""] = read("docs/operate/undo.md").split("## What a revert sends");
  const rows = [...table.matchAll(/^\| (.+?) +\| (.+?) +\|/gm)].slice(2).map(([, change = "", sent = ""]) => {
    return [change, ...new Set(sent.match(/PUT|PATCH|DELETE|POST/g) ?? [])].join(" ");
  });
  const changes = Object.values(cases).flatMap(({ created, changed, removed }) =>
    [...created, ...changed, ...removed].map((row) => row.at(-1) as More),
  );
  const undone = changes.flatMap(({ undo, refused }): NonNullable<More["undo"]>[] => {
    if (refused) return [[refused[0]]];
    return undo ? [undo] : [];
  });
  const tested = [...Map.groupBy(undone, ([row]) => row)].map(([row, each]) =>
    [row, ...new Set(each.flatMap(([, ...sends]) => sends.map((request) => request.split(" ")[0])))].join(" "),
  );
  expect(rows.sort()).toEqual(tested.sort());
});
