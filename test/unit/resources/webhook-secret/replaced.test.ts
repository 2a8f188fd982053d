/** A webhook that is declared anew: by --replace, a taint, or a rename without alias. The rotation model replaces too. */
import type { Lifecycle } from "../../../../src/lifecycle/lifecycle.js";
import { withOwnership } from "../../../../src/lifecycle/ownership.js";
import type { Values } from "../../../../src/values/any.js";
import { webhookSecretLifecycle } from "../../../../src/resources/webhook-secret/lifecycle.js";
import { secretCopy } from "../../../../src/resources/webhook-secret/readers.js";
import { ids, messageOf, world, type World } from "../../../support/world.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "adopt", ...args } });
const rotation = `POST /v1/webhooks/${ids.webhook}/rotate-secret`;
const refusal =
  `WebhookSecret "${ids.webhook}" of acme: the program declares this object again, without the secret of this webhook that is in ` +
  "this state, which may be the only copy and stays: change triggers, which rotates, and run the update again [loses-secret]";

/** A webhook that was adopted and rotated later: the state has the only copy of its secret. */
async function rotated(): Promise<World & { secret: string }> {
  const the = await world(webhookSecretLifecycle);
  await the.engine.up(crm());
  await the.engine.up(crm({ triggers: { n: 1 } }));
  the.forgetRequests();
  return { ...the, secret: String(the.engine.outputsOf("crm")?.secret) };
}

test.each<[how: string, name: string, flags: { replace?: string[] }]>([
  ["replaced", "crm", { replace: ["crm"] }],
  ["renamed without an alias", "renamed", {}],
])(
  "an adopted webhook that was rotated later and is %s keeps its old state until the program has a secret",
  async (_how, name, flags) => {
    const { engine, secret, journal } = await rotated();
    const program = (args: object = {}) => ({ [name]: crm({ triggers: { n: 1 }, ...args }).crm });
    expect(await messageOf(engine.up(program(), flags))).toBe(refusal);
    expect(await messageOf(engine.up(program()))).toBe(refusal);
    await engine.up(program({ initialSecret: secret }));
    expect(engine.outputsOf(name)).toMatchObject({ secret, rotationState: "adopted" });
    // The old state is gone: nothing refuses any more.
    await engine.up(program());
    expect(journal()).toEqual([]);
  },
);

test("the remedy of the refusal rotates once, and the old state goes", async () => {
  const { engine, journal } = await rotated();
  await messageOf(engine.up(crm({ triggers: { n: 1 } }), { replace: ["crm"] }));
  await engine.up(crm({ triggers: { n: 2 } }));
  expect(engine.said().at(-1)).toContain("still declared by this program");
  expect(journal()).toEqual([rotation]);
});

test("where two resources have rotated one webhook, the state that rotated later stays when that one is removed", async () => {
  const the = await rotated();
  const old = the.engine.outputsOf("crm") as Values & { organization: string };
  const lifecycle = withOwnership(webhookSecretLifecycle as unknown as Lifecycle);
  const deletedAfter = async (rotatedAt: string) => {
    const ctx = the.engine.context();
    const { inputs } = lifecycle.check(ctx, old, crm({ triggers: { n: 1 } }).crm);
    lifecycle.diff(ctx, { ...old, secret: "another", rotatedAt } as typeof old, inputs);
    return lifecycle.delete(ctx, old);
  };
  await deletedAfter("2999-01-01T00:00:00.000Z");
  expect(await messageOf(deletedAfter("2020-01-01T00:00:00.000Z"))).toBe(refusal);
});

const adopted = { rotationState: "adopted", secret: "a" };
const rotatedState = { rotationState: "rotated", secret: "b", rotatedAt: "2026-01-02T00:00:00Z" };

test.each<[what: string, old: Values, newest: Values | undefined, isCopied: boolean]>([
  ["a rotated secret, by an initialSecret that may be outdated", rotatedState, adopted, false],
  ["an adopted secret, by another one that the program gives", adopted, { ...adopted, secret: "c" }, true],
  ["the same secret, of whatever state", rotatedState, { rotationState: "uncertain", secret: "b" }, true],
  ["a rotated secret, by an uncertain one", rotatedState, { rotationState: "uncertain", secret: "c" }, false],
  [
    "a rotated secret, by an answer that nobody has read",
    { ...rotatedState },
    { ...rotatedState, rotationState: "unread" },
    true,
  ],
  [
    "an answer that nobody has read, by an adopted secret",
    { ...rotatedState, rotationState: "unread" },
    adopted,
    false,
  ],
  ["any secret, where nothing is known of the declared resource", adopted, undefined, false],
])("%s: %#", (_what, old, newest, isCopied) => {
  expect(secretCopy.isCopied(old, newest)).toBe(isCopied);
});
