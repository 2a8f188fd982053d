/** A way to a control plane on which a test can hold the answers back. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "../../support/listen";

export interface Gate {
  readonly url: string;
  /** Requests still arrive. Their answers wait for {@link open}. */
  shut(): void;
  open(): void;
}

const servers = new Set<Server>();
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  servers.clear();
});

/** Closes after the test. */
export async function gateTo(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const waiting: (() => void)[] = [];
  let isShut = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.pipe(upstream);
    const pass = (action: () => void): void => {
      if (isShut) waiting.push(action);
      else action();
    };
    upstream.on("data", (bytes) => {
      pass(() => client.write(bytes));
    });
    upstream.on("end", () => {
      pass(() => client.end());
    });
  });
  servers.add(server);
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    shut() {
      isShut = true;
    },
    open() {
      isShut = false;
      for (const action of waiting.splice(0)) action();
    },
  };
}
