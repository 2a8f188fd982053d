import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib";
import { RequestError } from "../../../src/client/errors.js";
import {
  clearTrunkOutboundAuth,
  requestWebhooks,
  putRetentionPolicy,
  rotateWebhookSecret,
} from "../../../src/client/operations.js";
import { webhooksIn } from "../../../src/resources/webhook-secret/list.js";
import { answer, type Behaviour } from "../../support/client/raw-server.js";
import { calls, harmless, settings } from "../../support/client/senders.js";
import { failureOf, serve } from "../../support/client/setup.js";

const envelope = '{"success":true,"data":{"webhooks":[]}}';
const policy = { retention_days: 30, enabled: true };

test.each([
  ["a login page", "<!doctype html><html><title>Sign in</title></html>"],
  ["text", "It works!"],
  ["an encoding that nobody asked for", brotliCompressSync(envelope).toString("latin1")],
])("a 2xx with %s is no success of a setting, because the control plane answers JSON", async (_what, body) => {
  const { client, server } = await serve([answer(200, body, { "content-type": "text/html" })]);
  const error = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
  expect(error.message).toBe(
    "PUT /v1/retention-policies/recordings got no usable answer: the answer is not JSON [NOT_JSON]\n" +
      "Check the base URL: a login page, a proxy or another service may have answered. " +
      "Whether it was carried out is unknown; sending it again does no harm. [request-unknown]",
  );
  expect(error.outcome).toBe("unknown");
  expect(server.requests).toHaveLength(1);
});

describe("a 2xx is a success", () => {
  const answers: [string, Behaviour, unknown][] = [
    ["with the envelope's data", answer(200, envelope), { webhooks: [] }],
    ["with data that is null", answer(200, '{"success":true,"data":null}'), null],
    ["without data", answer(200, '{"success":true}'), null],
    ["with data alone", answer(202, '{"data":[1]}'), [1]],
    ["with JSON that is no envelope", answer(200, '{"signing_secret":"s"}'), { signing_secret: "s" }],
    ["with a bare string", answer(201, '"s"'), "s"],
    ["with an empty body", answer(200), undefined],
    ["without a body", answer(204), undefined],
    // The conformance properties send every compression and framing.
    ["compressed by gzip, unasked", answer(200, gzipSync(envelope), { "content-encoding": "gzip" }), { webhooks: [] }],
    ["compressed twice", answer(200, gzipSync(gzipSync(envelope)), { "content-encoding": "gzip, gzip" }), undefined],
    ["empty, and said to be compressed", answer(200, "", { "content-encoding": "gzip" }), undefined],
    ["that is JSON's null", answer(200, "null"), null],
    ["whose success is no boolean", answer(200, '{"success":"all","data":[1]}'), [1]],
    ["in an encoding that is not known", answer(200, "???", { "content-encoding": "x-new" }), undefined],
  ];
  test.each(answers)("%s", async (_name, behaviour, data) => {
    const { client, server } = await serve([behaviour]);
    expect(await requestWebhooks(client)).toEqual(data);
    expect(server.requests).toHaveLength(1);
  });

  test("unless it says success:false", async () => {
    const body = '{"success":false,"error":{"code":"TOO_SOON","message":"rotated a moment ago"},"data":{"x":1}}';
    const { client, server } = await serve([answer(200, body)]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    // The server may have rotated, so nothing of its answer is shown.
    expect(error).toMatchObject({ status: 200, outcome: "unknown" });
    expect(error.message).not.toContain("TOO_SOON");
    expect(error.message).not.toContain("a moment ago");
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["CONFLICT", 409, "unknown"],
    ["not-found", 404, "refused"],
    ["Forbidden", 403, "refused"],
    [404, 404, "refused"],
    ["INTERNAL_ERROR", 500, "unknown"],
    ["SERVICE_UNAVAILABLE", 503, "unknown"],
    ["internal_error", 500, "unknown"],
    ["I'm a Teapot", 418, "unknown"],
    ["Not - Found", 404, "refused"],
    ["400", 400, "refused"],
    ["599", 599, "unknown"],
    ["399", 200, "unknown"],
    ["600", 200, "unknown"],
    ["4040", 200, "unknown"],
    ["E404", 200, "unknown"],
    ["0404", 200, "unknown"],
    ["404.5", 200, "unknown"],
    ["OK", 200, "unknown"],
    ["TOO_SOON", 200, "unknown"],
    [undefined, 200, "unknown"],
  ])("where it says success:false, its code %j stands for the status %d", async (code, status, outcome) => {
    const { client, server } = await serve([answer(200, JSON.stringify({ success: false, error: { code } }))]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error).toMatchObject({ status, outcome });
    expect(server.requests).toHaveLength(1);
  });

  test.each(["TOO_MANY_REQUESTS", "rate_limited", "RATE_LIMIT_EXCEEDED"])(
    "where it says success:false for a rate limit (%s), the request is tried again after the wait",
    async (code) => {
      const limited = `{"success":false,"error":{"code":"${code}"}}`;
      const behaviours = [
        answer(200, limited, { "retry-after": "2" }),
        answer(200, '{"success":true,"data":{"secret":"s"}}'),
      ];
      const { client, server, time } = await serve(behaviours);
      expect(await rotateWebhookSecret(client, "wh_1")).toEqual({ secret: "s" });
      expect(server.requests).toHaveLength(2);
      expect(time.slept[0]).toBeGreaterThanOrEqual(2000);
    },
  );
});

test.each([300, 400])("a status of %i counts as that status, whatever its code stands for", async (status) => {
  const { client } = await serve([answer(status, '{"success":true,"error":{"code":"CONFLICT"},"data":1}')]);
  const error = await failureOf(requestWebhooks(client), RequestError);
  expect(error.status).toBe(status);
  expect(error.message).toContain(`: ${status} CONFLICT`);
});

test.each<[string, string, unknown]>([
  ["members beside the data, also of a list", '{"success":true,"data":[1],"next":"/2"}', { data: [1], next: "/2" }],
  ["members in place of data", '{"success":true,"items":[1]}', { items: [1] }],
])("the answer to a list counts as a whole: %s", async (_name, body, data) => {
  const { client } = await serve([answer(200, body)]);
  expect(await requestWebhooks(client)).toStrictEqual(data);
});

describe("a number above 2^53 keeps its digits, as text:", () => {
  const digits = "92233720368547758079";

  test("the id of a webhook in the list", async () => {
    const body = `{"success":true,"data":{"webhooks":[{"uid":3,"id":${digits}},{"id":-${digits}},{"id":7}]}}`;
    const { client } = await serve([answer(200, body)]);
    const list = webhooksIn(await requestWebhooks(client));
    expect(list?.map(({ id }) => id)).toEqual([digits, `-${digits}`]);
  });

  test("a secret", async () => {
    const { client } = await serve([answer(200, `{"success":true,"data":{"signing_secret": ${digits} }}`)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual({ signing_secret: digits });
  });

  test.each([
    [
      "a text with digits",
      JSON.stringify({ a: `1: ${digits}, "b": ${digits}` }),
      { a: `1: ${digits}, "b": ${digits}` },
    ],
    ["a name of digits", `{"${digits}":[${digits},1.5e300]}`, { [digits]: [digits, "1.5e300"] }],
    [
      "the largest number that is exact",
      '{"a":9007199254740991,"b":9007199254740992}',
      { a: 2 ** 53 - 1, b: "9007199254740992" },
    ],
    ["a number that is too large for JavaScript", '{"a":1e400}', { a: "1e400" }],
    [
      "fractions and small numbers",
      '{"a":[0.1234567890123456789,-0.5e-7,12]}',
      { a: [0.12345678901234568, -5e-8, 12] },
    ],
    ["a number alone", digits, digits],
  ])("%s", async (_name, body, data) => {
    const { client } = await serve([answer(200, body)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual(data);
  });

  test("text that is no JSON stays as it is", async () => {
    const { client } = await serve([answer(200, `{"a":0${digits}}`)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toBe(`{"a":0${digits}}`);
  });

  test("in an answer of megabytes", async () => {
    const body = JSON.stringify({ text: 'x"\\'.repeat(500_000), list: Array(100_000).fill(1) });
    const { client } = await serve([answer(200, `{"id":${digits},"rest":${body}}`)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toMatchObject({ id: digits });
  });
});

test("the header that names further pages is beside the list", async () => {
  const { client } = await serve([answer(200, '{"success":true,"data":[1]}', { link: '</2>; rel="next"' })]);
  expect(await requestWebhooks(client)).toStrictEqual({ link: '</2>; rel="next"', data: [1] });
});

describe("the answer to a DELETE is not defined, so any that can be read is a success, but a page:", () => {
  test.each<[string, Behaviour]>([
    ["text", answer(200, "OK")],
    ["a JSON string", answer(200, '"cleared"')],
    ["half of a JSON object", answer(200, '{"success":tr')],
    ["an object without success", answer(200, '{"deleted":true,"errors":[],"error":null}')],
    ["nothing", answer(204)],
  ])("%s", async (_name, behaviour) => {
    const { client, server } = await serve([behaviour]);
    await clearTrunkOutboundAuth(client, "tr_1");
    expect(server.requests).toHaveLength(1);
  });

  test("a page came from elsewhere", async () => {
    const { client } = await serve([answer(200, "<html><title>Sign in</title></html>")]);
    const error = await failureOf(clearTrunkOutboundAuth(client, "tr_1"), RequestError);
    expect(error.outcome).toBe("unknown");
    expect(error.message).toContain("got no usable answer: the answer is not JSON [NOT_JSON]");
  });
});

describe("a 2xx that says that the request failed is no success, and a refusal only if its code is one:", () => {
  const bodies = [
    '{"errors":[{"code":"FORBIDDEN","message":"no entitlement"}]}',
    '{"errors":{"source_cidr":["is too wide"]}}',
    '{"ok":false}',
    '{"error":"invalid"}',
    '{"error":{"message":"invalid"},"data":{"id":1}}',
    '{"status":"error","message":"invalid"}',
    '{"status":"fail"}',
    '{"status":400}',
    '{"type":"about:blank","title":"Forbidden","status":403}',
    "false",
  ];
  const outcomeIn = (body: string) => (/FORBIDDEN|40[03]/.test(body) ? "refused" : "unknown");
  test.each(harmless.flatMap((name) => bodies.map((body) => [name, body] as const)))("%s %s", async (name, body) => {
    const { client, server } = await serve([answer(200, body)]);
    expect((await failureOf(calls[name](client), RequestError)).outcome).toBe(outcomeIn(body));
    expect(server.requests).toHaveLength(1);
  });

  test.each(settings)("%s whose success is not true", async (name) => {
    for (const success of ['"false"', "null", "0", '"true"']) {
      const { client } = await serve([answer(200, `{"success":${success},"data":{}}`)]);
      expect((await failureOf(calls[name](client), RequestError)).outcome).toBe("unknown");
    }
  });

  test.each(settings)("and not what says nothing of an error: %s", async (name) => {
    const statuses = ["active", "no error", "errorless", 399].map((status) => JSON.stringify({ status }));
    for (const body of [
      '{"id":1,"error":null,"errors":[]}',
      '{"success":true,"errors":["old"]}',
      "",
      " ",
      ...statuses,
    ]) {
      const { client } = await serve([answer(200, body)]);
      await calls[name](client);
    }
  });
});

test.each<[string, string, unknown]>([
  ["without the members beside its data", '{"success":true,"data":{"id":1},"next":"/2"}', { id: 1 }],
  ["as a whole, if it is no envelope", '{"action":"deny"}', { action: "deny" }],
])("the answer to another request counts %s", async (_name, body, data) => {
  const { client } = await serve([answer(200, body)]);
  expect(await putRetentionPolicy(client, "recordings", policy)).toEqual(data);
});

describe("a rotation's answer counts as a whole, as it shows the secret only once:", () => {
  const page = `<html>${"<p>Rotated.</p>\n".repeat(1_000)}</html>`;
  const deep = `{"secret":"s","data":${"[".repeat(100)}${"]".repeat(100)}}`;
  const answers: [string, string | Buffer, unknown][] = [
    ["members beside the data", '{"success":true,"data":{"id":"x"},"secret":"s"}', { id: "x", secret: "s" }],
    ["but the data's own members win", '{"success":true,"data":{"secret":"in"},"secret":"out"}', { secret: "in" }],
    ["members beside data that is null", '{"success":true,"data":null,"secret":"s"}', { secret: "s" }],
    ["members without data", '{"success":true,"secret":"s"}', { secret: "s" }],
    [
      "an error that it names beside the secret",
      '{"error":"old","data":{"secret":"s"}}',
      { error: "old", secret: "s" },
    ],
    ["data that is text, whatever is beside it", '{"data":"s","id":"x"}', "s"],
    ["data that is a list, whatever is beside it", '{"data":["s"],"id":"x"}', ["s"]],
    ["data that is null", '{"success":true,"data":null}', null],
    ["JSON that is no envelope", '{"secret":"s"}', { secret: "s" }],
    ["a list that is no envelope", '["s"]', ["s"]],
    ["text, without the space around it", " s3cret \r\n", "s3cret"],
    ["lines of text", "one\r\n\ttwo", "one\r\n\ttwo"],
    ["a page of any length", page, page],
    ["JSON that is cut off", '{"success":true,"data":{"secret":"s', '{"success":true,"data":{"secret":"s'],
    ["JSON that is nested too deep, as text", deep, deep],
    ["control characters, as base64", "s3\u0007cret", { base64: "czMHY3JldA==" }],
    ["bytes that are no text, as base64", Buffer.from([0x73, 0xff, 0x33]), { base64: "c/8z" }],
    ["a list of such bytes, as base64", Buffer.from('["\xff"]', "latin1"), { base64: "WyL/Il0=" }],
    [
      "JSON with such bytes, as both",
      Buffer.from('{"id":"x","secret":"\xff"}', "latin1"),
      { id: "x", secret: "\ufffd", base64: "eyJpZCI6IngiLCJzZWNyZXQiOiL/In0=" },
    ],
    ["but not space alone", " \n", undefined],
  ];
  test.each(answers)("%s", async (_name, body, data) => {
    const { client } = await serve([answer(200, body)]);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual(data);
  });
});

describe("of a rotation's answer that cannot be decoded, the bytes are kept:", () => {
  const bomb = gzipSync(Buffer.alloc(100_000));
  test.each([
    ["in an unknown encoding", "x-new", Buffer.from("s3cret-0123456789")],
    ["compressed twice", "gzip, gzip", gzipSync(gzipSync(envelope))],
    ["damaged", "gzip", Buffer.from("no gzip")],
    ["cut off", "gzip", gzipSync(envelope).subarray(0, -9)],
    ["in brotli", "br", brotliCompressSync(envelope)],
    ["in deflate without its header", "deflate", deflateRawSync(envelope)],
    ["too large once it is unpacked", "gzip", bomb],
  ])("%s", async (_name, encoding, body) => {
    const { client, server } = await serve([answer(200, body, { "content-encoding": encoding })], {
      maxResponseBytes: 10_000,
    });
    const base64 = body.toString("base64");
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual({ base64, encoding });
    expect(server.requests).toHaveLength(1);
  });
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
    "the secret with a character that is not visible": JSON.stringify({
      error: `signing_secret=${secret}`,
      error_description: `"${secret.replace("s", "s\u200b")}"`,
    }),
    "a page with the secret": `<html><title>500: ${secret}</title></html>`,
  };
  const casesOf = (...statuses: number[]) =>
    statuses.flatMap((status) => Object.entries(bodies).map(([name, body]) => ({ status, name, body })));
  const told = { "x-request-id": secret, location: `/v1/${secret}?s=${secret}` };

  test.each(casesOf(307, 409, 500, 503))(
    "a server that may have rotated is not quoted at all: $status with $name",
    async ({ status, body }) => {
      const { client, server } = await serve([answer(status, body, told)]);
      const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
      expect(error.outcome).toBe("unknown");
      const redirects =
        status === 307
          ? `The server redirects to http://127.0.0.1:${server.port}. Redirects are not followed, because they would send the token elsewhere: set the base URL to the service's own address. `
          : "";
      expect(error.message).toBe(
        `POST /v1/webhooks/wh_1/rotate-secret failed: ${status}\n${redirects}Whether the secret was rotated is unknown, so it was not ` +
          "tried again: the old secret may have stopped working, and the new one is lost. [rotation-unknown]",
      );
    },
  );

  test("a 2xx whose code says that the server failed is not quoted either", async () => {
    const body = JSON.stringify({ success: false, error: { code: "INTERNAL_ERROR", message: "no" } });
    const { client } = await serve([answer(200, body, told)]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error).toMatchObject({ status: 500, outcome: "unknown" });
    expect(error.diagnostic.text).toBe("POST /v1/webhooks/wh_1/rotate-secret failed: 500");
  });

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
    const { client } = await serve([
      answer(403, "{}", { "x-request-id": id }),
      answer(500, "{}", { "x-request-id": id }),
    ]);
    const [refused, unknown] = [
      await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError),
      await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError),
    ];
    expect(refused.message).toContain(`(request id ${id})`);
    expect(unknown.message + JSON.stringify(unknown)).not.toContain(id);
  });

  test.each([
    ["before", "whsec_5f4dcc3b5aa765d61d83-1eeba375-2d16-4f95-bf13-080bb051e7df"],
    ["after", "1eeba375-2d16-4f95-bf13-080bb051e7df-whsec_5f4dcc3b5aa765d61d83"],
  ])("a request id with more %s a UUID is not shown", async (_where, id) => {
    const { client } = await serve([answer(403, "{}", { "x-request-id": id })]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.message).toContain("was refused: 403 (request id ");
    expect(error.message + JSON.stringify(error)).not.toContain("5f4dcc3b5aa765d61d83");
  });

  test("words and the names of codes are no secrets", async () => {
    const error = {
      code: "UNPROCESSABLE_ENTITY",
      message: "the webhook was disabled on 2026-11-20, see id 1a2b3c4d5e6f7a8b9c0d",
    };
    const { client } = await serve([answer(422, JSON.stringify({ error }), { "x-request-id": "req_77" })]);
    expect((await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError)).message).toContain(
      'was refused: 422 UNPROCESSABLE_ENTITY "the webhook was disabled on 2026-11-20, see id [redacted]" (request id req_77)',
    );
  });
});

test("an error's message is what happened and, where there is one, a hint on the next line", async () => {
  const { client } = await serve([answer(418, "{}"), answer(401, "{}")]);
  const bare = await failureOf(requestWebhooks(client), RequestError);
  const hinted = await failureOf(requestWebhooks(client), RequestError);
  const summary = "GET /v1/webhooks/ was refused: 401";
  const hint =
    "The server does not accept the token: check that it belongs to this organization and is neither expired nor revoked.";
  expect(bare.message).toBe("GET /v1/webhooks/ was refused: 418 [request-refused]");
  expect(hinted.message).toBe(`${summary}\n${hint} [token-refused]`);
  expect(hinted.diagnostic).toEqual({ code: "token-refused", severity: "problem", text: summary, advice: hint });
});

test("an answer's text is read in UTF-8, also where another charset is named", async () => {
  const { client } = await serve([
    answer(200, '{"data":"Zo\u00eb"}', { "content-type": "application/json; charset=ISO-8859-1" }),
  ]);
  expect(await requestWebhooks(client)).toBe("Zo\u00eb");
});

test("halves of characters, which JSON can hold and the engine cannot, are replaced", async () => {
  const body = String.raw`{"data":["a\ud800","\udc00b","\uDBFF\u0041","\ud83d\ude00","\uD83D\uDE00","\\ud800","\u00eb"]}`;
  const { client } = await serve([answer(200, body)]);
  const whole = ["a\ufffd", "\ufffdb", "\ufffdA", "\ud83d\ude00", "\ud83d\ude00", "\\ud800", "\u00eb"];
  expect(await requestWebhooks(client)).toEqual(whole);
});

describe("a compressed body that is damaged", () => {
  const damaged = { "content-encoding": "gzip" };

  test("of a success is asked for again where that is safe", async () => {
    const { client, server } = await serve([answer(200, envelope, damaged), answer(200, envelope)]);
    expect(await putRetentionPolicy(client, "recordings", policy)).toEqual({ webhooks: [] });
    expect(server.requests).toHaveLength(2);
  });

  test("of a refusal leaves the status", async () => {
    const { client } = await serve([answer(403, envelope, damaged)]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.status).toBe(403);
    expect(error.diagnostic.text).toBe("POST /v1/webhooks/wh_1/rotate-secret was refused: 403");
  });
});

test.each([
  ...["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"].map((name) => ({
    [name]: "req_77",
  })),
  // The first that is not empty.
  { "cf-ray": "ray", "request-id": "req_77", "x-request-id": "" },
])("the id of a refused request is found in %j", async (headers) => {
  const { client } = await serve([answer(400, "", headers)]);
  const error = await failureOf(requestWebhooks(client), RequestError);
  expect(error.diagnostic.text).toBe("GET /v1/webhooks/ was refused: 400 (request id req_77)");
});

test("a date in Retry-After counts from the answer's own date", async () => {
  const headers = { "retry-after": "Sun, 01 Mar 2026 12:30:00 GMT", date: "Sun, 01 Mar 2026 12:00:00 GMT" };
  const { client } = await serve([answer(429, "", headers)]);
  expect((await failureOf(requestWebhooks(client), RequestError)).message).toContain("The server asks to wait 1800 s");
});

describe("an error's code and words are found in", () => {
  const bodies: [string, string, string | undefined, string | undefined][] = [
    ["the envelope", '{"success":false,"error":{"code":"NOPE","message":"no"}}', "NOPE", "no"],
    ["a list of errors", '{"errors":[{"code":"NOPE","title":"No","detail":"not at all"}]}', "NOPE", "not at all"],
    ["a list of words", '{"errors":["no"]}', undefined, "no"],
    ["code, msg, meta", '{"code":1207,"msg":"no","meta":{}}', "1207", "no"],
    ["message and id", '{"id":"not_found","message":"no"}', "not_found", "no"],
    ["a bare error", '{"error":"no"}', undefined, "no"],
    ["an OAuth error", '{"error":"invalid_token","error_description":"no"}', "invalid_token", "no"],
    ["problem JSON without a type", '{"type":"about:blank","title":"No","status":400}', "400", "No"],
    ["problem JSON", '{"type":"urn:x","title":"No","detail":"not at all","status":400}', "urn:x", "not at all"],
    ["a JSON string", '"no"', undefined, "no"],
    ["text", "no\n", undefined, "no"],
    ["HTML", "<!doctype html><html><head><title>400 Bad\nRequest</title></head></html>", undefined, "400 Bad Request"],
    ["HTML without a title", "<html><body><p>secret page</p></body></html>", undefined, undefined],
    ["nothing", "", undefined, undefined],
    ["JSON of no known shape", '{"ok":0,"error":null}', undefined, undefined],
    ["JSON that is a number", "42", undefined, undefined],
    ["null", "null", undefined, undefined],
    ["an empty list", '{"errors":[]}', undefined, undefined],
    ["an error beside an empty list", '{"errors":[],"error":"quota exceeded"}', undefined, "quota exceeded"],
    ["errors beside an error that is empty", '{"error":"","errors":["no"]}', undefined, "no"],
    ["an error that is a list in a list", '{"error":[[1]]}', undefined, undefined],
    ["errors that are one object", '{"errors":{"code":"NOPE","msg":"no"}}', "NOPE", "no"],
    ["errors that are one word", '{"errors":"no"}', undefined, "no"],
    ["an error, before errors", '{"error":"no","errors":"other"}', undefined, "no"],
    ["the members beside errors that say nothing", '{"errors":[null],"code":"NOPE","message":"no"}', "NOPE", "no"],
    ["a code in error, with a message", '{"error":"nope","message":"no"}', "nope", "no"],
    ["a description, before a message", '{"error":"e","error_description":"no","message":"x"}', "e", "no"],
    ["the status of an error", '{"error":{"status":409,"detail":"no"}}', "409", "no"],
    ["an id, before the status", '{"id":"nope","status":400,"title":"No"}', "nope", "No"],
    ["the type, before an id", '{"type":"urn:x","id":"7","message":"no"}', "urn:x", "no"],
    ["a code, before the type", '{"code":"NOPE","type":"urn:x","message":"no"}', "NOPE", "no"],
    ["a message, before msg and detail", '{"detail":"d","msg":"m","message":"no"}', undefined, "no"],
    ["msg, before detail", '{"detail":"d","msg":"no"}', undefined, "no"],
    ["the first member that is not blank", '{"code":" ","id":"nope","message":"","msg":"no"}', "nope", "no"],
    ["members that are text or numbers", '{"code":true,"id":{},"status":7,"message":[1],"msg":"no"}', "7", "no"],
    ["a page's title in any letters", "<HTML><TITLE lang=en>No\n</TITLE><h1>other</h1>", undefined, "No"],
    ["a page's heading", "<body><h1 class=x>No</h1>secret page", undefined, "No"],
    ["a page of a title alone", "<title>No</title>", undefined, "No"],
    ["a page of a head alone", "<head></head>secret page", undefined, undefined],
    ["a page of a type alone", "<!doctype html>secret page", undefined, undefined],
    ["text that is no page", "a <header> is no page", undefined, "a <header> is no page"],
  ];
  test.each(bodies)("%s", async (_name, body, code, reason) => {
    const { client } = await serve([answer(422, body, { "x-request-id": "req_77" })]);
    const { diagnostic } = await failureOf(requestWebhooks(client), RequestError);
    const said = [code, reason && `"${reason}"`].filter((each) => each !== undefined).map((each) => ` ${each}`);
    expect(diagnostic.text).toBe(`GET /v1/webhooks/ was refused: 422${said.join("")} (request id req_77)`);
  });

  test("a compressed body", async () => {
    const body = gzipSync('{"error":{"code":"NOPE","message":"no"}}');
    const { client } = await serve([answer(400, body, { "content-encoding": "gzip" })]);
    expect((await failureOf(requestWebhooks(client), RequestError)).message).toContain('400 NOPE "no"');
  });

  test("a body in an encoding that nobody asked for, which has no reason", async () => {
    const body = brotliCompressSync('{"error":{"code":"NOPE","message":"no"}}');
    const { client } = await serve([answer(400, body, { "content-encoding": "br" })]);
    const { diagnostic } = await failureOf(requestWebhooks(client), RequestError);
    expect(diagnostic.text).toBe("GET /v1/webhooks/ was refused: 400");
  });

  test("the beginning of a body without end, which is not waited for", async () => {
    const { client } = await serve([
      (socket) => {
        socket.write("HTTP/1.1 403 X\r\n\r\n");
        socket.write("x".repeat(70_000));
      },
    ]);
    const error = await failureOf(requestWebhooks(client), RequestError);
    expect(error.status).toBe(403);
    expect(error.diagnostic.text).toBe(`GET /v1/webhooks/ was refused: 403 "${"x".repeat(300)}…"`);
  });
});

test.each([
  ["surely did nothing", [400, 401, 403, 404, 405, 410, 411, 413, 414, 415, 422, 429, 431], "refused"],
  [
    "may have carried it out",
    [300, 302, 303, 304, 307, 402, 406, 407, 408, 409, 412, 417, 418, 421, 423, 424, 425, 426, 428, 451, 499, 500, 502],
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
        const isDoubted = failure.message.includes(
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
    // A rotation's redirect may have anything in its path.
    expect(error.message).toContain(`redirects to http://127.0.0.1:${elsewhere.server.port}. `);
    expect(error.message).not.toMatch(/user|pw|key=1/);
  }
  expect(elsewhere.server.requests).toEqual([]);
});

test.each([401, 403])("a %i says where the token came from", async (status) => {
  const { client } = await serve([answer(status)], {}, { tokenSource: "The token is from VOICEPLANE_TOKEN_EU." });
  const { diagnostic } = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
  expect(diagnostic.advice).toMatch(/^The (server|token) .* The token is from VOICEPLANE_TOKEN_EU\.$/);
});
