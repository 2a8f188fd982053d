import { ids, perform, plane, send } from "./plane";

test("every answer has its own request id, and the journal has the same", async () => {
  const server = await plane();
  const answers = [
    await perform(server, "putRetentionPolicy"),
    await perform(server, "listWebhooks", "nobody"),
    await send(server, "GET", "/nowhere"),
  ];
  const given = answers.map(({ headers }) => headers.get("X-Request-ID"));
  expect(new Set(given).size).toBe(3);
  expect(server.control.journal().map(({ requestId }) => requestId)).toEqual(given);
});

test.each([
  ["GET", "/v1/webhooks"],
  ["DELETE", "/v1/trunks//outbound-auth"],
  ["GET", `/v1/trunks/${ids.trunk}/outbound-auth`],
])("%s %s is a 404 that is not JSON, without a token too", async (method, path) => {
  const answer = await send(await plane(), method, path, undefined, { Authorization: "" });
  expect([answer.status, answer.headers.get("Content-Type"), answer.text]).toEqual([
    404,
    "text/plain",
    "404 page not found\n",
  ]);
});
