/** A proxy that passes on answers one byte at a time. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "../../support/listen";

const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
});

/**
 * @param url where the proxy forwards requests to, at full speed
 * @param pauseMs between two bytes of an answer
 * @returns the proxy's own address. The proxy is closed after the test.
 */
export async function trickle(url: string, pauseMs: number): Promise<string> {
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    const pending: number[] = [];
    let answered = false;
    const timer = setInterval(() => {
      const byte = pending.shift();
      if (byte !== undefined) client.write(Buffer.of(byte));
      else if (answered) client.end();
    }, pauseMs);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.on("close", () => {
      clearInterval(timer);
      upstream.destroy();
    });
    upstream.on("close", () => {
      answered = true;
    });
    client.pipe(upstream);
    upstream.on("data", (bytes) => void pending.push(...bytes));
  });
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}
