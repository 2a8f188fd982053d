/** What is wrong with a stack as a whole: one object in two resources, and outputs that are stale. */
import { duplicatesIn, duplicateText, isWell, reasonToRunAgain } from "../../../../src/cli/pulumi/conditions";
import { staleText } from "../../../../src/cli/pulumi/outputs";
import { readStackState, type StackState } from "../../../../src/cli/pulumi/state";

const mark = "4dabf18193072939515e22adb298388d";
const dynamic = (type: string) => `pulumi-nodejs:dynamic/voiceplane:${type}`;
const native = (type: string) => `voiceplane:index:${type}`;

const resource = (type: string, name: string, id: string, account = "eu", rest: object = {}) => ({
  urn: `urn:pulumi:prod::acme::${type}::${name}`,
  type,
  id,
  outputs: { account, rotationState: "rotated", rotationCount: 1 },
  ...rest,
});

const stateOf = (...resources: object[]): StackState =>
  readStackState(JSON.stringify({ version: 3, deployment: { resources } }));

const names = (...resources: object[]) =>
  duplicatesIn(stateOf(...resources)).map((same) => same.map(({ name }) => name));

test("two resources of one type, organization and id are one object, in any spelling of the id and of both providers", () => {
  const crm = resource(dynamic("WebhookSecret"), "crm", "wh-1");
  expect(names(crm, resource(dynamic("WebhookSecret"), "renamed", "WH-1"))).toEqual([["crm", "renamed"]]);
  expect(names(crm, resource(native("WebhookSecret"), "crm", "wh-1"))).toEqual([["crm", "crm"]]);
  const policies = ["a", "b", "c"].map((name) => resource(native("RetentionPolicy"), name, "recordings"));
  expect(names(crm, ...policies)).toEqual([["a", "b", "c"]]);
});

test("another type, organization or id is another object; rows that are only to be deleted and secret ids do not count", () => {
  const crm = resource(native("WebhookSecret"), "crm", "wh-1");
  expect(
    names(
      crm,
      resource(native("TrunkOutboundAuth"), "type", "wh-1"),
      resource(native("WebhookSecret"), "organization", "wh-1", "us"),
      resource(native("WebhookSecret"), "id", "wh-2"),
      { ...crm, delete: true },
      resource(native("WebhookSecret"), "secret", "wh-1", "eu", { additionalSecretOutputs: ["webhookId"] }),
      resource("other:index:WebhookSecret", "package", "wh-1"),
    ),
  ).toEqual([]);
  // It is still there, and its replacement rotates.
  expect(names(crm, resource(native("WebhookSecret"), "tainted", "wh-1", "eu", { taint: true }))).toEqual([
    ["crm", "tainted"],
  ]);
});

test("a stack with a duplicate or a stale output is not well, and is run again", () => {
  const crm = resource(native("WebhookSecret"), "crm", "wh-1");
  const duplicated = stateOf(crm, resource(native("WebhookSecret"), "renamed", "wh-1"));
  const now = new Date("2026-11-20T12:00:00Z");
  expect(isWell(stateOf(crm), now)).toBe(true);
  expect(reasonToRunAgain(stateOf(crm))).toBeUndefined();
  expect(isWell(duplicated, now)).toBe(false);
  expect(reasonToRunAgain(duplicated)).toBe("crm and renamed are one object: WebhookSecret wh-1 of eu");
  expect(duplicatesIn(duplicated).map(duplicateText)).toEqual([reasonToRunAgain(duplicated)]);

  const secret = (plaintext: string) => ({ [mark]: "1b47061264138c4ac30d75fd1eb44270", plaintext });
  const stale = stateOf(
    {
      urn: "urn:pulumi:prod::acme::pulumi:pulumi:Stack::acme-prod",
      type: "pulumi:pulumi:Stack",
      outputs: { crm: secret('"the-old-one"') },
    },
    { ...crm, outputs: { ...crm.outputs, secret: secret('"the-new-one"'), previousSecret: secret('"the-old-one"') } },
  );
  expect(isWell(stale, now)).toBe(false);
  expect(reasonToRunAgain(stale)).toBe("the stack output crm has a secret that was rotated since: crm");
});

const hidden = { [mark]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

test.each<[what: string, changed: object, pending: string[], reason: string]>([
  [
    "a lost answer",
    { outputs: { account: "eu", rotationState: "uncertain" }, initErrors: ["lost"] },
    [],
    "the last request for crm may have been carried out",
  ],
  ["an unread secret", { outputs: { account: "eu", rotationState: "unread" } }, [], "the secret of crm is not known"],
  ["a failed update", { initErrors: ["x"] }, [], "the last update of crm failed"],
  [
    "a failed resource of another package",
    { type: "aws:s3:Bucket", initErrors: ["x"] },
    [],
    "the last update of crm left something to do",
  ],
  ["a tainted resource", { taint: true }, [], "crm is still to be deleted or replaced"],
  ["a pending operation", {}, ["deleting"], "an earlier run died while deleting crm"],
  ["a due date that is a secret", { inputs: { rotateOn: hidden } }, [], "the due date of crm is a secret"],
])("a stack with %s is run again", (_what, changed, pending, reason) => {
  const crm = resource(native("WebhookSecret"), "crm", "wh-1", "eu", changed);
  const pending_operations = pending.map((type) => ({ type, resource: crm }));
  const text = JSON.stringify({ version: 3, deployment: { resources: [crm], pending_operations } });
  expect(reasonToRunAgain(readStackState(text))).toBe(reason);
});

test("the sentence about an output has at most four names", () => {
  const resources = ["a", "b", "c", "d", "e", "f"];
  expect(staleText({ output: "all", resources })).toBe(
    "the stack output all has a secret that was rotated since: a, b, c, d and 2 more",
  );
});
