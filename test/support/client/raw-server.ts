import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterTest } from "../after-test";
import { listen } from "../listen";
import { certificate, privateKey } from "./certificate.js";

interface SeenRequest {
  /** Request line and headers, as they came. */
  readonly head: string;
  readonly body: string;
}

/** What the server does once it has read a whole request. */
export type Behaviour = (socket: Socket, request: SeenRequest) => void;

export type RawServer = Awaited<ReturnType<typeof startRawServer>>;

interface Options {
  /** In place of reading requests. */
  readonly onConnection?: (socket: Socket) => void;
  readonly tls?: boolean;
}

/** A server of bare bytes on the loopback interface: it can misbehave in every way that a connection allows. */
export async function startRawServer(behaviours: readonly Behaviour[], options: Options = {}) {
  const requests: SeenRequest[] = [];
  const open = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let connections = 0;
  const onConnection = (socket: Socket): void => {
    connections++;
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    if (options.onConnection) {
      options.onConnection(socket);
      return;
    }
    readRequests(socket, (request) => {
      const behaviour = behaviours[Math.min(requests.length, behaviours.length - 1)];
      requests.push(request);
      behaviour?.(socket, request);
      waiting.splice(0).forEach((check) => {
        check();
      });
    });
  };
  const server: Server = options.tls
    ? createTlsServer({ key: privateKey, cert: certificate }, onConnection)
    : createServer(onConnection);
  const port = await listen(server);
  return {
    baseUrl: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    /** Every request that was read to its end. */
    requests,
    connections: () => connections,
    /** Resolves when the server has read its nth request. */
    async seen(count: number): Promise<void> {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close(): Promise<void> {
      open.forEach((socket) => socket.destroy());
      await new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    },
  };
}

/** Starts such a server, and closes it after the test. */
export async function rawServer(...of: Parameters<typeof startRawServer>): Promise<RawServer> {
  const server = await startRawServer(...of);
  afterTest(() => server.close());
  return server;
}

function readRequests(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let buffer = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    buffer += chunk;
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = buffer.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (buffer.length < end + 4 + length) return;
      const body = buffer.slice(end + 4, end + 4 + length);
      buffer = buffer.slice(end + 4 + length);
      onRequest({ head, body });
    }
  });
}

/** Answers in full and keeps the connection. */
export function answer(status: number, body: string | Buffer = "", headers: Record<string, string> = {}): Behaviour {
  return (socket) => {
    const bytes = Buffer.from(body);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = status === 204 ? "" : `content-length: ${bytes.length}\r\n`;
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${length}${lines.join("")}\r\n`), bytes]));
  };
}

export const success = (data: unknown): Behaviour => answer(200, JSON.stringify({ success: true, data }));

/** Takes the connection away after the request was read. */
export const reset: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

export const hangUp: Behaviour = (socket) => {
  socket.destroy();
};

export const hang: Behaviour = () => undefined;

/** Keeps each request until `release` is called, which answers the oldest one. */
export function held(behaviour: Behaviour): { readonly behaviour: Behaviour; release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    behaviour: (...of) => {
      waiting.push(() => {
        behaviour(...of);
      });
    },
    release: () => waiting.shift()?.(),
  };
}

/** Announces more than it sends, then ends the connection. */
export const cutBody =
  (status: number, body: string): Behaviour =>
  (socket) => {
    socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: ${body.length + 10}\r\n\r\n${body}`);
  };
