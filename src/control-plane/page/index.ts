import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { type AdminRequest, refuseStranger } from "../admin.js";
import { type Answer, send } from "../answers.js";
import type { Control } from "../control.js";
import type { Store } from "../store.js";
import { pageDocument } from "./document.js";
import { journalLength } from "./journal.js";
import { LiveUpdates, type View } from "./live-updates.js";

export interface PageDeps {
  readonly store: Store;
  readonly control: Control;
  readonly onProblem: (message: string) => void;
  /** Ends the streams of open pages. */
  readonly closing: AbortSignal;
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

/**
 * The page at `/` that shows the control plane at work, for browsers on this machine. It changes nothing by itself: its
 * buttons ask the admin.
 */
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

  /** Answers a request for the page or for one of its files; false where `request` is for neither. */
  answer(request: AdminRequest, response: ServerResponse): boolean {
    const respond = this.#responder(request);
    if (respond === undefined) return false;
    const refusal = refuseStranger(request);
    if (refusal === undefined) respond(response);
    else send(response, textAnswer("text/plain", `${refusal}\n`, 403));
    return true;
  }

  #responder(request: AdminRequest): ((response: ServerResponse) => void) | undefined {
    const { method, path, headers } = request;
    if (method !== "GET") return undefined;
    switch (path) {
      case "/":
        // Only for browsers: the interface has no such path, and its clients are told so, as by a deployed server.
        if (headers.accept?.includes("text/html") !== true) return undefined;
        return (response) => {
          send(
            response,
            textAnswer("text/html", pageDocument(this.#view(), new URL(`http://${headers.host ?? ""}`).origin)),
          );
        };
      case "/_control/page.css":
        return (response) => {
          send(response, textAnswer("text/css", fileBeside("page.css")));
        };
      case "/_control/page.js":
        return (response) => {
          send(response, textAnswer("text/javascript", fileBeside("page.js")));
        };
      case "/_control/events":
        return (response) => {
          this.#live.open(response, ownHeaders);
        };
      default:
        return undefined;
    }
  }
}

/** The build copies these files. */
function fileBeside(name: string): string {
  return readFileSync(join(__dirname, name), "utf8");
}

function textAnswer(type: string, body: string, status = 200): Answer {
  return { status, headers: { ...ownHeaders, "Content-Type": `${type}; charset=utf-8` }, body };
}
