import type { State } from "../control.js";
import type { NetworkPolicyRecord, TrunkRecord, WebhookRecord } from "../records.js";
import { given, html, type Html } from "./html.js";
import { retentionTable } from "./retention.js";
import { day, duration } from "./words.js";

/** The page's parts that show the organization, by the id of the element that each fills. */
export interface Parts {
  readonly about: Html;
  readonly retention: Html;
  readonly networks: Html;
  readonly trunks: Html;
  readonly webhooks: Html;
}

/** @param clock the control plane's, by which secrets age */
export function organizationParts(state: State, clock: { readonly now: string; readonly offsetMs: number }): Parts {
  return {
    about: about(state, clock.offsetMs),
    retention: retentionTable(state),
    networks: networks(state),
    trunks: table("trunks", ["Trunk", "Outbound authentication"], state.trunks.map(trunk)),
    webhooks: table("webhooks", ["Webhook", "Age of the secret"], webhooks(state, Date.parse(clock.now))),
  };
}

function about({ organization }: State, offsetMs: number): Html {
  const shifted = `The clock is ${duration(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead of" : "behind"} this machine's.`;
  return html`Organization <span class="id">${organization.id}</span> ${
      offsetMs === 0 ? undefined : html`<span class="shifted">${shifted}</span>`
    }`;
}

function networks({ networkPolicies, organization }: State): Html {
  const { callerAddress, entitlements } = organization;
  return html`${table("networks", ["Policy", "Range"], networkPolicies.map(networkPolicy))}
    <p class="note">
      ${callerAddress === null ? "Not enforced: no address is set for callers on this machine." : `Enforced: callers on this machine count as ${callerAddress}.`}
      ${entitlements.privateNetworking ? undefined : "The organization lacks the entitlement: changes answer 403."}
    </p>`;
}

function networkPolicy({ id, name, action, source_cidr, status }: NetworkPolicyRecord): Html {
  return html`<tr>
    <th scope="row">${given(name)}<span class="id">${id}</span></th>
    <td>
      <span class="range">${source_cidr}</span
      ><span class="detail"
        >${action === "allow" ? "allowed" : "denied"}${status === "active" ? "" : ", disabled"}</span
      >
    </td>
  </tr>`;
}

function trunk({ id, name, outbound_auth }: TrunkRecord): Html {
  return html`<tr>
    <th scope="row">${given(name)}<span class="id">${id}</span></th>
    <td><span class="${outbound_auth}">${outbound_auth}</span></td>
  </tr>`;
}

function webhooks({ webhooks }: State, nowMs: number): Html[] {
  return webhooks.map((record) => webhook(record, nowMs));
}

function webhook(record: WebhookRecord, nowMs: number): Html {
  const { id, url, enabled, signing_secret_sha256, created_at, updated_at } = record;
  // Only a rotation leaves a secret's digest behind, and nothing but rotations moves `updated_at` from then on.
  const rotated = signing_secret_sha256 !== null;
  const since = rotated ? updated_at : created_at;
  const age = nowMs - Date.parse(since);
  return html`<tr>
    <th scope="row">${given(publicUrl(url))}<span class="id">${id}</span></th>
    <td>
      ${age < 0 ? "from later than now" : duration(age)}<span class="detail"
        >${rotated ? "rotated" : "since it was created,"} <time datetime="${since}">${day(since)}</time>${
          enabled ? undefined : html`<br />webhook is disabled`
        }</span
      >
    </td>
  </tr>`;
}

/** Receivers' addresses may carry credentials of their own, as a user, in the query or behind it. */
function publicUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host}${pathname}${search === "" ? "" : "?…"}`;
}

/** @param section the id of the section, whose heading names the table */
function table(section: string, columns: readonly [string, string], rows: readonly Html[]): Html {
  const [first, second] = columns;
  return html`<table aria-labelledby="${section}-title">
    <thead>
      <tr>
        <th scope="col">${first}</th>
        <th scope="col">${second}</th>
      </tr>
    </thead>
    <tbody>
      ${
        rows.length === 0
          ? html`<tr>
              <td colspan="2" class="none">None</td>
            </tr>`
          : rows
      }
    </tbody>
  </table>`;
}
