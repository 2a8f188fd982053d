/** The admin: JSON below `/_control/`, and the page that shows it. */
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import type { Control } from "./control.js";
import { operationField, type Fault } from "./faults.js";
import { parsed, type SeedInput } from "./objects.js";

/** A request that was read to its end. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** For the journal: whether the request changed something. */
  readonly committed?: boolean;
  /** For the journal: why the request was refused. */
  readonly refusal?: string;
}

export const jsonAnswer = (status: number, value: unknown): Answer => ({
  status,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(value),
});

const clockSchema = z.union(
  [z.strictObject({ now: z.iso.datetime({ offset: true }) }), z.strictObject({ advanceMs: z.number() })],
  "give now (ISO 8601) or advanceMs (milliseconds)",
);
/** The query of a route. */
const querySchema = z.object({
  operation: operationField,
  count: z.coerce.number().int().min(1).default(1),
  after: z.coerce.number().int().min(0).default(0),
});

type Action = (control: Control, body: unknown, query: z.output<typeof querySchema>) => unknown;

/** What each route does. `Control` itself checks the bodies of seed and faults. */
const actions: Record<string, Action> = {
  "GET health": () => ({ status: "ok" }),
  "GET state": (control) => control.state(),
  "POST reset": (control) => {
    control.reset();
  },
  "POST seed": (control, body) => {
    control.seed(body as SeedInput);
  },
  "GET journal": (control, _body, { after }) => control.journal(after),
  "DELETE journal": (control) => {
    control.clearJournal();
  },
  "GET faults": (control) => control.faults(),
  "PUT faults": (control, body) => {
    control.setFaults(body as Fault[]);
  },
  "GET held": (control, _body, { operation, count }) => control.held(operation, count),
  "POST release": (control, _body, { operation }) => {
    control.release(operation);
  },
  "GET clock": (control) => control.clock(),
  "PUT clock": (control, body) => {
    const change = parsed(clockSchema, body);
    if ("now" in change) control.setClock(change.now);
    else control.advanceClock(change.advanceMs);
  },
  "GET counters": (control) => control.counters(),
};

const files: Partial<Record<string, string>> = {
  "page.html": "text/html",
  "page.css": "text/css",
  "page.js": "text/javascript",
};

export async function answerAdmin(control: Control, { method, path, headers, query, body }: Incoming): Promise<Answer> {
  const wantsPage = path === "/" && headers.accept?.includes("text/html") === true;
  const name = wantsPage ? "page.html" : path.replace(/^\/(_control\/)?/, "");
  const type = Object.hasOwn(files, name) ? files[name] : undefined;
  if (method === "GET" && type !== undefined)
    return textAnswer(readFileSync(join(__dirname, "page", name), "utf8"), type);
  if (method === "GET" && name === "") return textAnswer(guide(`http://${headers.host ?? ""}`), "text/plain");
  const route = `${method} ${name}`;
  const action = Object.hasOwn(actions, route) ? actions[route] : undefined;
  if (action === undefined) return jsonAnswer(404, { error: "no such route: GET /_control/ lists them" });
  try {
    const given = body === "" ? undefined : (JSON.parse(body) as unknown);
    return jsonAnswer(200, (await action(control, given, parsed(querySchema, Object.fromEntries(query)))) ?? {});
  } catch (error) {
    return jsonAnswer(400, { error: (error as Error).message });
  }
}

const textAnswer = (body: string, type: string): Answer => ({
  status: 200,
  headers: { "Cache-Control": "no-store", "Content-Type": `${type}; charset=utf-8` },
  body,
});

/** The tokens and the routes, for a person who has only the address. */
export const guide = (
  url: string,
): string => `voiceplane control plane at ${url} (a test double; in a browser, its page)

Tokens, the same on every machine:
  vp_dev_full         has all rights: the one to use
  vp_dev_second_full  has all rights: to try a change of the token
  vp_dev_no_rights    lacks the right of every operation

Admin, without a token:
${Object.keys(actions)
  .map((route) => `  ${route.replace(" ", " /_control/")}\n`)
  .join("")}`;
