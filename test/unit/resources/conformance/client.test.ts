/** The client against every server that the interface allows. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Client } from "../../../../src/client/client.js";
import { ConfigError, outcomeOf, RequestError } from "../../../../src/client/errors.js";
import { calls, settings as settingNames, type Call } from "../../../support/client/senders.js";
import { FakeTime } from "../../../support/client/fake-time.js";
import type { Answer, Success } from "./answers.js";
import { expectNoSecret, secretNumber, token } from "./canaries.js";
import { anyScript, anySuccess } from "./moves.js";
import { property } from "../../../support/resources/property.js";
import { maxResponseBytes } from "./losses.js";
import { startScriptedServer, type Move, type ScriptedServer } from "./server.js";

let server: ScriptedServer;
let elsewhere: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
  elsewhere = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
  await elsewhere.close();
});

const { rotateWebhookSecret: rotation, listWebhooks: list } = calls;
const settings: readonly Call[] = settingNames.map((name) => calls[name]);
const writes = [...settings, rotation];
const anyCall = fc.constantFrom<Call>(...writes, list);

type Ended = { readonly data: unknown } | { readonly error: unknown };

/** Makes one call while the server plays the script. */
async function make(call: Call, script: readonly Move[]): Promise<Ended> {
  const time = new FakeTime();
  server.play(script, time);
  const client = new Client({ baseUrl: server.baseUrl, token }, time, { maxResponseBytes });
  try {
    return { data: await call(client) };
  } catch (error) {
    return { error };
  } finally {
    await client.close();
  }
}

/** Whether the answer is no JSON, and so no success but of a rotation. */
function isStrange(call: Call, answer: Answer | undefined): boolean {
  const { data, rotated } = answer as Success;
  return call !== rotation && data === undefined && rotated !== undefined;
}

property(
  "a call ends as the server's last answer says: with its data, or with an error that tells what may have been done, and no token",
  fc.tuple(anyCall, anyScript({ elsewhere: () => `${elsewhere.baseUrl}/moved` })),
  async ([call, script]) => {
    const ended = await make(call, script);
    const last = server.made.at(-1);
    expect("data" in ended).toBe(last?.kind === "done" && !isStrange(call, last.answer));
    // The deadline ends it: three minutes of 429, with four seconds between two attempts.
    expect(server.made.length).toBeLessThanOrEqual(60);
    if (call === rotation) expect(server.commits()).toBeLessThanOrEqual(1);
    // With a redirect, the token would go there.
    expect(elsewhere.connections()).toBe(0);
    if (!("error" in ended)) return;
    expect([RequestError, ConfigError].some((type) => ended.error instanceof type)).toBe(true);
    expectNoSecret(ended.error);
    const outcome = outcomeOf(ended.error);
    if (outcome === "not-sent") expect(server.made).toEqual([]);
    if (outcome !== "unknown") expect(server.commits()).toBe(0);
  },
  300,
);

property(
  "the data of a success arrives as it was sent, in any framing",
  fc.tuple(fc.constantFrom(...writes), anySuccess),
  async ([call, answer]) => {
    const ended = await make(call, [{ kind: "done", answer }]);
    if (isStrange(call, answer)) {
      expect("error" in ended && outcomeOf(ended.error)).toBe("unknown");
      return;
    }
    const sent = withLargeNumbersAsText(call === rotation ? answer.rotated : answer.data);
    const arrived = "data" in ended && isDeepStrictEqual(ended.data, sent);
    expect(arrived ? sent : ended).toStrictEqual(sent);
  },
  75,
);

/** JavaScript would round a number above 2^53, which may be an id or a secret. */
function withLargeNumbersAsText(data: unknown): unknown {
  if (data === undefined) return undefined;
  const isLarge = (value: unknown) => typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return JSON.parse(JSON.stringify(data), (_name, value: unknown) =>
    isLarge(value) ? String(value) : value,
  ) as unknown;
}

const secret = secretNumber(1);
/** Places where the answer of a failed rotation may hold the secret. */
const secretBody = fc.constantFrom(
  JSON.stringify({ success: true, data: { signing_secret: secret } }),
  JSON.stringify({ success: true, data: { signing_secret: secret } }).slice(0, -4),
  JSON.stringify({ success: false, error: { code: "E", message: "not stored" }, data: { webhook: { secret } } }),
  JSON.stringify({ webhook: { key: secret }, secret, error: { signing_secret: secret } }),
  JSON.stringify([secret]),
  JSON.stringify(secret),
  secret,
  `signing_secret=${secret}`,
);

property(
  "no error of a rotation shows a new secret that the server failed to deliver",
  anyScript({ errorBodies: secretBody.map((body) => Buffer.from(body)) }),
  async (script) => {
    const ended = await make(rotation, script);
    if ("error" in ended) expectNoSecret(ended.error);
  },
  75,
);
