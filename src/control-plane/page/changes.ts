import type { Control } from "../control.js";
import type { Fault } from "../faults.js";
import type { JournalEntry } from "../records.js";
import { conditions } from "./conditions.js";
import { announcement, journalCount, journalNote, requestRows } from "./journal.js";
import { organizationParts } from "./organization.js";

/** What the page shows at one moment. */
export interface View {
  readonly state: ReturnType<Control["state"]>;
  readonly clock: ReturnType<Control["clock"]>;
  readonly faults: readonly Fault[];
  /** The latest requests, oldest first. */
  readonly journal: readonly JournalEntry[];
  /** How many requests the journal has in all. */
  readonly requests: number;
}

/** What one open page shows already. */
export interface PageSnapshot {
  readonly parts: Readonly<Record<string, string>>;
  readonly latestRequest: string | undefined;
}

export type PartName = keyof ReturnType<typeof pageParts>;

/** The parts of the page that are replaced as a whole, by the id of the element that each fills. */
export function pageParts(view: View) {
  return {
    conditions: conditions(view.clock, view.faults),
    "journal-count": journalCount(view.requests),
    "journal-note": journalNote(view.requests),
    ...organizationParts(view.state, view.clock),
  };
}

/**
 * The server-sent events that bring a page from what it was told to `view`. There are three:
 *
 * - `parts`: `{"<id of an element>": "<its new content>"}`, of those that changed
 * - `requests`: `{"rows": "…", "announcement": "…"}`, rows to put on top of the journal, and the same for a screen reader
 * - `journal`: `{"rows": "…"}`, the whole journal, where it was emptied or has run ahead
 *
 * @param told undefined for a page that has just been opened, which is told everything
 */
export function changesSince(
  told: PageSnapshot | undefined,
  view: View,
): { readonly events: string; readonly told: PageSnapshot } {
  const parts = Object.fromEntries(Object.entries(pageParts(view)).map(([id, { text }]) => [id, text]));
  const changed = Object.entries(parts).filter(([id, text]) => told?.parts[id] !== text);
  return {
    events:
      (changed.length === 0 ? "" : event("parts", Object.fromEntries(changed))) +
      (told === undefined ? wholeJournal(view) : newRequests(told, view)),
    told: { parts, latestRequest: view.journal.at(-1)?.requestId },
  };
}

function newRequests({ latestRequest }: PageSnapshot, view: View): string {
  const { journal, state } = view;
  if (journal.at(-1)?.requestId === latestRequest) return "";
  // Request ids are never used twice, unlike the journal's own numbers once it was emptied.
  const known = journal.findIndex(({ requestId }) => requestId === latestRequest);
  if (known === -1 && latestRequest !== undefined) return wholeJournal(view);
  const fresh = journal.slice(known + 1);
  return event("requests", { rows: requestRows(fresh, state).text, announcement: announcement(fresh) });
}

function wholeJournal({ journal, state }: View): string {
  return event("journal", { rows: requestRows(journal, state).text });
}

/** One line of data: JSON has no line breaks of its own. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
