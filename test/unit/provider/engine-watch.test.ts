/** Whose engine a provider's process watches. That the process ends with it is in node-version.test.ts, and in the engine's suite of kills. */
import { engineAddress } from "../../../src/provider/engine-watch.js";

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
