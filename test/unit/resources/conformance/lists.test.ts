/** No list removes a webhook from the state, which may have the only copy of its secret. */
import fc from "fast-check";
import type { Api } from "../../../../src/client/api.js";
import { Client } from "../../../../src/client/client.js";
import { singleProcessRun } from "../../../../src/resources/lifecycle.js";
import type { Context } from "../../../../src/resources/lifecycle.js";
import { webhookSecret } from "../../../../src/resources/webhook-secret.js";
import { FakeTime } from "../../../support/client/fake-time.js";
import { envelopeOf, refusalWith, successWith, type Success } from "./answers.js";
import { token } from "./canaries.js";
import { property } from "../../../support/resources/property.js";
import { startScriptedServer, type ScriptedServer } from "./server.js";
import { forgetful } from "../../../../src/resources/unsettled.js";

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** Whether a refresh keeps the state, and what it logs. */
async function refresh(answer: Success, webhookId: string): Promise<{ isKept: boolean; warnings: string[] }> {
  const time = new FakeTime();
  server.play([{ kind: "done", answer }], time);
  const client = new Client({ baseUrl: server.baseUrl, token }, time);
  const warnings: string[] = [];
  try {
    const state = { organization: "acme", webhookId, rotationCount: 1, rotationState: "rotated" as const };
    const found = await webhookSecret.read(contextOf(client, warnings), state);
    expect(server.made).toHaveLength(1);
    return { isKept: found === state, warnings };
  } finally {
    await client.close();
  }
}

function contextOf(api: Api, warnings: string[]): Context {
  const log = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  return {
    organization: "acme",
    api,
    log,
    address: "",
    run: singleProcessRun(),
    unsettled: forgetful,
    now: () => new Date(0),
  };
}

const others = fc.array(fc.record({ id: fc.uuid(), enabled: fc.boolean() }), { maxLength: 12 });
const listNames = fc.constantFrom("webhooks", "items", "data", "results", undefined);

property(
  "a webhook that is missing from a list, even from an empty one, stays, with a warning that says what to do",
  fc.tuple(others, listNames).chain(([list, name]) => {
    const data = name === undefined ? list : { [name]: list };
    return successWith(fc.constant({ bytes: Buffer.from(JSON.stringify({ success: true, data })), data }));
  }),
  async (answer) => {
    const { isKept, warnings } = await refresh(answer, "wh_gone");
    expect(isKept).toBe(true);
    expect(warnings.join()).toContain("is not in the server's list of webhooks. The state is kept");
  },
  250,
);

property(
  "an answer that is not clearly a list never removes a webhook",
  fc.oneof(
    successWith(envelopeOf(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer()))),
    successWith(fc.constant({ bytes: Buffer.from('{"success":true,"data":{"webhooks":[{"id":"x"}'), data: undefined })),
  ),
  async (answer) => {
    expect(await refresh(answer, "wh_elsewhere")).toMatchObject({ isKept: true });
  },
  150,
);

property(
  "a refusal never removes a webhook",
  refusalWith(fc.integer({ min: 300, max: 499 }).filter((status) => status !== 429)),
  async (answer) => {
    expect(await refresh({ ...answer, data: undefined }, "wh_elsewhere")).toMatchObject({ isKept: true });
  },
  100,
);

property(
  "a webhook is found in any list, whatever the name of its id's member and the id's letter case",
  fc.tuple(others, fc.constantFrom("id", "ID", "webhook"), fc.uuid(), fc.boolean()),
  async ([list, name, id, upper]) => {
    const own = { id: name === "id" ? id : "7", ...(name === "webhook" && { webhook_id: id }), ...(name === "ID" && { uuid: id }) }; // prettier-ignore
    const answer = plain({ success: true, data: [...list, own] });
    expect(await refresh(answer, upper ? id.toUpperCase() : id)).toEqual({ isKept: true, warnings: [] });
  },
  100,
);

function plain(json: object): Success {
  const body = Buffer.from(JSON.stringify(json));
  return { status: 200, headers: [["content-type", "application/json"]], body, framing: "length", pieces: 1, interim: "", data: undefined }; // prettier-ignore
}
