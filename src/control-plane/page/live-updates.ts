import type { ServerResponse } from "node:http";
import type { Control } from "../control.js";
import { messageOf } from "../errors.js";
import type { Fault } from "../faults.js";
import type { JournalEntry } from "../records.js";
import type { Store } from "../store.js";
import { conditions } from "./conditions.js";
import { announcement, journalCount, journalNote, requestRows } from "./journal.js";
import { organizationParts } from "./organization.js";

/** Changes that come closer together than this are told at once: people see no difference, and `up` is not slowed. */
const gatherMs = 50;

/** Ages change without anything else changing. */
const agingMs = 60_000;

/** How long a page waits before it connects again. */
const reconnectMs = 1000;

export interface LiveUpdatesDeps {
  readonly store: Store;
  readonly view: () => View;
  /** Told where the view cannot be had, as with a damaged file. */
  readonly onProblem: (message: string) => void;
  /** Ends all streams. */
  readonly closing: AbortSignal;
}

/** The streams of server-sent events to all open pages. Costs nothing while none is open. */
export class LiveUpdates {
  readonly #deps: LiveUpdatesDeps;
  readonly #pages = new Map<ServerResponse, PageSnapshot>();
  #stopListening: (() => void) | undefined;
  #gathering: NodeJS.Timeout | undefined;

  constructor(deps: LiveUpdatesDeps) {
    this.#deps = deps;
    deps.closing.addEventListener("abort", () => {
      this.#endAll();
    });
  }

  /** Tells a page everything, and from now on every change, until either side closes. */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    // Gone while its request was read: it would never close again.
    if (response.destroyed) return;
    const { events, told } = changesSince(undefined, this.#deps.view());
    response.writeHead(200, { ...headers, "Content-Type": "text/event-stream" });
    response.write(`retry: ${reconnectMs}\n\n${events}`);
    response.on("drain", () => {
      this.#tellSoon();
    });
    response.on("close", () => {
      this.#pages.delete(response);
      if (this.#pages.size === 0) this.#stopListening?.();
    });
    this.#pages.set(response, told);
    this.#stopListening ??= this.#listen();
  }

  #listen(): () => void {
    const unsubscribe = this.#deps.store.subscribe(() => {
      this.#tellSoon();
    });
    const aging = setInterval(() => {
      this.#tell();
    }, agingMs).unref();
    return () => {
      unsubscribe();
      clearInterval(aging);
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      this.#stopListening = undefined;
    };
  }

  #tellSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#tell();
    }, gatherMs).unref();
  }

  #tell(): void {
    try {
      const view = this.#deps.view();
      for (const [response, before] of this.#pages) {
        // A page that does not keep up misses steps, never the outcome: it is told the difference when it has drained.
        if (response.writableNeedDrain) continue;
        const { events, told } = changesSince(before, view);
        if (events !== "") response.write(events);
        this.#pages.set(response, told);
      }
    } catch (error) {
      this.#deps.onProblem(messageOf(error));
      this.#endAll();
    }
  }

  #endAll(): void {
    for (const response of this.#pages.keys()) response.end();
  }
}

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
