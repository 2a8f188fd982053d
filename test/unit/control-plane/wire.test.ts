import { errorBody, ids, perform, plane, send, sendRaw } from "./plane";

const authorization = { Authorization: "Bearer vp_dev_full" };

test("every answer has its own request id, and the journal has the same", async () => {
  const server = await plane();
  const answers = [
    await perform(server, "putRetentionPolicy"),
    await perform(server, "listWebhooks", "nobody"),
    await send(server, "GET", "/nowhere"),
    await send(server, "PUT", "/v1/webhooks/"),
  ];
  const given = answers.map(({ headers }) => headers.get("X-Request-ID"));
  expect(new Set(given).size).toBe(4);
  expect(server.control.journal().map(({ requestId }) => requestId)).toEqual(given);
});

test.each([["/v1/webhooks"], ["/v1/trunks//outbound-auth"], ["/v1/retention-policies/recordings/"], ["/v2/webhooks/"]])(
  "the unknown path %s is a 404 that is not JSON",
  async (path) => {
    const answer = await send(await plane(), "GET", path);
    expect([answer.status, answer.headers.get("Content-Type"), answer.text]).toEqual([
      404,
      "text/plain",
      "404 page not found\n",
    ]);
  },
);

test("an unknown method is an empty 405, without a token too", async () => {
  const answer = await send(await plane(), "GET", `/v1/trunks/${ids.trunk}/outbound-auth`, undefined, {
    Authorization: "",
  });
  expect([answer.status, answer.text, answer.headers.get("Allow")]).toEqual([405, "", "DELETE"]);
});

test("an encoded path parameter is decoded once, and a badly encoded one is a 400", async () => {
  const server = await plane();
  server.control.seed({ networkPolicies: [{ id: "a/b %41", name: "Odd", source_cidr: "192.0.2.0/24" }] });
  expect((await send(server, "PATCH", "/v1/network-policies/a%2Fb%20%2541", { name: "Even" })).status).toBe(200);
  const bad = await sendRaw(server, "DELETE", "/v1/trunks/%zz/outbound-auth", authorization);
  expect([bad.status, JSON.parse(bad.text)]).toEqual([
    400,
    errorBody("BAD_REQUEST", "the path is not percent-encoded correctly"),
  ]);
});

test.each([
  ["no JSON", "{", "application/json", 400, "the body is not JSON"],
  ["nothing", "", "application/json", 400, "the body is not JSON"],
  ["another type", "{}", "text/plain", 400, "Content-Type must be application/json"],
])("a body with %s is refused", async (_, body, type, status, message) => {
  const server = await plane();
  const path = "/v1/retention-policies/recordings";
  const answer = await send(server, "PUT", path, body, { "Content-Type": type });
  expect([answer.status, answer.json]).toMatchObject([status, { error: { message } }]);
  expect(server.control.counters()).toEqual({});
});
