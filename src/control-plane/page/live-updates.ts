import type { ServerResponse } from "node:http";
import type { Control } from "../control.js";
import { messageOf } from "../errors.js";
import type { Fault } from "../faults.js";
import type { JournalEntry } from "../records.js";
import type { Store } from "../store.js";
import { conditions } from "./conditions.js";
import { grouped, html } from "./html.js";
import { announcement, journalNote, requestRows } from "./journal.js";
import { organizationParts } from "./organization.js";

/** Changes within this time are sent together, so that a run of `up` is not slowed. */
const gatherMs = 50;

/** Refreshes the ages of secrets. */
const agingMs = 60_000;

/** How long a page waits before it reconnects. */
const reconnectMs = 1000;

export interface LiveUpdatesDeps {
  readonly store: Store;
  readonly view: () => View;
  /** Called with problems of the control plane itself, such as a damaged file. */
  readonly onProblem: (message: string) => void;
  /** Ends all streams. */
  readonly closing: AbortSignal;
}

/** Server-sent events for all open pages. There are no timers while no page is open. */
export class LiveUpdates {
  readonly #deps: LiveUpdatesDeps;
  readonly #pages = new Map<ServerResponse, PageSnapshot>();
  #stopListening: (() => void) | undefined;
  #gathering: NodeJS.Timeout | undefined;

  constructor(deps: LiveUpdatesDeps) {
    this.#deps = deps;
    deps.closing.addEventListener("abort", this.#endAll);
  }

  /** Sends the whole page, then every change, until either side closes. */
  open(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
    // The page disconnected during its request. No "close" event would follow.
    if (response.destroyed) return;
    const { events, shown } = changesSince(undefined, this.#deps.view());
    response.writeHead(200, { ...headers, "Content-Type": "text/event-stream" });
    response.write(`retry: ${reconnectMs}\n\n${events}`);
    response.on("drain", this.#sendSoon);
    response.on("close", () => {
      this.#pages.delete(response);
      if (this.#pages.size === 0) this.#stopListening?.();
    });
    this.#pages.set(response, shown);
    this.#stopListening ??= this.#listen();
  }

  #listen(): () => void {
    const { events } = this.#deps.store;
    events.on("change", this.#sendSoon);
    const aging = setInterval(this.#sendChanges, agingMs).unref();
    return () => {
      events.off("change", this.#sendSoon);
      clearInterval(aging);
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      this.#stopListening = undefined;
    };
  }

  readonly #sendSoon = (): void => {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#sendChanges();
    }, gatherMs).unref();
  };

  readonly #sendChanges = (): void => {
    try {
      const view = this.#deps.view();
      for (const [response, before] of this.#pages) {
        // A slow page gets all its missed changes after "drain".
        if (response.writableNeedDrain) continue;
        const { events, shown } = changesSince(before, view);
        if (events !== "") response.write(events);
        this.#pages.set(response, shown);
      }
    } catch (error) {
      this.#deps.onProblem(messageOf(error));
      this.#endAll();
    }
  };

  readonly #endAll = (): void => {
    for (const response of this.#pages.keys()) response.end();
  };
}

export interface View {
  readonly state: ReturnType<Control["state"]>;
  readonly clock: ReturnType<Control["clock"]>;
  readonly faults: readonly Fault[];
  /** The latest requests, oldest first. */
  readonly journal: readonly JournalEntry[];
  /** The number of requests in the journal. */
  readonly requests: number;
}

/** What an open page already shows. */
interface PageSnapshot {
  readonly parts: Readonly<Record<string, string>>;
  readonly latestRequest: string | undefined;
}

export type PartName = keyof ReturnType<typeof pageParts>;

/** The content of each replaceable element, by element id. */
export function pageParts(view: View) {
  return {
    conditions: conditions(view.clock, view.faults),
    "journal-count": html`${grouped(view.requests)}`,
    "journal-note": journalNote(view.requests),
    ...organizationParts(view.state, view.clock),
  };
}

/**
 * The server-sent events that update a page from `before` to `view`. There are three:
 *
 * - `parts`: `{"<id of an element>": "<its new content>"}`, only changed elements
 * - `requests`: `{"rows": "…", "announcement": "…"}`, new rows, and their text for a screen reader
 * - `journal`: `{"rows": "…"}`, the whole journal, if the old rows are gone
 *
 * @param before undefined for a new page, which gets everything
 */
function changesSince(
  before: PageSnapshot | undefined,
  view: View,
): { readonly events: string; readonly shown: PageSnapshot } {
  const parts = Object.fromEntries(Object.entries(pageParts(view)).map(([id, { text }]) => [id, text]));
  const changed = Object.entries(parts).filter(([id, text]) => before?.parts[id] !== text);
  return {
    events:
      (changed.length === 0 ? "" : event("parts", Object.fromEntries(changed))) +
      (before === undefined ? wholeJournal(view) : newRequests(before, view)),
    shown: { parts, latestRequest: view.journal.at(-1)?.requestId },
  };
}

function newRequests({ latestRequest }: PageSnapshot, view: View): string {
  const { journal, state } = view;
  if (journal.at(-1)?.requestId === latestRequest) return "";
  // Request ids are unique. Journal numbers start again after it was cleared.
  const known = journal.findIndex(({ requestId }) => requestId === latestRequest);
  if (known === -1 && latestRequest !== undefined) return wholeJournal(view);
  const fresh = journal.slice(known + 1);
  return event("requests", { rows: requestRows(fresh, state).text, announcement: announcement(fresh) });
}

function wholeJournal({ journal, state }: View): string {
  return event("journal", { rows: requestRows(journal, state).text });
}

/** `JSON.stringify` writes one line, as an event needs. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
