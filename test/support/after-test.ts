/** What a test opens is closed after it, the newest first. */
import type { Server, Socket } from "node:net";
import { listen } from "./listen";

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function afterTest(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Lets a server listen until the end of the test, which ends its connections too. Returns its port. */
export async function listenInTest(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  afterTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}
