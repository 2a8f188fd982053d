import { isLoopback } from "../../../src/control-plane/access.js";

test.each([["127.0.0.1"], ["127.9.9.9"], ["::1"], ["::ffff:127.0.0.1"]])("%s is this machine", (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each([["192.0.2.1"], ["::ffff:192.0.2.1"], ["::"], ["0.0.0.0"], [""]])("%j is not this machine", (address) => {
  expect(isLoopback(address)).toBe(false);
});
