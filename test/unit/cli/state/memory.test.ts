/** What a run that died has left, here or on another machine: which objects of the exported state it makes uncertain. */
import { join } from "node:path";
import { memoryOf, pendingOf, withUncertain } from "../../../../src/cli/state/memory";
import { readStackState } from "../../../../src/cli/state/state";
import { pendingRequestsOn } from "../../../../src/provider/pending";
import { temporaryFolder } from "../../../support/folders";

const target = { organization: "acme", address: "" };

const stateOf = (name: string, requestId: string | undefined, more: object = {}) => ({
  urn: `urn:pulumi:dev::acme::voiceplane:index:WebhookSecret::${name}`,
  type: "voiceplane:index:WebhookSecret",
  id: name,
  inputs: { organization: "acme", webhookId: name },
  outputs: { organization: "acme", webhookId: name, rotationState: "rotated", requestId },
  ...more,
});
const policy = {
  ...stateOf("policy", "0000000000000002"),
  urn: "urn:pulumi:dev::acme::voiceplane:index:RetentionPolicy::policy",
  type: "voiceplane:index:RetentionPolicy",
};
const [crm, billing] = [stateOf("crm", "0000000000000001"), stateOf("billing", "0000000000000002")];
const deposedPolicy = { ...policy, outputs: { ...policy.outputs, requestId: "0000000000000003" }, delete: true };
const deposed = stateOf("crm", "0000000000000003", { delete: true });
/** The engine shows of an update only its inputs. */
const { outputs: _, ...begun } = crm;
/** With the name that the state gets when the update ends. */
const renamed = { ...begun, urn: begun.urn.replace("::crm", "::crm-events") };

const stateWith = (pending: readonly object[], ...resources: readonly object[]) =>
  readStackState(JSON.stringify({ version: 3, deployment: { resources, pending_operations: pending } }));

test.each<[what: string, type: string, resource: object, resources: object[], passed: string[]]>([
  ["an update: its state", "updating", begun, [crm, billing], ["0000000000000001"]],
  ["a deletion that may send: its state", "deleting", policy, [crm, policy], ["0000000000000002"]],
  ["a webhook's deletion, which never sends: nothing", "deleting", billing, [crm, billing], []],
  ["an update beside a replaced state: the live one", "updating", begun, [deposed, crm], ["0000000000000001"]],
  [
    "a deletion of a replaced state: that one",
    "deleting",
    deposedPolicy,
    [policy, deposedPolicy],
    ["0000000000000003"],
  ],
  [
    "an update of a renamed resource: the state of its former name",
    "updating",
    renamed,
    [crm, billing],
    ["0000000000000001"],
  ],
  ["a creation, which starts from no state: nothing", "creating", begun, [], []],
  ["a replacement, which creates: nothing", "creating", begun, [crm], []],
  ["a read, which sends nothing: nothing", "reading", begun, [crm], []],
  [
    "an update of a state whose id was removed: what it is identified by",
    "updating",
    begun,
    [stateOf("crm", undefined)],
    ["486a3ba9f1def5da10fdbd890d6473b7b96f416755f934e9790f065e6954b4cb"],
  ],
])("is passed to the provider of %s", (_what, type, resource, resources, passed) => {
  const state = stateWith([{ type, resource }], ...resources);
  expect(JSON.parse(pendingOf(state, {}).VOICEPLANE_PENDING ?? "")).toEqual(passed);
  const env = { VOICEPLANE_STATE_DIR: temporaryFolder() };
  const uncertain = withUncertain(state, env).objects.filter((object) => object.uncertain);
  expect(uncertain.map(({ stateId }) => stateId)).toEqual(passed);
});

test("is what this machine remembers, whatever the program made secret", () => {
  const env = { VOICEPLANE_STATE_DIR: temporaryFolder() };
  pendingRequestsOn(env).begin("0000000000000001", target, false);
  const secret = { ...crm, additionalSecretOutputs: ["webhookId"] };
  const { objects, memory } = withUncertain(stateWith([], secret, billing), env);
  expect([objects.map(({ uncertain }) => uncertain), memory]).toEqual([[true, false], undefined]);
});

test("is answered as it was first, since an update adds what it sends itself", () => {
  const env = { VOICEPLANE_STATE_DIR: temporaryFolder() };
  const before = memoryOf(env);
  expect(before.isPending("0000000000000001", target)).toBe(false);
  pendingRequestsOn(env).begin("0000000000000001", target, false);
  expect([before.isPending("0000000000000001", target), memoryOf(env).isPending("0000000000000001", target)]).toEqual([
    false,
    true,
  ]);
});

test("is not known where the folder cannot be used, which the state and a report say", () => {
  const env = { VOICEPLANE_STATE_DIR: join(__filename, "below") };
  const { objects, memory } = withUncertain(stateWith([], crm), env);
  expect(objects[0]?.uncertain).toBe(false);
  expect(memory).toMatch(/^this machine cannot remember what it sends \(ENOTDIR.*Set VOICEPLANE_STATE_DIR to a folder/);
  expect(memoryOf(env).problem).toBe(memory);
});
