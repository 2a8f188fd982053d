/** The rules of examples/policies, in the process that the engine starts for a policy pack. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import {
  AnalyzerResourceOptions,
  AnalyzeRequest,
  ConfigureAnalyzerRequest,
  EnforcementLevel,
  PolicyConfig,
  type AnalyzeResponse,
  type AnalyzerInfo,
} from "@pulumi/pulumi/proto/analyzer_pb.js";
import { testApproved } from "../../support/approved";
import fc from "../../support/properties";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import { formatRange, parseCidr, type Range } from "../../../src/contract/cidr";

const folder = resolve(__dirname, "../../../examples/policies");
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Config = Record<string, Record<string, JavaScriptValue>>;

let pack: ChildProcess;
let client: AnalyzerClient;
let defaults: Config;

beforeAll(async () => {
  const runner = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
  pack = spawn(process.execPath, [runner, "127.0.0.1:1", folder], {
    cwd: folder,
    env: { ...process.env, PULL_REQUEST_LABELS: "urgent, shorten-retention" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (!pack.stdout) throw new Error("no output");
  const [port] = (await once(createInterface(pack.stdout), "line")) as [string];
  client = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const info = await call<AnalyzerInfo>((done) => client.getAnalyzerInfo(new Empty(), done));
  defaults = Object.fromEntries(info.getPoliciesList().map((rule) => [rule.getName(), defaultsOf(rule)]));
});
afterAll(() => {
  client.close();
  pack.kill();
});
beforeEach(() => configure({}));

type Rule = ReturnType<AnalyzerInfo["getPoliciesList"]>[number];

/** The engine fills in the defaults of the configuration's schema. */
function defaultsOf(rule: Rule): Record<string, JavaScriptValue> {
  const schema = (rule.getConfigschema()?.getProperties()?.toJavaScript() ?? {}) as Record<
    string,
    { default: JavaScriptValue }
  >;
  return Object.fromEntries(Object.entries(schema).map(([name, { default: value }]) => [name, value]));
}

function call<T>(send: (done: (error: ServiceError | null, answer: T) => void) => unknown): Promise<T> {
  return new Promise((done, failed) => {
    send((error, answer) => {
      if (error) failed(error);
      else done(answer);
    });
  });
}

/** Does what the engine does with a file of `--policy-pack-config`. */
async function configure(config: Config): Promise<void> {
  const request = new ConfigureAnalyzerRequest();
  for (const [name, own] of Object.entries(defaults)) {
    const properties = Struct.fromJavaScript({ ...own, ...config[name] });
    const level = EnforcementLevel.MANDATORY;
    request.getPolicyconfigMap().set(name, new PolicyConfig().setEnforcementlevel(level).setProperties(properties));
  }
  await call((done) => client.configure(request, done));
}

async function analyze(
  type: string,
  inputs: Record<string, JavaScriptValue>,
  ignoreChanges: readonly string[] = [],
): Promise<AnalyzeResponse> {
  const request = new AnalyzeRequest()
    .setType(type)
    .setName("it")
    .setUrn(`urn:pulumi:dev::test::${type}::it`)
    .setOptions(new AnalyzerResourceOptions().setIgnorechangesList([...ignoreChanges]))
    .setProperties(Struct.fromJavaScript(inputs));
  return call((done) => client.analyze(request, done));
}

/** `rule: message` of each violation of a resource of the native plugin. */
async function violations(
  type: string,
  inputs: Record<string, JavaScriptValue>,
  ignoreChanges?: readonly string[],
): Promise<string[]> {
  const answer = await analyze(`voiceplane:index:${type}`, inputs, ignoreChanges);
  return answer.getDiagnosticsList().map((each) => `${each.getPolicyname()}: ${lastLine(each.getMessage())}`);
}

/** The package puts the rule's description before the message. */
const lastLine = (text: string): string => text.split("\n").at(-1) ?? "";

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

type Inputs = Record<string, JavaScriptValue>;

/** The violations of a resource, with this configuration of the pack. */
const found =
  (type: string, inputs: Inputs, config: Config = {}, ignoreChanges: readonly string[] = []) =>
  async (): Promise<string> => {
    await configure(config);
    const lines = await violations(type, inputs, ignoreChanges);
    return lines.length === 0 ? "(none)" : lines.map((line) => `    ${line}`).join("\n");
  };
const policy = (more: Inputs, config?: Config) => found("RetentionPolicy", { ...recordings, ...more }, config);
const range = (more: Inputs) => found("NetworkPolicy", { ...office, ...more });
const rotated = (more: Inputs, ignored?: readonly string[]) =>
  found("WebhookSecret", { ...webhook, ...more }, {}, ignored);
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
  "half of IPv4, written as IPv6": range({ sourceCidr: "0:0:0:0:0:FFFF:8000:0/97" }),
  "a range that contains all of IPv4": range({ sourceCidr: "::fffe:0:0/95" }),
  "one that contains none of it": range({ sourceCidr: "::/81" }),
  "half of IPv6": range({ sourceCidr: "8000::/1" }),
  "a webhook that is never rotated": found("WebhookSecret", { webhookId: id, onCreate: "rotate" }),
  "a webhook that is rotated too rarely": rotated({ rotateAfter: "91d" }),
  "a due date that ignoreChanges keeps": rotated({}, ["triggers", "rotateOn"]),
  "a due date that a path keeps": rotated({}, ['["rotateOn"]']),
  "a due date that * keeps": rotated({}, ["*"]),
  "ignoreChanges of other inputs": rotated({}, ["triggers", "rotateAfter"]),
  "a shortening, with its label": policy(shortening),
  "a shortening without its label": policy(shortening, label),
  // It could be known in the update alone, which has the label.
  "a shortening that is not known yet, without its label": policy({ allowShortening: unknown }, label),
  "no shortening and no label": policy({}, label),
});

const isAroundIPv4 = ({ first, prefix }: Range): boolean =>
  first <= 0xffff_0000_0000n && 0xffff_ffff_ffffn < first + 2n ** BigInt(128 - prefix);

test("a range is a violation if and only if its prefix is shorter than the configured one", async () => {
  const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
  const mapped = v4.map(([address, prefix]): [string, number] => [`::ffff:${address}`, prefix + 96]);
  const v6 = fc.tuple(fc.oneof(fc.ipV6(), fc.constantFrom("::", "::ffff:0:0")), fc.integer({ min: 0, max: 128 }));
  const written = fc.oneof(v4, mapped, v6).map(([address, prefix]) => `${address}/${prefix}`);
  const shortest = { minPrefixIPv4: fc.integer({ min: 1, max: 32 }), minPrefixIPv6: fc.integer({ min: 1, max: 128 }) };
  await fc.assert(
    fc.asyncProperty(written, fc.record(shortest), async (text, config) => {
      const range = parseCidr(text);
      if (!range) throw new Error(text);
      await configure({ "network-range": config });
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
        const found = await violations("NetworkPolicy", { ...office, sourceCidr });
        expect([sourceCidr, found.length]).toEqual([sourceCidr, range.prefix < least ? 1 : 0]);
      }
    }),
  );
});

test("an input that is not known yet is said to be so, and is no violation", async () => {
  expect(await violations("NetworkPolicy", { ...office, sourceCidr: unknown })).toEqual([
    expect.stringContaining(
      "network-range: can't run policy 'network-range' from policy pack 'voiceplane@v1.0.0' during preview",
    ),
    expect.stringContaining("network-must-include: can't run policy 'network-must-include'"),
  ]);
  const [first] = (
    await analyze("voiceplane:index:WebhookSecret", { ...webhook, rotateAfter: unknown })
  ).getDiagnosticsList();
  expect(first?.getEnforcementlevel()).toBe(EnforcementLevel.ADVISORY);
  // What the rules do not read may be unknown.
  expect(
    await violations("WebhookSecret", { ...webhook, webhookId: unknown, onCreate: "rotate", triggers: unknown }),
  ).toEqual([]);
});

test("the rules see the resources of the classes, and nobody else's", async () => {
  const bad = { ...recordings, enabled: false };
  const found = async (type: string) => (await analyze(type, bad)).getDiagnosticsList().length;
  expect(await found("pulumi-nodejs:dynamic/voiceplane:RetentionPolicy")).toBe(1);
  expect(await found("pulumi-nodejs:dynamic/other:RetentionPolicy")).toBe(0);
  expect(await found("other:index:RetentionPolicy")).toBe(0);
  expect(await found("voiceplane:index:Organization")).toBe(0);
});

test("a misspelled key of the configuration is an error, because the engine accepts it", async () => {
  await configure({ "webhook-rotation": { maxDay: 30 } });
  await expect(violations("WebhookSecret", webhook)).rejects.toThrow('webhook-rotation has no configuration "maxDay".');
});

test("no rule looks at a whole stack, where secrets are in clear", async () => {
  const text = readFileSync(resolve(folder, "rules.cjs"), "utf8");
  expect(text).not.toContain("validateStack");
  const info = await call<AnalyzerInfo>((done) => client.getAnalyzerInfo(new Empty(), done));
  expect(info.getPoliciesList().map((rule) => rule.getName())).toEqual([
    "retention-days",
    "retention-enabled",
    "retention-shortening",
    "destroy-changes-nothing",
    "network-range",
    "network-must-include",
    "webhook-rotation",
  ]);
});

test("the example of a configuration names rules and keys that there are", () => {
  const config = JSON.parse(readFileSync(resolve(folder, "policies.json"), "utf8")) as Config;
  for (const [name, { enforcementLevel, ...properties }] of Object.entries(config)) {
    expect([undefined, "advisory", "mandatory", "disabled"]).toContain(enforcementLevel);
    expect(Object.keys(defaults[name] ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
  }
});
