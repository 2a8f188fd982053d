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

/** The query of a route. */
const querySchema = z.object({
  operation: operationField,
  count: z.coerce.number().int().min(1).default(1),
});

type Action = (control: Control, body: unknown, query: z.output<typeof querySchema>) => unknown;

/** What each route does. `Control` itself checks the bodies of seed and faults. */
const actions: Record<string, Action> = {
  "GET state": (control) => control.state(),
  "POST reset": (control) => {
    control.reset();
  },
  "POST seed": (control, body) => {
    control.seed(body as SeedInput);
  },
  "GET journal": (control) => control.journal(),
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
    control.setClock(parsed(z.strictObject({ now: z.string() }), body).now);
  },
};

export async function answerAdmin(control: Control, { method, path, query, body }: Incoming): Promise<Answer> {
  if (method === "GET" && path === "/")
    return {
      status: 200,
      headers: { "Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8" },
      body: readFileSync(join(__dirname, "page.html"), "utf8"),
    };
  const action = actions[`${method} ${path.replace("/_control/", "")}`];
  if (action === undefined) return jsonAnswer(404, { error: `no such route, only ${Object.keys(actions).join(", ")}` });
  try {
    const given = body === "" ? undefined : (JSON.parse(body) as unknown);
    return jsonAnswer(200, (await action(control, given, parsed(querySchema, Object.fromEntries(query)))) ?? {});
  } catch (error) {
    return jsonAnswer(400, { error: (error as Error).message });
  }
}

/** The tokens and the routes, which `serve` prints. */
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
