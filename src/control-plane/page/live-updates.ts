import type { ServerResponse } from "node:http";
import { messageOf } from "../errors.js";
import type { Store } from "../store.js";
import { changesSince, type PageSnapshot, type View } from "./changes.js";

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
