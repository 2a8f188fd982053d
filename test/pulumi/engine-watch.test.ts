import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { engineAddress, watchEngine } from "../../src/pulumi/engine-watch.js";

const cleanups: (() => void)[] = [];

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  jest.useRealTimers();
});

/** In place of an engine: something that listens. */
async function engine() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const kill = () => {
    server.close();
    hangUp();
  };
  cleanups.push(kill);
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}`, hangUp, kill };
}

/** Resolves when the engine is called gone. */
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

test("an engine whose port refuses connections is gone, and that is said once", async () => {
  const { server, address, kill } = await engine();
  const connected = once(server, "connection");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  const { gone, calls } = watched(address);
  await connected;
  kill();
  // Only the port tells: the watch looks at it a moment later.
  while (jest.getTimerCount() === 0) await new Promise(setImmediate);
  expect(calls()).toBe(0);
  jest.runAllTimers();
  await gone;
  expect(jest.getTimerCount()).toBe(0);
  expect(calls()).toBe(1);
});

test("an engine that only ends a silent connection is not gone: it is connected to again", async () => {
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

test("a watch that was ended calls nobody", async () => {
  const { server, address, kill } = await engine();
  const connected = once(server, "connection");
  let calls = 0;
  const stop = watchEngine(address, () => calls++);
  await connected;
  stop();
  kill();
  await once(server, "close");
  expect(calls).toBe(0);
});

test("only a provider's process has an engine's address, as its one argument", () => {
  const provider = "/project/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js";
  expect(engineAddress(["node", provider, "127.0.0.1:37921"])).toBe("127.0.0.1:37921");
  expect(engineAddress(["node", provider, "[::1]:37921"])).toBe("[::1]:37921");
  expect(engineAddress(["node", provider])).toBeUndefined();
  expect(engineAddress(["node", "voiceplane", "serve", "--port", "37921"])).toBeUndefined();
  expect(engineAddress(["node", "jest", "test/pulumi/dynamic/engine-watch.test.ts"])).toBeUndefined();
});
