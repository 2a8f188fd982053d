import {
  networkPolicyBody,
  operations,
  retentionPolicyBody,
  retentionResources,
  type OperationName,
} from "../../contract.js";
import type { State } from "../control.js";
import type { Fault } from "../faults.js";
import { canonicalId } from "../ids.js";
import type { JournalEntry } from "../records.js";
import { given, html, joined, type Html } from "./html.js";
import { kindNames } from "./retention.js";
import { count } from "./words.js";

/** How many requests the page shows, the latest first. */
export const journalLength = 100;

export type Verdict = "committed" | "read" | "refused" | "fault";

/** Whether a request changed something, was only a question, was turned down, or met a fault that spoiled its answer. */
export function verdictOf({ fault, committed, status }: JournalEntry): Verdict {
  if (fault !== null && fault !== "latency") return "fault";
  if (committed) return "committed";
  return status !== null && status < 300 ? "read" : "refused";
}

/** The journal's rows, the latest first. The last row is for an empty journal; it hides behind any other. */
export function journalRows(entries: readonly JournalEntry[], state: State): Html {
  return html`${requestRows(entries, state)}
    <tr class="none">
      <td colspan="3">No request yet. They appear here as they come.</td>
    </tr>`;
}

/** @param entries oldest first, as the store has them */
export function requestRows(entries: readonly JournalEntry[], state: State): Html {
  return html`${entries.toReversed().map((entry) => requestRow(entry, state))}`;
}

function requestRow(entry: JournalEntry, state: State): Html {
  const verdict = verdictOf(entry);
  return html`<tr>
    <td><time datetime="${entry.time}">${timeOfDay(entry.time)}</time></td>
    <td>
      ${wish(entry, state)}<span class="detail"
        ><code>${entry.method} ${given(entry.path)}</code> <span class="caller">${caller(entry)}</span></span
      >
    </td>
    <td><span class="verdict ${verdict}">${verdict}</span><span class="detail">${ending(entry)}</span></td>
  </tr>`;
}

/** What a screen reader says of requests that have just come. */
export function spoken(entries: readonly JournalEntry[]): string {
  return entries.map((entry) => `${title(entry.operation)}: ${verdictOf(entry)}, ${ending(entry)}`).join(". ");
}

function timeOfDay(instant: string): string {
  return instant.slice("2026-01-01T".length, "2026-01-01T00:00:00".length);
}

function caller({ token }: JournalEntry): string {
  if (token === null) return "without a valid token";
  // Names of tokens are identifiers: "withoutTrunksWrite".
  return `token: ${token.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
}

const faultWords: Readonly<Partial<Record<string, string>>> = {
  latency: "slowed",
  status: "set by a fault",
  reset: "connection reset",
  cut: "answer cut short",
  hang: "never answered",
} satisfies Record<Fault["effect"], string>;

function ending({ fault, committed, status }: JournalEntry): string {
  const effect = fault === null ? null : (faultWords[fault] ?? fault);
  const answered = [status, effect].filter((part) => part !== null).join(" ");
  if (fault === null || fault === "latency") return answered;
  return `${answered}, ${committed ? "carried out" : "not carried out"}`;
}

const titles: Record<OperationName, string> = {
  putRetentionPolicy: "Retention",
  patchNetworkPolicy: "Network policy",
  clearTrunkOutboundAuth: "Clear outbound authentication",
  rotateWebhookSecret: "Rotate signing secret",
  listWebhooks: "List webhooks",
};

function title(operation: OperationName | null): string {
  return operation === null ? "Not in the interface" : titles[operation];
}

/** What was asked for, and of which object. */
function wish({ operation, path, body }: JournalEntry, state: State): Html {
  if (operation === null) return html`${title(null)}`;
  const name = objectName(operation, path, state);
  return joined(
    [html`${title(operation)}`, name === undefined ? undefined : given(name), wishedFor(operation, body)],
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

/** The path's one parameter; undefined where it is not encoded well. */
function parameterOf(path: string, pattern: string): string | undefined {
  const index = pattern.split("/").findIndex((segment) => segment.startsWith("{"));
  try {
    return canonicalId(decodeURIComponent(path.split("/")[index] ?? ""));
  } catch {
    return undefined;
  }
}

/** What the interface knows of a body, and nothing else: a stranger's body may hold anything. */
function wishedFor(operation: OperationName, body: unknown): Html | undefined {
  if (operation === "putRetentionPolicy") {
    const { data } = retentionPolicyBody.safeParse(body);
    return data && html`${count(data.retention_days, "day")}${data.enabled ? "" : ", disabled"}`;
  }
  if (operation === "patchNetworkPolicy") {
    const { name, source_cidr } = networkPolicyBody.safeParse(body).data ?? {};
    if (name === undefined && source_cidr === undefined) return undefined;
    const range = source_cidr === undefined ? undefined : html`range ${given(source_cidr)}`;
    return joined([range, name === undefined ? undefined : html`name ${given(name)}`], ", ");
  }
  return undefined;
}
