import fc from "fast-check";
import { ConfigError } from "../../src/client/errors.js";
import { rotateWebhookSecret } from "../../src/client/operations.js";
import { path } from "../../src/client/path.js";

test("a parameter is percent-encoded into one segment", () => {
  expect(path`/v1/trunks/${"a/b?c#d e%2f"}/outbound-auth`).toBe("/v1/trunks/a%2Fb%3Fc%23d%20e%252f/outbound-auth");
});

test("a path without parameters stays as it is, with its slash at the end", () => {
  expect(path`/v1/webhooks/`).toBe("/v1/webhooks/");
});

test.each(["", ".", "..", "\ud800"])("%j cannot be a segment", (id) => {
  expect(() => path`/v1/trunks/${id}/outbound-auth`).toThrow(ConfigError);
  expect(() => path`/v1/trunks/${id}/outbound-auth`).toThrow(/^The id in \/v1\/trunks\/\{id\}\/outbound-auth is /);
});

test("whatever the id, a URL parser finds it in its place again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1 }), (id) => {
      fc.pre(id !== "." && id !== "..");
      const segments = new URL(path`/v1/webhooks/${id}/rotate-secret`, "https://api.example.com").pathname.split("/");
      expect(segments.map(decodeURIComponent)).toEqual(["", "v1", "webhooks", id, "rotate-secret"]);
    }),
  );
});

test("an operation with an id that cannot be sent rejects, and sends nothing", async () => {
  const send = jest.fn();
  await expect(rotateWebhookSecret({ send }, "..")).rejects.toThrow(ConfigError);
  expect(send).not.toHaveBeenCalled();
});
