import { operations, retentionResources, type OperationName } from "../../contract/index.js";
import type { State } from "../control.js";
import type { Fault } from "../faults.js";
import type { JournalEntry } from "../records.js";
import { networkPolicyBody, retentionPolicyBody, canonicalId } from "../wire.js";
import {
  copyButton,
  html,
  joined,
  shortId,
  userText,
  type Html,
  count,
  day,
  grouped,
  operationTitles,
  timeOfDay,
} from "./html.js";
import { kindNames } from "./organization.js";

/** The number of requests that the page shows. */
export const journalLength = 100;

export type Verdict = "committed" | "read" | "refused" | "fault";

/** The result of a request. "fault" means that a fault replaced or removed its answer. */
export function verdictOf({ fault, committed, status }: JournalEntry): Verdict {
  if (fault !== null && fault !== "latency") return "fault";
  if (committed) return "committed";
  return status !== null && status < 300 ? "read" : "refused";
}

/** The rows of `entries`, latest first. The store has them oldest first. */
export function requestRows(entries: readonly JournalEntry[], state: State): Html {
  return html`${entries.toReversed().map((entry) => requestRow(entry, state))}`;
}

export function journalCount(requests: number): Html {
  return html`${grouped(requests)}`;
}

export function journalNote(requests: number): Html {
  if (requests <= journalLength) return html``;
  return html`These are the latest ${journalLength}. <a href="/_control/journal">All ${grouped(requests)} as JSON</a>`;
}

function requestRow(entry: JournalEntry, state: State): Html {
  const { time, requestId, method, refusal } = entry;
  const verdict = verdictOf(entry);
  return html`<tr>
    <td class="when"><time datetime="${time}">${timeOfDay(time)}</time><span class="detail">${day(time)}</span></td>
    <td class="request">
      ${requestSummary(entry, state)}${refusal === null ? undefined : html`<span class="reason">${refusal}</span>`}
      <span class="detail"><code>${method} ${pathMarkup(entry)}</code></span>
      <span class="origin"
        ><span>${caller(entry)}</span>
        <span>request ${shortId(requestId)}${copyButton(requestId, "the request id")}</span></span
      >
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

const faultTexts: Readonly<Partial<Record<string, string>>> = {
  latency: "slowed",
  status: "set by a fault",
  reset: "connection reset",
  cut: "answer cut short",
  hang: "never answered",
} satisfies Record<Fault["effect"], string>;

function ending({ fault, committed, status }: JournalEntry): string {
  const effect = fault === null ? null : (faultTexts[fault] ?? fault);
  const answered = [status, effect].filter((part) => part !== null).join(" ");
  if (fault === null || fault === "latency") return answered;
  return `${answered}, ${committed ? "carried out" : "not carried out"}`;
}

function title(operation: OperationName | null): string {
  return operation === null ? "Not in the interface" : operationTitles[operation];
}

/** The operation, its object and the requested values. */
function requestSummary({ operation, path, body }: JournalEntry, state: State): Html {
  if (operation === null) return html`${title(null)}`;
  const name = objectName(operation, path, state);
  return joined(
    [html`${title(operation)}`, name === undefined ? undefined : userText(name), requested(operation, body)],
    " · ",
  );
}

function objectName(operation: OperationName, path: string, state: State): string | undefined {
  const id = parameterOf(path, operations[operation].path);
  switch (operation) {
    case "putRetentionPolicy": {
      const kind = retentionResources.find((resource) => resource === id);
      return kind === undefined ? undefined : kindNames[kind].toLowerCase();
    }
    case "patchNetworkPolicy":
      return state.networkPolicies.find((policy) => policy.id === id)?.name;
    case "clearTrunkOutboundAuth":
      return state.trunks.find((trunk) => trunk.id === id)?.name;
    case "rotateWebhookSecret": {
      const webhook = state.webhooks.find((candidate) => candidate.id === id);
      return webhook && new URL(webhook.url).host;
    }
    case "listWebhooks":
      return undefined;
  }
}

/** The parameter of the path, or undefined if its encoding is invalid. */
function parameterOf(path: string, pattern: string): string | undefined {
  try {
    return canonicalId(decodeURIComponent(path.split("/")[parameterIndex(pattern)] ?? ""));
  } catch {
    return undefined;
  }
}

function parameterIndex(pattern: string): number {
  return pattern.split("/").findIndex((segment) => segment.startsWith("{"));
}

/** The original path with a shortened id. */
function pathMarkup({ operation, path }: JournalEntry): Html {
  if (operation === null) return userText(path);
  const index = parameterIndex(operations[operation].path);
  return joined(
    path.split("/").map((segment, at) => (at === index ? shortId(segment) : html`${segment}`)),
    "/",
  );
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
