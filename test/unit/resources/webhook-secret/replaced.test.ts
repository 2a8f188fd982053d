/** A webhook that is declared anew: by --replace, a taint, a rename without alias, or replaceOnChanges. The rotation model replaces too. */
import { unknownValue } from "../../../../src/values/engine.js";
import { keysHere } from "../../../../src/lifecycle/object.js";
import type { Lifecycle } from "../../../../src/lifecycle/lifecycle.js";
import { withRules } from "../../../../src/resources/definition.js";
import { singleProcessRun, type Context } from "../../../../src/lifecycle/context.js";
import type { Values } from "../../../../src/values/any.js";
import { webhookSecretLifecycle } from "../../../../src/resources/webhook-secret/lifecycle.js";
import { ids, messageOf, world, type World } from "../../../support/world.js";

const crm = (args: object = {}) => ({ crm: { webhookId: ids.webhook, onCreate: "adopt", ...args } });
const lifecycle = withRules(webhookSecretLifecycle as unknown as Lifecycle);
const rotation = `POST /v1/webhooks/${ids.webhook}/rotate-secret`;
const refused = (rename = "") =>
  `WebhookSecret "${ids.webhook}" of acme: the program declares this webhook again, without the secret that is in the state. ` +
  `The old resource stays in the state, because it may have the only copy. What helps: ${rename}read the secret with ` +
  '`pulumi stack export --show-secrets`, and set initialSecret to it and onCreate to "adopt"; or change triggers, which rotates. [loses-secret]';
const refusal = refused();

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
  "an adopted webhook that was rotated later and is %s keeps its old state, and each update fails with the line to write, until the program has the secret",
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

test("an initialSecret that a rotation has outdated does not count as the secret", async () => {
  const { engine } = await world(webhookSecretLifecycle);
  const program = (args: object = {}) => crm({ initialSecret: "outdated", ...args });
  await engine.up(program());
  await engine.up(program({ triggers: { n: 1 } }));
  expect(await messageOf(engine.up(program({ triggers: { n: 1 } }), { replace: ["crm"] }))).toBe(refusal);
});

test("an answer in which no secret was found is kept like a secret", async () => {
  const { engine } = await world(webhookSecretLifecycle);
  const program = (args: object = {}) => crm({ secretPath: "not.there", ...args });
  await engine.up(program());
  await engine.up(program({ triggers: { n: 1 } }));
  expect(engine.outputsOf("crm")).toMatchObject({ rotationState: "unread" });
  expect(await messageOf(engine.up(program({ triggers: { n: 1 } }), { replace: ["crm"] }))).toBe(refusal);
});

/** A rotated webhook, and two providers of one run: each reads what the other one notes. */
async function ofTwoProviders() {
  const the = await rotated();
  const old = the.engine.outputsOf("crm") as Values & { organization: string };
  const shared = singleProcessRun();
  const note = jest.spyOn(shared, "note");
  const context = (): Context => ({ ...the.engine.context(), run: { ...shared } });
  const [here, there] = [context(), context()];
  return { the, old, note, here, there };
}

test("the new resource may be another provider's, which notes that it knows the secret, and not the secret", async () => {
  const { the, old, note, here, there } = await ofTwoProviders();
  const { inputs } = lifecycle.check(there, {}, crm({ initialSecret: the.secret }).crm);
  expect(await messageOf(lifecycle.delete(here, old))).toBe(refusal);
  await lifecycle.create(there, inputs);
  await lifecycle.delete(here, old);
  expect(note).toHaveBeenCalled();
  expect(JSON.stringify(note.mock.calls)).not.toContain(the.secret);
});

test("a new resource of another provider, whose initialSecret a rotation has outdated, does not know the secret", async () => {
  const { old, here, there } = await ofTwoProviders();
  await lifecycle.create(there, lifecycle.check(there, {}, crm({ initialSecret: "outdated" }).crm).inputs);
  expect(await messageOf(lifecycle.delete(here, old))).toBe(refusal);
  // Of a webhook that was never rotated, what the program gives is the latest.
  await lifecycle.delete(here, { ...old, rotationState: "adopted" } as typeof old);
});

test("for an entry of an organization, the refusal says how a file names the secret", async () => {
  const { old, here, there } = await ofTwoProviders();
  lifecycle.check(there, {}, crm().crm);
  for (const key of keysHere(here, webhookSecretLifecycle, old))
    here.run.note({ says: "called", key, name: "org-crm" });
  here.run.note({ says: "entry", key: "org-crm", entry: "crm" });
  expect(await messageOf(lifecycle.delete(here, old))).toContain(
    "read the secret with `pulumi stack export --show-secrets`, and set initialSecret to it " +
      '(in a file, to the name of a secret of the configuration that has it) and onCreate to "adopt"',
  );
});

test("a webhook that another provider adopts, while this one has turned to another webhook, keeps its old state", async () => {
  const { old, here, there } = await ofTwoProviders();
  lifecycle.diff(
    here,
    old,
    lifecycle.check(here, {}, { ...crm().crm, webhookId: ids.otherWebhook, onCreate: "rotate" }).inputs,
  );
  await lifecycle.create(there, lifecycle.check(there, {}, crm().crm).inputs);
  expect(await messageOf(lifecycle.delete(here, old))).toBe(refusal);
});

test("what another provider knows of another webhook is no reason to drop the old state", async () => {
  const { old, here, there } = await ofTwoProviders();
  const other = { webhookId: ids.otherWebhook, onCreate: "adopt", initialSecret: "of the other one" };
  for (const args of [other, crm().crm]) await lifecycle.create(there, lifecycle.check(there, {}, args).inputs);
  expect(await messageOf(lifecycle.delete(here, old))).toBe(refusal);
});

test.each([
  ["uncertain", "stays"],
  ["unread", "is dropped"],
  ["rotated", "is dropped"],
] as const)("where another provider has the webhook as %s, the old state %s", async (rotationState, outcome) => {
  const { old, here, there } = await ofTwoProviders();
  const { inputs } = lifecycle.check(there, old, crm({ triggers: { n: 1 } }).crm);
  lifecycle.diff(there, { ...old, rotationState, secret: "another" } as typeof old, inputs);
  const deleted = lifecycle.delete(here, old);
  await (outcome === "stays" ? expect(deleted).rejects.toThrow(refusal) : deleted);
});

test("two webhooks whose ids a preview does not know are planned apart", async () => {
  const the = await world(webhookSecretLifecycle);
  const ctx: Context = {
    ...the.engine.context(),
    api: { send: () => Promise.resolve({ secret: "planned" }) },
  };
  const { inputs } = lifecycle.check(ctx, {}, { webhookId: unknownValue, onCreate: "rotate" });
  await lifecycle.create(ctx, inputs);
  const second = await lifecycle.create(ctx, inputs);
  expect(second).toMatchObject({ rotationCount: 1 });
  expect(second).not.toHaveProperty("previousSecret");
});

describe("where the engine asked for a diff before it replaces, as by replaceOnChanges,", () => {
  /** What the native provider is called with: check and diff of the old state, then check and create as for a new resource. */
  async function replaced(the: World, before: object, after: object): Promise<Values> {
    const ctx = the.engine.context();
    const args = () => structuredClone(crm({ ...before, ...after }).crm);
    const olds = the.engine.inputsOf("crm") ?? {};
    const state = the.engine.outputsOf("crm") as Values & { organization: string };
    lifecycle.diff(ctx, state, lifecycle.check(ctx, olds, args()).inputs);
    const made = await lifecycle.create(ctx, lifecycle.check(ctx, {}, args()).inputs);
    await lifecycle.delete(ctx, state);
    return made;
  }

  test("changed triggers rotate, and the secret before is the previous one", async () => {
    const the = await rotated();
    const made = await replaced(the, { triggers: { n: 1 } }, { triggers: { n: 2 } });
    expect(the.journal()).toEqual([rotation]);
    expect(made).toMatchObject({
      previousSecret: the.secret,
      rotationCount: 2,
      rotationState: "rotated",
      triggers: { n: 2 },
    });
  });

  test("another change sends nothing and keeps what is known", async () => {
    const the = await rotated();
    const { triggers, ...before } = the.engine.outputsOf("crm") ?? {};
    const made = await replaced(the, { triggers: { n: 1 } }, { secretPath: "signing_secret" });
    expect(the.journal()).toEqual([]);
    expect(made).toEqual({ ...before, triggers: { n: 1 } });
  });

  test("two webhooks that swap names keep their own secrets", async () => {
    const the = await world(webhookSecretLifecycle);
    const [a, b] = [crm().crm, { ...crm().crm, webhookId: ids.otherWebhook }];
    await the.engine.up({ a, b });
    await the.engine.up({ a: { ...a, triggers: { n: 1 } }, b: { ...b, triggers: { n: 1 } } });
    const secrets = [the.engine.outputsOf("a")?.secret, the.engine.outputsOf("b")?.secret];
    the.forgetRequests();
    const ctx = the.engine.context();
    const stored = (name: string) => the.engine.outputsOf(name) as Values & { organization: string };
    const inputsOf = (args: Values) => lifecycle.check(ctx, {}, { ...args, triggers: { n: 1 } }).inputs;
    expect(lifecycle.diff(ctx, stored("a"), inputsOf(b)).replaces).toEqual(["webhookId"]);
    expect(lifecycle.diff(ctx, stored("b"), inputsOf(a)).replaces).toEqual(["webhookId"]);
    const made: Values[] = [await lifecycle.create(ctx, inputsOf(b)), await lifecycle.create(ctx, inputsOf(a))];
    expect(made.map(({ secret }) => secret)).toEqual([secrets[1], secrets[0]]);
    for (const name of ["a", "b"]) await lifecycle.delete(ctx, stored(name));
    expect(the.journal()).toEqual([]);
  });
});
