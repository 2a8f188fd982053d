/** When a request is announced: immediately before its bytes leave, and never if they do not. */
import { RequestError } from "../../../src/client/errors.js";
import type { OperationName } from "../../../src/contract/index.js";
import { answer, cutBody, hang, reset, success, type Behaviour } from "../../support/client/raw-server.js";
import { clientFor, failureOf, serve } from "../../support/client/setup.js";

/** Sends one request, and notes what happens in its order. */
function announced(client: ReturnType<typeof clientFor>["client"], operation: OperationName = "rotateWebhookSecret") {
  const events: string[] = [];
  const begin = () => {
    events.push("leaves");
    return () => void events.push("had no effect");
  };
  const parameters = { webhook_id: "wh_1", resource: "recordings" };
  const body = operation === "putRetentionPolicy" ? { retention_days: 30, enabled: true } : undefined;
  return { events, sent: client.send(operation, parameters, body, { begin }) };
}

test.each<[string, OperationName, Behaviour[], string[]]>([
  ["a success", "rotateWebhookSecret", [success("rotated")], ["leaves"]],
  ["a refusal", "rotateWebhookSecret", [answer(403)], ["leaves", "had no effect"]],
  [
    "a 429 before a success",
    "rotateWebhookSecret",
    [answer(429), success("rotated")],
    ["leaves", "had no effect", "leaves"],
  ],
  ["a 500", "rotateWebhookSecret", [answer(500)], ["leaves"]],
  ["a reset", "rotateWebhookSecret", [reset], ["leaves"]],
  ["half an answer", "rotateWebhookSecret", [cutBody(200, "{}")], ["leaves"]],
  ["a 503 before a success", "putRetentionPolicy", [answer(503), success(null)], ["leaves", "leaves"]],
])("%s of a %s", async (_name, operation, behaviours, expected) => {
  const { client } = await serve(behaviours);
  const { events, sent } = announced(client, operation);
  await sent.catch(() => undefined);
  expect(events).toEqual(expected);
});

test("a request that cannot connect is not announced", async () => {
  const { client } = clientFor("http://127.0.0.1:9");
  const { events, sent } = announced(client);
  await failureOf(sent, RequestError);
  expect(events).toEqual([]);
});

test("a request that waits for its turn is not announced before it leaves", async () => {
  const { server, client, time } = await serve([hang, answer(403)], { connections: 1 });
  const first = announced(client);
  const second = announced(client);
  await server.seen(1);
  expect([first.events, second.events]).toEqual([["leaves"], []]);
  time.advance(20_000);
  await failureOf(first.sent, RequestError);
  await failureOf(second.sent, RequestError);
  expect([first.events, second.events]).toEqual([["leaves"], ["leaves", "had no effect"]]);
});

test("a request is on its way only when it has been announced", async () => {
  const { server, client } = await serve([success("rotated")]);
  let seen = -1;
  const begin = () => {
    seen = server.requests.length;
    return () => undefined;
  };
  await client.send("rotateWebhookSecret", { webhook_id: "wh_1" }, undefined, { begin });
  expect([seen, server.requests.length]).toEqual([0, 1]);
});
