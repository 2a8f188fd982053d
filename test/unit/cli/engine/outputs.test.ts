/** Which outputs of a stack are stale, by literal deployments. */
import { readStackState } from "../../../../src/cli/engine/state";

const mark = "4dabf18193072939515e22adb298388d";
const inClear = (value: unknown) => ({
  [mark]: "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});
const encrypted = { [mark]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:c2VjcmV0" };

const prefix = "urn:pulumi:prod::acme";
const [oldest, old, current] = ["whsec-of-the-first-rotation", "whsec-of-the-second-rotation", "whsec-of-the-third"];

const webhook = (name: string, outputs: object, rest: object = {}) => ({
  urn: `${prefix}::voiceplane:index:WebhookSecret::${name}`,
  type: "voiceplane:index:WebhookSecret",
  id: `wh-${name}`,
  outputs: { account: "eu", webhookId: `wh-${name}`, rotationState: "rotated", ...outputs },
  ...rest,
});
const rotated = webhook("crm", { secret: inClear(current), previousSecret: inClear(old) });

const staleOutputs = (outputs: object | undefined, ...resources: object[]) => {
  const stack = { urn: `${prefix}::pulumi:pulumi:Stack::acme-prod`, type: "pulumi:pulumi:Stack", outputs };
  return readStackState(JSON.stringify({ version: 3, deployment: { resources: [stack, ...resources] } })).staleOutputs;
};

const stale = (output: string, ...resources: string[]) => [{ output, resources }];

test.each([
  ["as it is", { crm: inClear(old) }],
  ["not secret", { crm: old }],
  ["in an object that is secret as a whole", { crm: inClear({ list: [{ deep: old }] }) }],
  ["in an object with a secret within", { crm: { list: [inClear(old)], other: "x" } }],
  ["in a longer text", { crm: inClear(`https://hooks.example.com/?key=${old}`) }],
  ["beside the one before it", { crm: inClear(old), previous: inClear(oldest) }],
])("an output is stale if it has a secret that was rotated since: %s", (_how, outputs) => {
  expect(staleOutputs({ url: "https://example.com", ...outputs }, rotated)).toEqual(stale("crm", "crm"));
});

test.each([
  ["the current secret", { crm: inClear(current) }],
  ["the current secret and the previous one, in one output", { crm: inClear({ secret: current, previous: old }) }],
  ["both in two outputs", { crm: inClear(current), previous: inClear(old) }],
  ["the current secret in a longer text", { crm: inClear(`Bearer ${current}`), previous: inClear(old) }],
  ["neither", { url: "https://example.com", count: 3, none: null, list: [] }],
  ["an older one, which nobody can recognize", { crm: inClear(oldest) }],
])("outputs are not stale with %s", (_what, outputs) => {
  expect(staleOutputs(outputs, rotated)).toEqual([]);
});

test("a webhook that was never rotated, whose secret was not found, or that is still to be deleted makes no output stale", () => {
  const unread = { previousSecret: inClear(old), rotationState: "unread", data: inClear({ x: 1 }) };
  for (const resource of [
    webhook("crm", { secret: inClear(old) }),
    webhook("crm", unread),
    webhook("crm", { secret: inClear(current), previousSecret: inClear(old) }, { delete: true }),
    // It may be a part of any text.
    webhook("crm", { secret: inClear(current), previousSecret: inClear("whsec") }),
    { ...rotated, type: "other:index:WebhookSecret" },
  ]) {
    expect(staleOutputs({ crm: inClear(old) }, resource)).toEqual([]);
  }
  expect(staleOutputs(undefined, rotated)).toEqual([]);
  expect(staleOutputs({})).toEqual([]);
});

test("an output is named once, with all webhooks whose secret it has", () => {
  const billing = webhook("billing", { secret: inClear(`${current}-b`), previousSecret: inClear(`${old}-b`) });
  const outputs = { webhookSecrets: inClear({ crm: old, billing: `${old}-b` }), billing: inClear(`${old}-b`) };
  // The secret of crm is a part of the one of billing here.
  expect(staleOutputs(outputs, rotated, billing)).toEqual([
    { output: "webhookSecrets", resources: ["crm", "billing"] },
    { output: "billing", resources: ["crm", "billing"] },
  ]);
});

test("encrypted outputs are not compared, unless no webhook has a previous secret", () => {
  const hidden = webhook("crm", { secret: encrypted, previousSecret: encrypted });
  expect(staleOutputs({ crm: encrypted }, hidden)).toBeUndefined();
  expect(staleOutputs({ crm: { deep: [encrypted] } }, hidden)).toBeUndefined();
  expect(staleOutputs({ crm: encrypted }, webhook("crm", { secret: encrypted }))).toEqual([]);
  expect(staleOutputs({ url: "https://example.com" }, hidden)).toEqual([]);
});

test("nothing of a secret leaves the reader", () => {
  const outputs = { crm: inClear(old), previous: inClear({ a: oldest }) };
  const stack = { urn: `${prefix}::pulumi:pulumi:Stack::acme-prod`, type: "pulumi:pulumi:Stack", outputs };
  const state = readStackState(JSON.stringify({ version: 3, deployment: { resources: [stack, rotated] } }));
  expect(state.staleOutputs).toEqual(stale("crm", "crm"));
  expect(JSON.stringify(state)).not.toContain("whsec");
});
