/** Whatever is in the table of resources is everywhere: a line that is added there fails here until the rest is. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { lifecycleOf } from "../../../src/cli/report/situations.js";
import * as classes from "../../../src/program/index.js";
import { resources, resourceTypeOf, type ResourceType } from "../../../src/resources/index.js";
import type { Values } from "../../../src/values/any.js";
import { diagnosticText } from "../../../src/values/diagnostic.js";
import { secretText, unknownValue } from "../../../src/values/engine.js";
import { checkContext } from "../../support/resources/check-context.js";
import { types } from "../../support/resources/table.js";
import { ids, world } from "../../support/world.js";

const root = resolve(__dirname, "../../..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
};

describe.each(Object.entries(resources).map(([type, entry]) => ({ type: type as ResourceType, ...entry })))(
  "$type",
  ({ type, path, args, lifecycle }) => {
    test("its lifecycle has the table's name, and an identity among the arguments", () => {
      expect(lifecycle.type).toBe(type);
      expect(Object.keys(args.shape)).toContain(lifecycle.identity);
    });

    test("it has a provider on its frozen path", () => {
      expect(exports[`./dynamic/${path}`]).toMatchObject({ default: `./dist/provider/dynamic/${path}.js` });
      expect(existsSync(join(root, `src/provider/dynamic/${path}.ts`))).toBe(true);
    });

    test("it has a class of its name, and a page", () => {
      expect(classes).toHaveProperty(type, expect.any(Function));
      expect(existsSync(join(root, `docs/reference/${path}.md`))).toBe(true);
    });

    test("the report knows it by both of its names in the engine, and knows whether an argument is sent, or may weaken a guard later", () => {
      for (const token of [`pulumi-nodejs:dynamic/voiceplane:${type}`, `voiceplane:index:${type}`]) {
        expect(resourceTypeOf(token)).toBe(type);
        expect(lifecycleOf(token)).toBe(lifecycle);
      }
      const { identity, sentProperties, guards } = lifecycle;
      const known = [identity, ...sentProperties, ...Object.keys(guards)];
      expect(Object.keys(args.shape).filter((name) => !known.includes(name))).toEqual([]);
    });
  },
);

test.each(["voiceplane:index:Organization", "aws:s3:RetentionPolicy", "voiceplane:index:constructor", ""])(
  "%j is none of the resources",
  (token) => {
    expect(resourceTypeOf(token)).toBeUndefined();
    expect(lifecycleOf(token)).toBeUndefined();
  },
);

const properties = types.flatMap((type) =>
  Object.keys(resources[type].args.shape).map((property) => [type, property] as const),
);

test.each(properties)("%s.%s refuses what it cannot be, by its name and without the value", (type, property) => {
  const { lifecycle } = resources[type];
  const { problems } = lifecycle.check(checkContext(), {}, { [property]: [["canary"]] });
  const own = problems.filter((each) => each.path?.[0] === property);
  expect(own.length).toBeGreaterThan(0);
  expect(problems.map(diagnosticText).join("\n")).not.toContain("canary");
});

test.each(types)("status says what was sent of a %s whose values are all secret", (type) => {
  const { args, lifecycle } = resources[type];
  const hidden = Object.fromEntries(Object.keys(args.shape).map((property) => [property, secretText]));
  expect(lifecycle.sent(hidden, { state: secretText, count: 1, at: undefined }).trim()).not.toBe("");
});

describe("a value that is not known yet", () => {
  const trunk = { trunkId: ids.trunk, cleared: true };
  const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" };
  const declared: Record<ResourceType, Values> = {
    RetentionPolicy: { resource: "recordings", onCreate: "overwrite", retentionDays: 365 },
    NetworkPolicy: policy,
    TrunkOutboundAuth: trunk,
    WebhookSecret: { webhookId: ids.webhook, onCreate: "adopt" },
  };

  test.each(properties)("as a %s's %s previews, for a new and for an existing object", async (type, property) => {
    const { lifecycle } = resources[type];
    const { engine } = await world(lifecycle);
    const program = { it: { ...declared[type], [property]: unknownValue } };
    expect(engine.preview(program).it?.step).toBe("create");
    await engine.up({ it: declared[type] });
    const steps = property === lifecycle.identity ? ["replace"] : ["update", "same"];
    expect(steps).toContain(engine.preview(program).it?.step);
  });

  const inside: Record<ResourceType, readonly Values[]> = {
    RetentionPolicy: [
      { onDelete: { retentionDays: unknownValue, enabled: true } },
      { retentionDays: unknownValue, onDelete: { retentionDays: 30, enabled: true } },
    ],
    NetworkPolicy: [{ mustInclude: [unknownValue, "203.0.113.7"], onDelete: { sourceCidr: unknownValue } }],
    TrunkOutboundAuth: [{ triggers: { audit: unknownValue } }],
    WebhookSecret: [{ triggers: { audit: unknownValue } }],
  };
  const cases = types.flatMap((type) => inside[type].map((args) => [type, args] as const));

  test.each(cases)("inside a value of a %s previews too: %j", async (type, args) => {
    const { engine } = await world(resources[type].lifecycle);
    expect(engine.preview({ it: { ...declared[type], ...args } }).it?.step).toBe("create");
  });
});
