/** What is wrong with a stack as a whole. */
import { duplicatesIn } from "../../../../src/cli/state/conditions";
import { readStackState } from "../../../../src/cli/state/state";

const dynamic = (type: string) => `pulumi-nodejs:dynamic/voiceplane:${type}`;
const native = (type: string) => `voiceplane:index:${type}`;

const resource = (type: string, name: string, id: string, organization = "eu", rest: object = {}) => ({
  urn: `urn:pulumi:prod::acme::${type}::${name}`,
  type,
  id,
  outputs: { organization, rotationState: "rotated", rotationCount: 1 },
  ...rest,
});

const names = (...resources: object[]) => {
  const state = readStackState(JSON.stringify({ version: 3, deployment: { resources } }));
  return duplicatesIn(state).map((same) => same.map(({ name }) => name));
};

test("two resources of one type, organization and id are one object, in any spelling of the id and of both providers", () => {
  const crm = resource(dynamic("WebhookSecret"), "crm", "wh-1");
  expect(names(crm, resource(dynamic("WebhookSecret"), "renamed", "WH-1"))).toEqual([["crm", "renamed"]]);
  expect(names(crm, resource(native("WebhookSecret"), "crm", "wh-1"))).toEqual([["crm", "crm"]]);
  const policies = ["a", "b", "c"].map((name) => resource(native("RetentionPolicy"), name, "recordings"));
  expect(names(crm, ...policies)).toEqual([["a", "b", "c"]]);
});

test("another type, organization or id is another object; states that are only to be deleted and secret ids do not count", () => {
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
