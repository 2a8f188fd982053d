/** The rules of examples/policies, as functions. test/campaigns/engine/policies.test.ts has them in the engine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testApproved } from "../../support/approved";
import fc from "../../support/properties";
import { resources } from "../../../src/resources";
import { formatRange, parseCidr, type Range } from "../../../src/contract/cidr";
import { root } from "../../support/repository";

const folder = join(root, "examples/policies");

type Inputs = Readonly<Record<string, unknown>>;
type Config = Readonly<Record<string, Inputs>>;

interface Rule {
  readonly name: string;
  readonly configSchema: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
  validateResource(
    resource: { type: string; props: Inputs; opts: object; getConfig: () => Inputs },
    report: (violation: string) => void,
  ): void;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { rules } = require(join(folder, "rules.cjs")) as { rules: readonly Rule[] };

beforeEach(() => {
  process.env.PULL_REQUEST_LABELS = "urgent, shorten-retention";
});

/** `rule: message` of each violation. Like the engine, fills in the defaults of the configuration's schema. */
function violations(type: string, props: Inputs, config: Config = {}, ignoreChanges: readonly string[] = []): string[] {
  return rules.flatMap((rule) => {
    const defaults = Object.entries(rule.configSchema.properties).map(([key, each]) => [key, each.default]);
    const getConfig = () => ({ ...(Object.fromEntries(defaults) as Inputs), ...config[rule.name] });
    const found: string[] = [];
    rule.validateResource({ type, props, opts: { ignoreChanges }, getConfig }, (text) => {
      found.push(`${rule.name}: ${text}`);
    });
    return found;
  });
}

const id = "a0000000-0000-4000-8000-000000000001";
const recordings = {
  resource: "recordings",
  onCreate: "overwrite",
  retentionDays: 90,
  enabled: true,
  onDelete: "retain",
};
const office = {
  networkPolicyId: id,
  onCreate: "overwrite",
  sourceCidr: "203.0.113.0/24",
  mustInclude: ["203.0.113.7"],
  onDelete: "retain",
};
const trunk = { trunkId: id, cleared: true, onDelete: "retain" };
const webhook = { webhookId: id, onCreate: "rotate", rotateAfter: "90d" };

/** The violations of a resource, with this configuration of the pack. */
const found =
  (type: string, ...of: [Inputs, Config?, string[]?]) =>
  (): Promise<string> => {
    const lines = violations(`voiceplane:index:${type}`, ...of);
    return Promise.resolve(lines.length === 0 ? "(none)" : lines.map((line) => `    ${line}`).join("\n"));
  };
const policy = (more: Inputs, config?: Config) => found("RetentionPolicy", { ...recordings, ...more }, config);
const range = (more: Inputs) => found("NetworkPolicy", { ...office, ...more });
const rotated = (more: Inputs, ignored?: string[]) => found("WebhookSecret", { ...webhook, ...more }, {}, ignored);
const { sourceCidr: _range, mustInclude: _addresses, ...bare } = office;
const shortening = { allowShortening: { from: 365, to: 90 } };
const label = { "retention-shortening": { label: "delete-data" } };

testApproved(join(__dirname, "policies.md"), {
  "a policy that is declared well": policy({}),
  "a range that is declared well": range({}),
  "a network policy without a range": found("NetworkPolicy", { ...bare, name: "Office" }),
  "a trunk that is declared well": found("TrunkOutboundAuth", trunk),
  "a webhook that is declared well": rotated({}),
  "days above the bound": policy({ retentionDays: 366 }),
  "days below the bound of another kind": policy({ resource: "audit_events" }),
  "days at the bounds": policy({ retentionDays: 365, onDelete: { retentionDays: 30, enabled: true } }),
  "days above a configured bound, which keeps the default of the other": policy(
    { retentionDays: 91, onDelete: { retentionDays: 29, enabled: true } },
    { "retention-days": { recordings: { max: 90 } } },
  ),
  "days and a policy that destroy sets": policy({ onDelete: { retentionDays: 1, enabled: false } }),
  "a policy that is not in force": policy({ enabled: false }),
  'a policy with onDelete: "disable"': policy({ onDelete: "disable" }),
  'a trunk with onDelete: "clear"': found("TrunkOutboundAuth", { ...trunk, onDelete: "clear" }),
  "a range without mustInclude": found("NetworkPolicy", { ...bare, sourceCidr: "203.0.113.0/24" }),
  "an empty mustInclude": range({ mustInclude: [] }),
  "a range that destroy alone sets, which nothing checks": found("NetworkPolicy", {
    ...{ ...bare, name: "Office" },
    onDelete: { sourceCidr: "203.0.113.0/24" },
  }),
  "a range that destroy sets": range({ onDelete: { sourceCidr: "0.0.0.0/0" } }),
  "half of IPv4": range({ sourceCidr: "128.0.0.0/1" }),
  "all of IPv4, written as IPv6": range({ sourceCidr: "::ffff:0:0/96" }),
  "half of IPv6": range({ sourceCidr: "8000::/1" }),
  "a webhook that is never rotated": found("WebhookSecret", { webhookId: id, onCreate: "rotate" }),
  "a webhook that is rotated too rarely": rotated({ rotateAfter: "91d" }),
  "a due date that ignoreChanges keeps": rotated({}, ["triggers", "rotateOn"]),
  "a due date that a path keeps": rotated({}, ['["rotateOn"]']),
  "a due date that * keeps": rotated({}, ["*"]),
  "ignoreChanges of other inputs": rotated({}, ["triggers", "rotateAfter"]),
  "a shortening, with its label": policy(shortening),
  "a shortening without its label": policy(shortening, label),
  "no shortening and no label": policy({}, label),
});

const isAroundIPv4 = ({ first, prefix }: Range): boolean =>
  first <= 0xffff_0000_0000n && 0xffff_ffff_ffffn < first + 2n ** BigInt(128 - prefix);

test("a range is a violation if and only if its prefix is shorter than the configured one", () => {
  const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
  const mapped = v4.map(([address, prefix]): [string, number] => [`::ffff:${address}`, prefix + 96]);
  const v6 = fc.tuple(fc.oneof(fc.ipV6(), fc.constantFrom("::", "::ffff:0:0")), fc.integer({ min: 0, max: 128 }));
  const written = fc.oneof(v4, mapped, v6).map(([address, prefix]) => `${address}/${prefix}`);
  const shortest = { minPrefixIPv4: fc.integer({ min: 1, max: 32 }), minPrefixIPv6: fc.integer({ min: 1, max: 128 }) };
  fc.assert(
    fc.property(written, fc.record(shortest), (text, config) => {
      const range = parseCidr(text);
      if (!range) throw new Error(text);
      const isMapped = range.family === 6 && range.prefix >= 96 && range.first >> 32n === 0xffffn;
      const hasIPv4 = range.family === 6 && range.prefix < 96 && isAroundIPv4(range);
      const least =
        range.family === 4
          ? config.minPrefixIPv4
          : isMapped || hasIPv4
            ? config.minPrefixIPv4 + 96
            : config.minPrefixIPv6;
      // As it is written, and in the canonical spelling, which the provider gives to the engine.
      for (const sourceCidr of [text, formatRange(range)]) {
        const found = violations(
          "voiceplane:index:NetworkPolicy",
          { ...office, sourceCidr },
          { "network-range": config },
        );
        expect([sourceCidr, found.length]).toEqual([sourceCidr, range.prefix < least ? 1 : 0]);
      }
    }),
  );
});

test("the rules see the resources of the classes, and nobody else's", () => {
  const found = (type: string) => violations(type, { ...recordings, enabled: false }).length;
  expect(found("pulumi-nodejs:dynamic/voiceplane:RetentionPolicy")).toBe(1);
  expect(found("pulumi-nodejs:dynamic/other:RetentionPolicy")).toBe(0);
  expect(found("other:index:RetentionPolicy")).toBe(0);
  expect(found("voiceplane:index:Organization")).toBe(0);
});

test("a misspelled key of the configuration is an error, because the engine accepts it", () => {
  const config = { "webhook-rotation": { maxDay: 30 } };
  expect(() => violations("voiceplane:index:WebhookSecret", webhook, config)).toThrow(
    'webhook-rotation has no configuration "maxDay".',
  );
});

test.each(Object.keys(resources))("some rule reads what a %s declares", (type) => {
  const read = () => {
    throw new Error("is read");
  };
  const declared = new Proxy<Inputs>({}, { get: read, has: read });
  expect(() => violations(`voiceplane:index:${type}`, declared)).toThrow("is read");
});

test("the page lists every rule", () => {
  const page = readFileSync(join(folder, "README.md"), "utf8");
  expect(rules.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("the example of a configuration names rules and keys that there are", () => {
  const config = JSON.parse(readFileSync(join(folder, "policies.json"), "utf8")) as Config;
  for (const [name, { enforcementLevel, ...properties }] of Object.entries(config)) {
    expect([undefined, "advisory", "mandatory", "disabled"]).toContain(enforcementLevel);
    const known = rules.find((rule) => rule.name === name)?.configSchema.properties ?? {};
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(properties)));
  }
});
