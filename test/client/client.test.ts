import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import type { Dispatcher } from "undici";
import { Client } from "../../src/client/client.js";
import { ApiError, ConfigError, TransportError, outcomeOf } from "../../src/client/errors.js";
import * as operations from "../../src/client/operations.js";
import { FakeTime } from "./support/fake-time.js";
import { answer, success } from "./support/raw-server.js";
import { cleanUpAfterEach, clientFor, failureOf, onCleanUp, serve, token } from "./support/setup.js";

cleanUpAfterEach();

describe("on the wire", () => {
  const sent: [string, (client: Client) => Promise<unknown>, string, string][] = [
    [
      "a retention policy",
      (client) => operations.putRetentionPolicy(client, "audit_events", { retention_days: 2555, enabled: false }),
      "PUT /v1/retention-policies/audit_events HTTP/1.1",
      '{"retention_days":2555,"enabled":false}',
    ],
    [
      "a network policy",
      (client) => operations.patchNetworkPolicy(client, "np 1", { source_cidr: "203.0.113.0/24" }),
      "PATCH /v1/network-policies/np%201 HTTP/1.1",
      '{"source_cidr":"203.0.113.0/24"}',
    ],
    [
      "clearing a trunk",
      (client) => operations.clearTrunkOutboundAuth(client, "t_1"),
      "DELETE /v1/trunks/t_1/outbound-auth HTTP/1.1",
      "",
    ],
    [
      "a rotation",
      (client) => operations.rotateWebhookSecret(client, "wh_1"),
      "POST /v1/webhooks/wh_1/rotate-secret HTTP/1.1",
      "",
    ],
    ["the list of webhooks", (client) => operations.listWebhooks(client), "GET /v1/webhooks/ HTTP/1.1", ""],
  ];
  test.each(sent)("%s", async (_name, call, line, body) => {
    const { server, client } = await serve([success("data")]);
    expect(await call(client)).toBe("data");
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    const [first, ...headers] = request?.head.split("\r\n") ?? [];
    expect(first).toBe(line);
    expect(request?.body).toBe(body);
    expect(headers).toContain(`authorization: Bearer ${token}`);
    expect(headers).toContain("accept: application/json");
    expect(headers.includes("content-type: application/json")).toBe(body !== "");
    expect(headers.join()).not.toMatch(/accept-encoding/i);
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
    const error = await failureOf(operations.rotateWebhookSecret(client, "wh_1"), ApiError);
    expect(error.message).toBe(
      'POST /v1/webhooks/wh_1/rotate-secret was refused: 403 FORBIDDEN "credential scope required: webhooks:write" (request id req_5)\n' +
        "The token needs the scope webhooks:write.",
    );
    expect(error.stack).toBe(`ApiError: ${error.message}`);
    expect(String(error)).toBe(`ApiError: ${error.message}`);
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
    [403, complain("STEP_UP_REQUIRED", "no"), put, "stronger sign-in"],
    [404, "", rotate, "no such object"],
    [404, "", operations.listWebhooks, "check the base URL"],
    [500, "", patch, "Some servers answer 500 for an unknown id"],
    [500, "", rotate, "Whether the secret was rotated is unknown"],
    [501, "", put, "Whether it was carried out is unknown"],
  ];
  test.each(hints)("%i %s has a hint", async (status, body, call, hint) => {
    const { client } = await serve([answer(status, body)]);
    expect((await failureOf(call(client), ApiError)).message.toLowerCase()).toContain(hint.toLowerCase());
  });

  test("have no control characters and a bounded length, whatever the server says", async () => {
    const evil = complain("C\u001b[31mODE\u202e", `line\r\n\u0000two ${"long ".repeat(1000)}`);
    const { client } = await serve([answer(400, evil, { "x-request-id": "r".repeat(5000) })]);
    const error = await failureOf(put(client), ApiError);
    expect(error.code).toBe("C [31mODE");
    expect(error.reason).toMatch(/^line two long long /);
    expect(error.message.length).toBeLessThan(1000);
  });
});

describe("the token", () => {
  const visible = (value: unknown) =>
    [inspect(value, { depth: 9, showHidden: true }), JSON.stringify(value), String(value)].join("\n");

  test("is in nothing that a client shows", () => {
    const client = new Client({ baseUrl: "https://api.example.com/x/", token });
    expect(visible(client)).not.toContain(token);
    expect(JSON.stringify(client)).toBe('{"baseUrl":"https://api.example.com/x"}');
    expect(inspect(client)).toBe("Client { baseUrl: 'https://api.example.com/x' }");
  });

  test("is in no error, wherever the server repeats it", async () => {
    const split = `${token.slice(0, 8)}\u200b${token.slice(8)}`;
    const body = JSON.stringify({
      error: { code: token, message: `bad ${token} and ${split} ${"x".repeat(260)}${token}` },
    });
    const headers = { "x-request-id": token, location: `https://${token}.example.com/${token}?${token}` };
    for (const status of [307, 401, 500]) {
      const { client } = await serve([answer(status, body, headers)]);
      const error = await failureOf(operations.rotateWebhookSecret(client, token), ApiError);
      expect(visible(error)).not.toContain(token);
      expect(visible(error)).not.toContain(token.slice(0, 12));
      expect(error.code).toBe("[redacted]");
    }
  });

  test("is in no error of the transport", async () => {
    const { client } = await serve([(socket) => void socket.end(`BROKEN ${token}\r\n`)]);
    const error = await failureOf(operations.rotateWebhookSecret(client, token), TransportError);
    expect(visible(error)).not.toContain(token);
  });

  test("with a character that no header may have is refused before anything is sent", () => {
    expect(() => new Client({ baseUrl: "https://api.example.com", token: "a\nb" })).toThrow(ConfigError);
  });

  test("from a function is asked for once, when it is needed", async () => {
    const getToken = jest.fn(() => Promise.resolve(token));
    const { server } = await serve([success(null)]);
    const { client } = clientFor(server.baseUrl, {}, { token: getToken });
    expect(getToken).not.toHaveBeenCalled();
    await Promise.all([operations.listWebhooks(client), operations.listWebhooks(client)]);
    await operations.listWebhooks(client);
    expect(getToken).toHaveBeenCalledTimes(1);
  });

  test("from a function is asked for once more after a 401, for a rotation too", async () => {
    const tokens = ["expired-token", "fresh-token"];
    const { server } = await serve([answer(401), success("rotated")]);
    const { client } = clientFor(server.baseUrl, {}, { token: () => Promise.resolve(tokens.shift() ?? "") });
    expect(await operations.rotateWebhookSecret(client, "wh_1")).toBe("rotated");
    const used = server.requests.map(({ head }) => /authorization: Bearer (.*)/.exec(head)?.[1]);
    expect(used).toEqual(["expired-token", "fresh-token"]);
  });

  test("that is refused twice is an error", async () => {
    let count = 0;
    const { server } = await serve([answer(401)]);
    const { client } = clientFor(server.baseUrl, {}, { token: () => Promise.resolve(`token-${++count}`) });
    const error = await failureOf(operations.listWebhooks(client), ApiError);
    expect(error).toMatchObject({ status: 401, attempts: 2 });
    expect(server.requests).toHaveLength(2);
  });

  test("that stays the same is not tried twice", async () => {
    const { server } = await serve([answer(401)]);
    const { client } = clientFor(server.baseUrl, {}, { token: () => Promise.resolve(token) });
    await failureOf(operations.listWebhooks(client), ApiError);
    expect(server.requests).toHaveLength(1);
  });

  const broken: [string, () => Promise<string>, string][] = [
    ["fails", () => Promise.reject(new Error("vault is sealed")), "failed: vault is sealed"],
    ["gives nothing", () => Promise.resolve(undefined as unknown as string), "gave no text"],
    ["gives a text that cannot be one", () => Promise.resolve("a b"), "white space"],
  ];
  test.each(broken)(
    "from a function that %s is a clear error, and nothing is sent",
    async (_name, getToken, message) => {
      const { server } = await serve([success(null)]);
      const { client } = clientFor(server.baseUrl, {}, { token: getToken });
      const error = await failureOf(operations.rotateWebhookSecret(client, "wh_1"), ConfigError);
      expect(error.message).toContain(message);
      expect(outcomeOf(error)).toBe("not-sent");
      expect(server.requests).toEqual([]);
    },
  );

  test("from a function that never ends is waited for no longer than the deadline", async () => {
    const { client, time } = clientFor("http://127.0.0.1:9", {}, { token: () => new Promise(() => undefined) });
    const failure = failureOf(operations.listWebhooks(client), ConfigError);
    time.advance(60_000);
    expect((await failure).message).toContain("did not answer in time");
  });
});

test("events tell of every attempt and request, without headers and bodies", async () => {
  const events: unknown[] = [];
  const note = (message: unknown, name: string | symbol) => events.push({ on: name, ...(message as object) });
  subscribe("voiceplane:attempt", note);
  subscribe("voiceplane:request", note);
  onCleanUp(() => {
    unsubscribe("voiceplane:attempt", note);
    unsubscribe("voiceplane:request", note);
    return Promise.resolve();
  });
  const { client } = await serve([answer(503), success({ webhooks: [] }), answer(403)]);
  await operations.listWebhooks(client);
  await failureOf(operations.rotateWebhookSecret(client, "wh_1"), ApiError);
  const list = { operation: "listWebhooks", method: "GET", path: "/v1/webhooks/" };
  const rotation = { operation: "rotateWebhookSecret", method: "POST", path: "/v1/webhooks/wh_1/rotate-secret" };
  expect(events).toEqual([
    { on: "voiceplane:attempt", ...list, attempt: 1, status: 503, outcome: "unknown", duration: 0 },
    { on: "voiceplane:attempt", ...list, attempt: 2, status: 200, outcome: "success", duration: 0 },
    { on: "voiceplane:request", ...list, attempt: 2, status: 200, outcome: "success", duration: 125 },
    { on: "voiceplane:attempt", ...rotation, attempt: 1, status: 403, outcome: "refused", duration: 0 },
    { on: "voiceplane:request", ...rotation, attempt: 1, status: 403, outcome: "refused", duration: 0 },
  ]);
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
  const error = await failureOf(operations.rotateWebhookSecret(client, "wh_1"), TransportError);
  expect(error.outcome).toBe("unknown");
});

test("closing lets the requests under way end, and refuses new ones", async () => {
  const held: (() => void)[] = [];
  const { server, client } = await serve([
    (socket, request) => {
      held.push(() => {
        success("late")(socket, request);
      });
    },
  ]);
  const underWay = operations.listWebhooks(client);
  await server.seen(1);
  const closed = client.close();
  await expect(operations.listWebhooks(client)).rejects.toThrow("The client is closed.");
  held[0]?.();
  expect(await underWay).toBe("late");
  await closed;
});

test("a client that sends nothing loads neither the transport nor the schemas", () => {
  jest.isolateModules(() => {
    const forbid = (name: string) => () => {
      throw new Error(`${name} was loaded`);
    };
    jest.doMock("undici", forbid("undici"));
    jest.doMock("zod", forbid("zod"));
    const fresh = jest.requireActual<{ Client: typeof Client }>("../../src/client/client.js");
    jest.requireActual("../../src/client/operations.js");
    expect(() => new fresh.Client({ baseUrl: "https://api.example.com", token })).not.toThrow();
    expect(() => jest.requireActual<object>("../../src/control-plane/bodies.js")).toThrow("zod was loaded");
    jest.dontMock("undici").dontMock("zod");
  });
});
