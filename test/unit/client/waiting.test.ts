/** Requests beyond the limit of connections wait, in order, and the connections serve them all. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Client } from "../../../src/client/client.js";
import { RequestError } from "../../../src/client/errors.js";
import { listWebhooks, patchNetworkPolicy } from "../../support/client/senders.js";
import { answer, hang, held, success, type Behaviour } from "../../support/client/raw-server.js";
import { failureOf, serve, token } from "../../support/client/setup.js";

/** Answers with the request's body, when that is asked for. */
const echo = () =>
  held((socket, request) => {
    success(request.body)(socket, request);
  });

test("no more requests are sent at a time than there are connections, and the others follow in their order on the same ones", async () => {
  const { behaviour, release } = echo();
  const { server, client } = await serve([behaviour], { connections: 2 });
  const all = Array.from({ length: 7 }, (_, n) => patchNetworkPolicy(client, "np_1", { name: `n${n}` }));
  await server.seen(2);
  for (let sent = 2; sent < 7; sent++) {
    await nextTurn();
    expect(server.requests).toHaveLength(sent);
    release();
    await server.seen(sent + 1);
  }
  release();
  release();
  await Promise.all(all);
  expect(server.requests.map(({ body }) => body).slice(2)).toEqual([2, 3, 4, 5, 6].map((n) => `{"name":"n${n}"}`));
  expect(server.connections()).toBe(2);
});

test("the time of an attempt begins when the request leaves: however long it waited for a connection, it has all of it", async () => {
  const { behaviour, release } = echo();
  const { server, client, time } = await serve([behaviour], { connections: 1, maxAttempts: 1, attemptTimeoutMs: 1000 });
  const all = [1, 2, 3].map((n) => patchNetworkPolicy(client, "np_1", { name: `n${n}` }));
  const late = failureOf(patchNetworkPolicy(client, "np_1", { name: "n4" }), RequestError);
  for (let sent = 1; sent <= 3; sent++) {
    await server.seen(sent);
    time.advance(900);
    release();
  }
  await Promise.all(all);
  await server.seen(4);
  time.advance(1000);
  expect(await late).toMatchObject({ outcome: "unknown", message: expect.stringContaining("[TIMEOUT]") as string });
});

test("a request that times out while it waits was not sent and never is, and the message says what to do", async () => {
  const { behaviour, release } = echo();
  const { server, client, time } = await serve([behaviour], {
    connections: 1,
    maxAttempts: 1,
    attemptTimeoutMs: 1000,
    deadlineMs: 1000,
  });
  const first = client.send("listWebhooks", {});
  await server.seen(1);
  time.advance(400);
  const late = failureOf(patchNetworkPolicy(client, "np_1", { name: "late" }), RequestError);
  await nextTurn();
  release();
  await first;
  await server.seen(2);
  const waits = failureOf(patchNetworkPolicy(client, "np_1", { name: "waits" }), RequestError);
  await nextTurn();
  time.advance(1000);
  expect(await late).toMatchObject({ outcome: "unknown" });
  expect(await waits).toMatchObject({
    outcome: "not-sent",
    message:
      "PATCH /v1/network-policies/np_1 was not sent: its turn did not come in time: lower the parallelism, or run it again later [TIMEOUT] [not-sent]",
  });
  const last = patchNetworkPolicy(client, "np_1", { name: "last" });
  await server.seen(3);
  release();
  release();
  await last;
  expect(server.requests.map(({ body }) => body)).toEqual(["", '{"name":"late"}', '{"name":"last"}']);
});

test("closing waits for the requests that run, sends none that wait, and refuses new ones", async () => {
  const { behaviour, release } = echo();
  const { server, client } = await serve([behaviour], { connections: 1 });
  const runs = listWebhooks(client);
  await server.seen(1);
  const waits = failureOf(listWebhooks(client), RequestError);
  await nextTurn();
  let isClosed = false;
  const closing = client.close().then(() => (isClosed = true));
  expect(await waits).toMatchObject({ outcome: "not-sent" });
  await expect(listWebhooks(client)).rejects.toThrow("The update was cancelled, and nothing was sent. [cancelled]");
  await nextTurn();
  expect(isClosed).toBe(false);
  release();
  await runs;
  await closing;
  expect(server.requests).toHaveLength(1);
});

test("a request that cannot get its turn in time, because the server asks all of them to wait for longer, ends at once", async () => {
  const { server, client, time } = await serve([answer(429, "", { "retry-after": "100" })], { connections: 1 });
  const first = failureOf(client.send("listWebhooks", {}, undefined, { timeoutMs: 5000 }), RequestError);
  expect(await first).toMatchObject({ status: 429 });
  const error = await failureOf(client.send("listWebhooks", {}, undefined, { timeoutMs: 5000 }), RequestError);
  expect(error).toMatchObject({ outcome: "not-sent", message: expect.stringContaining("[TIMEOUT]") as string });
  expect([server.requests.length, time.slept]).toEqual([1, []]);
});

test("after a connection has failed, the next request that waits gets another", async () => {
  const { server, client } = await serve([(socket) => socket.resetAndDestroy(), success(null)], {
    connections: 1,
    maxAttempts: 1,
  });
  const lost = failureOf(patchNetworkPolicy(client, "np_1", { name: "lost" }), RequestError);
  const next = patchNetworkPolicy(client, "np_1", { name: "next" });
  expect(await lost).toMatchObject({ outcome: "unknown" });
  await next;
  expect(server.connections()).toBe(2);
});

test("a connection that the server ends behind its answer is not used for the next request that waits", async () => {
  const last: Behaviour = (socket, request) => {
    success({ name: "first" })(socket, request);
    socket.end();
  };
  const { server, client } = await serve([last, success({ name: "next" })], { connections: 1, maxAttempts: 1 });
  const names = ["first", "next"];
  await Promise.all(names.map((name) => patchNetworkPolicy(client, "np_1", { name })));
  expect(server.requests.map(({ body }) => body)).toEqual(names.map((name) => JSON.stringify({ name })));
  expect(server.connections()).toBe(2);
});

test("without a clock of a test's own, a server that never answers is a timeout after the time for an attempt", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
  try {
    const { server } = await serve([hang]);
    const client = new Client({ baseUrl: server.baseUrl, token }, {}, { maxAttempts: 1 });
    const failure = failureOf(listWebhooks(client), RequestError);
    await server.seen(1);
    jest.advanceTimersByTime(19_500);
    await nextTurn();
    jest.advanceTimersByTime(1000);
    expect(await failure).toMatchObject({
      outcome: "unknown",
      message: expect.stringContaining("[TIMEOUT]") as string,
    });
    await client.close();
  } finally {
    jest.useRealTimers();
  }
});
