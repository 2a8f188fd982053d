import { resources } from "../../../src/resources/index.js";
import type { Lifecycle } from "../../../src/lifecycle/lifecycle.js";
import type { Values } from "../../../src/values/any.js";
import { webhookSecret } from "../../../src/resources/webhook-secret/lifecycle.js";
import { answer, rawServer, success } from "../../support/client/raw-server.js";
import { checkContext } from "../../support/resources/check-context.js";
import { messageOf, world, type World } from "../../support/world.js";
import { anyRequestId } from "../../support/ids.js";

/** Imports with a context of its own, as a run of the engine has. */
function importing({ engine }: World, id: string) {
  if (!webhookSecret.import) throw new Error("webhooks have no import");
  return webhookSecret.import(engine.context(), id);
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
  const the = await world(webhookSecret);
  const server = await rawServer([behaviour]);
  the.talkTo(server.baseUrl);
  expect(await messageOf(importing(the, "billing"))).toBe(message);
});

describe("an import file", () => {
  /** What follows in the next run, where an import file had these outputs and inputs. */
  function next(type: keyof typeof resources, outputs: Values, inputs: Values) {
    const lifecycle: Lifecycle = resources[type].lifecycle;
    const ctx = checkContext();
    const { inputs: news, problems } = lifecycle.check(ctx, inputs, inputs);
    expect(problems).toEqual([]);
    const state = outputs as Values & { organization: string };
    return { diff: lifecycle.diff(ctx, state, news), update: () => lifecycle.update(ctx, state, news) };
  }
  const policy: Values = { resource: "recordings", onCreate: "overwrite", retentionDays: 365 };
  const webhook: Values = { webhookId: "crm", onCreate: "adopt" };

  test.each<[rule: string, type: keyof typeof resources, outputs: Values, inputs: Values, state: Values]>([
    [
      "that does not mention a webhook's triggers has not changed them",
      "WebhookSecret",
      { webhookId: "crm" },
      { ...webhook, triggers: { quarter: "2026-Q4" } },
      { webhookId: "crm", triggers: { quarter: "2026-Q4" }, rotationCount: 0, rotationState: "adopted" },
    ],
    [
      "that does not mention a trunk's triggers has not changed them",
      "TrunkOutboundAuth",
      { trunkId: "a", cleared: true },
      { trunkId: "a", cleared: true, triggers: { n: 1 } },
      { trunkId: "a", cleared: true, triggers: { n: 1 }, confirmed: false },
    ],
    [
      "may write a range as a person does",
      "NetworkPolicy",
      { networkPolicyId: "a", onCreate: "overwrite", sourceCidr: "2001:DB8::/48" },
      { networkPolicyId: "a", onCreate: "overwrite", sourceCidr: "2001:DB8::/48" },
      { networkPolicyId: "a", sourceCidr: "2001:db8::/48", confirmed: false },
    ],
  ])("%s: its state is completed, and nothing is sent", async (_rule, type, outputs, inputs, state) => {
    const { diff, update } = next(type, outputs, inputs);
    expect(diff).toEqual({ changes: true });
    // The context's client refuses every request.
    expect(await update()).toEqual({ organization: "acme", requestId: anyRequestId, ...state });
  });

  test("of another organization is a replacement, as a state of another organization is", () => {
    expect(next("RetentionPolicy", { ...policy, organization: "other" }, policy).diff).toMatchObject({
      replaces: ["organization"],
    });
  });

  test("that names no object is refused", () => {
    expect(() => next("RetentionPolicy", { retentionDays: 365 }, policy)).toThrow(
      "the state of this RetentionPolicy has no resource, so nothing was sent",
    );
  });

  test("with values that a program could not declare is refused", () => {
    const wrong: Values = { ...policy, retentionDays: 0 };
    const lifecycle: Lifecycle = resources.RetentionPolicy.lifecycle;
    expect(() => lifecycle.check(checkContext(), wrong, wrong)).toThrow(
      'RetentionPolicy "recordings" of acme cannot be imported:\n  retentionDays: must be a whole number of days from 1 to 3650',
    );
    // What the program declares instead is judged as always.
    expect(lifecycle.check(checkContext(), wrong, { ...wrong, retentionDays: -1 }).problems).toHaveLength(1);
    expect(lifecycle.check(checkContext(), wrong, { ...wrong, retentionDays: 90 }).problems).toEqual([]);
  });

  test.each<[key: string, outputs: Values, inputs: Values]>([
    ["initialSecret", { webhookId: "crm" }, { ...webhook, initialSecret: "canary-5f1c" }],
    ...["secret", "previousSecret", "data"].map(
      (key) => [key, { webhookId: "crm", [key]: "canary-5f1c" }, webhook] as [string, Values, Values],
    ),
  ])("with %s in plain text is refused without its value", (key, outputs, inputs) => {
    expect(() => next("WebhookSecret", outputs, inputs)).toThrow(
      new Error(
        `WebhookSecret "crm" of acme: an import file must not have "${key}", because the state keeps it as plain text. ` +
          "If the state has it already, remove the resource with `pulumi state delete`, and rotate the secret. To keep a secret that you " +
          'know, declare the webhook with onCreate: "adopt" and initialSecret from a secret of the configuration. [secret-in-import]',
      ),
    );
  });

  test("may have a secret in its state where that is no longer the file's, but that of a rotation whose answer was lost", () => {
    const lost = { organization: "acme", webhookId: "crm", rotationState: "uncertain", secret: "of this provider" };
    expect(next("WebhookSecret", lost, webhook).diff).toEqual({ changes: true });
  });
});
