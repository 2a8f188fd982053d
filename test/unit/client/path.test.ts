import fc from "../../support/properties";
import { ConfigError } from "../../../src/client/errors.js";
import { pathOf } from "../../../src/client/api.js";
import { rotateWebhookSecret } from "../../support/client/senders.js";
import { anyCharacter } from "../../support/any-character";
import { success } from "../../support/client/raw-server.js";
import { serve } from "../../support/client/setup.js";

test("a parameter is percent-encoded into one segment", () => {
  const path = pathOf("clearTrunkOutboundAuth", { trunk_id: "a/b?c#d e%2f" });
  expect(path).toBe("/v1/trunks/a%2Fb%3Fc%23d%20e%252f/outbound-auth");
});

test("a path without parameters stays as it is, with its slash at the end", () => {
  expect(pathOf("listWebhooks", {})).toBe("/v1/webhooks/");
});

test.each(["", ".", "..", "\ud800"])("%j cannot be a segment", (id) => {
  const fill = () => pathOf("clearTrunkOutboundAuth", { trunk_id: id });
  expect(fill).toThrow(ConfigError);
  expect(fill).toThrow(/^The id in \/v1\/trunks\/\{id\}\/outbound-auth is /);
});

test("a parameter that is missing is not left out of the path", () => {
  expect(() => pathOf("clearTrunkOutboundAuth", {})).toThrow("The id in /v1/trunks/{id}/outbound-auth is empty.");
});

test("whatever the id, a URL parser finds it in its place again", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (id) => {
      fc.pre(id !== "." && id !== "..");
      const path = pathOf("rotateWebhookSecret", { webhook_id: id });
      const segments = new URL(path, "https://api.example.com").pathname.split("/");
      expect(segments.map(decodeURIComponent)).toEqual(["", "v1", "webhooks", id, "rotate-secret"]);
    }),
  );
});

test("an operation with an id that cannot be sent rejects, and sends nothing", async () => {
  const { client, server } = await serve([success("rotated")]);
  await expect(rotateWebhookSecret(client, "..")).rejects.toThrow(ConfigError);
  expect(server.requests).toEqual([]);
});
