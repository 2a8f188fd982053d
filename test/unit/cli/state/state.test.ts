/** What is read of an exported deployment: literal ones, and those that released versions have left. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readStackState, type ObjectState, type StackState } from "../../../../src/cli/state/state";

const mark = "4dabf18193072939515e22adb298388d";
const encrypted = { [mark]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:ciphertext-of-a-secret" };
const decrypted = { [mark]: "1b47061264138c4ac30d75fd1eb44270", plaintext: '"a-secret-in-clear"' };
const marked = { [mark]: "1b47061264138c4ac30d75fd1eb44270", value: "a-marked-secret" };

const prefix = "urn:pulumi:prod::acme";
const webhook = {
  urn: `${prefix}::pulumi-nodejs:dynamic/voiceplane:WebhookSecret::crm`,
  type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret",
  id: "wh-1",
  inputs: { webhookId: "wh-1", organization: "eu", rotateAfter: "90d", rotateOn: "2027-01-15", __due: "2026-10-17" },
  outputs: {
    webhookId: "wh-1",
    organization: "eu",
    triggers: { quarter: "2026-Q4" },
    secret: encrypted,
    previousSecret: decrypted,
    rotatedAt: "2026-10-17T09:00:00.000Z",
    rotationCount: 3,
    rotationState: "rotated",
    requestId: "5f1c5f1c5f1c5f1c",
    __due: "2026-10-17",
  },
  additionalSecretOutputs: ["secret", "previousSecret", "data"],
  created: "2026-01-02T03:04:05.123456789Z",
  modified: "2026-10-17T09:00:01.987654321Z",
};
const policy = {
  urn: `${prefix}::voiceplane:index:Organization$voiceplane:index:RetentionPolicy::acme-recordings`,
  type: "voiceplane:index:RetentionPolicy",
  id: "recordings",
  inputs: { organization: "eu", resource: "recordings", retentionDays: 60, enabled: true, reassertOn: "2026-12-01" },
  outputs: {
    ...{ organization: "eu", address: "https://a.example.com", resource: "recordings" },
    ...{ retentionDays: 90, enabled: true, onDelete: "retain" },
  },
  created: "2026-01-02T03:04:05Z",
  modified: "2026-02-03T04:05:06Z",
};
const bucket = { urn: `${prefix}::aws:s3/bucket:Bucket::logs`, type: "aws:s3/bucket:Bucket", id: "logs" };

const deployment = (...resources: object[]) => ({ resources });
const exported = (...resources: object[]) => ({ version: 3, deployment: deployment(...resources) });
const object = (resource: object): ObjectState | undefined => readStackState(exported(resource)).objects[0];

test("a webhook of the dynamic provider and a policy of the plugin are read, and other packages' resources are not", () => {
  const [first, second, ...others] = readStackState(exported(bucket, webhook, policy)).objects;
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    ...{ name: "crm", type: "WebhookSecret", organization: "eu", id: "wh-1" },
    ...{ sent: { triggers: { quarter: "2026-Q4" } }, sentAt: "2026-10-17T09:00:00.000Z", dueOn: "2027-01-15" },
    rotation: { state: "rotated", count: 3, at: "2026-10-17T09:00:00.000Z" },
  });
  expect(second).toMatchObject({
    ...{ name: "acme-recordings", type: "RetentionPolicy", id: "recordings" },
    ...{ sent: { retentionDays: 90, enabled: true }, sentAt: "2026-02-03T04:05:06Z", dueOn: "2026-12-01" },
    rotation: undefined,
  });
});

test.each<[string, unknown]>([
  ["what is no JSON", undefined],
  ["a preview", { config: {}, steps: [], changeSummary: { same: 1 } }],
  ["another version", { version: 7, deployment: deployment(webhook) }],
  ["a damaged export", { version: 3, deployment: deployment(webhook, { ...webhook, urn: "a-secret" }) }],
])("%s is refused, without a value", (_what, document) => {
  expect(() => readStackState(document)).toThrow(
    "this is no state of a stack that this version of voiceplane can read: " +
      "pass the complete output of `pulumi stack export`, of version 3 or 4",
  );
});

test("pending operations of all packages are named, also where nothing else is in the state", () => {
  const pending_operations = [{ type: "creating", resource: webhook }];
  const state = readStackState({ version: 3, deployment: { pending_operations } });
  expect(state).toMatchObject({ project: "acme", stack: "prod", objects: [] });
  expect(state.pendingOperations).toEqual([
    { type: "creating", urn: webhook.urn, name: "crm", object: "WebhookSecret" },
  ]);
});

const nothingLeft = { adopted: false, uncertain: false, unread: false, deleted: false };

const rotation = (rotationState: unknown) => ({ ...webhook, outputs: { ...webhook.outputs, rotationState } });
const lostSetting = { ...policy, outputs: { ...policy.outputs, uncertain: "update" } };

test.each<[string, object, Partial<typeof nothingLeft>]>([
  ["nothing", webhook, {}],
  ["a rotation without a state, for which the provider sends nothing either", rotation(undefined), {}],
  ["a rotation whose state the program made secret", rotation(encrypted), { uncertain: true }],
  ["a lost answer to a rotation", rotation("uncertain"), { uncertain: true }],
  ["a lost answer to a setting", lostSetting, { uncertain: true }],
  ["an answer without a secret", rotation("unread"), { unread: true }],
  ["a deletion that is left", { ...policy, delete: true }, { deleted: true }],
])("what is left of an object's last update: %s", (_what, resource, left) => {
  expect(object(resource)).toMatchObject({ ...nothingLeft, ...left });
});

test("after a lost answer, what was sent before stays known", () => {
  expect(object({ ...rotation("uncertain"), initErrors: ["lost"] })).toMatchObject({
    rotation: { state: "uncertain", count: 3, at: "2026-10-17T09:00:00.000Z" },
  });
  // The days that were declared may be in force or not.
  expect(object(lostSetting)).toMatchObject({ sent: { retentionDays: 90, enabled: true } });
});

test("an adopted webhook has no age, and nothing was sent for it; nor for a trunk whose credentials are set elsewhere", () => {
  const outputs = { ...webhook.outputs, rotatedAt: undefined, rotationCount: 0, rotationState: "adopted" };
  expect(object({ ...webhook, outputs })).toMatchObject({
    sentAt: undefined,
    rotation: { state: "adopted", count: 0, at: undefined },
  });
  const type = "voiceplane:index:TrunkOutboundAuth";
  const trunk = { ...policy, urn: `${prefix}::${type}::carrier`, type, id: "t-1" };
  expect(object({ ...trunk, outputs: { organization: "eu", trunkId: "t-1", cleared: false } })).toMatchObject({
    sent: { cleared: false },
    sentAt: undefined,
  });
});

const [organization, old] = ["voiceplane:index:Organization", "a1a1a1a1a1a1a1a1"];
const parent = `${prefix}::${organization}::acme`;
const entry = { ...webhook, parent };
const withoutSecret = { ...entry, outputs: { ...webhook.outputs, secret: undefined, data: undefined } };

test.each<[string, ids: unknown, resource: object, boolean]>([
  ["its id", { crm: webhook.outputs.requestId, gone: old }, entry, false],
  ["an earlier id", { crm: old }, entry, true],
  ["no id of a new webhook", {}, entry, true],
  ["no id of a new webhook whose secret is not known", {}, withoutSecret, false],
  ["no ids, as of an earlier version", undefined, entry, false],
  ["ids that the program made secret", encrypted, entry, false],
  ["an earlier id, and its last rotation is uncertain", { crm: old }, { ...rotation("uncertain"), parent }, false],
  ["an earlier id, and it is only to be deleted", { crm: old }, { ...entry, delete: true }, false],
])("an object whose Organization has %s", (_what, webhookRequestIds, resource, outputsStale) => {
  const component = { urn: parent, type: organization, outputs: { webhookRequestIds } };
  expect(readStackState(exported(component, resource)).objects).toMatchObject([{ outputsStale }]);
});

test("a webhook beside an Organization, whose ids the program exports, has no outputs to compare with", () => {
  const type = "pulumi:pulumi:Stack";
  const stack = { urn: `${prefix}::${type}::acme-dev`, type, outputs: { webhookRequestIds: { other: old } } };
  const beside = { ...webhook, parent: stack.urn };
  expect(readStackState(exported(stack, beside)).objects).toMatchObject([{ outputsStale: false }]);
});

test("a date that is none is not due", () => {
  expect(object({ ...policy, inputs: { ...policy.inputs, reassertOn: "soon" } })?.dueOn).toBeUndefined();
});

test("a creation that was seen to its end is not pending any more", () => {
  const pending = (resource: object) => {
    const pending_operations = [{ type: "creating", resource }];
    return readStackState({ version: 3, deployment: { resources: [webhook], pending_operations } });
  };
  expect(pending(webhook).pendingOperations).toEqual([]);
  const other = { ...webhook, inputs: { ...webhook.inputs, webhookId: "wh-2" } };
  expect(pending(other).pendingOperations).toHaveLength(1);
});

test("no form of a secret is in what is returned, whichever property the program made secret", () => {
  const secret = object({
    ...webhook,
    inputs: { ...webhook.inputs, webhookId: encrypted, rotateOn: marked, initialSecret: decrypted },
    outputs: {
      ...webhook.outputs,
      ...{ secret: "a-secret-without-a-mark", data: { deep: [decrypted] }, rotatedAt: marked },
      triggers: { a: encrypted, b: [decrypted, marked], c: "plain" },
    },
  });
  expect(secret).toMatchObject({
    id: undefined,
    sent: { triggers: { a: "[secret]", b: ["[secret]", "[secret]"], c: "plain" } },
    rotation: { at: undefined },
    dueOn: undefined,
  });
  // The engine does not mark the outputs of a secret argument.
  const days = object({ ...policy, inputs: { ...policy.inputs, retentionDays: encrypted } });
  expect(days?.sent).toEqual({ retentionDays: "[secret]", enabled: true });
  expect(JSON.stringify([secret, days])).not.toMatch(/wh-1|ciphertext|in-clear|marked-secret|without-a-mark/);
});

test("states of released versions are read", () => {
  const folder = join(__dirname, "../../../campaigns/engine/state/0.1.0");
  const recorded = (name: string) => readStackState(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
  const [state, halfMade] = [recorded("settled"), recorded("half-made")];
  expect(state).toMatchObject({ project: "test", stack: "dev", pendingOperations: [] });
  expect(state.objects).toHaveLength(15);
  for (const each of state.objects) expect(each).toMatchObject(nothingLeft);
  const named = (of: StackState, name: string) => of.objects.find((each) => each.name === name);
  expect(named(state, "office")).toMatchObject({ organization: "eu", type: "NetworkPolicy", sent: { name: "Office" } });
  expect(named(state, "trunk-every-option")?.sent).toEqual({
    cleared: true,
    triggers: { audited: true, by: "night shift", year: 2026 },
  });
  expect(named(halfMade, "webhook-unread")).toMatchObject({ ...nothingLeft, unread: true });
  expect(named(halfMade, "webhook-create")).toMatchObject({ ...nothingLeft, uncertain: true });
  expect(named(halfMade, "retention-update")).toMatchObject({ ...nothingLeft, uncertain: true });
  expect(JSON.stringify([state, halfMade])).not.toMatch(/v1:/);
});
