import { inspect } from "node:util";
import type { Dispatcher } from "undici";
import { Client } from "../../../src/client/client.js";
import { ConfigError, RequestError } from "../../../src/client/errors.js";
import * as operations from "../../support/client/senders.js";
import type { OperationName } from "../../../src/contract/index.js";
import { FakeTime } from "../../support/client/fake-time.js";
import { answer, reset, success, type Behaviour } from "../../support/client/raw-server.js";
import { clientFor, failureOf, serve, token } from "../../support/client/setup.js";

describe("on the wire", () => {
  const sent: Record<OperationName, [call: (client: Client) => Promise<unknown>, line: string, body: string]> = {
    putRetentionPolicy: [
      (client) => operations.putRetentionPolicy(client, "audit_events", { retention_days: 2555, enabled: false }),
      "PUT /v1/retention-policies/audit_events HTTP/1.1",
      '{"retention_days":2555,"enabled":false}',
    ],
    patchNetworkPolicy: [
      (client) => operations.patchNetworkPolicy(client, "np 1", { source_cidr: "203.0.113.0/24" }),
      "PATCH /v1/network-policies/np%201 HTTP/1.1",
      '{"source_cidr":"203.0.113.0/24"}',
    ],
    clearTrunkOutboundAuth: [
      (client) => operations.clearTrunkOutboundAuth(client, "t_1"),
      "DELETE /v1/trunks/t_1/outbound-auth HTTP/1.1",
      "",
    ],
    rotateWebhookSecret: [
      (client) => operations.rotateWebhookSecret(client, "wh_1"),
      "POST /v1/webhooks/wh_1/rotate-secret HTTP/1.1",
      "",
    ],
    listWebhooks: [(client) => operations.listWebhooks(client), "GET /v1/webhooks/ HTTP/1.1", ""],
  };
  test.each(Object.entries(sent))("%s", async (_name, [call, line, body]) => {
    const { server, client } = await serve([success("data")]);
    expect(await call(client)).toBe("data");
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    const [first, ...headers] = request?.head.split("\r\n") ?? [];
    expect(first).toBe(line);
    expect(request?.body).toBe(body);
    expect(headers).toContain(`authorization: Bearer ${token}`);
    expect(headers).toContain("accept-encoding: identity");
    expect(headers).toContain("accept: application/json");
    expect(headers.includes("content-type: application/json")).toBe(body !== "");
  });

  test.each(["/voice/eu", "/voice/eu/"])("the base URL's path %s comes first", async (prefix) => {
    const { server } = await serve([success(null)]);
    const { client } = clientFor(server.baseUrl + prefix);
    await operations.listWebhooks(client);
    expect(server.requests[0]?.head).toMatch(/^GET \/voice\/eu\/v1\/webhooks\/ /);
  });
});

describe("messages", () => {
  const complain = (code: string, message: string) => JSON.stringify({ success: false, error: { code, message } });

  test("say what failed, why, how to find it in the server's log, and what to do", async () => {
    const body = complain("FORBIDDEN", "credential scope required: webhooks:write");
    const { client } = await serve([answer(403, body, { "X-Request-ID": "req_5" })]);
    const error = await failureOf(operations.rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.message).toBe(
      'POST /v1/webhooks/wh_1/rotate-secret was refused: 403 FORBIDDEN "credential scope required: webhooks:write" (request id req_5)\n' +
        "The token needs the scope webhooks:write. [token-rights]",
    );
    expect(error.stack).toBe(`RequestError: ${error.message}`);
    expect(String(error)).toBe(`RequestError: ${error.message}`);
  });

  const put = (client: Client) =>
    operations.putRetentionPolicy(client, "recordings", { retention_days: 1, enabled: true });
  const patch = (client: Client) => operations.patchNetworkPolicy(client, "np_1", { name: "x" });
  const rotate = (client: Client) => operations.rotateWebhookSecret(client, "wh_1");
  const hints: [number, string, (client: Client) => Promise<unknown>, string][] = [
    [401, "", put, "neither expired nor revoked"],
    [402, "", put, "plan does not include this"],
    [403, "", put, "organization retention permissions and the retention-policies entitlement"],
    [403, "", patch, "organization networking permissions and the private-networking entitlement"],
    [403, complain("X", "request source is blocked by organization network policy"), put, "this machine's address"],
    [404, "", rotate, "no such object"],
    [404, "", operations.listWebhooks, "check the base URL"],
    [500, "", patch, "A 500 may also mean an unknown id"],
    [500, "", rotate, "Whether the secret was rotated is unknown"],
    [501, "", put, "Whether it was carried out is unknown"],
  ];
  test.each(hints)("%i %s has a hint", async (status, body, call, hint) => {
    const { client } = await serve([answer(status, body)]);
    expect((await failureOf(call(client), RequestError)).message.toLowerCase()).toContain(hint.toLowerCase());
  });

  test.each([404, 405])(
    "%i says that the base URL has the paths' own beginning, where it ends in /v1",
    async (status) => {
      const { server } = await serve([answer(status)]);
      for (const path of ["/v1", "/voice/v1/"]) {
        const { client } = clientFor(server.baseUrl + path);
        expect((await failureOf(put(client), RequestError)).message).toContain(
          "check the base URL, its path included. No base URL ends in /v1. [base-url-path]",
        );
      }
      const { client } = clientFor(`${server.baseUrl}/v1/voice`);
      expect((await failureOf(put(client), RequestError)).message).not.toContain("[base-url-path]");
    },
  );

  test("have no control characters and a bounded length, whatever the server says", async () => {
    const evil = complain("C\u001b[31mODE\u202e", `line\r\n\u0000two ${"long ".repeat(1000)}`);
    const { client } = await serve([answer(400, evil, { "x-request-id": "r".repeat(5000) })]);
    const error = await failureOf(put(client), RequestError);
    expect(error.message).toContain('400 C [31mODE "line two long long ');
    expect(error.message.length).toBeLessThan(1000);
  });
});

describe("the token", () => {
  const visible = (value: unknown) =>
    [inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value), String(value)].join("\n");

  test("is in nothing that a client shows", () => {
    const client = new Client({ baseUrl: "https://api.example.com/x/", token });
    expect(visible(client)).not.toContain(token);
  });

  test("is in no error, wherever the server repeats it", async () => {
    const split = `${token.slice(0, 8)}\u200b${token.slice(8)}`;
    const body = JSON.stringify({
      error: { code: token, message: `bad ${token} and ${split} ${"x".repeat(260)}${token}` },
    });
    const headers = { "x-request-id": token, location: `https://${token}.example.com/${token}?${token}` };
    const calls = [
      operations.rotateWebhookSecret,
      (to: Client, id: string) => operations.patchNetworkPolicy(to, id, {}),
    ];
    for (const [call, status] of calls.flatMap((each) => [307, 401, 500].map((status) => [each, status] as const))) {
      const { client } = await serve([answer(status, body, headers)]);
      const error = await failureOf(call(client, token), RequestError);
      expect(visible(error)).not.toContain(token);
      expect(visible(error)).not.toContain(token.slice(0, 12));
      const isQuoted = call !== operations.rotateWebhookSecret || status === 401;
      expect(error.diagnostic.text.includes(`${status} [redacted]`)).toBe(isQuoted);
    }
  });

  test("is in no error of the transport", async () => {
    const { client } = await serve([(socket) => void socket.end(`BROKEN ${token}\r\n`)]);
    const error = await failureOf(operations.rotateWebhookSecret(client, token), RequestError);
    expect(visible(error)).not.toContain(token);
  });

  test("with a character that no header may have is refused before anything is sent", () => {
    expect(() => new Client({ baseUrl: "https://api.example.com", token: "a\nb" })).toThrow(ConfigError);
  });
});

describe("VOICEPLANE_DEBUG", () => {
  const lines: string[] = [];
  const debugging = { env: { VOICEPLANE_DEBUG: "1" }, debug: (line: string) => void lines.push(line) };
  beforeEach(() => void lines.splice(0));

  test("prints one line for each attempt, with its status or its error's code, and how long it took", async () => {
    const slow: Behaviour = (socket, request) => {
      time.advance(1500);
      answer(503)(socket, request);
    };
    const { client, time } = await serve([slow, success({ webhooks: [] }), answer(403), reset], {}, debugging);
    await operations.listWebhooks(client);
    await failureOf(operations.rotateWebhookSecret(client, "wh_1"), RequestError);
    await failureOf(operations.rotateWebhookSecret(client, "wh_2"), RequestError);
    expect(lines).toEqual([
      "voiceplane: GET /v1/webhooks/, attempt 1: 503 after 1500 ms",
      "voiceplane: GET /v1/webhooks/, attempt 2: 200 after 0 ms",
      "voiceplane: POST /v1/webhooks/wh_1/rotate-secret, attempt 1: 403 after 0 ms",
      "voiceplane: POST /v1/webhooks/wh_2/rotate-secret, attempt 1: ECONNRESET after 0 ms",
    ]);
  });

  test("shows neither the token nor a secret, wherever the server repeats them and the token is misplaced", async () => {
    const odd = 'vp_test/4f9c+1d7e2b"=%';
    const secret = "whsec_0123456789abcdef";
    const headers = { "x-request-id": odd, location: `/${odd}` };
    const body = JSON.stringify({ success: true, data: { signing_secret: secret }, token: odd });
    for (const status of [200, 302, 403, 500]) {
      const { server } = await serve([answer(status, body, headers)]);
      const { client } = clientFor(server.baseUrl, {}, { token: odd }, debugging);
      await operations.rotateWebhookSecret(client, odd).catch(() => undefined);
    }
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toMatch(/^voiceplane: POST \/v1\/webhooks\/\[redacted\]\/rotate-secret, attempt 1: \d+ after 0 ms$/);
      expect(line).not.toMatch(/vp_test|whsec/);
    }
  });

  test.each([undefined, "", "0"])("set to %j prints nothing", async (VOICEPLANE_DEBUG) => {
    const { client } = await serve([success({ webhooks: [] })], {}, { ...debugging, env: { VOICEPLANE_DEBUG } });
    await operations.listWebhooks(client);
    expect(lines).toEqual([]);
  });
});

test("a transport that starts a request a second time is stopped", async () => {
  const aborted: Error[] = [];
  const controller = { abort: (reason: Error) => aborted.push(reason) } as unknown as Dispatcher.DispatchController;
  const dispatcher = {
    dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
      handler.onRequestStart?.(controller, undefined);
      handler.onRequestStart?.(controller, undefined);
      expect(aborted).toHaveLength(1);
      handler.onResponseError?.(controller, new Error("aborted"));
      return true;
    },
  } as unknown as Dispatcher;
  const client = new Client(
    { baseUrl: "https://api.example.com", token },
    Object.assign(new FakeTime(), { dispatcher }),
  );
  const error = await failureOf(operations.rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error.outcome).toBe("unknown");
});

test("a client that sends nothing loads neither the transport nor the schemas", () => {
  jest.isolateModules(() => {
    const forbid = (name: string) => () => {
      throw new Error(`${name} was loaded`);
    };
    jest.doMock("undici", forbid("undici"));
    jest.doMock("zod", forbid("zod"));
    const fresh = jest.requireActual<{ Client: typeof Client }>("../../../src/client/client.js");
    jest.requireActual("../../../src/client/api.js");
    expect(() => new fresh.Client({ baseUrl: "https://api.example.com", token })).not.toThrow();
    expect(() => jest.requireActual<object>("../../../src/control-plane/faults.js")).toThrow("zod was loaded");
    jest.dontMock("undici").dontMock("zod");
  });
});
