import { resources } from "../../../src/resources/index.js";
import type { Lifecycle, Values } from "../../../src/resources/lifecycle.js";
import { webhookSecret } from "../../../src/resources/webhook-secret.js";
import { answer, startRawServer, success } from "../../support/client/raw-server.js";
import { checkContext } from "../../support/resources/check-context.js";
import { closeAfterTest, ids, messageOf, world, type World } from "../../support/world.js";
import { anyRowId } from "../../support/ids.js";

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
    state: { organization: "acme", webhookId: ids.webhook, rotationCount: 0, rotationState: "adopted" },
  });
  expect(the.journal()).toEqual([list]);
});

test.each<[string, unknown]>([
  ["an empty list", []],
  ["no list at all", { crm: "https://crm.example.com" }],
])("a webhook that is not in the answer is an error that says what to do: %s", async (_what, data) => {
  expect(await messageOf(importing(await listing(data), "billing"))).toBe(
    'WebhookSecret "billing" of acme: is not in the server\'s list of webhooks. Check the id. ' +
      'If the list is only a part, declare it with onCreate: "adopt" instead: that sends nothing.',
  );
});

test("a list that is refused is an error: nothing says that the webhook does not exist", async () => {
  const the = await world(webhookSecret);
  const server = await startRawServer([answer(403, "{}")]);
  closeAfterTest(() => server.close());
  the.talkTo(server.baseUrl);
  expect(await messageOf(importing(the, "crm"))).toContain("GET /v1/webhooks/ was refused: 403");
});

describe("an import file", () => {
  /** The state of a resource that an import file has described with these inputs and outputs. */
  function next(type: keyof typeof resources, outputs: Values, inputs: Values, declared: Values = inputs) {
    const lifecycle: Lifecycle = resources[type].lifecycle;
    const ctx = checkContext();
    const { inputs: news, problems } = lifecycle.check(ctx, inputs, declared);
    expect(problems).toEqual([]);
    const state = outputs as Values & { organization: string };
    return { diff: lifecycle.diff(ctx, state, news), updated: lifecycle.update(ctx, state, news), news };
  }

  test("that does not mention triggers has not changed them: nothing is rotated or sent", async () => {
    const webhook = { webhookId: "crm", onCreate: "adopt", triggers: { quarter: "2026-Q4" } };
    const { diff, updated } = next("WebhookSecret", { webhookId: "crm" }, webhook);
    expect(diff).toEqual({ changes: true });
    const state = { organization: "acme", rotationCount: 0, rotationState: "adopted" };
    expect(await updated).toEqual({
      ...state,
      webhookId: "crm",
      triggers: { quarter: "2026-Q4" },
      requestId: anyRowId,
    });
    const trunk = { trunkId: "a", cleared: true, triggers: { n: 1 } };
    expect(await next("TrunkOutboundAuth", { trunkId: "a", cleared: true }, trunk).updated).toEqual({
      ...{
        organization: "acme",
        trunkId: "a",
        cleared: true,
        triggers: { n: 1 },
        confirmed: false,
        requestId: anyRowId,
      },
    });
  });

  test("may write a range as a person does", async () => {
    const policy = { networkPolicyId: "a", onCreate: "overwrite", sourceCidr: "2001:DB8::/48" };
    const { updated } = next("NetworkPolicy", policy, policy);
    expect(await updated).toEqual({
      ...{
        organization: "acme",
        networkPolicyId: "a",
        sourceCidr: "2001:db8::/48",
        confirmed: false,
        requestId: anyRowId,
      },
    });
  });

  test("of another organization is a replacement, as a state of another organization is", () => {
    const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 365 };
    expect(next("RetentionPolicy", { ...policy, organization: "other" }, policy).diff).toMatchObject({
      replaces: ["organization"],
    });
  });

  test("with values that a program could not declare is refused", () => {
    const wrong: Values = { resource: "recordings", onCreate: "overwrite", retentionDays: 0 };
    const lifecycle: Lifecycle = resources.RetentionPolicy.lifecycle;
    expect(() => lifecycle.check(checkContext(), wrong, wrong)).toThrow(
      'RetentionPolicy "recordings" of acme cannot be imported: retentionDays: must be a whole number of days from 1 to 3650',
    );
    // What the program declares instead is judged as always.
    expect(lifecycle.check(checkContext(), wrong, { ...wrong, retentionDays: -1 }).problems).toHaveLength(1);
    expect(lifecycle.check(checkContext(), wrong, { ...wrong, retentionDays: 90 }).problems).toEqual([]);
  });

  describe("with a secret in plain text is refused without its value,", () => {
    const lifecycle: Lifecycle = resources.WebhookSecret.lifecycle;
    const webhook: Values = { webhookId: "crm", onCreate: "adopt" };
    const refusal = (key: string) =>
      `WebhookSecret "crm" of acme: an import file must not have "${key}", because the state keeps it as plain text. ` +
      "If the state has it already, remove the resource with `pulumi state delete`, and rotate the secret. To keep a secret that you " +
      'know, declare the webhook with onCreate: "adopt" and initialSecret from a secret of the configuration.';

    test("among the inputs", async () => {
      const file: Values = { ...webhook, initialSecret: "canary-5f1c" };
      expect(await messageOf(Promise.resolve().then(() => lifecycle.check(checkContext(), file, file)))).toBe(
        refusal("initialSecret"),
      );
    });

    test.each([["secret"], ["previousSecret"], ["data"]])("among the outputs as %s", async (key) => {
      const outputs = { webhookId: "crm", [key]: "canary-5f1c" };
      expect(await messageOf(Promise.resolve().then(() => next("WebhookSecret", outputs, webhook)))).toBe(refusal(key));
    });

    test("unless the state is no longer the file's, but that of a rotation whose answer was lost", () => {
      const lost = { organization: "acme", webhookId: "crm", rotationState: "uncertain", secret: "of this provider" };
      const ctx = checkContext();
      expect(lifecycle.diff(ctx, lost, lifecycle.check(ctx, webhook, webhook).inputs)).toEqual({ changes: true });
    });
  });

  test("that names no object is refused", () => {
    const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 365 };
    expect(() => next("RetentionPolicy", { retentionDays: 365 }, policy)).toThrow(
      "the state of this RetentionPolicy has no resource, so nothing was sent",
    );
  });
});
