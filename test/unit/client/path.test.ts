import fc, { anyCharacter } from "../../support/properties";
import { ConfigError } from "../../../src/client/errors.js";
import { pathOf } from "../../../src/client/api.js";
import { rotateWebhookSecret } from "../../support/client/senders.js";
import { success } from "../../support/client/raw-server.js";
import { serve } from "../../support/client/setup.js";

test.each(["", ".", "..", "\ud800"])("%j cannot be a segment", (id) => {
  const fill = () => pathOf("clearTrunkOutboundAuth", { trunk_id: id });
  expect(fill).toThrow(ConfigError);
  expect(fill).toThrow(/^The id in \/v1\/trunks\/\{id\}\/outbound-auth is /);
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
