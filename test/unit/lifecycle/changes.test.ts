/** Each change of a declaration: what it sends, the provider's warning before it, and the line of the report with its risks. */
import { describe as describeRun } from "../../../src/cli/report/report.js";
import { worstRisks } from "../../../src/lifecycle/effects/effect.js";
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
const due = { on: "2026-02-01" };
const lost = { uncertain: "update" };
const [small, large] = [{ sourceCidr: "203.0.113.0/25" }, { sourceCidr: "203.0.113.0/24" }];
const [whole, toWhole] = [{ sourceCidr: "0.0.0.0/0" }, patch({ source_cidr: "0.0.0.0/0" })];
const [toSmall, toLarge] = [patch({ source_cidr: "203.0.113.0/25" }), patch({ source_cidr: "203.0.113.0/24" })];
const lacks = (range: string, address: string) =>
  `${range} does not contain ${address}, which mustInclude requires [wrong-range]`;
const reaches = (range: string, address: string) =>
  `${range} reaches ${address}, which mustExclude forbids [wrong-range]`;
const days = (retentionDays: number, more: object = {}) => ({ retentionDays, ...more });
const allows = (from: number, to: number) => ({ allowShortening: { from, to } });
const allowsEach = (...steps: [from: number, to: number][]) => ({
  allowShortening: steps.map(([from, to]) => ({ from, to })),
});
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
        "[deletes data] sets `retentionDays: 90, enabled: true`",
        { undo: ["a new RetentionPolicy or NetworkPolicy"] },
      ],
      [days(1), put(1), "[deletes data] sets `retentionDays: 1, enabled: true`"],
      [days(90, { enabled: false }), put(90, false), "[deletes data] sets `retentionDays: 90, enabled: false`"],
      [days(90, adopt), nothing, "adopted without a request: `retentionDays: 90, enabled: true`"],
    ],
    changed: [
      [
        days(90, adopt),
        days(120, adopt),
        put(120),
        "[deletes data] sets `retentionDays: 90 → 120, enabled: true` (adopted, never sent)",
      ],
      [
        days(90, adopt),
        days(120, adopt),
        put(120),
        "[deletes data] sets `retentionDays: 120, enabled: true` (its last request may have been carried out, adopted, never sent)",
        { state: lost },
      ],
      [
        days(90),
        days(30, allows(90, 30)),
        put(30),
        "[deletes data] sets `retentionDays: 90 → 30, enabled: true`; `+ allowShortening: { from: 90, to: 30 }`",
        { undo: ["RetentionPolicy: fewer days", put(90)] },
      ],
      [
        days(365),
        days(90, allowsEach([90, 30], [365, 90])),
        put(90),
        "[deletes data, weakens a guard] sets `retentionDays: 365 → 90, enabled: true`; `+ allowShortening: [{ from: 90, to: 30 }, { from: 365, to: 90 }]`",
      ],
      [
        days(365),
        days(90, { allowShortening: { from: 365, to: unknown } }),
        nothing,
        "[deletes data, weakens a guard] sets `retentionDays: 365 → 90, enabled: true`; `+ allowShortening: (not known yet)`",
      ],
      [
        days(1),
        days(2),
        put(2),
        "sets `retentionDays: 1 → 2, enabled: true`",
        { refused: ["RetentionPolicy: more days", deletes(2, 1)] },
      ],
      [
        days(90, { enabled: false }),
        days(120),
        put(120),
        "[deletes data] sets `retentionDays: 90 → 120, enabled: false → true`",
      ],
      [
        days(90),
        days(120, { enabled: false }),
        put(120, false),
        "[deletes data] sets `retentionDays: 90 → 120, enabled: true → false`",
      ],
      [
        days(90, { enabled: false }),
        days(120, { enabled: false }),
        put(120, false),
        "[deletes data] sets `retentionDays: 90 → 120, enabled: false`",
      ],
      [
        days(90),
        { retentionDays: unknown },
        nothing,
        "[deletes data] sets `retentionDays: 90 → (not known yet), enabled: true`",
      ],
      [
        days(90),
        days(120),
        put(120),
        "[deletes data] sets `retentionDays: 90 → (a secret value), enabled: true`",
        { secret: ["retentionDays"] },
      ],
      [
        days(90),
        days(90, { enabled: unknown }),
        nothing,
        "[deletes data] sets `retentionDays: 90, enabled: true → (not known yet)`",
      ],
      [days(90), days(90), nothing, unchanged],
      [
        days(90),
        days(120),
        put(120),
        "[deletes data] sets `retentionDays: 120, enabled: true` (its last request may have been carried out)",
        { state: lost },
      ],
      [
        days(90, again),
        days(90, again),
        put(90),
        "[deletes data] sets `retentionDays: 90, enabled: true` (due 2026-01-31)",
        due,
      ],
      [
        days(90),
        days(90, { onDelete: "disable" }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => "disable"`; stored without a request',
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 30, enabled: true }, ...allows(90, 30) }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 30, enabled: true }`; `+ allowShortening: { from: 90, to: 30 }`; stored without a request',
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 90, enabled: true } }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 90, enabled: true }`; stored without a request',
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 120, enabled: true } }),
        nothing,
        '`~ onDelete: "retain" => { retentionDays: 120, enabled: true }`; stored without a request',
      ],
      [
        days(90),
        days(90, { onDelete: { retentionDays: 120, enabled: false } }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 120, enabled: false }`; stored without a request',
      ],
      [
        days(90, { enabled: false }),
        days(90, { enabled: false, onDelete: { retentionDays: 90, enabled: true } }),
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { retentionDays: 90, enabled: true }`; stored without a request',
      ],
      [
        days(90, { onDelete: "disable" }),
        days(90),
        nothing,
        '`~ onDelete: "disable" => "retain"`; stored without a request',
      ],
      [
        days(90),
        days(90, allows(90, 30)),
        nothing,
        "[weakens a guard] `+ allowShortening: { from: 90, to: 30 }`; stored without a request",
      ],
      [
        days(90, allows(90, 30)),
        days(90),
        nothing,
        "`- allowShortening: { from: 90, to: 30 }`; stored without a request",
      ],
      [
        days(90),
        days(90, allows(90, 30)),
        nothing,
        "[weakens a guard] `+ allowShortening: (a secret value)`; stored without a request",
        { secret: ["allowShortening"] },
      ],
      [days(90), days(90, again), nothing, '`+ reassertAfter: "30d"`; stored without a request'],
      [
        days(90, again),
        days(90, { reassertAfter: "7d" }),
        nothing,
        '`~ reassertAfter: "30d" => "7d"`; stored without a request',
      ],
      [days(90, again), days(90), nothing, '[weakens a guard] `- reassertAfter: "30d"`; stored without a request'],
      [
        days(90, again),
        days(90, { reassertAfter: "7d" }),
        nothing,
        '[weakens a guard] `~ reassertAfter: "30d" => (a secret value)`; stored without a request',
        { secret: ["reassertAfter"] },
      ],
      [days(90), days(90, adopt), nothing, '`~ onCreate: "overwrite" => "adopt"`; stored without a request'],
    ],
    removed: [
      [
        days(90, { onDelete: { retentionDays: 90, enabled: true } }),
        put(90),
        "[deletes data] sets `retentionDays: 90 → (a secret value), enabled: true → (a secret value)` (by `onDelete`)",
        { secret: ["onDelete"] },
      ],
      [
        days(90, { onDelete: { retentionDays: 30, enabled: true }, ...allows(90, 30) }),
        put(30),
        "[deletes data] sets `retentionDays: 90 → 30, enabled: true` (by `onDelete`)",
      ],
      [
        days(90),
        nothing,
        "[stops managing] no longer managed, left as it is",
        { undo: ["a removed RetentionPolicy or NetworkPolicy", put(90)] },
      ],
      [
        days(90, adopt),
        nothing,
        "[stops managing] no longer managed, left as it is",
        { undo: ["a removed RetentionPolicy or NetworkPolicy"] },
      ],
      [
        days(90, { onDelete: "disable" }),
        put(90, false),
        "[deletes data] sets `retentionDays: 90, enabled: true → false` (by `onDelete`)",
      ],
      [
        days(90, { onDelete: { retentionDays: 365, enabled: true } }),
        put(365),
        "sets `retentionDays: 90 → 365, enabled: true` (by `onDelete`)",
      ],
    ],
  },
  NetworkPolicy: {
    created: [
      [
        { ...small, mustInclude: [] },
        toSmall,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/25"`',
        { undo: ["a new RetentionPolicy or NetworkPolicy"] },
      ],
      [
        { ...small, name: "HQ", ...adopt },
        nothing,
        'adopted without a request: `name: "HQ", sourceCidr: "203.0.113.0/25"`',
      ],
      [
        {
          sourceCidr: "203.0.113.7/25",
          mustInclude: ["203.0.113.7", "203.0.113.64/26"],
          mustExclude: ["203.0.113.128/25"],
        },
        toSmall,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/25"`',
      ],
      [whole, toWhole, '[narrows access, widens access] sets `sourceCidr: "0.0.0.0/0"`'],
      [{ name: "HQ", mustInclude: [], mustExclude: [] }, patch({ name: "HQ" }), 'sets `name: "HQ"`'],
      [{ name: "HQ" }, patch({ name: "HQ" }), 'sets `name: "HQ"`'],
    ],
    changed: [
      [
        { ...small, ...adopt },
        { ...large, ...adopt },
        toLarge,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/25" → "203.0.113.0/24"` (adopted, never sent)',
      ],
      [
        { ...large, ...adopt },
        { ...whole, ...adopt },
        toWhole,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/24" → "0.0.0.0/0"` (adopted, never sent)',
      ],
      [
        large,
        small,
        toSmall,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/25"` (its last request may have been carried out)',
        { state: lost },
      ],
      [{ sourceCidr: "2001:db8::/32" }, { sourceCidr: "2001:0DB8:0:0:0:0:0:0/32" }, nothing, unchanged],
      [
        { name: "HQ" },
        { ...small, name: "HQ" },
        patch({ name: "HQ", source_cidr: small.sourceCidr }),
        '[narrows access, widens access] sets `name: "HQ", sourceCidr: "203.0.113.0/25"`',
        { undo: ["NetworkPolicy: a first range"] },
      ],
      [
        { ...small, name: "Office" },
        { ...small, name: "HQ" },
        patch({ name: "HQ", source_cidr: small.sourceCidr }),
        '[narrows access, widens access] sets `name: "Office" → "HQ", sourceCidr: "203.0.113.0/25"`',
        { undo: ["NetworkPolicy: another range or name", patch({ name: "Office", source_cidr: small.sourceCidr })] },
      ],
      [
        { name: "Office" },
        { name: "HQ" },
        patch({ name: "HQ" }),
        'sets `name: "Office" → (a secret value)`',
        { secret: ["name"] },
      ],
      [large, small, toSmall, '[narrows access] sets `sourceCidr: "203.0.113.0/24" → "203.0.113.0/25"`'],
      [
        { sourceCidr: "::/0" },
        { sourceCidr: "2001:db8::/32", mustInclude: ["2001:db8::7"] },
        patch({ source_cidr: "2001:db8::/32" }),
        '[narrows access] sets `sourceCidr: "::/0" → "2001:db8::/32"`; `+ mustInclude: ["2001:db8::7"]`',
      ],
      [small, large, toLarge, '[widens access] sets `sourceCidr: "203.0.113.0/25" → "203.0.113.0/24"`'],
      [
        { sourceCidr: "203.0.113.7/32" },
        { sourceCidr: "203.0.0.0/16" },
        patch({ source_cidr: "203.0.0.0/16" }),
        '[widens access] sets `sourceCidr: "203.0.113.7/32" → "203.0.0.0/16"`',
      ],
      [
        { sourceCidr: "203.0.0.0/16" },
        { sourceCidr: "203.0.113.7/32" },
        patch({ source_cidr: "203.0.113.7/32" }),
        '[narrows access] sets `sourceCidr: "203.0.0.0/16" → "203.0.113.7/32"`',
      ],
      [large, whole, toWhole, '[widens access] sets `sourceCidr: "203.0.113.0/24" → "0.0.0.0/0"`'],
      [
        large,
        { sourceCidr: "2001:db8::/32" },
        patch({ source_cidr: "2001:db8::/32" }),
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/24" → "2001:db8::/32"`',
      ],
      [
        large,
        { sourceCidr: unknown },
        nothing,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/24" → (not known yet)`',
      ],
      [
        large,
        small,
        toSmall,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/24" → (a secret value)`',
        { secret: ["sourceCidr"] },
      ],
      [
        { ...large, name: "HQ" },
        { name: "HQ" },
        nothing,
        '[stops managing] `- sourceCidr: "203.0.113.0/24"`; stored without a request',
      ],
      [
        { ...small, name: "HQ" },
        large,
        toLarge,
        '[widens access, stops managing] sets `sourceCidr: "203.0.113.0/25" → "203.0.113.0/24"`',
      ],
      [
        { ...large, name: "HQ", ...again },
        { ...large, name: "HQ", ...again },
        patch({ name: "HQ", source_cidr: large.sourceCidr }),
        '[narrows access, widens access] sets `name: "HQ", sourceCidr: "203.0.113.0/24"` (due 2026-01-31)',
        due,
      ],
      [
        { ...large, name: "HQ", ...again },
        { ...large, name: "Office", ...again },
        patch({ name: "Office", source_cidr: large.sourceCidr }),
        '[narrows access, widens access] sets `name: "HQ" → "Office", sourceCidr: "203.0.113.0/24"` (due 2026-01-31)',
        due,
      ],
      [
        { name: "HQ", ...again },
        { name: "HQ", ...again },
        patch({ name: "HQ" }),
        'sets `name: "HQ"` (due 2026-01-31)',
        due,
      ],
      [
        large,
        { ...large, onDelete: small },
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => { sourceCidr: "203.0.113.0/25" }`; stored without a request',
      ],
      [
        { ...large, onDelete: { sourceCidr: "10.0.0.0/8" } },
        { ...large, onDelete: { sourceCidr: "10.9.9.9/8" } },
        nothing,
        unchanged,
      ],
      [
        large,
        { ...large, onDelete: { name: "old" } },
        nothing,
        '`~ onDelete: "retain" => { name: "old" }`; stored without a request',
      ],
      [
        { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
        { ...large, mustInclude: ["203.0.113.7"] },
        nothing,
        '[weakens a guard] `~ mustInclude: ["203.0.113.7", "203.0.113.8"] => ["203.0.113.7"]`; stored without a request',
      ],
      [
        { ...large, mustInclude: ["203.0.113.7"] },
        { ...large, mustInclude: ["203.0.113.8", "203.0.113.7"] },
        nothing,
        '`~ mustInclude: ["203.0.113.7"] => ["203.0.113.8", "203.0.113.7"]`; stored without a request',
      ],
      [
        { ...large, mustExclude: ["198.51.100.7"] },
        large,
        nothing,
        '[weakens a guard] `- mustExclude: ["198.51.100.7"]`; stored without a request',
      ],
      [
        { ...large, mustInclude: ["203.0.113.7"] },
        { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
        nothing,
        '[weakens a guard] `~ mustInclude: ["203.0.113.7"] => (a secret value)`; stored without a request',
        { secret: ["mustInclude"] },
      ],
    ],
    removed: [
      [
        large,
        nothing,
        "[stops managing] no longer managed, left as it is",
        { undo: ["a removed RetentionPolicy or NetworkPolicy", toLarge] },
      ],
      [{ ...large, ...adopt }, nothing, "[stops managing] no longer managed, left as it is"],
      [large, nothing, "[stops managing] no longer managed, left as it is", { secret: ["sourceCidr"] }],
      [
        { ...large, onDelete: small },
        toSmall,
        '[narrows access] sets `sourceCidr: "203.0.113.0/24" → "203.0.113.0/25"` (by `onDelete`)',
      ],
      [
        { ...large, onDelete: large },
        toLarge,
        '[narrows access, widens access] sets `sourceCidr: "203.0.113.0/24"` (by `onDelete`)',
      ],
      [
        { ...large, onDelete: small },
        toSmall,
        '[narrows access, widens access] sets `name: (a secret value), sourceCidr: "203.0.113.0/24" → (a secret value)` (by `onDelete`)',
        { secret: ["onDelete"] },
      ],
      [
        { name: "HQ", onDelete: { sourceCidr: "10.1.2.3/9" } },
        patch({ source_cidr: "10.0.0.0/9" }),
        '[narrows access, widens access] sets `sourceCidr: "10.0.0.0/9"` (by `onDelete`)',
      ],
    ],
  },
  TrunkOutboundAuth: {
    created: [
      [
        { cleared: true },
        clear,
        "[cuts a trunk] clears its outbound credentials, which cannot be restored",
        { undo: ["TrunkOutboundAuth: cleared"] },
      ],
      [{ cleared: false }, nothing, "adopted without a request"],
      [{ cleared: true, ...adopt }, nothing, "adopted without a request"],
      [
        { cleared: false, onDelete: "clear" },
        nothing,
        '[weakens a guard] adopted without a request; `+ onDelete: "clear"`',
      ],
    ],
    changed: [
      [
        { cleared: false },
        { cleared: true },
        clear,
        "[cuts a trunk] clears its outbound credentials, which cannot be restored; `~ cleared: false => true`",
        { undo: ["TrunkOutboundAuth: cleared"] },
      ],
      [{ cleared: true }, { cleared: false }, nothing, "`~ cleared: true => false`; stored without a request"],
      [
        { cleared: false },
        { cleared: unknown },
        nothing,
        "[cuts a trunk] clears its outbound credentials, which cannot be restored (cleared: not known yet); `~ cleared: false => (not known yet)`",
      ],
      [
        { cleared: true, triggers: { a: 1 } },
        { cleared: true, triggers: { a: 2 } },
        clear,
        "[cuts a trunk] clears its outbound credentials, which cannot be restored; `~ triggers.a: 1 => 2`",
        { undo: ["TrunkOutboundAuth: other triggers, or removed", clear] },
      ],
      [
        { cleared: false },
        { cleared: false, triggers: { a: 1 } },
        nothing,
        "`+ triggers.a: 1`; stored without a request",
      ],
      [
        { cleared: true, ...again },
        { cleared: true, ...again },
        clear,
        "[cuts a trunk] clears its outbound credentials, which cannot be restored (due 2026-01-31)",
        due,
      ],
      [
        { cleared: false },
        { cleared: false, onDelete: "clear" },
        nothing,
        '[weakens a guard] `~ onDelete: "retain" => "clear"`; stored without a request',
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
        "[cuts a trunk] clears its outbound credentials, which cannot be restored (by `onDelete`)",
      ],
    ],
  },
  WebhookSecret: {
    created: [
      [{}, rotate, "[rotates a secret] rotates its signing secret", { undo: ["a new WebhookSecret"] }],
      [{ onCreate: unknown }, nothing, "[rotates a secret] rotates its signing secret (onCreate: not known yet)"],
      [adopt, nothing, "adopted without a request"],
    ],
    changed: [
      [
        { triggers: { a: 1, b: 1 } },
        { triggers: { a: 2, c: 1 } },
        rotate,
        "[rotates a secret] rotates its signing secret; `~ triggers.a: 1 => 2`; `- triggers.b: 1`; `+ triggers.c: 1`",
        { undo: ["WebhookSecret: other triggers", rotate] },
      ],
      [{}, { triggers: {} }, nothing, unchanged],
      [{ triggers: { a: 1, b: 1 } }, { triggers: { b: 1, a: 1 } }, nothing, unchanged],
      [
        { triggers: { a: 1 } },
        { triggers: { a: unknown } },
        nothing,
        "[rotates a secret] rotates its signing secret (triggers: not known yet); `~ triggers.a: 1 => (not known yet)`",
      ],
      [
        { triggers: { a: 1 } },
        { triggers: { a: 2, b: unknown } },
        nothing,
        "[rotates a secret] rotates its signing secret (triggers: not known yet); `~ triggers.a: 1 => 2`; `+ triggers.b: (not known yet)`",
      ],
      [
        { triggers: { a: 1 } },
        { triggers: { a: 2 } },
        rotate,
        "[rotates a secret] rotates its signing secret (triggers: a secret value); `~ triggers: (a value) => (a secret value)`",
        { secret: ["triggers"] },
      ],
      [
        { rotateAfter: "90d" },
        { rotateAfter: "90d" },
        rotate,
        "[rotates a secret] rotates its signing secret (due 2026-04-01)",
        { on: "2026-04-02" },
      ],
      [
        {},
        {},
        rotate,
        "[rotates a secret] rotates its signing secret (its last request may have been carried out)",
        { state: { rotationState: "uncertain" } },
      ],
      [
        {},
        { rotateAfter: "90d" },
        nothing,
        '`+ rotateAfter: "90d"`; stored without a request',
        { undo: ["WebhookSecret: a first rotateAfter"] },
      ],
      [
        { rotateAfter: "90d" },
        { rotateAfter: "91d" },
        nothing,
        '[weakens a guard] `~ rotateAfter: "90d" => "91d"`; stored without a request',
      ],
      [
        {},
        { ...adopt, secretPath: "key", initialSecret: "canary" },
        nothing,
        '`~ onCreate: "rotate" => "adopt"`; `+ secretPath: "key"`; `+ initialSecret: (a secret value)`; stored without a request',
        { secret: ["initialSecret"] },
      ],
    ],
    removed: [
      [
        {},
        nothing,
        "[forgets a secret, stops managing] no longer managed, left as it is",
        { undo: ["a removed WebhookSecret", rotate] },
      ],
      [adopt, nothing, "[stops managing] no longer managed, left as it is", { undo: ["a removed WebhookSecret"] }],
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
      "sourceCidr: ::ffff:203.0.113.0/120 does not surely contain 203.0.113.7, which mustInclude requires: write it as 203.0.113.0/24 [wrong-range]",
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
      "mustInclude: has an effect only with a sourceCidr [wrong-range]",
    ],
    [
      none,
      { name: "HQ", mustExclude: ["203.0.113.7"] },
      "mustExclude: has an effect only with a sourceCidr [wrong-range]",
    ],
  ],
};

/** A world for programs of one object: the arguments beside its name and `onCreate`. */
async function worldOf(type: ResourceType) {
  const [[name, identity] = ["", {}]] = Object.entries<object>(objects[type]);
  const around = await world(lifecycles[type]);
  around.engine.around = { ...around.engine.around, address: around.plane.url };
  return {
    ...around,
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

    // Values of another realm would differ from equal ones.
    const steps = JSON.parse(JSON.stringify(engine.steps(program(after)))) as ReturnType<typeof engine.steps>;
    const warned = engine.risks();
    for (const step of steps)
      for (const key of secret) Object.assign(step.after?.inputs ?? step.before?.outputs ?? {}, { [key]: "[secret]" });
    const run = { steps, errors: [], warnings: [], violations: [], complete: true, unknownEvents: 0 } as const;
    const [change = unchanged, ...others] = changeLines(await describeRun({ ...run, organizationFile: undefined }));
    expect(others).toEqual([]);
    expect(change.replace(`${name}: `, "")).toEqual(line);

    // The provider warns of each risk of the request, without any value, unless the engine hides one from the report.
    const ofRequest = (/^\[(.*?)\]/.exec(line)?.[1] ?? "")
      .split(", ")
      .filter((risk) => !/^(weakens|forgets|$)/.test(risk));
    const isSent = after !== undefined && ofRequest.some((risk) => risk !== "stops managing");
    const isUncertainRotation = state !== undefined && "rotationState" in state;
    if (secret.length === 0 && !isUncertainRotation)
      expect(warned.map((text) => text.replace(/^.* of acme: /, ""))).toEqual(
        isSent ? [`this update ${ofRequest.join(", ")}.`] : [],
      );
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
  const { lifecycle } = resources[type];
  const { guards } = lifecycle;
  // The guards of every resource have a row in one of the tables. What is harmless in an `onDelete` is the resource's own.
  const shared = Object.keys(guardsOf({})).filter((property) => property !== "onDelete");
  const own = Object.keys(resources[type].args.shape).filter((property) => !shared.includes(property));
  const loosened = own.filter((property) => guards[property] && guards[property] !== never);
  expect(worstRisks(lifecycle).filter((risk) => !isShown(risk))).toEqual([]);
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
