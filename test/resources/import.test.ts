import { resources } from "../../src/resources/index.js";
import { webhookSecret } from "../../src/resources/webhook-secret.js";
import { answer, startRawServer, success } from "../support/client/raw-server.js";
import { closeAfterTest, ids, messageOf, world, type World } from "../support/world.js";

const list = "GET /v1/webhooks/";

/** Imports with a context of its own, as a run of the engine has. */
function importing({ engine }: World, id: string) {
  if (!webhookSecret.import) throw new Error("webhooks have no import");
  return webhookSecret.import(engine.context(), id);
}

/** An organization whose server answers the list with this. */
async function listing(data: unknown): Promise<World> {
  const the = await world(webhookSecret);
  const server = await startRawServer([success(data)]);
  closeAfterTest(() => server.close());
  the.talkTo(server.baseUrl);
  return the;
}

test("only webhooks can be looked up, and so imported", () => {
  const importable = Object.entries(resources).filter(([, { lifecycle }]) => lifecycle.import !== undefined);
  expect(importable.map(([type]) => type)).toEqual(["WebhookSecret"]);
});

test("a webhook of the list is taken over as it is: one GET, no rotation, no secret", async () => {
  const the = await world(webhookSecret);
  expect(await importing(the, ids.webhook)).toEqual({
    inputs: { webhookId: ids.webhook, onCreate: "adopt" },
    state: { account: "acme", webhookId: ids.webhook, rotationCount: 0, rotationState: "adopted" },
  });
  expect(the.journal()).toEqual([list]);
});

test("another spelling of the id is found too, and kept as the user wrote it", async () => {
  const the = await world(webhookSecret);
  const id = ids.webhook.toUpperCase();
  expect((await importing(the, id)).inputs).toEqual({ webhookId: id, onCreate: "adopt" });
});

test.each<[string, unknown]>([
  ["an empty list", []],
  ["a list that has members beside it", { webhooks: [{ id: "crm" }], next_cursor: "x" }],
  ["an item without an id", [{ id: "crm" }, { name: "billing" }]],
  ["no list at all", { crm: "https://crm.example.com" }],
])("a webhook that is not in the answer is an error that says what to do: %s", async (_what, data) => {
  expect(await messageOf(importing(await listing(data), "billing"))).toBe(
    'WebhookSecret "billing" of acme: is not in the server\'s list of webhooks. Check the id. ' +
      'If the list is only a part, declare it with onCreate: "adopt" instead: that sends nothing.',
  );
});

test("a webhook in what may be a part is found", async () => {
  const the = await listing({ webhooks: [{ id: "crm" }], next_cursor: "x" });
  expect((await importing(the, "crm")).state).toMatchObject({ webhookId: "crm", rotationState: "adopted" });
});

test("a list that is refused is an error: nothing says that the webhook does not exist", async () => {
  const the = await world(webhookSecret);
  const server = await startRawServer([answer(403, "{}")]);
  closeAfterTest(() => server.close());
  the.talkTo(server.baseUrl);
  expect(await messageOf(importing(the, "crm"))).toContain("GET /v1/webhooks/ was refused: 403");
});

test("several imports of one run ask once", async () => {
  const the = await world(webhookSecret);
  const context = the.engine.context();
  await webhookSecret.import?.(context, ids.webhook);
  await webhookSecret.import?.(context, ids.otherWebhook);
  expect(the.journal()).toEqual([list]);
});
