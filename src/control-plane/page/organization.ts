import { retentionDaysLimits, retentionResources, type RetentionResource } from "../../contract/index.js";
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
    "retention-count": html`${state.retentionPolicies.length} of ${retentionResources.length} set`,
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
    html`${age < 0 ? undefined : duration(age)}<span class="detail"
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

/** In days. The labels fit on a phone. */
const scaleDays = [0, 90, 365, 1095, 2190, retentionDaysLimits.max];

function retentionTable({ retentionPolicies }: State): Html {
  const scaleHeader = html`<span class="detail"
      >As a bar on a square-root scale from 0 to ${count(retentionDaysLimits.max, "day")}</span
    >${scale}`;
  return table(
    "retention",
    joined(["Days kept", scaleHeader].map(columnHeader), "\n        "),
    retentionResources.map((kind) => {
      const policy = retentionPolicies.find(({ resource }) => resource === kind);
      return html`<tr>
        <th scope="row">
          ${kindNames[kind]}<span class="value">${policy === undefined ? "not set" : kept(policy)}</span>
        </th>
        <td>${bar(policy)}</td>
      </tr>`;
    }),
  );
}

function kept({ retention_days, enabled }: RetentionPolicyRecord): string {
  return `${count(retention_days, "day")}${enabled ? "" : ", disabled"}`;
}

/** Lengths are attributes, because the content security policy forbids inline styles. */
function bar(policy: RetentionPolicyRecord | undefined): Html {
  const lines = scaleDays.map((days) => html`<line x1="${share(days)}" x2="${share(days)}" y1="0" y2="100%" />`);
  return html`<svg class="bar" aria-hidden="true" focusable="false">
    ${lines}
    ${
      policy &&
      html`<rect
        class="${policy.enabled ? "enabled" : "disabled"}"
        width="${share(policy.retention_days)}"
        y="25%"
        height="50%"
        rx="2"
      />`
    }
  </svg>`;
}

const scale = html`<svg class="scale" aria-hidden="true" focusable="false">
  ${scaleDays.map((days, index) => {
    const anchor = index === 0 ? "start" : index === scaleDays.length - 1 ? "end" : "middle";
    return html`<text x="${share(days)}" y="12" text-anchor="${anchor}">${grouped(days)}</text>`;
  })}
</svg>`;

/** Its square root: a month stays visible beside ten years. */
function share(days: number): string {
  return `${Number((Math.sqrt(days / retentionDaysLimits.max) * 100).toFixed(2))}%`;
}

function retentionNote({ entitlements, retentionPlan }: State["organization"]): Html {
  const sentences = [
    retentionPlan.maxDays === null ? [] : `The plan keeps data for at most ${count(retentionPlan.maxDays, "day")}.`,
    retentionPlan.available ? [] : "The plan service is unavailable: changes answer 503.",
    entitlements.retentionPolicies ? [] : "The organization lacks the entitlement: changes answer 403.",
  ];
  return html`${sentences.flat().join(" ")}`;
}
