import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { type AdminRequest, refuseStranger } from "../admin.js";
import { type Answer, send } from "../answers.js";
import type { Control } from "../control.js";
import { pageDocument } from "./document.js";
import { journalLength } from "./journal.js";
import { LiveUpdates, type LiveUpdatesDeps, type View } from "./live-updates.js";

export interface PageDeps extends Omit<LiveUpdatesDeps, "view"> {
  readonly control: Control;
}

const ownHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const eventsPath = "/_control/events";
/** The build copies these files to this folder. */
const files: Readonly<Partial<Record<string, string>>> = {
  "/_control/page.css": "text/css",
  "/_control/page.js": "text/javascript",
};

/** The page at `/` shows the control plane's state to browsers on this machine. Its buttons call the admin API. */
export class Page {
  readonly #live: LiveUpdates;
  readonly #view: () => View;

  constructor({ store, control, onProblem, closing }: PageDeps) {
    this.#view = () => ({
      state: control.state(),
      clock: control.clock(),
      faults: control.faults(),
      journal: store.journal(journalLength),
      requests: store.journalSize(),
    });
    this.#live = new LiveUpdates({ store, view: this.#view, onProblem, closing });
  }

  /** Answers a request for the page, its files or its events. Returns false for any other request. */
  answer(request: AdminRequest, response: ServerResponse): boolean {
    const { method, path, headers } = request;
    const fileType = files[path];
    // Only browsers get the page. Other clients get a 404, as from a deployed server.
    const isDocument = path === "/" && headers.accept?.includes("text/html") === true;
    if (method !== "GET" || !(isDocument || fileType !== undefined || path === eventsPath)) return false;
    const refusal = refuseStranger(request);
    if (refusal !== undefined) {
      send(response, textAnswer("text/plain", `${refusal}\n`, 403));
    } else if (path === eventsPath) {
      this.#live.open(response, ownHeaders);
    } else if (fileType !== undefined) {
      send(response, textAnswer(fileType, readFileSync(join(__dirname, basename(path)), "utf8")));
    } else {
      const { origin } = new URL(`http://${headers.host ?? ""}`);
      send(response, textAnswer("text/html", pageDocument(this.#view(), origin)));
    }
    return true;
  }
}

function textAnswer(type: string, body: string, status = 200): Answer {
  return { status, headers: { ...ownHeaders, "Content-Type": `${type}; charset=utf-8` }, body };
}
