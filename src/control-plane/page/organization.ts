import { retentionResources, type RetentionResource } from "../../contract/index.js";
import type { State } from "../control.js";
import type { NetworkPolicyRecord, TrunkRecord, WebhookRecord, RetentionPolicyRecord } from "../records.js";
import { joined, copyButton, html, shortId, userText, type Html, day, duration, grouped, count } from "./html.js";

/** The parts of the page for the organization, by element id. The clock decides the age of secrets. */
export function organizationParts(state: State, clock: { readonly now: string }) {
  const { organization, networkPolicies, trunks, webhooks } = state;
  const now = Date.parse(clock.now);
  return {
    about: html`Organization ${shortId(organization.id)} ${copyButton(organization.id, "the organization's id")}`,
    retention: retentionTable(state),
    "retention-count": retentionCount(state),
    "retention-note": retentionNote(organization),
    networks: recordTable("networks", ["Policy", "Range"], networkPolicies.map(networkPolicy)),
    "networks-count": html`${grouped(networkPolicies.length)}`,
    "networks-note": networksNote(organization),
    trunks: recordTable("trunks", ["Trunk", "Outbound authentication"], trunks.map(trunk)),
    "trunks-count": html`${grouped(trunks.length)}`,
    webhooks: recordTable(
      "webhooks",
      ["Webhook", "Age of the secret"],
      webhooks.map((record) => webhook(record, now)),
    ),
    "webhooks-count": html`${grouped(webhooks.length)}`,
  };
}

function networksNote({ callerAddress, entitlements }: State["organization"]): Html {
  const enforcement =
    callerAddress === null
      ? "Not enforced: no address is set for callers on this machine."
      : `Enforced: callers on this machine count as ${callerAddress}.`;
  return html`${enforcement}
  ${entitlements.privateNetworking ? undefined : "The organization lacks the entitlement: changes answer 403."}`;
}

function networkPolicy({ id, name, action, source_cidr, status }: NetworkPolicyRecord): Html {
  return recordRow(
    name,
    id,
    html`<span class="range">${source_cidr}</span
      ><span class="detail"
        >${action === "allow" ? "allowed" : "denied"}${status === "active" ? "" : ", disabled"}</span
      >`,
  );
}

function trunk({ id, name, outbound_auth }: TrunkRecord): Html {
  return recordRow(name, id, html`${outbound_auth}`);
}

function webhook(record: WebhookRecord, nowMs: number): Html {
  const { id, url, enabled, signing_secret_sha256, created_at, updated_at } = record;
  // Only a rotation stores a digest. After it, only rotations change `updated_at`.
  const rotated = signing_secret_sha256 !== null;
  const since = rotated ? updated_at : created_at;
  const age = nowMs - Date.parse(since);
  return recordRow(
    publicUrl(url),
    id,
    html`${age < 0 ? "from later than now" : duration(age)}<span class="detail"
        >${rotated ? "rotated" : "created"} <time datetime="${since}">${day(since)}</time>${
          enabled ? undefined : html`<br />disabled`
        }</span
      >`,
  );
}

/** Omits the user, query and fragment, because they may contain credentials. */
function publicUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}

function recordRow(name: string, id: string, content: Html): Html {
  return html`<tr>
    <th scope="row">${userText(name)}</th>
    <td>${content}</td>
    <td class="identity">${shortId(id)}${copyButton(id, `the id of ${name.slice(0, 60)}`)}</td>
  </tr>`;
}

/** A table of records. The heading of `section` names it. */
function recordTable(section: string, columns: readonly [string, string], rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p class="none">None</p>`;
  return table(section, html`${[...columns, "Id"].map(columnHeader)}`, rows);
}

function table(section: string, headers: Html, rows: readonly Html[]): Html {
  return html`<table aria-labelledby="${section}-title">
    <thead>
      <tr>
        ${headers}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function columnHeader(content: Html | string): Html {
  return html`<th scope="col">${content}</th>`;
}

export const kindNames: Record<RetentionResource, string> = {
  recordings: "Recordings",
  conversations: "Conversations",
  audit_events: "Audit events",
};

/** Axes in days, shortest first. The last one covers the limit of the interface. The labels fit on a phone. */
const axes = [
  [0, 10, 20, 30],
  [0, 30, 60, 90],
  [0, 90, 180, 270, 365],
  [0, 365, 730],
  [0, 1095, 2190],
  [0, 1825, 3650],
] as const;

/** The table of retention policies. All bars use the shortest axis that fits them. */
export function retentionTable({ retentionPolicies }: State): Html {
  const axis = axisFor(retentionPolicies.map(({ retention_days }) => retention_days));
  const scaleHeader = html`<span class="unseen">As a bar from 0 to ${count(lastOf(axis), "day")}</span>${scale(axis)}`;
  return table(
    "retention",
    joined(["Days kept", scaleHeader].map(columnHeader), "\n        "),
    retentionResources.map((kind) => {
      const policy = retentionPolicies.find(({ resource }) => resource === kind);
      return retentionRow(kind, policy, axis);
    }),
  );
}

export function retentionCount({ retentionPolicies }: State): Html {
  return html`${retentionPolicies.length} of ${retentionResources.length} set`;
}

function axisFor(days: readonly number[]): readonly number[] {
  const longest = Math.max(0, ...days);
  return axes.find((axis) => lastOf(axis) >= longest) ?? axes[axes.length - 1] ?? [];
}

function lastOf(axis: readonly number[]): number {
  return axis.at(-1) ?? 0;
}

function retentionRow(
  kind: RetentionResource,
  policy: RetentionPolicyRecord | undefined,
  axis: readonly number[],
): Html {
  return html`<tr>
    <th scope="row">${kindNames[kind]}<span class="value">${policy === undefined ? "not set" : kept(policy)}</span></th>
    <td>${bar(policy, axis)}</td>
  </tr>`;
}

function kept({ retention_days, enabled }: RetentionPolicyRecord): string {
  return `${count(retention_days, "day")}${enabled ? "" : ", disabled"}`;
}

/** Lengths are attributes, because the content security policy forbids inline styles. */
function bar(policy: RetentionPolicyRecord | undefined, axis: readonly number[]): Html {
  const lines = axis.map((days) => html`<line x1="${share(days, axis)}" x2="${share(days, axis)}" y1="0" y2="100%" />`);
  return html`<svg class="bar" aria-hidden="true" focusable="false">
    ${lines}
    ${
      policy === undefined
        ? undefined
        : html`<rect
            class="${policy.enabled ? "enabled" : "disabled"}"
            width="${share(policy.retention_days, axis)}"
            y="25%"
            height="50%"
            rx="2"
          />`
    }
  </svg>`;
}

function scale(axis: readonly number[]): Html {
  const labels = axis.map((days, index) => {
    const anchor = index === 0 ? "start" : index === axis.length - 1 ? "end" : "middle";
    return html`<text x="${share(days, axis)}" y="12" text-anchor="${anchor}">${grouped(days)}</text>`;
  });
  return html`<svg class="scale" aria-hidden="true" focusable="false">${labels}</svg>`;
}

function share(days: number, axis: readonly number[]): string {
  return `${Number(((days / lastOf(axis)) * 100).toFixed(2))}%`;
}

export function retentionNote({ entitlements, retentionPlan }: State["organization"]): Html {
  const sentences = [
    retentionPlan.maxDays === null ? [] : `The plan keeps data for at most ${count(retentionPlan.maxDays, "day")}.`,
    retentionPlan.available ? [] : "The plan service is away: changes answer 503.",
    entitlements.retentionPolicies ? [] : "The organization lacks the entitlement: changes answer 403.",
  ];
  return html`${sentences.flat().join(" ")}`;
}
