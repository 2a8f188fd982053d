import { unknownValue } from "../../../src/values/engine.js";
import fc, { anyCharacter } from "../../support/properties";
import { checkContext } from "../../support/resources/check-context.js";
import type { Lifecycle } from "../../../src/lifecycle/lifecycle.js";
import type { Values } from "../../../src/values/any.js";
import { organizationSchema } from "../../../src/organization-file/schema.js";
import { diagnosticText } from "../../../src/values/diagnostic.js";
import { problemsOf } from "../../../src/schema/problems.js";
import { networkPolicyArgs } from "../../../src/resources/network-policy/arguments.js";
import { networkPolicyLifecycle } from "../../../src/resources/network-policy/lifecycle.js";
import { retentionPolicyArgs } from "../../../src/resources/retention-policy/arguments.js";
import { retentionPolicyLifecycle } from "../../../src/resources/retention-policy/lifecycle.js";
import { trunkOutboundAuthArgs } from "../../../src/resources/trunk-outbound-auth/arguments.js";
import { trunkOutboundAuthLifecycle } from "../../../src/resources/trunk-outbound-auth/lifecycle.js";
import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";
import { webhookSecretArgs } from "../../../src/resources/webhook-secret/arguments.js";

const schemas = {
  retentionPolicyArgs,
  networkPolicyArgs,
  trunkOutboundAuthArgs,
  webhookSecretArgs,
  organizationSchema,
};
const lifecycles = {
  retentionPolicy: retentionPolicyLifecycle,
  networkPolicy: networkPolicyLifecycle,
  trunkOutboundAuth: trunkOutboundAuthLifecycle,
  webhookSecret: webhookSecretLifecycle,
};

/** Property names that mean something to one of the schemas. */
const names = [
  ...["resource", "retentionDays", "enabled", "onDelete", "allowShortening", "reassertAfter", "from", "to"],
  ...["networkPolicyId", "name", "sourceCidr", "mustInclude", "mustExclude", "trunkId", "cleared", "triggers"],
  ...["webhookId", "rotateAfter", "onCreate", "initialSecret", "secretPath"],
  ...["retention", "networkPolicies", "trunks", "webhooks", "id", "days", "outboundAuth", "recordings", "__due"],
];

/** JSON of any shape whose keys the schemas look at, with every string, and every number, out of `leaf`. */
function jsonOf(leaf: fc.Arbitrary<unknown>): fc.Arbitrary<Values> {
  const { args } = fc.letrec<{ args: Values; value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("args")),
    args: fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 8, noNullPrototype: true }),
  }));
  return args;
}

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, unknownValue, NaN, -0, 0, 1, 90, 3650, 1e300),
  fc.constantFrom("retain", "disable", "recordings", "90d", "7d", "10.0.0.0/8", "::/0", "10.0.0.1", "fe80::1%a"),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.double(),
);

test.each(Object.keys(schemas) as (keyof typeof schemas)[])("no problem of %s ever repeats a value", (name) => {
  const canary = "canary-5f1c";
  const leaf = fc.constantFrom(canary, ` ${canary}\n`, `${canary}/${canary}`, 48151623.42);
  fc.assert(
    fc.property(jsonOf(leaf), (value) => {
      for (const each of problemsOf(schemas[name], value, name)) {
        expect(diagnosticText(each)).not.toMatch(/canary-5f1c|48151623/);
      }
    }),
    { numRuns: 100 },
  );
});

test.each(Object.keys(lifecycles) as (keyof typeof lifecycles)[])(
  "check of %s never throws, whatever it is given",
  (name) => {
    const ctx = checkContext();
    const lifecycle = lifecycles[name] as unknown as Lifecycle;
    const olds: Values = {
      organization: "acme",
      resource: "recordings",
      retentionDays: 365,
      webhookId: "w",
      rotateAfter: "90d",
    };
    const right = { resource: "recordings", networkPolicyId: "n", trunkId: "t", webhookId: "w", onCreate: "rotate" };
    fc.assert(
      fc.property(jsonOf(anything), fc.boolean(), (args, isNew) => {
        const news = { [lifecycle.identity]: right[lifecycle.identity as keyof typeof right], ...args };
        const { inputs, problems } = lifecycle.check(ctx, isNew ? {} : olds, news);
        expect(inputs.organization).toBe("acme");
        expect(Array.isArray(problems)).toBe(true);
      }),
      { numRuns: 250 },
    );
  },
);
