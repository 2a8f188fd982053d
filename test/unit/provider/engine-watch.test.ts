/** Whether the engine has ended is seen at its port. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { engineAddress, watchEngine } from "../../../src/provider/engine-watch.js";
import { listen } from "../../support/listen";

const cleanups: (() => unknown)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  jest.useRealTimers();
});

/** A server that stands in for the engine, once the watch has connected to it. Timers run when the test says so. */
async function watched() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket));
  const port = await listen(server);
  const connected = once(server, "connection");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  const gone = jest.fn();
  const stop = watchEngine(`127.0.0.1:${port}`, gone);
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const kill = () => {
    server.close();
    hangUp();
  };
  cleanups.push(kill, stop);
  await connected;
  return { server, hangUp, kill, stop, gone };
}

const turn = () => new Promise(setImmediate);

/** The watch checks the port a moment later. */
async function checksLater(): Promise<void> {
  while (jest.getTimerCount() === 0) await turn();
}

test("an engine whose port refuses connections has ended, and is reported once", async () => {
  const { kill, gone } = await watched();
  kill();
  await checksLater();
  expect(gone).not.toHaveBeenCalled();
  jest.runAllTimers();
  while (gone.mock.calls.length === 0) await turn();
  expect(jest.getTimerCount()).toBe(0);
  expect(gone).toHaveBeenCalledTimes(1);
});

test("an engine that closes an idle connection has not ended, and is connected again", async () => {
  const { server, hangUp, gone } = await watched();
  hangUp();
  await checksLater();
  const again = once(server, "connection");
  jest.runAllTimers();
  await again;
  expect(gone).not.toHaveBeenCalled();
});

test("a stopped watch connects no more, and reports nothing", async () => {
  const { server, kill, stop, gone } = await watched();
  stop();
  const closed = once(server, "close");
  kill();
  await closed;
  // The end of the connection is seen here a few turns later.
  for (let turns = 0; turns < 100; turns++) await turn();
  expect(jest.getTimerCount()).toBe(0);
  expect(gone).not.toHaveBeenCalled();
});

const provider = "/project/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js";

test.each([
  [["127.0.0.1:37921"], "127.0.0.1:37921"],
  [["[::1]:37921"], "[::1]:37921"],
  [["--logtostderr", "-v=9", "127.0.0.1:37921"], "127.0.0.1:37921"],
  [["--tracing", "file:./t", "127.0.0.1:37921"], "127.0.0.1:37921"],
  [["--tracing", "127.0.0.1:9411", "127.0.0.1:37921"], "127.0.0.1:37921"],
  [["--tracing", "127.0.0.1:9411"], undefined],
  [[], undefined],
])("of the arguments %j of a provider's process, the engine's address is %s", (args, address) => {
  expect(engineAddress(["node", provider, ...args])).toBe(address);
});

test("the arguments of other processes have no address of an engine", () => {
  expect(engineAddress(["node", "voiceplane", "serve", "--port", "37921"])).toBeUndefined();
  expect(engineAddress(["node", "jest", "test/unit/provider/engine-watch.test.ts"])).toBeUndefined();
});
