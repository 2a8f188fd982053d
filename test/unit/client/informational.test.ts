/** A server may send "100 Continue" before its answer, although nobody has asked for it. The answer follows. */
import { createServer, connect } from "node:net";
import type { Socket } from "node:net";
import { RequestError } from "../../../src/client/errors.js";
import { requestWebhooks, putRetentionPolicy, rotateWebhookSecret } from "../../../src/client/operations.js";
import { listenInTest } from "../../support/after-test";
import { rawServer, success, type Behaviour } from "../../support/client/raw-server.js";
import { clientFor, failureOf, serve } from "../../support/client/setup.js";

const goOn = "HTTP/1.1 100 Continue\r\n\r\n";

/** Writes one part after another, each in a packet of its own. */
function inParts(...parts: readonly string[]): Behaviour {
  return (socket) => {
    socket.setNoDelay(true);
    const [first = "", ...rest] = parts;
    socket.write(first, () => {
      setImmediate(() => {
        if (rest.length > 0) inParts(...rest)(socket, { head: "", body: "" });
      });
    });
  };
}

const done = 'HTTP/1.1 200 OK\r\ncontent-length: 29\r\n\r\n{"success":true,"data":"done"}'.replace("29", "30");

test.each<[string, Behaviour]>([
  ["in one packet", inParts(goOn + done)],
  ["in a packet of its own", inParts(goOn, done)],
  ["twice", inParts(goOn + goOn, done)],
  ["with headers", inParts("HTTP/1.1 100 Continue\r\ndate: today\r\nvia: 1.1 proxy\r\n\r\n", done)],
  ["without a reason", inParts("HTTP/1.1 100\r\n\r\n", done)],
  ["before and after another informational answer", inParts(goOn, "HTTP/1.1 103 Early Hints\r\n\r\n", done)],
  ["byte by byte", inParts(...Array.from(goOn + done))],
])("a rotation is read past a 100 Continue %s", async (_name, behaviour) => {
  const { server, client } = await serve([behaviour]);
  expect(await rotateWebhookSecret(client, "wh_1")).toBe("done");
  expect(server.requests).toHaveLength(1);
});

test("each request of a kept connection is read past its own", async () => {
  const { server, client } = await serve([inParts(goOn, done)], { connections: 1 });
  expect(await requestWebhooks(client)).toBe("done");
  expect(await putRetentionPolicy(client, "recordings", { retention_days: 30, enabled: true })).toBe("done");
  expect(await requestWebhooks(client)).toBe("done");
  expect([server.requests.length, server.connections()]).toEqual([3, 1]);
});

test("an answer whose text looks like one arrives whole", async () => {
  const { client } = await serve([
    success(`${goOn}HTTP/1.1 100`),
    inParts("HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\n", `"${goOn.slice(0, 21)}\\r"`),
  ]);
  expect(await requestWebhooks(client)).toBe(`${goOn}HTTP/1.1 100`);
});

test("a connection that ends behind it leaves a rotation unknown", async () => {
  const { server, client } = await serve([(socket) => void socket.end(goOn)]);
  const error = await failureOf(rotateWebhookSecret(client, "wh_1"), RequestError);
  expect(error.outcome).toBe("unknown");
  expect(server.requests).toHaveLength(1);
});

test("it is read past behind a proxy too, with and without a tunnel", async () => {
  const server = await rawServer([inParts(goOn, done)]);
  const tunnel = createServer((socket: Socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (head) => {
      if (!head.toString("latin1").startsWith("CONNECT")) {
        const target = connect(server.port, "127.0.0.1", () => target.write(head));
        socket.pipe(target).pipe(socket);
        return;
      }
      socket.write("HTTP/1.1 200 X\r\n\r\n");
      socket.pipe(connect(server.port, "127.0.0.1")).pipe(socket);
    });
  });
  const before = process.env.http_proxy;
  process.env.http_proxy = `http://127.0.0.1:${await listenInTest(tunnel)}`;
  try {
    const { client } = clientFor("http://control-plane.test", {}, { allowInsecureHttp: true });
    expect(await rotateWebhookSecret(client, "wh_1")).toBe("done");
  } finally {
    if (before === undefined) delete process.env.http_proxy;
    else process.env.http_proxy = before;
  }
});
