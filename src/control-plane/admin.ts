/** The admin: JSON below `/_control/`, for this machine only, and the page that shows it. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { isThisMachine, lackingRight, tokenNames, tokens, type TokenName } from "./access.js";
import { jsonAnswer, send, type Answer, type Incoming } from "./answer.js";
import type { Control, SeedInput } from "./control.js";
import { operationField, type Fault } from "./faults.js";
import { listing, parsed } from "./objects.js";
import { ControlPlaneError } from "./store.js";

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
  "GET listing": (control) => listing(control.state()),
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
    const change = parsed(clockSchema, body, ControlPlaneError);
    if ("now" in change) control.setClock(change.now);
    else control.advanceClock(change.advanceMs);
  },
  "GET counters": (control) => control.counters(),
};

const pageHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
};
const files = new Map([
  ["page.html", "text/html"],
  ["page.css", "text/css"],
  ["page.js", "text/javascript"],
]);

export async function answerAdmin(control: Control, incoming: Incoming, response: ServerResponse): Promise<void> {
  const { request, method, path } = incoming;
  const refusal = refuseStranger(incoming);
  const wantsPage = path === "/" && request.headers.accept?.includes("text/html") === true;
  const name = wantsPage ? "page.html" : path.replace(/^\/(_control\/)?/, "");
  const type = files.get(name);
  if (refusal !== undefined) send(response, jsonAnswer(403, { error: refusal }));
  else if (method === "GET" && type !== undefined)
    send(response, textAnswer(readFileSync(join(__dirname, "page", name), "utf8"), type));
  else if (method === "GET" && name === "") send(response, textAnswer(guide(`http://${request.headers.host ?? ""}`)));
  else send(response, await act(control, `${method} ${name}`, incoming));
}

async function act(control: Control, name: string, { query, body }: Incoming): Promise<Answer> {
  const action = actions[name];
  if (action === undefined) return jsonAnswer(404, { error: "no such route: GET /_control/ lists them" });
  try {
    const given = body === "" ? undefined : (JSON.parse(body) as unknown);
    const parameters = parsed(querySchema, Object.fromEntries(query), ControlPlaneError);
    return jsonAnswer(200, (await action(control, given, parameters)) ?? {});
  } catch (error) {
    return jsonAnswer(400, { error: (error as Error).message });
  }
}

const uses: Partial<Record<TokenName, string>> = {
  full: "has all rights: the one to use",
  secondFull: "has all rights: to try a change of the token",
};

/** The tokens and the routes, for a person who has only the address. */
export function guide(url: string): string {
  const width = Math.max(...tokenNames.map((name) => tokens[name].length));
  const tokenLines = tokenNames.map((name) => {
    const lacking = lackingRight(name);
    return `  ${tokens[name].padEnd(width)}  ${lacking === undefined ? uses[name] : `lacks ${lacking}`}\n`;
  });
  const routes = Object.keys(actions).map((route) => `  ${route.replace(" ", " /_control/")}\n`);
  return `voiceplane control plane at ${url} (a test double; in a browser, its page)

Tokens, the same on every machine:
${tokenLines.join("")}
Admin, from this machine only and without a token:
${routes.join("")}`;
}

const textAnswer = (body: string, type = "text/plain"): Answer => {
  return { status: 200, headers: { ...pageHeaders, "Content-Type": `${type}; charset=utf-8` }, body };
};

/** Whether a request names this machine. Another site could let a name of its own mean this machine, so that its pages send any request. */
export function isForThisMachine({ headers: { host = "" } }: IncomingMessage): boolean {
  const own = `http://${host}`;
  return isThisMachine(URL.canParse(own) ? new URL(own).hostname.replace(/^\[|\]$/g, "") : "");
}

/** Refuses requests from other machines, and from other sites in a browser on this machine. Links to the page are allowed. */
function refuseStranger({ request, method, path }: Incoming): string | undefined {
  const { host = "", origin, "sec-fetch-site": site = "none", "sec-fetch-mode": mode } = request.headers;
  if (!isThisMachine(request.socket.remoteAddress ?? "")) return "the admin accepts loopback connections only";
  if (!isForThisMachine(request)) return "the admin accepts loopback host names only";
  const isLink = method === "GET" && path === "/" && mode === "navigate";
  const isOwn = (origin === undefined || origin === `http://${host}`) && ["same-origin", "none"].includes(site);
  return isOwn || isLink ? undefined : "the admin accepts requests of its own page only";
}
