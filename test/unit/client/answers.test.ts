import { RequestError } from "../../../src/client/errors.js";
import {
  listWebhooks,
  putRetentionPolicy,
  rotateWebhookSecret,
  calls,
  harmless,
  settings,
} from "../../support/client/senders.js";
import { answer, type Behaviour } from "../../support/client/raw-server.js";
import { failureOf, serve } from "../../support/client/setup.js";

const envelope = '{"success":true,"data":{"webhooks":[]}}';
const policy = { retention_days: 30, enabled: true };

test.each<[string, Behaviour, unknown]>([
  ["the envelope's data", answer(200, envelope), { webhooks: [] }],
  ["data that is null", answer(200, '{"success":true,"data":null}'), undefined],
  ["no data", answer(200, '{"success":true}'), undefined],
  ["data alone", answer(202, '{"data":[1]}'), [1]],
  ["data that is a list, and members beside it", answer(200, '{"data":[1],"next":"/2"}'), [1]],
  ["members beside the data", answer(200, '{"data":{"id":"x"},"secret":"s"}'), { id: "x", secret: "s" }],
  ["the data's own members, which win", answer(200, '{"data":{"secret":"in"},"secret":"out"}'), { secret: "in" }],
  ["members beside data that is null", answer(200, '{"success":true,"data":null,"secret":"s"}'), { secret: "s" }],
  ["members in place of data", answer(200, '{"success":true,"items":[1]}'), { items: [1] }],
  ["JSON that is no envelope, whatever it is", answer(200, '{"status":"error"}'), { status: "error" }],
  ["a bare string", answer(201, '"s"'), "s"],
  ["an empty body", answer(200, " \n"), undefined],
  ["no body", answer(204), undefined],
  [
    "UTF-8, always",
    answer(200, '{"data":"Zo\u00eb"}', { "content-type": "text/html; charset=ISO-8859-1" }),
    "Zo\u00eb",
  ],
])("a 2xx is a success with all that it says: %s", async (_name, behaviour, data) => {
  const { client, server } = await serve([behaviour]);
  expect([await listWebhooks(client), await rotateWebhookSecret(client, "wh_1")]).toEqual([data, data]);
  expect(server.requests).toHaveLength(2);
});

const strange =
  "The answer is not one of this API: check the base URL; a login page, a proxy or another service may have answered.";

test.each([
  ["a login page", "<!doctype html><html><title>Sign\nin</title></html>", 'failed: 200 "Sign in"'],
  ["text", "OK", 'failed: 200 "OK"'],
  ["half of a JSON object", '{"success":tr', `failed: 200 "{"success":tr"`],
  ["success that is false", '{"success":false,"error":{"code":"NO","message":"n"}}', 'failed: 200 NO "n"'],
  ["success that is no boolean", '{"success":null,"data":{}}', 'failed: 200 "{"success":null,"data":{}}"'],
])("a 2xx with %s is no success, and what it did is unknown", async (_what, body, said) => {
  for (const name of settings) {
    const { client, server } = await serve([answer(200, body)]);
    const error = await failureOf(calls[name](client), RequestError);
    expect(error).toMatchObject({ outcome: "unknown", status: 200 });
    expect(error.message).toContain(
      `${said}\n${strange} Whether it was carried out is unknown; sending it again does no harm. [request-unknown]`,
    );
    expect(server.requests).toHaveLength(1);
  }
  const { client } = await serve([answer(200, body)]);
  expect((await failureOf(listWebhooks(client), RequestError)).message).toContain(`${strange} [no-answer]`);
});

test("a rotation is confirmed by its status, unless its answer says success: false, of which nothing is shown", async () => {
  const body = '{"success":false,"error":{"code":"TOO_SOON","message":"a moment ago"},"data":{"x":1}}';
  const { client, server } = await serve([answer(200, body)]);
  const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error).toMatchObject({ status: 200, outcome: "unknown" });
  expect(error.message).not.toMatch(/TOO_SOON|a moment ago/);
  expect(server.requests).toHaveLength(1);
});

describe("a rotation's answer counts also if it is no JSON, as it shows the secret only once:", () => {
  const page = `<html>${"<p>Rotated.</p>\n".repeat(1_000)}</html>`;
  test.each<[string, string, unknown]>([
    ["text, without the space around it", " s3cret \r\n", "s3cret"],
    ["a page of any length", page, page],
    ["JSON that is cut off", '{"success":true,"data":{"secret":"s', '{"success":true,"data":{"secret":"s'],
  ])("%s", async (_name, body, data) => {
    const { client } = await serve([answer(200, body)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual(data);
  });
});

describe("a number above 2^53 may be an id or a secret, and keeps its digits, as text:", () => {
  const digits = "92233720368547758079";
  test.each([
    ["in data", `{"success":true,"data":{"secret": ${digits} ,"n":-${digits}}}`, { secret: digits, n: `-${digits}` }],
    ["not in a name", `{"${digits}":[${digits},1.5e300]}`, { [digits]: [digits, "1.5e300"] }],
    [
      "only where it is not exact",
      '{"a":9007199254740991,"b":9007199254740992}',
      { a: 2 ** 53 - 1, b: "9007199254740992" },
    ],
    ["if it is too large for JavaScript", '{"a":1e400}', { a: "1e400" }],
    ["but no fraction", '{"a":[0.1234567890123456789,-0.5e-7,12]}', { a: [0.12345678901234568, -5e-8, 12] }],
  ])("%s", async (_name, body, data) => {
    const { client } = await serve([answer(200, body)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual(data);
  });
});

test("halves of characters, which JSON can hold and the engine cannot, are replaced, in names too", async () => {
  const body = String.raw`{"data":["a\ud800","\udc00b","\uDBFF\u0041","\ud83d\ude00","\\ud800",{"c\ud800":1}]}`;
  const { client } = await serve([answer(200, body)]);
  expect(await listWebhooks(client)).toEqual([
    "a\ufffd",
    "\ufffdb",
    "\ufffdA",
    "\u{1f600}",
    "\\ud800",
    { "c\ufffd": 1 },
  ]);
});

describe("of a failed rotation,", () => {
  const secret = "whsec_s3cret/0123+456789=";
  const parts = secret.match(/.{5}/g) ?? [];
  const error = (code: string, message: string) => JSON.stringify({ success: false, error: { code, message } });
  const bodies = {
    "the secret alone": secret,
    "the secret as JSON": JSON.stringify(secret),
    "the secret as code and message": error(secret, `not saved: ${secret}`),
    "the secret at the end of a long message": error("INTERNAL_ERROR", `${"x ".repeat(145)}${secret}`),
    "the secret with a character that is not visible": error("E", `signing_secret=${secret.replace("s", "s\u200b")}`),
    "a page with the secret": `<html><title>500: ${secret}</title></html>`,
  };
  const casesOf = (...statuses: number[]) =>
    statuses.flatMap((status) => Object.entries(bodies).map(([name, body]) => ({ status, name, body })));
  const told = { "x-request-id": secret, location: `/v1/${secret}?s=${secret}` };

  test.each(casesOf(307, 409, 500, 503))(
    "a server that may have rotated is not quoted at all: $status with $name",
    async ({ status, body }) => {
      const { client } = await serve([answer(status, body, told)]);
      const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
      expect(error.outcome).toBe("unknown");
      const redirects =
        status === 307
          ? "The server redirects. Redirects are not followed, because they would send the token elsewhere: set the base URL to the service's own address. "
          : "";
      expect(error.message).toBe(
        `POST /v1/webhooks/wh_1/rotate-secret failed: ${status}\n${redirects}Whether the secret was rotated is unknown, so it was not ` +
          "tried again: the old secret may have stopped working, and the new one is lost. " +
          "Run the same update again: it rotates once more. [rotation-unknown]",
      );
    },
  );

  test.each(casesOf(400, 422, 429))(
    "a server that refused is quoted without anything that looks like a secret: $status with $name",
    async ({ status, body }) => {
      const { client } = await serve([answer(status, body, { ...told, "retry-after": "9999" })]);
      const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
      expect(error.outcome).toBe("refused");
      for (const part of parts) expect(error.message + JSON.stringify(error)).not.toContain(part);
    },
  );

  test("a request id in the form of a UUID is shown if the server refused, and not if it may have rotated", async () => {
    const id = "1eeba375-2d16-4f95-bf13-080bb051e7df";
    const ids = [id, `whsec_5f4dcc3b5aa765d61d83-${id}`, `${id}-whsec_5f4dcc3b5aa765d61d83`];
    const behaviours = ids.map((each) => answer(403, "{}", { "x-request-id": each }));
    const { client } = await serve([...behaviours, answer(500, "{}", { "x-request-id": id })]);
    const messages: string[] = [];
    for (let n = 0; n < 4; n++)
      messages.push((await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError)).message);
    expect(messages[0]).toContain(`(request id ${id})`);
    for (const message of messages.slice(1, 3)) expect(message).not.toContain("5f4dcc3b5aa765d61d83");
    expect(messages[3]).not.toContain(id);
  });

  test("words and the names of codes are no secrets", async () => {
    const body = error("UNPROCESSABLE_ENTITY", "the webhook was disabled on 2026-11-20, see id 1a2b3c4d5e6f7a8b9c0d");
    const { client } = await serve([answer(422, body, { "x-request-id": "req_77" })]);
    expect((await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError)).message).toContain(
      'was refused: 422 UNPROCESSABLE_ENTITY "the webhook was disabled on 2026-11-20, see id [redacted]" (request id req_77)',
    );
  });
});

describe("an error's code and words are found in", () => {
  const html = "<HTML><TITLE lang=en>No\n</TITLE><h1>other</h1>";
  test.each([
    ["the envelope", '{"success":false,"error":{"code":"NOPE","message":"no"}}', 'NOPE "no" '],
    ["the envelope without a code", '{"error":{"message":"no"}}', '"no" '],
    [
      "the envelope with much more",
      `{"error":{"message":"no","meta":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`,
      '"no" ',
    ],
    ["other JSON, as it is", '{"error":"no"}', '"{"error":"no"}" '],
    ["text", "no\n", '"no" '],
    ["a page's title", html, '"No" '],
    ["nothing", "", ""],
    [
      "a body that is built to be slow to search",
      "<html>" + "<title ".repeat(9_000),
      `"<html>${"<title ".repeat(42)}…" `,
    ],
  ])("%s", async (_name, body, said) => {
    const { client } = await serve([answer(422, body, { "x-request-id": "req_77" })]);
    const { diagnostic } = await failureOf(listWebhooks(client), RequestError);
    expect(diagnostic.text).toBe(`GET /v1/webhooks/ was refused: 422 ${said}(request id req_77)`);
  });
});

test("a body of more than the limit is no answer, unless its status says enough", async () => {
  const long =
    (status: number): Behaviour =>
    (socket) =>
      socket.write(`HTTP/1.1 ${status} X\r\n\r\n${"x".repeat(10_001)}`);
  const { client } = await serve([long(403), long(200)], { maxResponseBytes: 10_000 });
  const { diagnostic } = await failureOf(listWebhooks(client), RequestError);
  expect(diagnostic.text).toBe(`GET /v1/webhooks/ was refused: 403 "${"x".repeat(300)}…"`);
  const error = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
  expect(error.outcome).toBe("unknown");
  expect(error.diagnostic.text).toMatch(/got no usable answer: the answer is larger than 10000 bytes \(7 attempts\)$/);
});

test.each([
  ["surely did nothing", [400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431], "refused"],
  [
    "may have carried it out",
    [
      300, 302, 303, 304, 307, 402, 406, 407, 408, 409, 412, 417, 418, 421, 423, 424, 425, 426, 428, 451, 499, 500, 501,
      599,
    ],
    "unknown",
  ],
] as const)(
  "a status that says that the server %s, to a rotation and to a setting",
  async (_what, statuses, outcome) => {
    for (const status of statuses) {
      const { client, server } = await serve([answer(status, "{}", { "retry-after": "900" })]);
      const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
      const isSaid = error.message.includes("Whether the secret was rotated is unknown");
      expect([status, error.outcome, isSaid]).toEqual([status, outcome, outcome === "unknown"]);
      expect(server.requests).toHaveLength(1);
      for (const name of settings) {
        const failure = await failureOf(calls[name](client), RequestError);
        const isDoubted = failure.message.endsWith(
          "Whether it was carried out is unknown; sending it again does no harm. [request-unknown]",
        );
        expect([status, failure.outcome, isDoubted]).toEqual([status, outcome, outcome === "unknown"]);
      }
    }
  },
);

test("a redirect is refused, and the token goes nowhere", async () => {
  const elsewhere = await serve([answer(200, envelope)]);
  const location = `http://user:pw@127.0.0.1:${elsewhere.server.port}/moved?key=1`;
  for (const status of [301, 302, 303, 307, 308]) {
    const { client } = await serve([answer(status, "", { location })]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error).toMatchObject({ status, outcome: "unknown" });
    // The address may have a secret.
    expect(error.message).not.toMatch(/user|pw|key=1/);
  }
  expect(elsewhere.server.requests).toEqual([]);
});

test.each([401, 403])("a %i says where the token came from", async (status) => {
  const tokenSource = "The token is from VOICEPLANE_TOKEN_EU.";
  for (const name of harmless) {
    const { client } = await serve([answer(status)], {}, { tokenSource });
    const { diagnostic } = await failureOf(calls[name](client), RequestError);
    expect(diagnostic.advice).toMatch(/^The (server|token) .* The token is from VOICEPLANE_TOKEN_EU\.$/);
  }
});
