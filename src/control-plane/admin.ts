import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { isLoopback, isLoopbackName } from "./access.js";
import { json, type Answer, type Dialect } from "./answers.js";
import { AdminInputError, parse, type Control } from "./control.js";
import type { FaultInput } from "./faults.js";
import type { SeedInput } from "./seed.js";

export const adminPrefix = "/_control/";

export interface AdminRequest {
  readonly method: string;
  readonly path: string;
  /** The query, with its "?". Default: none. */
  readonly search?: string;
  /** undefined if the body is longer than the limit. */
  readonly body: string | undefined;
  readonly peer: string;
  readonly headers: IncomingHttpHeaders;
}

const clockSchema = z.union(
  [
    z.strictObject({ now: z.iso.datetime({ offset: true }) }),
    z.strictObject({ offsetMs: z.number() }),
    z.strictObject({ advanceMs: z.number() }),
  ],
  "give exactly one of now (ISO 8601), offsetMs and advanceMs (both milliseconds)",
);

type Action = (control: Control, body: unknown, query: URLSearchParams) => unknown;

/** Longest answer of the journal. More would be too much for a program, and for the server's memory. */
export const journalPage = 1000;

/** Every admin route. `Control` validates the bodies of seed and faults, so they are only cast here. */
const actions: Record<string, Action> = {
  "GET state": (control) => control.state(),
  "POST reset": (control) => {
    control.reset();
    return control.state();
  },
  "POST seed": (control, body) => {
    control.seed(body as SeedInput);
    return control.state();
  },
  "GET journal": (control, _body, query) => {
    const after = query.get("after");
    if (after === null) return control.journal({ latest: journalPage });
    if (!/^\d{1,15}$/.test(after)) throw new AdminInputError("after: give the id of an entry, or 0");
    return control.journal({ after: Number(after), limit: journalPage });
  },
  "DELETE journal": (control) => {
    control.clearJournal();
    return control.journal();
  },
  "GET faults": (control) => control.faults(),
  "PUT faults": (control, body) => {
    control.setFaults(body as FaultInput[]);
    return control.faults();
  },
  "GET clock": (control) => control.clock(),
  "PUT clock": (control, body) => {
    const change = parse(clockSchema, body);
    if ("now" in change) control.setClock(change.now);
    else if ("advanceMs" in change) control.advanceClock(change.advanceMs);
    else control.setClockOffset(change.offsetMs);
    return control.clock();
  },
  "GET counters": (control) => control.counters(),
};

/** Answers a request below {@link adminPrefix}. It needs no token, but must come from this machine. */
export function answerAdmin(control: Control, dialect: Dialect, request: AdminRequest): Answer {
  const refusal = refuseStranger(request);
  if (refusal !== undefined) return json(403, { error: refusal });
  const name = request.path.slice(adminPrefix.length);
  if (request.method === "GET" && name === "health") return json(200, { status: "ok", dialect });
  if (request.method === "GET" && name === "") return json(200, { routes: ["GET health", ...Object.keys(actions)] });
  const action = actions[`${request.method} ${name}`];
  if (action === undefined) return json(404, { error: `no such route: GET ${adminPrefix} lists them` });
  try {
    return json(200, action(control, bodyOf(request), new URLSearchParams(request.search)));
  } catch (error) {
    if (error instanceof AdminInputError) return json(400, { error: error.message });
    throw error;
  }
}

/** Whether a request names this machine. Another site could otherwise give a name of its own this machine's address, and send any request. */
export function isForThisMachine({ host = "" }: IncomingHttpHeaders): boolean {
  const own = `http://${host}`;
  return isLoopbackName(URL.canParse(own) ? new URL(own).hostname.replace(/^\[|\]$/g, "") : "");
}

/** Refuses requests from other machines, and from other web pages in a browser on this machine. */
export function refuseStranger(request: AdminRequest): string | undefined {
  const { host = "", origin } = request.headers;
  if (!isLoopback(request.peer)) return "the admin API accepts loopback connections only";
  if (!isForThisMachine(request.headers)) return "the admin API accepts loopback host names only";
  const own = `http://${host}`;
  const isFromElsewhere = (origin !== undefined && origin !== own) || isFromAnotherSite(request);
  return isFromElsewhere ? "the admin API accepts requests of its own pages only" : undefined;
}

/** Browsers send Sec-Fetch-Site even without Origin. Other programs do not send it. Links to the page are allowed. */
function isFromAnotherSite({ method, path, headers }: AdminRequest): boolean {
  if (method === "GET" && path === "/" && headers["sec-fetch-mode"] === "navigate") return false;
  return !["same-origin", "none"].includes(headers["sec-fetch-site"] ?? "none");
}

function bodyOf(request: AdminRequest): unknown {
  if (request.body === undefined) throw new AdminInputError("the body is too large");
  if (request.body === "") return undefined;
  try {
    return JSON.parse(request.body) as unknown;
  } catch {
    throw new AdminInputError("the body is not JSON");
  }
}
