/** What check, previews and carried out verbs answer: what came secret stays so, and what a preview cannot know is unknown. */
import { anyRowId } from "../../../support/ids.js";
import { startPlugin } from "../../../support/native/plugin";
import { ids, secret, unknown, type Values } from "../../../support/native/wire";

const crm = { webhookId: ids.crm, onCreate: "rotate" };
const office = { networkPolicyId: ids.office, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const aSecret = secret(expect.stringMatching(/^[\w-]{43}$/));
const triggers = secret({ stamp: "canary", count: 3 });
const rotated = { secret: secret(unknown), data: secret(unknown), rotatedAt: unknown, rotationState: unknown };

interface Create {
  readonly args: Values;
  /** Of the check, where they differ from the arguments. */
  readonly inputs?: Values;
  /** The outputs of the preview, without the organization. */
  readonly planned: Values;
  /** Some outputs of the create. Undefined where only a preview has such arguments. */
  readonly made?: Values;
}

test.each<[string, string, id: string, Create]>([
  [
    "a secret name and guard",
    "NetworkPolicy",
    ids.office,
    {
      args: {
        ...{ ...office, name: secret("canary"), mustInclude: ["203.0.113.7", secret("203.0.113.8")] },
        onDelete: { name: secret(secret("canary")) },
      },
      inputs: { mustInclude: secret(["203.0.113.7", "203.0.113.8"]), onDelete: secret({ name: "canary" }) },
      planned: {
        ...{ networkPolicyId: ids.office, name: secret("canary"), sourceCidr: "203.0.113.0/24" },
        onDelete: secret({ name: "canary" }),
      },
      made: { name: secret("canary"), sourceCidr: "203.0.113.0/24" },
    },
  ],
  [
    "a secret id, and triggers that are secret in a part",
    "TrunkOutboundAuth",
    ids.carrier,
    {
      args: { trunkId: secret(ids.carrier), cleared: true, triggers: { stamp: secret("canary"), count: secret(3) } },
      inputs: { triggers },
      planned: { trunkId: secret(ids.carrier), cleared: true, triggers },
      made: { trunkId: secret(ids.carrier), triggers },
    },
  ],
  [
    "a rotation, whose answer decides the outputs",
    "WebhookSecret",
    ids.crm,
    {
      args: { ...crm, initialSecret: "canary" },
      inputs: { initialSecret: secret("canary") },
      planned: { ...rotated, webhookId: ids.crm, previousSecret: secret("canary"), rotationCount: 1 },
      made: { secret: aSecret, previousSecret: secret("canary"), rotationState: "rotated" },
    },
  ],
  [
    "an adopted webhook, for which nothing is sent",
    "WebhookSecret",
    ids.crm,
    {
      args: { ...crm, onCreate: "adopt", initialSecret: "canary" },
      inputs: { initialSecret: secret("canary") },
      planned: { webhookId: ids.crm, secret: secret("canary"), rotationState: "adopted", rotationCount: 0 },
      made: { secret: secret("canary"), rotationState: "adopted" },
    },
  ],
  [
    "a policy whose id and range are not known yet",
    "NetworkPolicy",
    "",
    {
      args: { ...office, networkPolicyId: unknown, sourceCidr: secret(unknown) },
      planned: { networkPolicyId: unknown, sourceCidr: secret(unknown) },
    },
  ],
  [
    "a webhook of which nothing is known yet",
    "WebhookSecret",
    "",
    {
      args: { ...crm, webhookId: unknown, rotateAfter: unknown, triggers: { of: unknown } },
      planned: { ...rotated, webhookId: unknown, triggers: { of: unknown }, rotationCount: 1 },
    },
  ],
  [
    "days that are not known yet, at any depth",
    "RetentionPolicy",
    "recordings",
    {
      args: { ...recordings, retentionDays: unknown, onDelete: { retentionDays: unknown, enabled: true } },
      planned: {
        ...{ resource: "recordings", retentionDays: unknown, enabled: true },
        onDelete: { retentionDays: unknown, enabled: true },
      },
    },
  ],
])("a create with %s: check, preview, create and read", async (_what, type, id, { args, inputs, planned, made }) => {
  const plugin = await startPlugin();
  const checked = await plugin.inputsOf(type, args);
  expect(checked).toMatchObject({ ...args, ...inputs });
  const row = { organization: "acme", address: plugin.plane.url, requestId: unknown };
  expect(await plugin.create(type, checked, { preview: true })).toEqual({ id, state: { ...planned, ...row } });
  expect(plugin.requests()).toEqual([]);
  // That no secret was found would be about an answer that nobody gave.
  expect(plugin.said().join()).not.toContain("no secret");
  if (!made) return;
  const { state } = await plugin.create(type, checked);
  expect(state).toMatchObject(made);
  expect(await plugin.read(type, id, state, checked)).toEqual({ id, state, inputs: checked });
});

interface Update {
  /** Of the state, where they differ from those of the first check. */
  readonly olds?: Values;
  readonly args?: Values;
  readonly planned: Values;
  readonly made: Values;
  readonly sends: readonly string[];
}

test.each<[string, string, before: Values, Update]>([
  [
    "another trigger: only the next secret is unknown",
    "WebhookSecret",
    { ...crm, triggers: { n: 1 } },
    {
      args: { triggers: { n: 2 } },
      planned: { ...rotated, triggers: { n: 2 }, previousSecret: aSecret, rotationCount: 2 },
      made: { secret: aSecret, previousSecret: aSecret, rotationCount: 2 },
      sends: [`POST /v1/webhooks/${ids.crm}/rotate-secret`],
    },
  ],
  [
    "a date that has come",
    "WebhookSecret",
    { ...crm, rotateAfter: "90d" },
    {
      olds: { rotateOn: "2020-01-01" },
      planned: { ...rotated, __due: "2020-01-01", rotationCount: 2 },
      made: { rotationCount: 2 },
      sends: [`POST /v1/webhooks/${ids.crm}/rotate-secret`],
    },
  ],
  [
    "other days, of which the preview knows all",
    "RetentionPolicy",
    recordings,
    {
      args: { retentionDays: 365 },
      planned: { resource: "recordings", retentionDays: 365, enabled: true, requestId: unknown },
      made: { retentionDays: 365, requestId: anyRowId },
      sends: ['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}'],
    },
  ],
  [
    "another secret name",
    "NetworkPolicy",
    { ...office, name: secret("canary-1") },
    {
      args: { name: secret("canary-2") },
      planned: { name: secret("canary-2"), requestId: unknown },
      made: { name: secret("canary-2") },
      sends: [`PATCH /v1/network-policies/${ids.office} {"name":"canary-2","source_cidr":"203.0.113.0/24"}`],
    },
  ],
])("an update with %s", async (_what, type, before, { olds, args, planned, made, sends }) => {
  const plugin = await startPlugin();
  const inputs = await plugin.inputsOf(type, before);
  const { id, state } = await plugin.create(type, inputs);
  const news = await plugin.inputsOf(type, { ...before, ...args }, { ...inputs, ...olds });
  plugin.requests();
  expect(await plugin.update(type, id, state, news, { preview: true })).toMatchObject(planned);
  expect(plugin.requests()).toEqual([]);
  expect(await plugin.update(type, id, state, news)).toMatchObject(made);
  expect(plugin.requests()).toEqual(sends);
});

test("after a lost answer the old values are kept, and stay secret although the new ones are not", async () => {
  const plugin = await startPlugin();
  const args = { ...office, name: secret("canary") };
  const olds = await plugin.inputsOf("NetworkPolicy", args);
  const { id, state } = await plugin.create("NetworkPolicy", olds);
  const news = await plugin.inputsOf("NetworkPolicy", { ...args, name: "plain" }, olds);
  plugin.plane.control.setFaults([{ operation: "patchNetworkPolicy", status: 500, commit: true }]);
  const { kept } = await plugin.failureOf(plugin.update("NetworkPolicy", id, state, news));
  expect(kept?.state).toEqual({ ...state, uncertain: "update", requestId: anyRowId });
});
