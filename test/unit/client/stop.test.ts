/** After Ctrl-C, what has left ends, and nothing new leaves. */
import type { Client } from "../../../src/client/client.js";
import { ConfigError, RequestError } from "../../../src/client/errors.js";
import { putRetentionPolicy, rotateWebhookSecret } from "../../support/client/senders.js";
import { answer, held, success } from "../../support/client/raw-server.js";
import { failureOf, serve, token } from "../../support/client/setup.js";

const put = (client: Client) => putRetentionPolicy(client, "recordings", { retention_days: 90, enabled: true });

test("a request that has left gets its answer, and its secret is not lost", async () => {
  const { behaviour, release } = held(success({ secret: "s" }));
  const { server, client } = await serve([behaviour]);
  const rotation = rotateWebhookSecret(client, "wh_1");
  await server.seen(1);
  client.stop();
  release();
  expect(await rotation).toEqual({ secret: "s" });
});

test("a request that has left and fails is not tried again", async () => {
  const { behaviour, release } = held(answer(503));
  const { server, client } = await serve([behaviour]);
  const failure = failureOf(put(client), RequestError);
  await server.seen(1);
  client.stop();
  release();
  expect(await failure).toMatchObject({ status: 503, outcome: "unknown" });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["before a further attempt ends with the error of the last one", [answer(503)], { status: 503 }],
  [
    "that the server asks for does too",
    [answer(429, "", { "retry-after": "60" })],
    { status: 429, outcome: "refused" },
  ],
])("a wait %s, at once", async (_what, behaviours, expected) => {
  let asleep: () => void = () => undefined;
  const sleeping = new Promise<void>((resolve) => (asleep = resolve));
  const sleep = (_ms: number, signal?: AbortSignal) => {
    asleep();
    return new Promise<void>((resolve) =>
      signal?.addEventListener("abort", () => {
        resolve();
      }),
    );
  };
  const { server, client } = await serve(behaviours, {}, { sleep });
  const failure = failureOf(put(client), RequestError);
  await sleeping;
  client.stop();
  expect(await failure).toMatchObject(expected);
  expect(server.requests).toHaveLength(1);
});

test("what has not left is not sent, and what follows is refused", async () => {
  const { behaviour, release } = held(success(null));
  const { server, client } = await serve([behaviour], { connections: 1 });
  const first = put(client);
  await server.seen(1);
  const waits = failureOf(put(client), RequestError);
  await new Promise(setImmediate);
  client.stop();
  expect(await waits).toMatchObject({
    outcome: "not-sent",
    message: "PUT /v1/retention-policies/recordings was not sent: the update was cancelled [CANCELLED] [not-sent]",
  });
  expect((await failureOf(put(client), ConfigError)).message).toContain("[cancelled]");
  release();
  await first;
  expect(server.requests).toHaveLength(1);
});

test("a request that was about to connect is not sent", async () => {
  const { server, client } = await serve([success(null)]);
  const early = failureOf(put(client), RequestError);
  await Promise.resolve();
  client.stop();
  expect(await early).toMatchObject({ outcome: "not-sent" });
  expect(server.requests).toEqual([]);
});

test("a further attempt is announced with its reason and its wait, without the token", async () => {
  const refused = JSON.stringify({ success: false, error: { code: "BUSY", message: `no room for ${token}` } });
  const { client } = await serve([answer(503, refused), answer(429, "", { "retry-after": "7" }), success(null)]);
  const announced: string[] = [];
  const body = { retention_days: 90, enabled: true };
  const onRetry = (message: string) => announced.push(message);
  await client.send("putRetentionPolicy", { resource: "recordings" }, body, { onRetry });
  expect(announced).toEqual([
    'PUT /v1/retention-policies/recordings failed: 503 BUSY "no room for [redacted]"; attempt 2 follows within 1 s',
    "PUT /v1/retention-policies/recordings was refused: 429 (2 attempts); attempt 3 follows within 8 s",
  ]);
});
