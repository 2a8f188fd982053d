import { operations, retentionResources, type OperationName } from "../../contract/index.js";
import { journalPage } from "../admin.js";
import type { State } from "../control.js";
import type { Fault } from "../faults.js";
import type { JournalEntry } from "../records.js";
import { networkPolicyBody, retentionPolicyBody, route } from "../wire.js";
import {
  copyButton,
  html,
  joined,
  shortId,
  shortened,
  userText,
  type Html,
  count,
  day,
  grouped,
  operationTitles,
  timeOfDay,
} from "./html.js";
import { carriedOut, faultTexts } from "./conditions.js";
import { kindNames } from "./organization.js";

export const journalLength = 100;

type Verdict = "committed" | "read" | "refused" | "fault";

/** The result of a request. "fault" means that a fault replaced or removed its answer. */
function verdictOf({ fault, committed, status }: JournalEntry): Verdict {
  if (fault !== null && fault !== "latency") return "fault";
  if (committed) return "committed";
  return status !== null && status < 300 ? "read" : "refused";
}

/** The rows of `entries`, latest first. The store has them oldest first. */
export function requestRows(entries: readonly JournalEntry[], state: State): Html {
  return html`${entries.toReversed().map((entry) => requestRow(entry, state))}`;
}

export function journalNote(requests: number): Html {
  if (requests <= journalLength) return html``;
  const all = requests > journalPage ? `The latest ${grouped(journalPage)}` : `All ${grouped(requests)}`;
  return html`These are the latest ${journalLength}. <a href="/_control/journal">${all} as JSON</a>`;
}

function requestRow(entry: JournalEntry, state: State): Html {
  const { time, requestId, method, operation, refusal } = entry;
  const verdict = verdictOf(entry);
  const body = shownBody(entry.body);
  // A row has no name of its own in what is folded.
  const name = `request-${requestId}`;
  return html`<tr class="${operation === null ? "outside" : verdict}" aria-labelledby="${name}">
    <td class="when">
      <time datetime="${time}">${timeOfDay(time)}</time><span class="detail date">${day(time)}</span>
    </td>
    <td class="request">
      <details>
        <summary id="${name}">
          ${requestSummary(entry, state)}${refusal === null ? undefined : html` <span class="reason">${refusal}</span>`}
        </summary>
        <code class="detail">${method} ${pathMarkup(entry)}</code>
        ${body === undefined ? undefined : html`<pre><code>${body}</code></pre>`}
        <span class="origin"
          ><span>${caller(entry)}</span>
          <span>request ${shortId(requestId)}${copyButton(requestId, "the request id")}</span></span
        >
      </details>
    </td>
    <td class="ending">
      <span class="verdict ${verdict}">${verdict}</span> <span class="detail">${ending(entry)}</span>
    </td>
  </tr>`;
}

/** The text that a screen reader announces for new requests. */
export function announcement(entries: readonly JournalEntry[]): string {
  return entries
    .map((entry) =>
      [`${title(entry.operation)}: ${verdictOf(entry)}`, ending(entry), entry.refusal ?? []].flat().join(", "),
    )
    .join(". ");
}

function caller({ token }: JournalEntry): string {
  if (token === null) return "without a valid token";
  // Token names are camel case, such as "withoutTrunksWrite".
  return `token: ${token.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

const effectTexts: Readonly<Partial<Record<string, string>>> = {
  ...faultTexts,
  latency: "slowed",
  status: "set by a fault",
} satisfies Record<Fault["effect"], string>;

function ending({ fault, committed, status }: JournalEntry): string {
  const effect = fault === null ? null : (effectTexts[fault] ?? fault);
  const answered = [status, effect].filter((part) => part !== null).join(" ");
  return fault === null || fault === "latency" ? answered : `${answered}, ${carriedOut(committed)}`;
}

function title(operation: OperationName | null): string {
  return operation === null ? "Not part of the interface" : operationTitles[operation];
}

function requestSummary(entry: JournalEntry, state: State): Html {
  const { operation, body } = entry;
  if (operation === null) return html`${title(null)}`;
  const name = objectName(entry, state);
  return joined(
    [html`${title(operation)}`, name === undefined ? undefined : userText(name), requested(operation, body)],
    " · ",
  );
}

function objectName({ operation, method, path }: JournalEntry, state: State): string | undefined {
  const found = route(method, path);
  const id = "parameter" in found ? found.parameter : undefined;
  if (operation === "putRetentionPolicy") {
    const kind = retentionResources.find((resource) => resource === id);
    return kind && kindNames[kind].toLowerCase();
  }
  if (operation === "rotateWebhookSecret") {
    const webhook = state.webhooks.find((candidate) => candidate.id === id);
    return webhook && new URL(webhook.url).host;
  }
  const named = operation === "patchNetworkPolicy" ? state.networkPolicies : state.trunks;
  return named.find((candidate) => candidate.id === id)?.name;
}

/** The original path with a shortened id. */
function pathMarkup({ operation, path }: JournalEntry): Html {
  if (operation === null) return userText(path);
  const parameter = operations[operation].path.split("/").findIndex((segment) => segment.startsWith("{"));
  return joined(
    path.split("/").map((segment, at) => (at === parameter ? shortId(segment) : html`${segment}`)),
    "/",
  );
}

const bodyFields = new Set(Object.keys({ ...retentionPolicyBody.shape, ...networkPolicyBody.shape }));

/** A body as sent, without the values of fields that the interface does not have: they may be secret. */
function shownBody(body: unknown): string | undefined {
  if (body === null) return undefined;
  if (typeof body === "string") return "A text that is not JSON, or JSON that is too long to show.";
  const shown = (field: string, value: unknown): unknown => {
    if (field !== "" && !bodyFields.has(field)) return "…";
    return typeof value === "string" ? shortened(value) : value;
  };
  return JSON.stringify(body, shown, 2);
}

/** The known fields of a body. Other fields may contain anything and are not shown. */
function requested(operation: OperationName, body: unknown): Html | undefined {
  if (operation === "putRetentionPolicy") {
    const { data } = retentionPolicyBody.safeParse(body);
    return data && html`${count(data.retention_days, "day")}${data.enabled ? "" : ", disabled"}`;
  }
  if (operation === "patchNetworkPolicy") {
    const { name, source_cidr } = networkPolicyBody.safeParse(body).data ?? {};
    if (name === undefined && source_cidr === undefined) return undefined;
    const range = source_cidr === undefined ? undefined : html`range ${userText(source_cidr)}`;
    return joined([range, name === undefined ? undefined : html`name ${userText(name)}`], ", ");
  }
  return undefined;
}
