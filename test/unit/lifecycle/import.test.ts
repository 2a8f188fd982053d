import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";
import { answer, rawServer, success } from "../../support/client/raw-server.js";
import { messageOf, world, type World } from "../../support/world.js";

/** Imports with a context of its own, as a run of the engine has. */
function importing({ engine }: World, id: string) {
  if (!webhookSecretLifecycle.import) throw new Error("webhooks have no import");
  return webhookSecretLifecycle.import(engine.context(), id);
}

const unlisted =
  'WebhookSecret "billing" of acme: is not in the server\'s list of webhooks. Check the id. ' +
  'If the list is only a part, declare it with onCreate: "adopt" instead: that sends nothing. [cannot-import]';

test.each([
  ["an empty list", success([]), unlisted],
  [
    "no list at all",
    success({ crm: "https://crm.example.com" }),
    'WebhookSecret "billing" of acme: cannot be imported, because no list was found in the server\'s answer. ' +
      'Declare it with onCreate: "adopt" instead: that sends nothing. [cannot-import]',
  ],
  [
    "a page of the list",
    success({ webhooks: [], has_more: true }),
    'WebhookSecret "billing" of acme: cannot be imported, because it is not in what can be read of the server\'s list, and the ' +
      'list may have further pages. Declare it with onCreate: "adopt" instead: that sends nothing. [cannot-import]',
  ],
  // Nothing says that the webhook does not exist.
  [
    "a refusal",
    answer(403, "{}"),
    "GET /v1/webhooks/ was refused: 403\nThe token needs the scope webhooks:read. [token-rights]",
  ],
])("a webhook that is not in the answer is an error: %s", async (_what, behaviour, message) => {
  const the = await world(webhookSecretLifecycle);
  const server = await rawServer([behaviour]);
  the.talkTo(server.baseUrl);
  expect(await messageOf(importing(the, "billing"))).toBe(message);
});
