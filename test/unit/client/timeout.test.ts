/** A caller's own time for one request, over all of its attempts: the engine's customTimeouts. */
import type { Dispatcher } from "undici";
import { Client } from "../../../src/client/client.js";
import { RequestError } from "../../../src/client/errors.js";
import { failureOf, serve, token } from "../../support/client/setup.js";
import { answer, hang, held, success } from "../../support/client/raw-server.js";
import { FakeTime } from "../../support/client/fake-time.js";

const policy = { retention_days: 30, enabled: true };
const put = (client: Client, timeoutMs: number) =>
  client.send("putRetentionPolicy", { resource: "recordings" }, policy, { timeoutMs });
const rotate = (client: Client, timeoutMs: number) =>
  client.send("rotateWebhookSecret", { webhook_id: "wh_1" }, undefined, { timeoutMs });

test("a rotation that has left when its time ends is unknown, and is not sent again", async () => {
  const { server, client, time } = await serve([hang, success("a second rotation")]);
  const failure = failureOf(rotate(client, 1000), RequestError);
  await server.seen(1);
  time.advance(1000);
  const error = await failure;
  expect(error.message).toContain("got no usable answer: no complete answer within 1 s [TIMEOUT]");
  expect(error.outcome).toBe("unknown");
  expect(server.requests).toHaveLength(1);
});

test("the time is for all attempts and waits together", async () => {
  const { client, time } = await serve([answer(503)]);
  const before = time.now();
  await failureOf(put(client, 1000), RequestError);
  expect(time.slept).toEqual([125, 250, 500]);
  expect(time.now() - before).toBeLessThan(1000);
});

test.each(["5", "7862400"])("a server's wait of %s s after a 429 does not lengthen it", async (seconds) => {
  const { server, client } = await serve([answer(429, "", { "retry-after": seconds })]);
  const error = await failureOf(put(client, 3000), RequestError);
  expect(error.message).toContain(`The server asks to wait ${seconds} s.`);
  expect(server.requests).toHaveLength(1);
});

test("a longer time lets a rotation, which has one attempt, wait for its answer all the while", async () => {
  const { behaviour, release } = held(success("rotated"));
  const { server, client, time } = await serve([behaviour]);
  const rotation = rotate(client, 300_000);
  await server.seen(1);
  time.advance(299_000);
  release();
  expect(await rotation).toBe("rotated");
});

test("a setting's attempts stay short in a longer time, since another one may get through", async () => {
  const { server, client, time } = await serve([hang, success("set")]);
  const setting = put(client, 300_000);
  await server.seen(1);
  time.advance(20_000);
  expect(await setting).toBe("set");
});

test("the transport's own limits do not end it earlier", async () => {
  const seen: Dispatcher.DispatchOptions[] = [];
  const dispatcher = {
    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      seen.push(options);
      handler.onResponseError?.({ abort: () => undefined } as never, new Error("enough"));
    },
  } as unknown as Dispatcher;
  const settings = { baseUrl: "https://api.example.com", token };
  const client = new Client(settings, Object.assign(new FakeTime(), { dispatcher }), { maxAttempts: 1 });
  await failureOf(rotate(client, 300_000), RequestError);
  expect(seen[0]).toMatchObject({ headersTimeout: 0, bodyTimeout: 0 });
});
