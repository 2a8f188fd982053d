/** Also for the setup of all tests, which has no `afterEach`. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Lets a server listen on a free port of loopback, and returns it. The caller closes the server. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
