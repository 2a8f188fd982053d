import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { ApiError } from "../../src/client/errors.js";
import { listWebhooks, rotateWebhookSecret } from "../../src/client/operations.js";
import { answer, type Behaviour } from "./support/raw-server.js";
import { cleanUpAfterEach, failureOf, serve } from "./support/setup.js";

cleanUpAfterEach();

const envelope = '{"success":true,"data":{"webhooks":[]}}';

describe("a 2xx is a success", () => {
  const answers: [string, Behaviour, unknown][] = [
    ["with the envelope's data", answer(200, envelope), { webhooks: [] }],
    ["with data that is null", answer(200, '{"success":true,"data":null}'), null],
    ["without data", answer(200, '{"success":true}'), undefined],
    ["with data alone", answer(202, '{"data":[1]}'), [1]],
    ["with JSON that is no envelope", answer(200, '{"signing_secret":"s"}'), { signing_secret: "s" }],
    ["with a bare string", answer(201, '"s"'), "s"],
    ["with an empty body", answer(200), undefined],
    ["without a body", answer(204), undefined],
    ["with a page of HTML", answer(200, "<html>fine</html>"), undefined],
    ["with a byte order mark", answer(200, `\ufeff${envelope}`), { webhooks: [] }],
    ["compressed by gzip, unasked", answer(200, gzipSync(envelope), { "content-encoding": "gzip" }), { webhooks: [] }],
    ["compressed by brotli", answer(200, brotliCompressSync(envelope), { "content-encoding": "br" }), { webhooks: [] }],
    ["deflated", answer(200, deflateSync(envelope), { "content-encoding": "deflate" }), { webhooks: [] }],
    [
      "deflated without a header",
      answer(200, deflateRawSync(envelope), { "content-encoding": "DEFLATE" }),
      { webhooks: [] },
    ],
    [
      "compressed twice",
      answer(200, gzipSync(brotliCompressSync(envelope)), { "content-encoding": "br, gzip" }),
      { webhooks: [] },
    ],
    ["in an encoding that is not known", answer(200, "???", { "content-encoding": "x-new" }), undefined],
    [
      "after an early hint",
      (socket, request) => {
        socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
        answer(200, envelope)(socket, request);
      },
      { webhooks: [] },
    ],
    [
      "in chunks",
      (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n${envelope.slice(0, 5)}\r\n`);
        setImmediate(() => socket.write(`${(envelope.length - 5).toString(16)}\r\n${envelope.slice(5)}\r\n0\r\n\r\n`));
      },
      { webhooks: [] },
    ],
  ];
  test.each(answers)("%s", async (_name, behaviour, data) => {
    const { client, server } = await serve([behaviour]);
    expect(await listWebhooks(client)).toEqual(data);
    expect(server.requests).toHaveLength(1);
  });

  test("unless it says success:false", async () => {
    const body = '{"success":false,"error":{"code":"TOO_SOON","message":"rotated a moment ago"},"data":{"x":1}}';
    const { client, server } = await serve([answer(200, body)]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), ApiError);
    expect(error).toMatchObject({ status: 200, code: "TOO_SOON", reason: "rotated a moment ago", outcome: "refused" });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["CONFLICT", 409, "refused"],
    ["not-found", 404, "refused"],
    ["Forbidden", 403, "refused"],
    [404, 404, "refused"],
    ["INTERNAL_ERROR", 500, "unknown"],
    ["SERVICE_UNAVAILABLE", 503, "unknown"],
  ])("where it says success:false, its code %j stands for the status %d", async (code, status, outcome) => {
    const { client, server } = await serve([answer(200, JSON.stringify({ success: false, error: { code } }))]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), ApiError);
    expect(error).toMatchObject({ status, outcome });
    expect(server.requests).toHaveLength(1);
  });

  test("where it says success:false for a rate limit, the request is tried again after the wait", async () => {
    const limited = '{"success":false,"error":{"code":"TOO_MANY_REQUESTS"}}';
    const behaviours = [
      answer(200, limited, { "retry-after": "2" }),
      answer(200, '{"success":true,"data":{"secret":"s"}}'),
    ];
    const { client, server, time } = await serve(behaviours);
    expect(await rotateWebhookSecret(client, "wh_1")).toEqual({ secret: "s" });
    expect(server.requests).toHaveLength(2);
    expect(time.slept[0]).toBeGreaterThanOrEqual(2000);
  });
});

describe("an error's code and words are found in", () => {
  const bodies: [string, string, string | undefined, string | undefined][] = [
    ["the envelope", '{"success":false,"error":{"code":"NOPE","message":"no"}}', "NOPE", "no"],
    [
      "the envelope with data beside it",
      '{"success":false,"error":{"code":"NOPE","message":"no"},"data":1}',
      "NOPE",
      "no",
    ],
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
    ["an error that is a list in a list", '{"error":[[1]]}', undefined, undefined],
  ];
  test.each(bodies)("%s", async (_name, body, code, reason) => {
    const { client } = await serve([answer(400, body, { "x-request-id": "req_77" })]);
    const error = await failureOf(listWebhooks(client), ApiError);
    expect(error.code).toBe(code);
    expect(error.reason).toBe(reason);
    expect(error.requestId).toBe("req_77");
  });

  test("a compressed body", async () => {
    const body = gzipSync('{"error":{"code":"NOPE","message":"no"}}');
    const { client } = await serve([answer(400, body, { "content-encoding": "gzip" })]);
    expect((await failureOf(listWebhooks(client), ApiError)).code).toBe("NOPE");
  });

  test("the beginning of a body without end, which is not waited for", async () => {
    const { client } = await serve([
      (socket) => {
        socket.write("HTTP/1.1 403 X\r\n\r\n");
        socket.write("x".repeat(70_000));
      },
    ]);
    const error = await failureOf(listWebhooks(client), ApiError);
    expect(error.status).toBe(403);
    expect(error.reason).toHaveLength(301);
  });
});

test("a small body that unfolds to a huge one is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const { client } = await serve([answer(200, bomb, { "content-encoding": "gzip" })], { maxResponseBytes: 10_000 });
  await expect(listWebhooks(client)).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE", attempts: 1 });
});

test("a redirect is refused, and the token goes nowhere", async () => {
  const elsewhere = await serve([answer(200, envelope)]);
  const location = `http://user:pw@127.0.0.1:${elsewhere.server.port}/moved?key=1`;
  for (const status of [301, 302, 303, 307, 308]) {
    const { client } = await serve([answer(status, "", { location })]);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), ApiError);
    expect(error).toMatchObject({ status, outcome: "refused" });
    expect(error.message).toContain(`redirects to http://127.0.0.1:${elsewhere.server.port}/moved. `);
    expect(error.message).not.toMatch(/user|pw|key=1/);
  }
  expect(elsewhere.server.requests).toEqual([]);
});
