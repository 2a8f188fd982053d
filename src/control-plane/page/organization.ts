import type { State } from "../control.js";
import type { NetworkPolicyRecord, TrunkRecord, WebhookRecord } from "../records.js";
import { copyButton, html, shortId, userText, type Html } from "./html.js";
import { retentionCount, retentionNote, retentionTable } from "./retention.js";
import { day, duration, grouped } from "./words.js";

/**
 * The page's parts that show the organization, by the id of the element that each fills.
 *
 * @param clock the control plane's, by which secrets age
 */
export function organizationParts(state: State, clock: { readonly now: string }) {
  const { organization, networkPolicies, trunks, webhooks } = state;
  const now = Date.parse(clock.now);
  return {
    about: html`Organization ${shortId(organization.id)} ${copyButton(organization.id, "the organization's id")}`,
    retention: retentionTable(state),
    "retention-count": retentionCount(state),
    "retention-note": retentionNote(organization),
    networks: table("networks", ["Policy", "Range"], networkPolicies.map(networkPolicy)),
    "networks-count": html`${grouped(networkPolicies.length)}`,
    "networks-note": networksNote(organization),
    trunks: table("trunks", ["Trunk", "Outbound authentication"], trunks.map(trunk)),
    "trunks-count": html`${grouped(trunks.length)}`,
    webhooks: table(
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
  return row(
    name,
    id,
    html`<span class="range">${source_cidr}</span
      ><span class="detail"
        >${action === "allow" ? "allowed" : "denied"}${status === "active" ? "" : ", disabled"}</span
      >`,
  );
}

function trunk({ id, name, outbound_auth }: TrunkRecord): Html {
  return row(name, id, html`${outbound_auth}`);
}

function webhook(record: WebhookRecord, nowMs: number): Html {
  const { id, url, enabled, signing_secret_sha256, created_at, updated_at } = record;
  // Only a rotation leaves a secret's digest behind, and nothing but rotations moves `updated_at` from then on.
  const rotated = signing_secret_sha256 !== null;
  const since = rotated ? updated_at : created_at;
  const age = nowMs - Date.parse(since);
  return row(
    publicUrl(url),
    id,
    html`${age < 0 ? "from later than now" : duration(age)}<span class="detail"
        >${rotated ? "rotated" : "created"} <time datetime="${since}">${day(since)}</time>${
          enabled ? undefined : html`<br />disabled`
        }</span
      >`,
  );
}

/** Receivers' addresses may carry credentials of their own, as a user, in the query or behind it. */
function publicUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}

function row(name: string, id: string, content: Html): Html {
  return html`<tr>
    <th scope="row">${userText(name)}</th>
    <td>${content}</td>
    <td class="identity">${shortId(id)}${copyButton(id, `the id of ${name.slice(0, 60)}`)}</td>
  </tr>`;
}

/** @param section the id of the section, whose heading names the table */
function table(section: string, columns: readonly [string, string], rows: readonly Html[]): Html {
  if (rows.length === 0) return html`<p class="none">None</p>`;
  return html`<table aria-labelledby="${section}-title">
    <thead>
      <tr>
        ${[...columns, "Id"].map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}
