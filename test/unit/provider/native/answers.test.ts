/** What check, previews and carried out verbs answer: what came secret stays so, and what a preview cannot know is unknown. */
import { anyRequestId } from "../../../support/ids.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, type Values } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };
const office = { networkPolicyId: ids.office, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const aSecret = secret(expect.stringMatching(/^[\w-]{43}$/));
const rotated = { secret: secret(unknown), data: secret(unknown), rotatedAt: unknown, rotationState: unknown };

/** The answers of check, of a preview, and of the create and the read after it, unless a value is not known yet. */
async function created(type: string, args: Values) {
  const plugin = await startPlugin();
  const inputs = await plugin.inputsOf(type, args);
  const { id, state: planned } = await plugin.create(type, inputs, { preview: true });
  expect(plugin.requests()).toEqual([]);
  // That no secret was found would be about an answer that nobody gave.
  expect(plugin.said().join()).not.toContain("no secret");
  const computed = { organization: "acme", address: plugin.plane.url, requestId: unknown };
  if (JSON.stringify(inputs).includes(unknown)) return { inputs, id, planned, computed };
  const { state } = await plugin.create(type, inputs);
  expect(await plugin.read(type, id, state, inputs)).toEqual({ id, state, inputs });
  return { inputs, id, planned, computed, state };
}

describe("create", () => {
  test("of a secret name and guard, also in a part", async () => {
    const args = { ...office, name: secret("canary"), mustInclude: ["203.0.113.7", secret("203.0.113.8")] };
    const made = await created("NetworkPolicy", { ...args, onDelete: { name: secret(secret("canary")) } });
    const onDelete = secret({ name: "canary" });
    const mustInclude = secret(["203.0.113.7", "203.0.113.8"]);
    expect(made.inputs).toMatchObject({ ...office, name: secret("canary"), mustInclude, onDelete });
    const outputs = { networkPolicyId: ids.office, name: secret("canary"), sourceCidr: "203.0.113.0/24", onDelete };
    expect(made).toMatchObject({ id: ids.office, state: outputs });
    expect(made.planned).toEqual({ ...outputs, ...made.computed });
  });

  test("of a secret id, and triggers that are secret in a part", async () => {
    const args = { trunkId: secret(ids.carrier), cleared: true, triggers: { stamp: secret("canary"), n: secret(3) } };
    const outputs = { ...args, triggers: secret({ stamp: "canary", n: 3 }) };
    const made = await created("TrunkOutboundAuth", args);
    expect(made).toMatchObject({ id: ids.carrier, inputs: outputs, state: outputs });
    expect(made.planned).toEqual({ ...outputs, ...made.computed });
  });

  test("of a rotation, whose answer decides the outputs", async () => {
    const made = await created("WebhookSecret", { ...crm, initialSecret: "canary" });
    const previousSecret = secret("canary");
    expect(made.inputs).toMatchObject({ initialSecret: secret("canary") });
    const outputs = { ...rotated, webhookId: ids.crm, previousSecret, rotationCount: 1 };
    expect(made.planned).toEqual({ ...outputs, ...made.computed });
    expect(made.state).toMatchObject({ secret: aSecret, previousSecret, rotationState: "rotated" });
  });

  test("of an adopted webhook, for which nothing is sent", async () => {
    const made = await created("WebhookSecret", { ...crm, onCreate: "adopt", initialSecret: "canary" });
    const outputs = { webhookId: ids.crm, secret: secret("canary"), rotationState: "adopted", rotationCount: 0 };
    expect(made.planned).toEqual({ ...outputs, ...made.computed });
    expect(made.state).toMatchObject(outputs);
  });

  test.each<[string, string, id: string, args: Values, planned: Values]>([
    [
      "an id and a range that are not known yet",
      "NetworkPolicy",
      "",
      { ...office, networkPolicyId: unknown, sourceCidr: secret(unknown) },
      {},
    ],
    [
      "a webhook of which nothing is known yet",
      "WebhookSecret",
      "",
      { ...crm, webhookId: unknown, rotateAfter: unknown, triggers: { of: unknown } },
      { ...rotated, rotateAfter: undefined, rotationCount: 1 },
    ],
    [
      "days that are not known yet, at any depth",
      "RetentionPolicy",
      "recordings",
      { ...recordings, retentionDays: unknown, onDelete: { retentionDays: unknown, enabled: true } },
      { enabled: true },
    ],
  ])("of %s", async (_what, type, id, args, planned) => {
    const made = await created(type, args);
    expect(made.inputs).toMatchObject(args);
    expect(made.id).toBe(id);
    expect(made.planned).toEqual({ ...args, onCreate: undefined, ...planned, ...made.computed });
  });
});

/** The answers of a preview, and of the update after it with its requests. */
async function updated(type: string, before: Values, edit: Values, old: Values = {}) {
  const plugin = await startPlugin();
  const olds = await plugin.inputsOf(type, before);
  const { id, state } = await plugin.create(type, olds);
  const news = await plugin.inputsOf(type, { ...before, ...edit }, { ...olds, ...old });
  plugin.requests();
  const planned = await plugin.update(type, id, state, news, { preview: true });
  expect(plugin.requests()).toEqual([]);
  return { planned, state: await plugin.update(type, id, state, news), sent: plugin.requests() };
}

describe("update", () => {
  const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

  test("by another trigger: only the next secret is unknown", async () => {
    const { planned, state, sent } = await updated(
      "WebhookSecret",
      { ...crm, triggers: { n: 1 } },
      { triggers: { n: 2 } },
    );
    const known = { triggers: { n: 2 }, previousSecret: aSecret, rotationCount: 2 };
    expect(planned).toMatchObject({ ...rotated, ...known });
    expect(state).toMatchObject({ secret: aSecret, ...known });
    expect(sent).toEqual([rotation]);
  });

  test("by a date that has come", async () => {
    const due = await updated("WebhookSecret", { ...crm, rotateAfter: "90d" }, {}, { rotateOn: "2020-01-01" });
    expect(due.planned).toMatchObject({ ...rotated, __due: "2020-01-01", rotationCount: 2 });
    expect(due.sent).toEqual([rotation]);
  });

  test("with other days, of which the preview knows all", async () => {
    const { planned, state, sent } = await updated("RetentionPolicy", recordings, { retentionDays: 365 });
    expect(planned).toEqual({ ...state, retentionDays: 365, requestId: unknown });
    expect(state.requestId).toEqual(anyRequestId);
    expect(sent).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}']);
  });

  test("with another secret name", async () => {
    const before = { ...office, name: secret("canary-1") };
    const { planned, state, sent } = await updated("NetworkPolicy", before, { name: secret("canary-2") });
    expect([planned.name, state.name]).toEqual([secret("canary-2"), secret("canary-2")]);
    expect(sent).toEqual([
      `PATCH /v1/network-policies/${ids.office} {"name":"canary-2","source_cidr":"203.0.113.0/24"}`,
    ]);
  });
});

test("after a lost answer the old values are kept, and stay secret although the new ones are not", async () => {
  const plugin = await startPlugin();
  const args = { ...office, name: secret("canary") };
  const olds = await plugin.inputsOf("NetworkPolicy", args);
  const { id, state } = await plugin.create("NetworkPolicy", olds);
  const news = await plugin.inputsOf("NetworkPolicy", { ...args, name: "plain" }, olds);
  plugin.plane.control.setFaults([{ operation: "patchNetworkPolicy", status: 500, commit: true }]);
  const { kept } = await plugin.failureOf(plugin.update("NetworkPolicy", id, state, news));
  expect(kept?.state).toEqual({ ...state, uncertain: "update", requestId: anyRequestId });
});
