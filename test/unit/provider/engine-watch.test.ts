import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { engineAddress, watchEngine } from "../../../src/provider/engine-watch.js";
import { listen } from "../../support/listen";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  jest.useRealTimers();
});

/** A server that stands in for the engine. */
async function engine() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket));
  const port = await listen(server);
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const kill = () => {
    server.close();
    hangUp();
  };
  cleanups.push(kill);
  return { server, address: `127.0.0.1:${port}`, hangUp, kill };
}

/** Resolves when the watch reports that the engine has ended. */
function watched(address: string): { gone: Promise<void>; calls: () => number } {
  let calls = 0;
  const gone = new Promise<void>((resolve) => {
    cleanups.push(
      watchEngine(address, () => {
        calls++;
        resolve();
      }),
    );
  });
  return { gone, calls: () => calls };
}

test("an engine whose port refuses connections has ended, and is reported once", async () => {
  const { server, address, kill } = await engine();
  const connected = once(server, "connection");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  const { gone, calls } = watched(address);
  await connected;
  kill();
  // The watch checks the port a moment later.
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  expect(calls()).toBe(0);
  jest.runAllTimers();
  await gone;
  expect(jest.getTimerCount()).toBe(0);
  expect(calls()).toBe(1);
});

test("an engine that closes an idle connection has not ended, and is connected again", async () => {
  const { server, address, hangUp } = await engine();
  const first = once(server, "connection");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  const { calls } = watched(address);
  await first;
  hangUp();
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  const again = once(server, "connection");
  jest.runAllTimers();
  await again;
  expect(calls()).toBe(0);
});

test("a stopped watch connects no more, and reports nothing", async () => {
  const { server, address, kill } = await engine();
  const connected = once(server, "connection");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  let calls = 0;
  const stop = watchEngine(address, () => calls++);
  await connected;
  stop();
  const closed = once(server, "close");
  kill();
  await closed;
  // The end of the connection is seen here a few turns later.
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  expect({ timers: jest.getTimerCount(), calls }).toEqual({ timers: 0, calls: 0 });
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
