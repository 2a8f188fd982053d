/** Only a complete list can show that a webhook is gone. A mistake would rotate a secret in use. */
import fc from "fast-check";
import type { Api } from "../../src/client/client.js";
import { Client } from "../../src/client/client.js";
import { singleProcessRun } from "../../src/pulumi/engine-run.js";
import type { Context } from "../../src/resources/lifecycle.js";
import { webhookSecret } from "../../src/resources/webhook-secret.js";
import { FakeTime } from "../client/support/fake-time.js";
import { envelopeOf, refusalWith, successWith, type Success } from "./answers.js";
import { token } from "./canaries.js";
import { property } from "./property.js";
import { startScriptedServer, type ScriptedServer } from "./server.js";

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** Whether a refresh removes the webhook, and what it logs. */
async function refresh(answer: Success, webhookId: string): Promise<{ gone: boolean; warnings: string[] }> {
  const time = new FakeTime();
  server.play([{ kind: "done", answer }], time);
  const client = new Client({ baseUrl: server.baseUrl, token }, time);
  const warnings: string[] = [];
  try {
    const state = { account: "acme", webhookId, rotationCount: 1, rotationState: "rotated" as const };
    const found = await webhookSecret.read(contextOf(client, warnings), state);
    expect(server.made).toHaveLength(1);
    return { gone: found === undefined, warnings };
  } finally {
    await client.close();
  }
}

function contextOf(api: Api, warnings: string[]): Context {
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  return { account: "acme", api, log, address: "", run: singleProcessRun(), now: () => new Date(0) };
}

/** Ways to say that the list is one page. `total` counts all webhooks. */
type Paged = (page: object[], total: number) => { data: unknown; beside?: object; headers?: [string, string][] };

const pagings: Record<string, Paged> = {
  "a cursor in the data": (page) => ({ data: { webhooks: page, next_cursor: "abc" } }),
  "a cursor beside the data": (page) => ({ data: page, beside: { next_cursor: "abc" } }),
  "has_more beside the data": (page) => ({ data: page, beside: { object: "list", has_more: true } }),
  "a pagination beside the data": (page, total) => ({ data: { items: page }, beside: { pagination: { page: 1, total } } }), // prettier-ignore
  "a total in the data": (page, total) => ({ data: { results: page, total } }),
  "not the last page": (page) => ({ data: { items: page, is_last: false } }),
  "not complete": (page) => ({ data: { webhooks: page, complete: false } }),
  "links of the page": (page) => ({ data: { items: page, _links: { next: { href: "/v1/webhooks/?page=2" } } } }),
  "links in a list": (page) => ({ data: page, beside: { links: [{ rel: "next", href: "/v1/webhooks/?page=2" }] } }),
  "a Link header": (page) => ({ data: page, headers: [["Link", '</v1/webhooks/?page=2>; rel="next"']] }),
  "two Link headers": (page) => ({ data: page, headers: [["link", "</x>; rel=icon"], ["link", "</?page=2>; title=x; rel=next"]] }), // prettier-ignore
  "a total in a header": (page, total) => ({ data: page, headers: [["X-Total-Count", String(total)]] }),
  "a next page in a header": (page) => ({ data: { webhooks: page }, headers: [["X-Next-Page", "2"]] }),
  "a range in a header": (page, total) => ({ data: page, headers: [["Content-Range", `items 0-${page.length}/${total}`]] }), // prettier-ignore
};

const others = fc.array(fc.record({ id: fc.uuid(), enabled: fc.boolean() }), { maxLength: 12 });

/** A page that says it is one, in any compression and charset. */
const anyPage = fc
  .record({ paged: fc.constantFrom(...Object.values(pagings)), page: others, missing: fc.integer({ min: 1, max: 50 }) })
  .chain(({ paged, page, missing }) => {
    const { data, beside, headers } = paged(page, page.length + missing);
    const body = { bytes: Buffer.from(JSON.stringify({ success: true, data, ...beside })), data };
    return successWith(fc.constant(body)).map((answer) => ({
      ...answer,
      headers: [...answer.headers, ...(headers ?? [])],
    }));
  });

property(
  "a webhook that is missing from one page is kept, with a warning that says why",
  anyPage,
  async (answer) => {
    const { gone, warnings } = await refresh(answer, "wh_elsewhere");
    expect(gone).toBe(false);
    expect(warnings.join()).toContain("may be only a part and the webhook is not in it");
  },
  250,
);

property(
  "a webhook that is missing from a list of a typical page size is kept, even if nothing marks the list as a page",
  fc.constantFrom(10, 15, 20, 25, 30, 50, 100, 200, 250, 500, 1000),
  async (size) => {
    const page = Array.from({ length: size }, (_, n) => ({ id: `wh_${n}` }));
    const answer = plain({ success: true, data: { webhooks: page } });
    expect(await refresh(answer, "wh_elsewhere")).toMatchObject({ gone: false });
  },
  11,
);

property(
  "an answer that is not clearly a list never removes a webhook",
  fc.oneof(
    successWith(envelopeOf(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer()))),
    successWith(fc.constant({ bytes: Buffer.from('{"success":true,"data":{"webhooks":[{"id":"x"}'), data: undefined })),
  ),
  async (answer) => {
    expect(await refresh(answer, "wh_elsewhere")).toMatchObject({ gone: false });
  },
  150,
);

property(
  "a refusal never removes a webhook",
  refusalWith(fc.integer({ min: 300, max: 499 }).filter((status) => status !== 429)),
  async (answer) => {
    expect(await refresh({ ...answer, data: undefined }, "wh_elsewhere")).toMatchObject({ gone: false });
  },
  100,
);

property(
  "a webhook is found in any list, whatever the name of its id's member and the id's letter case",
  fc.tuple(others, fc.constantFrom("id", "ID", "webhook"), fc.uuid(), fc.boolean()),
  async ([list, name, id, upper]) => {
    const own = { id: name === "id" ? id : "7", ...(name === "webhook" && { webhook_id: id }), ...(name === "ID" && { uuid: id }) }; // prettier-ignore
    const answer = plain({ success: true, data: [...list, own] });
    expect(await refresh(answer, upper ? id.toUpperCase() : id)).toEqual({ gone: false, warnings: [] });
  },
  100,
);

const listNames = fc.constantFrom("webhooks", "items", "data", "results", undefined);

/** Members that have nothing to do with pages. */
const otherHeaders = fc.constantFrom<[string, string][]>([], [["X-Request-Id", "7"]], [["Link", "</x>; rel=icon"]]);

property(
  "a webhook that is missing from a list with no other members beside it is gone",
  fc.tuple(
    others.filter((list) => list.length !== 10),
    listNames,
    otherHeaders,
  ),
  async ([list, name, headers]) => {
    const answer = plain({ success: true, data: name === undefined ? list : { [name]: list } }, headers);
    expect(await refresh(answer, "wh_gone")).toEqual({ gone: true, warnings: [] });
  },
  100,
);

property(
  "any other member beside the list keeps the webhook",
  fc.tuple(
    others,
    listNames,
    fc.constantFrom("beside the data", "in the data"),
    fc.oneof(
      fc.constantFrom({ next: null }, { total_count: 0 }, { has_more: false, cursor: "" }, { is_last: true }),
      fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 3 })).map(([key, value]) => ({ [key]: value })),
    ),
  ),
  async ([list, name, place, member]) => {
    fc.pre(!["success", "data", name].some((key) => key !== undefined && key in member));
    const said = "total_count" in member ? { total_count: list.length } : member;
    const data = name === undefined ? list : { [name]: list };
    const isBeside = name === undefined || place === "beside the data";
    const answer = plain({
      success: true,
      ...(isBeside ? { data, ...said } : { data: Object.assign({}, data, said) }),
    });
    const { gone, warnings } = await refresh(answer, "wh_gone");
    expect(gone).toBe(false);
    expect(warnings.join()).toContain("may be only a part and the webhook is not in it");
  },
  200,
);

property(
  "a status for partial content keeps the webhook",
  others,
  async (list) => {
    const answer = { ...plain({ success: true, data: list }), status: 206 };
    expect(await refresh(answer, "wh_gone")).toMatchObject({ gone: false });
  },
  20,
);

function plain(json: object, headers: [string, string][] = []): Success {
  const body = Buffer.from(JSON.stringify(json));
  return { status: 200, headers: [["content-type", "application/json"], ...headers], body, framing: "length", pieces: 1, interim: "", data: undefined }; // prettier-ignore
}
