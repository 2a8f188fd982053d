/** Each change of a declaration: what it sends, the provider's warning before it, and the line of the report with its risks. */
import { describe as describePreview } from "../../../src/cli/report/describe.js";
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import { trunkOutboundAuth } from "../../../src/resources/trunk-outbound-auth.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { unknownValue as unknown } from "../../../src/values/engine.js";
import { read } from "../../support/docs/documents";
import { changeLines } from "../../support/recorded";
import { ids, messageOf, world } from "../../support/world.js";

interface Case {
  /** Applied before; undefined for a create. */
  readonly before?: object;
  /** Undefined for a resource that is removed. */
  readonly after?: object;
  readonly sends?: readonly string[];
  /** The risks in brackets, then the effects without the object's name. Undefined for no change. */
  readonly line?: string;
  /** The day of the preview. Default: that of the update before. */
  readonly on?: string;
  /** What the engine hides of the new inputs. */
  readonly secret?: readonly string[];
  /** What the state has otherwise, such as after a lost answer. */
  readonly state?: object;
  /** The row of docs/operate/undo.md about its revert, and what that sends. */
  readonly undo?: readonly [row: string, ...sends: string[]];
}

const lifecycles = {
  RetentionPolicy: retentionPolicy,
  NetworkPolicy: networkPolicy,
  TrunkOutboundAuth: trunkOutboundAuth,
  WebhookSecret: webhookSecret,
};
const objects = {
  RetentionPolicy: { recordings: { resource: "recordings", onCreate: "overwrite" } },
  NetworkPolicy: { office: { networkPolicyId: ids.office, onCreate: "overwrite" } },
  TrunkOutboundAuth: { carrier: { trunkId: ids.trunk } },
  WebhookSecret: { crm: { webhookId: ids.webhook, onCreate: "rotate" } },
} as const;

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
const off = "turns the policy off: what happens to the data is up to the server";
const lockout = "; may lock this pipeline out, as no `mustInclude` names its address";
const both = "[narrows access, widens access]";
const [small, large] = [{ sourceCidr: "203.0.113.0/25" }, { sourceCidr: "203.0.113.0/24" }];
const restore = "which this provider cannot restore";
const rotates = (why: string) => `[rotates a secret] rotates its signing secret${why}: the old secret stops working`;
const mayRotate = (why: string) =>
  `[rotates a secret] may rotate its signing secret (${why}): if so, the old secret stops working`;
const days = (retentionDays: number, more: object = {}) => ({ retentionDays, ...more });
const allows = (from: number, to: number) => ({ allowShortening: { from, to } });
const shorter = { before: days(90), after: days(30, allows(90, 30)), sends: [put(30)] };
const allowed = "`+ allowShortening: { from: 90, to: 30 }`";

const cases: Record<keyof typeof objects, Record<string, Case>> = {
  RetentionPolicy: {
    "the first days": {
      undo: ["a new RetentionPolicy or NetworkPolicy"],
      after: days(90),
      sends: [put(90)],
      line: "[deletes data] sets 90 days; may delete what is older",
    },
    "a policy that is off from the start": {
      after: days(90, { enabled: false }),
      sends: [put(90, false)],
      line: `[deletes data] ${off}`,
    },
    "adopted days": { after: days(90, adopt), line: "adopted as 90 days without a request, which is not confirmed" },
    "an onDelete from the start": {
      after: days(90, { ...adopt, onDelete: "disable" }),
      line: '[weakens a guard] `+ onDelete: "disable"`; adopted as 90 days without a request, which is not confirmed',
    },
    "guards that are weak from the start": {
      after: days(90, { ...adopt, ...unattended, ...allows(90, 30) }),
      line:
        "[weakens a guard] `+ reassertUnattended: true`; `+ allowShortening: { from: 90, to: 30 }`; " +
        "adopted as 90 days without a request, which is not confirmed",
    },
    "more days after adopted ones": {
      before: days(90, adopt),
      after: days(120, adopt),
      sends: [put(120)],
      line: "[deletes data] 90 → 120 days; may delete what is older: 90 days adopted, not confirmed",
    },
    "fewer days after adopted ones": {
      before: days(90, adopt),
      after: days(30, { ...adopt, ...allows(90, 30) }),
      sends: [put(30)],
      line: `[deletes data] 90 → 30 days; may delete what is older: 90 days adopted, not confirmed; ${allowed}`,
    },
    "adopted days that are due are not known, also if they need no approval": {
      before: days(90, { ...adopt, ...unattended }),
      after: days(90, { ...adopt, ...unattended }),
      sends: [put(90)],
      line: "[deletes data] sends 90 days (due 2026-01-31); may delete what is older: 90 days adopted, not confirmed",
      ...due,
    },
    "fewer days": {
      undo: ["RetentionPolicy: fewer days", put(90)],
      ...shorter,
      line: `[deletes data] 90 → 30 days; deletes what is older; ${allowed}`,
    },
    "more days": { before: days(1), after: days(2), sends: [put(2)], line: "1 → 2 days" },
    "a policy that is turned on": {
      before: days(90, { enabled: false }),
      after: days(120),
      sends: [put(120)],
      line: "[deletes data] turns the policy on, with 120 days; deletes what is older",
    },
    "a policy that is turned off": {
      before: days(90),
      after: days(120, { enabled: false }),
      sends: [put(120, false)],
      line: `[deletes data] ${off}`,
    },
    "more days of a policy that stays off": {
      before: days(90, { enabled: false }),
      after: days(120, { enabled: false }),
      sends: [put(120, false)],
      line: "[deletes data] 90 → 120 days, still turned off; may delete data",
    },
    "days that are not known yet": {
      before: days(90),
      after: { retentionDays: unknown },
      line: "[deletes data] the number of days is not known yet; may delete data",
    },
    "secret days": {
      before: days(90),
      after: days(120),
      secret: ["retentionDays"],
      sends: [put(120)],
      line: "[deletes data] the number of days is a secret value; may delete data",
    },
    "whether it is on is not known yet": {
      before: days(90),
      after: days(90, { enabled: unknown }),
      line: "[deletes data] whether the policy is on is not known yet; may delete data",
    },
    "the same days": { before: days(90), after: days(90) },
    "days after a lost answer": {
      before: days(90),
      state: lost,
      after: days(120),
      sends: [put(120)],
      line: "[deletes data] sets 120 days (its last request may have been carried out); may delete what is older",
    },
    "days that are due": {
      before: days(90, again),
      after: days(90, again),
      sends: [put(90)],
      line: "[deletes data] sends 90 days again (due 2026-01-31); replaces whatever was set elsewhere and may delete what is older",
      ...due,
    },
    "days that are due and need no approval": {
      before: days(90, unattended),
      after: days(90, unattended),
      sends: [put(90)],
      line: "sends 90 days again (due 2026-01-31); replaces whatever was set elsewhere",
      ...due,
    },
    "more days that are due": {
      before: days(90, unattended),
      after: days(120, unattended),
      sends: [put(120)],
      line: "90 → 120 days (due 2026-01-31)",
      ...due,
    },
    removed: {
      undo: ["a removed RetentionPolicy or NetworkPolicy", put(90)],
      before: days(90),
      line: "[stops managing] no longer managed, left as last set (90 days)",
    },
    "removed after it was adopted": {
      undo: ["a removed RetentionPolicy or NetworkPolicy"],
      before: days(90, adopt),
      line: "[stops managing] no longer managed, left as it is",
    },
    "removed, and turned off by onDelete": {
      before: days(90, { onDelete: "disable" }),
      sends: [put(90, false)],
      line: `[deletes data] by \`onDelete\`, ${off}`,
    },
    "removed, with more days by onDelete": {
      before: days(90, { onDelete: { retentionDays: 365, enabled: true } }),
      sends: [put(365)],
      line: "by `onDelete`, 90 → 365 days",
    },
    "an onDelete that turns off": {
      before: days(90),
      after: days(90, { onDelete: "disable" }),
      line: '[weakens a guard] `~ onDelete: "retain" => "disable"`',
    },
    "an onDelete with fewer days": {
      before: days(90),
      after: days(90, { onDelete: { retentionDays: 30, enabled: true }, ...allows(90, 30) }),
      line: `[weakens a guard] \`~ onDelete: "retain" => { retentionDays: 30, enabled: true }\`; ${allowed}`,
    },
    "an onDelete with more days": {
      before: days(90),
      after: days(90, { onDelete: { retentionDays: 365, enabled: true } }),
      line: '`~ onDelete: "retain" => { retentionDays: 365, enabled: true }`',
    },
    "no onDelete any more": {
      before: days(90, { onDelete: "disable" }),
      after: days(90),
      line: '`~ onDelete: "disable" => "retain"`',
    },
    "an onDelete that is not known yet": {
      before: days(90),
      after: days(90, { onDelete: unknown }),
      line: '[weakens a guard] `~ onDelete: "retain" => (not known yet)`',
    },
    "an allowed step that is not taken": {
      before: days(90),
      after: days(90, allows(90, 30)),
      line: `[weakens a guard] ${allowed}`,
    },
    "a step that is no longer allowed": {
      ...shorter,
      before: days(90, allows(90, 30)),
      after: days(90),
      sends: [],
      line: "`- allowShortening: { from: 90, to: 30 }`",
    },
    "secret steps": {
      before: days(90),
      after: days(90, allows(90, 30)),
      secret: ["allowShortening"],
      line: "[weakens a guard] `+ allowShortening: (a secret value)`",
    },
    "a first period": { before: days(90), after: days(90, again), line: '`+ reassertAfter: "30d"`' },
    "a shorter period": {
      before: days(90, again),
      after: days(90, { reassertAfter: "7d" }),
      line: '`~ reassertAfter: "30d" => "7d"`',
    },
    "a longer period": {
      before: days(90, again),
      after: days(90, { reassertAfter: "31d" }),
      line: '[weakens a guard] `~ reassertAfter: "30d" => "31d"`',
    },
    "no period any more": {
      before: days(90, again),
      after: days(90),
      line: '[weakens a guard] `- reassertAfter: "30d"`',
    },
    "a secret period": {
      before: days(90, again),
      after: days(90, { reassertAfter: "7d" }),
      secret: ["reassertAfter"],
      line: '[weakens a guard] `~ reassertAfter: "30d" => (a secret value)`',
    },
    "no approval any more": {
      before: days(90, again),
      after: days(90, unattended),
      line: "[weakens a guard] `+ reassertUnattended: true`",
    },
    "approval again": { before: days(90, unattended), after: days(90, again), line: "`- reassertUnattended: true`" },
    "another onCreate": { before: days(90), after: days(90, adopt), line: '`~ onCreate: "overwrite" => "adopt"`' },
  },
  NetworkPolicy: {
    "the first range": {
      undo: ["a new RetentionPolicy or NetworkPolicy"],
      after: small,
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: `${both} admits 203.0.113.0/25; replaces a range that cannot be read back${lockout}`,
    },
    "the first range, with an address that must stay": {
      after: { ...small, mustInclude: ["203.0.113.7"] },
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: `${both} admits 203.0.113.0/25; replaces a range that cannot be read back`,
    },
    "an adopted range and name": {
      after: { ...small, name: "HQ", ...adopt },
      line: 'adopted as 203.0.113.0/25 and the name "HQ" without a request, which is not confirmed',
    },
    "a range after an adopted one": {
      before: { ...large, ...adopt },
      after: { ...small, ...adopt },
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: `${both} admits 203.0.113.0/25; replaces 203.0.113.0/24, which was adopted and is not confirmed${lockout}`,
    },
    "a name alone": { after: { name: "HQ" }, sends: [patch({ name: "HQ" })], line: 'sets the name "HQ"' },
    "a first range beside a name": {
      undo: ["NetworkPolicy: a first range"],
      before: { name: "HQ" },
      after: { ...small, name: "HQ" },
      sends: [patch({ name: "HQ", source_cidr: small.sourceCidr })],
      line: `${both} admits 203.0.113.0/25; replaces a range that cannot be read back${lockout}`,
    },
    "another name": {
      undo: ["NetworkPolicy: another range or name", patch({ name: "Office", source_cidr: small.sourceCidr })],
      before: { ...small, name: "Office" },
      after: { ...small, name: "HQ" },
      sends: [patch({ name: "HQ", source_cidr: small.sourceCidr })],
      line: 'sets the name "HQ" instead of "Office"',
    },
    "a secret name": {
      before: { name: "Office" },
      after: { name: "HQ" },
      secret: ["name"],
      sends: [patch({ name: "HQ" })],
      line: "sets a name that is a secret value",
    },
    "a smaller range": {
      before: large,
      after: small,
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: `[narrows access] admits 203.0.113.0/25, half of 203.0.113.0/24${lockout}`,
    },
    "a much smaller range": {
      before: { sourceCidr: "::/0" },
      after: { sourceCidr: "2001:db8::/32", mustInclude: ["2001:db8::7"] },
      sends: [patch({ source_cidr: "2001:db8::/32" })],
      line: '[narrows access] admits 2001:db8::/32, a tiny part of the whole internet (::/0); `+ mustInclude: ["2001:db8::7"]`',
    },
    "a larger range": {
      before: small,
      after: large,
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: "[widens access] admits 203.0.113.0/24, twice 203.0.113.0/25",
    },
    "a range that is 256 times as large": {
      before: { sourceCidr: "203.0.113.7/32" },
      after: large,
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: "[widens access] admits 203.0.113.0/24, 256 times 203.0.113.7/32",
    },
    "the whole internet": {
      before: large,
      after: { sourceCidr: "0.0.0.0/0" },
      sends: [patch({ source_cidr: "0.0.0.0/0" })],
      line: "[widens access] admits the whole internet (0.0.0.0/0) instead of 203.0.113.0/24",
    },
    "another range": {
      before: large,
      after: { sourceCidr: "2001:db8::/32" },
      sends: [patch({ source_cidr: "2001:db8::/32" })],
      line: `${both} admits 2001:db8::/32 and no longer 203.0.113.0/24, which is another range${lockout}`,
    },
    "a range that is not known yet": {
      before: large,
      after: { sourceCidr: unknown },
      line: `${both} which range it admits is not known yet${lockout}`,
    },
    "a secret range": {
      before: large,
      after: small,
      secret: ["sourceCidr"],
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: `${both} which range it admits is a secret value${lockout}`,
    },
    "no range any more": {
      before: { ...large, name: "HQ" },
      after: { name: "HQ" },
      line: '[stops managing] range no longer managed, left as last set (203.0.113.0/24); `- sourceCidr: "203.0.113.0/24"`',
    },
    "no name any more, with another range": {
      before: { ...small, name: "HQ" },
      after: large,
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: "[widens access, stops managing] admits 203.0.113.0/24, twice 203.0.113.0/25; name no longer managed, left as last set (HQ)",
    },
    "a range and a name that are due": {
      before: { ...large, name: "HQ", ...again },
      after: { ...large, name: "HQ", ...again },
      sends: [patch({ name: "HQ", source_cidr: large.sourceCidr })],
      line: `${both} sends 203.0.113.0/24 and its name again (due 2026-01-31); replaces whatever was set elsewhere`,
      ...due,
    },
    "a range that is due, with another name": {
      before: { ...large, name: "HQ", ...again },
      after: { ...large, name: "Office", ...again },
      sends: [patch({ name: "Office", source_cidr: large.sourceCidr })],
      line: `${both} sends 203.0.113.0/24 again (due 2026-01-31); replaces whatever was set elsewhere; sets the name "Office" instead of "HQ"`,
      ...due,
    },
    "another range that is due": {
      before: { ...small, ...again },
      after: { ...large, ...again },
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: "[widens access] admits 203.0.113.0/24, twice 203.0.113.0/25 (due 2026-01-31)",
      ...due,
    },
    "a range that is due and needs no approval": {
      before: { ...large, ...unattended },
      after: { ...large, ...unattended },
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: "sends 203.0.113.0/24 again (due 2026-01-31); replaces whatever was set elsewhere",
      ...due,
    },
    "a name that is due": {
      before: { name: "HQ", ...again },
      after: { name: "HQ", ...again },
      sends: [patch({ name: "HQ" })],
      line: 'sends the name "HQ" again (due 2026-01-31); replaces whatever was set elsewhere',
      ...due,
    },
    removed: {
      undo: ["a removed RetentionPolicy or NetworkPolicy", patch({ source_cidr: large.sourceCidr })],
      before: large,
      line: "[stops managing] no longer managed, left as last set (203.0.113.0/24)",
    },
    "removed, with a range by onDelete": {
      before: { ...large, onDelete: small },
      sends: [patch({ source_cidr: small.sourceCidr })],
      line: "[narrows access] by `onDelete`, admits 203.0.113.0/25, half of 203.0.113.0/24",
    },
    "removed, with the same range by onDelete": {
      before: { ...large, onDelete: large },
      sends: [patch({ source_cidr: large.sourceCidr })],
      line: `${both} by \`onDelete\`, sends 203.0.113.0/24 again; replaces whatever was set elsewhere`,
    },
    "removed, with an onDelete that cannot be seen": {
      before: { ...large, onDelete: small },
      state: { onDelete: "[secret]" },
      sends: [patch({})],
      line: `${both} by \`onDelete\`, which range it admits is a secret value`,
    },
    "an onDelete with a range": {
      before: large,
      after: { ...large, onDelete: small },
      line: '[weakens a guard] `~ onDelete: "retain" => { sourceCidr: "203.0.113.0/25" }`',
    },
    "an onDelete with a name": {
      before: large,
      after: { ...large, onDelete: { name: "old" } },
      line: '`~ onDelete: "retain" => { name: "old" }`',
    },
    "one address less that must stay": {
      before: { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
      after: { ...large, mustInclude: ["203.0.113.7"] },
      line: '[weakens a guard] `~ mustInclude: ["203.0.113.7", "203.0.113.8"] => ["203.0.113.7"]`',
    },
    "one address more that must stay": {
      before: { ...large, mustInclude: ["203.0.113.7"] },
      after: { ...large, mustInclude: ["203.0.113.8", "203.0.113.7"] },
      line: '`~ mustInclude: ["203.0.113.7"] => ["203.0.113.8", "203.0.113.7"]`',
    },
    "no address any more that must stay out": {
      before: { ...large, mustExclude: ["198.51.100.7"] },
      after: large,
      line: '[weakens a guard] `- mustExclude: ["198.51.100.7"]`',
    },
    "secret addresses that must stay": {
      before: { ...large, mustInclude: ["203.0.113.7"] },
      after: { ...large, mustInclude: ["203.0.113.7", "203.0.113.8"] },
      secret: ["mustInclude"],
      line: '[weakens a guard] `~ mustInclude: ["203.0.113.7"] => (a secret value)`',
    },
  },
  TrunkOutboundAuth: {
    cleared: {
      after: { cleared: true },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials, ${restore}`,
    },
    tracked: { after: { cleared: false }, line: "tracked, with its outbound credentials left as they are" },
    "adopted as cleared": {
      after: { cleared: true, ...adopt },
      line: "adopted as cleared without a request, which is not confirmed",
    },
    "cleared after it was tracked": {
      undo: ["TrunkOutboundAuth: cleared"],
      before: { cleared: false },
      after: { cleared: true },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials, ${restore}`,
    },
    "tracked after it was cleared": {
      before: { cleared: true },
      after: { cleared: false },
      line: "only tracked from now on: credentials that were cleared are not restored; `~ cleared: true => false`",
    },
    "not known yet": {
      before: { cleared: false },
      after: { cleared: unknown },
      line: `[cuts a trunk] may clear its outbound credentials (whether it is cleared is not known yet), ${restore}`,
    },
    "another trigger": {
      undo: ["TrunkOutboundAuth: other triggers, or removed", clear],
      before: { cleared: true, triggers: { a: 1 } },
      after: { cleared: true, triggers: { a: 2 } },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials once more (trigger a changed), ${restore}`,
    },
    "another trigger after it was adopted": {
      before: { cleared: true, ...adopt },
      after: { cleared: true, ...adopt, triggers: { a: 2 } },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials (trigger a changed), ${restore}`,
    },
    "another trigger that has no effect": {
      before: { cleared: false },
      after: { cleared: false, triggers: { a: 1 } },
      line: "`+ triggers.a: 1`: stored without a request",
    },
    due: {
      before: { cleared: true, ...again },
      after: { cleared: true, ...again },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31), ${restore}`,
      ...due,
    },
    "due without an approval": {
      before: { cleared: true, ...unattended },
      after: { cleared: true, ...unattended },
      sends: [clear],
      line: `clears its outbound credentials once more (due 2026-01-31), ${restore}`,
      ...due,
    },
    "due without an approval, with another trigger": {
      before: { cleared: true, ...unattended },
      after: { cleared: true, ...unattended, triggers: { a: 1 } },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31, trigger a changed), ${restore}`,
      ...due,
    },
    "due without an approval, after a lost answer": {
      before: { cleared: true, ...unattended },
      state: lost,
      after: { cleared: true, ...unattended },
      sends: [clear],
      line: `[cuts a trunk] clears its outbound credentials once more (due 2026-01-31, its last request may have been carried out), ${restore}`,
      ...due,
    },
    removed: {
      undo: ["TrunkOutboundAuth: other triggers, or removed", clear],
      before: { cleared: true },
      line: "[stops managing] no longer managed, left as it is",
    },
    "removed, and cleared by onDelete": {
      before: { cleared: false, onDelete: "clear" },
      sends: [clear],
      line: `[cuts a trunk] by \`onDelete\`, clears its outbound credentials, ${restore}`,
    },
    "an onDelete that clears": {
      before: { cleared: false },
      after: { cleared: false, onDelete: "clear" },
      line: '[weakens a guard] `~ onDelete: "retain" => "clear"`',
    },
    "an onDelete that clears, from the start": {
      after: { cleared: false, onDelete: "clear" },
      line: '[weakens a guard] `+ onDelete: "clear"`; tracked, with its outbound credentials left as they are',
    },
  },
  WebhookSecret: {
    "a first rotation": { undo: ["a new WebhookSecret"], after: {}, sends: [rotate], line: rotates(" on creation") },
    "a first rotation that is not known yet": {
      after: { onCreate: unknown },
      line: mayRotate("`onCreate` is not known yet").replace("secret (", "secret on creation ("),
    },
    adopted: { after: adopt, line: "adopted, with its signing secret left as it is" },
    "another trigger": {
      undo: ["WebhookSecret: other triggers", rotate],
      before: { triggers: { a: 1, b: 1 } },
      after: { triggers: { a: 2, c: 1 } },
      sends: [rotate],
      line: rotates(" (triggers a, b, c changed)"),
    },
    "many triggers": {
      before: {},
      after: { triggers: { a: 1, b: 1, c: 1, d: 1, e: 1 } },
      sends: [rotate],
      line: rotates(" (triggers a, b, c, d, … changed)"),
    },
    "a trigger that is not known yet": {
      before: { triggers: { a: 1 } },
      after: { triggers: { a: unknown } },
      line: mayRotate("trigger a: not known yet"),
    },
    "a trigger that changed, beside one that is not known yet": {
      before: { triggers: { a: 1 } },
      after: { triggers: { a: 2, b: unknown } },
      line: rotates(" (trigger a changed)"),
    },
    "secret triggers": {
      before: { triggers: { a: 1 } },
      after: { triggers: { a: 2 } },
      secret: ["triggers"],
      sends: [rotate],
      line: mayRotate("triggers: a secret value"),
    },
    due: {
      before: { rotateAfter: "90d" },
      after: { rotateAfter: "90d" },
      sends: [rotate],
      line: rotates(" (due 2026-04-01)"),
      on: "2026-04-02",
    },
    "a lost answer": {
      before: {},
      state: { rotationState: "uncertain" },
      after: {},
      sends: [rotate],
      line: rotates(" (its last rotation may have been carried out)"),
    },
    "a first period": {
      undo: ["WebhookSecret: a first rotateAfter"],
      before: {},
      after: { rotateAfter: "90d" },
      line: '`+ rotateAfter: "90d"`',
    },
    "a longer period": {
      before: { rotateAfter: "90d" },
      after: { rotateAfter: "91d" },
      line: '[weakens a guard] `~ rotateAfter: "90d" => "91d"`',
    },
    "a shorter period with another trigger": {
      before: { rotateAfter: "90d" },
      after: { rotateAfter: "30d", triggers: { a: 1 } },
      sends: [rotate],
      line: `${rotates(" (trigger a changed)")}; \`~ rotateAfter: "90d" => "30d"\``,
    },
    "options of later rotations": {
      before: {},
      after: { ...adopt, secretPath: "key", initialSecret: "canary" },
      secret: ["initialSecret"],
      line: '`~ onCreate: "rotate" => "adopt"`; `+ secretPath: "key"`; `+ initialSecret: (a secret value)`',
    },
    "removed with its secret": {
      undo: ["a removed WebhookSecret", rotate],
      before: {},
      line:
        "[forgets a secret, stops managing] signing secret no longer managed; deletes its only known copy, in the state, " +
        "while the webhook keeps using it",
    },
    "removed without a secret": {
      undo: ["a removed WebhookSecret"],
      before: adopt,
      line: "[stops managing] signing secret no longer managed, left as it is",
    },
  },
};

describe.each(Object.keys(cases) as (keyof typeof cases)[])("%s", (type) => {
  test.each(Object.entries(cases[type]))(
    "%s",
    async (_name, { before, after, on, sends = [], line, secret = [], state, undo }) => {
      const { engine, today, journal, forgetRequests } = await world(lifecycles[type]);
      const [[name, identity] = ["", {}]] = Object.entries<object>(objects[type]);
      const program = (args?: object) => (args ? { [name]: { ...identity, ...args } } : {});
      if (before) await engine.up(program(before));
      if (state) Object.assign(engine.outputsOf(name) ?? {}, state);
      if (on) today(on);
      forgetRequests();
      engine.risks();

      const steps = engine.steps(program(after));
      const warned = engine.risks();
      for (const step of steps)
        for (const key of secret) Object.assign(step.after?.inputs ?? {}, { [key]: "[secret]" });
      const run = { kind: "preview", steps, errors: [], warnings: [], violations: [], complete: true } as const;
      const [change, ...others] = changeLines(await describePreview({ ...run, organizationFile: undefined }));
      expect(others).toEqual([]);
      expect(change?.replace(`${name}: `, "")).toEqual(line);

      // The provider warns of each risk of the request, in the words of the report, unless the engine hides a value from the report.
      const isSent = after !== undefined && /^\[(?!weakens|stops|forgets)/.test(line ?? "");
      const isUncertainRotation = state !== undefined && "rotationState" in state;
      if (secret.length === 0 && !isUncertainRotation) {
        expect(warned).toHaveLength(isSent ? 1 : 0);
        for (const text of warned) expect(line).toContain(text.replace(/^.*? of acme: /, "").slice(0, -1));
      }
      if (JSON.stringify(after ?? {}).includes(unknown)) return;
      // The same program again sends nothing more.
      await engine.up(program(after));
      await engine.up(program(after));
      expect(journal()).toEqual(sends);
      if (!undo) return;
      await engine.up(program(before));
      expect(journal()).toEqual(undo.slice(1));
    },
  );
});

describe("docs/operate/undo.md", () => {
  const refused = "RetentionPolicy: more days";

  test("has a row for each change above that is reverted, which says what is sent", () => {
    const [, table = ""] = read("docs/operate/undo.md").split("## What a revert sends");
    const rows = [...table.matchAll(/^\| (.+?) +\| (.+?) +\|/gm)].slice(2).map(([, change = "", sent = ""]) => {
      return [change, ...new Set(sent.match(/PUT|PATCH|DELETE|POST/g) ?? [])].join(" ");
    });
    const undone = Object.values(cases).flatMap((each) =>
      Object.values(each).flatMap(({ undo }) => (undo ? [undo] : [])),
    );
    const tested = [...Map.groupBy(undone, ([row]) => row)].map(([row, each]) =>
      [row, ...new Set(each.flatMap(([, ...sends]) => sends.map((request) => request.split(" ")[0])))].join(" "),
    );
    expect(rows.sort()).toEqual([...tested, refused].sort());
  });

  test(`${refused}: the preview refuses the revert until it allows the step`, async () => {
    const { engine, forgetRequests, journal } = await world(retentionPolicy);
    const recordings = (args: object) => ({ recordings: { ...objects.RetentionPolicy.recordings, ...args } });
    await engine.up(recordings(days(90)));
    await engine.up(recordings(days(365)));
    forgetRequests();
    expect(await messageOf(engine.up(recordings(days(90))))).toContain(
      "365 => 90 deletes recordings older than 90 days for good",
    );
    expect(journal()).toEqual([]);
    await engine.up(recordings(days(90, allows(365, 90))));
    expect(journal()).toEqual([put(90)]);
  });
});
