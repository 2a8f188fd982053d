import type { Dispatcher } from "undici";
import { Client } from "../../../src/client/client.js";
import net, { connect, createServer, type Socket } from "node:net";
import tls, { createServer as createTlsServer } from "node:tls";
import { ConfigError, RequestError } from "../../../src/client/errors.js";
import { listWebhooks, rotateWebhookSecret } from "../../support/client/senders.js";
import { rawServer as serve, success } from "../../support/client/raw-server.js";
import { clientFor, failureOf } from "../../support/client/setup.js";
import { listenInTest } from "../../support/after-test";

const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
let before: NodeJS.ProcessEnv;
beforeEach(() => {
  before = { ...process.env };
  for (const name of variables) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
});

describe("what fails before the request leaves is not sent, and tried again", () => {
  test("a host that does not exist", async () => {
    const { client } = clientFor("https://control-plane.invalid");
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toContain("(7 attempts)");
  });

  test("a certificate that nobody trusts", async () => {
    const server = await serve([success(null)], { tls: true });
    const { client } = clientFor(server.baseUrl);
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toContain("[DEPTH_ZERO_SELF_SIGNED_CERT] (7 attempts)");
    expect(error.message).toContain("NODE_EXTRA_CA_CERTS");
    expect(server.requests).toEqual([]);
  });

  test("a port that speaks no TLS is named in plain words", async () => {
    const server = await serve([], { onConnection: (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n") });
    const { client } = clientFor(server.baseUrl.replace("http:", "https:"), { maxAttempts: 1 });
    const error = await failureOf(listWebhooks(client), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toBe(
      "GET /v1/webhooks/ was not sent: the TLS connection failed [ERR_SSL_WRONG_VERSION_NUMBER]\n" +
        "Check the base URL's port, and whether it should begin with http:// there. [not-sent]",
    );
  });

  test("a TLS connection that the server refuses shows no line of OpenSSL", async () => {
    const refuse = createTlsServer({}).on("tlsClientError", () => undefined);
    const { client } = clientFor(`https://127.0.0.1:${await listenInTest(refuse)}`, { maxAttempts: 1 });
    const error = await failureOf(listWebhooks(client), RequestError);
    expect(error.message).toMatch(
      /^GET \/v1\/webhooks\/ was not sent: the TLS connection failed \[ERR_SSL_[\w/]+\] \[not-sent\]$/,
    );
  });

  test("a connection that is taken away in the middle of the TLS handshake", async () => {
    let hello = "";
    const onConnection = (socket: Socket) =>
      socket.once("data", (data) => {
        hello = data.toString("latin1");
        socket.resetAndDestroy();
      });
    const server = await serve([], { onConnection });
    const { client } = clientFor(server.baseUrl.replace("http:", "https:"));
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toContain("(7 attempts)");
    expect(server.connections()).toBe(7);
    // HTTP/1.1 is the only protocol in the list: with HTTP/2, the transport may send a lost request again.
    expect(hello).toContain("\u0000\u0009\u0008http/1.1");
  });
});

function passOn(socket: Socket, port: number): void {
  const target = connect(port, "127.0.0.1");
  target.on("error", () => socket.destroy());
  socket.on("close", () => target.destroy());
  socket.pipe(target).pipe(socket);
}

test.each([
  ["the server", {}, net],
  ["the server, with TLS", {}, tls],
  ["a proxy", { HTTPS_PROXY: "http://gateway.invalid:1", HTTP_PROXY: "http://gateway.invalid:1" }, net],
  ["a proxy, with TLS", { HTTPS_PROXY: "https://gateway.invalid:1" }, tls],
] as const)("each address of a host has the time that a slow link needs: %s", async (_what, proxies, transport) => {
  Object.assign(process.env, proxies);
  const opened = jest.spyOn(transport, "connect");
  try {
    const scheme = transport === tls || "HTTPS_PROXY" in proxies ? "https" : "http";
    const { client } = clientFor(`${scheme}://control-plane.invalid`, { maxAttempts: 1 }, { allowInsecureHttp: true });
    await failureOf(listWebhooks(client), RequestError);
    expect(opened.mock.calls.map(([options]) => options)).toEqual([
      expect.objectContaining({ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2500 }),
    ]);
  } finally {
    opened.mockRestore();
  }
});

describe("a proxy", () => {
  /** Answers CONNECT with `status` and then, if it is 200, passes everything on to `port`. */
  async function startProxy(status: number, port = 0) {
    const asked: string[] = [];
    const server = createServer((socket: Socket) => {
      socket.on("error", () => undefined);
      socket.once("data", (head) => {
        asked.push(head.toString("latin1").split("\r\n")[0] ?? "");
        socket.write(`HTTP/1.1 ${status} X\r\n\r\n`);
        if (status !== 200) socket.end();
        else passOn(socket, port);
      });
    });
    return { asked, url: `http://127.0.0.1:${await listenInTest(server)}` };
  }

  test("that asks for a password gets it from the URL in its variable, which the error says", async () => {
    process.env.HTTPS_PROXY = (await startProxy(407)).url;
    const { client } = clientFor("https://control-plane.test");
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error).toMatchObject({ outcome: "not-sent" });
    expect(error.diagnostic.advice).toBe(
      "The proxy asks for a user and a password: write them into the URL in HTTPS_PROXY, as http://USER:PASSWORD@HOST:PORT.",
    );
  });

  test.each([403, 502])("that refuses the tunnel with %i leaves a rotation not sent", async (status) => {
    const proxy = await startProxy(status);
    process.env.HTTPS_PROXY = proxy.url;
    const { client } = clientFor("https://control-plane.test");
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toContain("(7 attempts)");
    expect(error.message).toContain(String(status));
    expect(error.message).toContain("add it to NO_PROXY");
    expect(proxy.asked).toEqual(Array(7).fill("CONNECT control-plane.test:443 HTTP/1.1"));
  });

  test("carries TLS through its tunnel, and the server's certificate is checked", async () => {
    const server = await serve([success(null)], { tls: true });
    const proxy = await startProxy(200, server.port);
    process.env.HTTPS_PROXY = proxy.url;
    const { client } = clientFor("https://control-plane.test");
    const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
    expect(error.outcome).toBe("not-sent");
    expect(error.message).toContain("[DEPTH_ZERO_SELF_SIGNED_CERT]");
    expect(server.requests).toEqual([]);
  });

  test("sees nothing of what goes to this machine itself", async () => {
    const proxy = await startProxy(502);
    process.env.HTTP_PROXY = proxy.url;
    const server = await serve([success("direct")]);
    const { client } = clientFor(server.baseUrl);
    expect(await listWebhooks(client)).toBe("direct");
    expect(proxy.asked).toEqual([]);
  });

  test("is passed by for the hosts of NO_PROXY", async () => {
    const proxy = await startProxy(502);
    process.env.HTTPS_PROXY = proxy.url;
    process.env.NO_PROXY = "control-plane.invalid";
    const { client } = clientFor("https://control-plane.invalid");
    await failureOf(listWebhooks(client), RequestError);
    expect(proxy.asked).toEqual([]);
  });

  test("carries plain http where that is allowed", async () => {
    const proxy = await serve([success("through the proxy")]);
    process.env.http_proxy = proxy.baseUrl;
    const { client } = clientFor("http://control-plane.test", {}, { allowInsecureHttp: true });
    expect(await rotateWebhookSecret(client, "wh_1")).toBe("through the proxy");
    expect(proxy.requests).toHaveLength(1);
    expect(proxy.requests[0]?.head).toMatch(/^POST http:\/\/control-plane\.test\/v1\/webhooks\/wh_1\/rotate-secret /);
  });

  test("whose variable holds no URL is a clear error without the value", async () => {
    process.env.HTTPS_PROXY = "http://user:hunter2@:x";
    const { client } = clientFor("https://control-plane.test");
    const error = await failureOf(listWebhooks(client), ConfigError);
    expect(error.message).toContain("HTTPS_PROXY is not a proxy's URL");
    expect(error.message).not.toContain("hunter2");
  });
});

/** A client whose connection fails in this way. */
function failingWith(code: string): Client {
  const dispatch: Dispatcher["dispatch"] = (_options, handler) => {
    handler.onResponseError?.(undefined as never, Object.assign(new Error("TLS failed"), { code }));
    return true;
  };
  return new Client(
    { baseUrl: "https://api.example.com", token: "vp_test" },
    { dispatcher: { dispatch } as unknown as Dispatcher },
    { maxAttempts: 1 },
  );
}

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "If your own authority signed the server's certificate, set NODE_EXTRA_CA_CERTS"],
  [
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "The server may not send its intermediate certificate: let it send the whole chain.",
  ],
  ["CERT_HAS_EXPIRED", "Renew the server's certificate, or correct this machine's clock."],
  ["CERT_NOT_YET_VALID", "Renew the server's certificate, or correct this machine's clock."],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "The certificate is for another host: check the base URL's host."],
])("a certificate that is refused with %s has its own hint", async (code, hint) => {
  const error = await failureOf(listWebhooks(failingWith(code)), RequestError);
  expect(error.diagnostic.advice).toContain(hint);
});
