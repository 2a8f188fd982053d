import { RequestError, outcomeOf } from "../../../src/client/errors.js";
import { listWebhooks, putRetentionPolicy, rotateWebhookSecret } from "../../support/client/senders.js";
import { losses, maxResponseBytes, type Loss } from "../resources/conformance/losses.js";
import { clientFor, expectLostAfter, failureOf, serve } from "../../support/client/setup.js";
import {
  answer,
  cutBody,
  hang,
  hangUp,
  reset,
  startRawServer,
  success,
  type Behaviour,
} from "../../support/client/raw-server.js";

const policy = { retention_days: 30, enabled: true };

describe("a rotation whose answer is lost is sent once and reported as unknown", () => {
  test.each(Object.keys(losses) as Loss[])("%s", async (loss) => {
    const lose: Behaviour = (socket) => {
      losses[loss](socket, () => {
        time.advance(20_000);
      });
    };
    const { server, client, time } = await serve([lose, success("a second rotation")], { maxResponseBytes });
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("unknown");
    expect(server.requests).toHaveLength(1);
  });

  test.each([500, 501, 502, 503, 504, 599])("the answer is %i", async (status) => {
    const { server, client } = await serve([answer(status, "", { "retry-after": "1" }), success("a second rotation")]);
    expect(await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError)).toMatchObject({ outcome: "unknown" });
    expect(server.requests).toHaveLength(1);
  });

  test("no answer comes within the time of an attempt", async () => {
    await expectLostAfter(20, (client) => rotateWebhookSecret(client, "wh_1"));
  });
});

test("a rotation answered 429 is sent again after Retry-After, plus jitter", async () => {
  const { server, client, time } = await serve([answer(429, "", { "retry-after": "7" }), success("rotated")]);
  expect(await rotateWebhookSecret(client, "wh_1")).toBe("rotated");
  expect(server.requests).toHaveLength(2);
  expect(time.slept).toEqual([7_000 + 125]);
});

test("a storm of 429 ends at the deadline, with the server's wait in the error", async () => {
  const { server, client, time } = await serve([answer(429, "", { "retry-after": "25" })]);
  const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error).toMatchObject({ status: 429, outcome: "refused" });
  expect(error.message).toContain("(7 attempts)");
  expect(error.message).toContain("The server asks to wait 25 s.");
  // 60 s, and two minutes of waiting that the server asked for.
  expect(time.slept).toHaveLength(6);
  expect(server.requests).toHaveLength(7);
});

test("a limit for a minute is waited for, which leaves the time for the attempt itself as it was", async () => {
  const { client, time } = await serve([answer(429, "", { "retry-after": "60" }), reset, success("done")]);
  expect(await putRetentionPolicy(client, "recordings", policy)).toBe("done");
  expect(time.slept).toEqual([60_125, 250]);
});

test("a rotation that could not connect is tried again", async () => {
  const server = await startRawServer([success("rotated")]);
  const { port } = server;
  await server.close();
  const { client, time } = clientFor(`http://127.0.0.1:${port}`);
  const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error.outcome).toBe("not-sent");
  expect(error.message).toMatch(/ECONNREFUSED .*\(7 attempts\)/);
  expect(time.slept).toEqual([125, 250, 500, 1000, 2000, 4000]);
});

test("every rotation travels on a connection of its own, other requests share one", async () => {
  const { server, client } = await serve([success(null)], { connections: 1 });
  await rotateWebhookSecret(client, "wh_1");
  await rotateWebhookSecret(client, "wh_1");
  expect(server.connections()).toBe(2);
  expect(server.requests[0]?.head).toContain("connection: close");
  await listWebhooks(client);
  await listWebhooks(client);
  await listWebhooks(client);
  expect(server.connections()).toBe(3);
});

/** Promises to keep the connection, and ends it. */
const answerAndClose: Behaviour = (socket) => {
  socket.end("HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n{}");
};

test("a server that closes the connections it promised to keep gets every rotation once", async () => {
  const { server, client } = await serve([answerAndClose]);
  for (let i = 0; i < 20; i++) await rotateWebhookSecret(client, `wh_${i}`);
  expect(new Set(server.requests.map(({ head }) => head)).size).toBe(20);
  expect(server.requests).toHaveLength(20);
});

test("a kept connection that the server closes between two requests costs the second one nothing", async () => {
  const { server, client } = await serve([answerAndClose]);
  await listWebhooks(client);
  await new Promise(setImmediate);
  await listWebhooks(client);
  expect(server.requests).toHaveLength(2);
});

describe("a request that may run twice is tried again", () => {
  const passing: [string, Behaviour][] = [
    ["reset", reset],
    ["closed without an answer", hangUp],
    ["a cut body", cutBody(200, '{"success":true,')],
    ["408 of an idle connection", (socket) => void socket.end("HTTP/1.1 408 X\r\nconnection: close\r\n\r\n")],
    ["502", answer(502)],
    ["503", answer(503)],
    ["504", answer(504)],
    ["429", answer(429)],
  ];
  test.each(passing)("after %s", async (_name, trouble) => {
    const { server, client, time } = await serve([trouble, trouble, success("done")]);
    expect(await putRetentionPolicy(client, "recordings", policy)).toBe("done");
    expect(server.requests).toHaveLength(3);
    expect(time.slept).toEqual([125, 250]);
  });

  test("after no answer in time, within the deadline of the whole request", async () => {
    const { server, client, time } = await serve([hang]);
    const failure = failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
    for (let attempt = 1; attempt <= 3; attempt++) {
      await server.seen(attempt);
      time.advance(20_000);
    }
    const error = await failure;
    expect(error.outcome).toBe("unknown");
    expect(error.message).toContain("(3 attempts)");
    expect(server.requests).toHaveLength(3);
  });

  test.each([400, 403, 422, 500, 501])("but not after %i", async (status) => {
    const { server, client } = await serve([answer(status), success("done")]);
    const error = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
    expect(error.status).toBe(status);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["the last one was refused", [reset, answer(403)]],
    ["one between met a rate limit", [reset, answer(429), answer(403)]],
  ])("and stays unknown where an earlier attempt went unanswered and %s", async (_name, behaviours) => {
    const { client } = await serve(behaviours);
    const error = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
    expect(error.status).toBe(403);
    expect(outcomeOf(error)).toBe("unknown");
    expect(error.message).toContain("An earlier attempt failed and may have been carried out.");
  });
});

test("a status that says no counts, even if the rest of its answer is cut off", async () => {
  const { server, client } = await serve([cutBody(403, '{"error":')]);
  const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error).toMatchObject({ status: 403, outcome: "refused" });
  expect(server.requests).toHaveLength(1);
});
