/** The files that are written from the properties of resources, and what the package schema says of them. */
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { organizationArgs } from "../../../src/organization-file/schema";
import { resources, type ResourceType } from "../../../src/resources/index.js";
import { engineFolder } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { types } from "../../support/resources/table.js";
import { checkContext } from "../../support/resources/check-context.js";
import { read, root } from "../../support/repository";

jest.setTimeout(60_000);

interface Property {
  readonly additionalProperties?: object;
  readonly type?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly default?: unknown;
  readonly willReplaceOnChanges?: boolean;
}
type Properties = Readonly<Record<string, Property>>;

const schema = JSON.parse(read("schema.json")) as {
  config: { variables: Properties };
  provider: { inputProperties: Properties };
  resources: Record<string, { inputProperties: Properties; properties: Properties; aliases?: object[] }>;
  functions: Record<string, { outputs: { properties: Properties } }>;
  types: Record<string, Property & { properties?: Properties; required?: string[] }>;
};

const names = (of: Properties = {}, wanted: (property: Property) => boolean): string[] =>
  Object.keys(of).filter((name) => wanted(of[name] ?? {}));

test("schema.json, organization.schema.json and the classes are what `npm run schema` writes", async () => {
  const command = join(root, "tools/write-schemas.mjs");
  const { stderr } = await promisify(execFile)(process.execPath, [command, "--check"]).catch(
    (error: unknown) => error as { stderr: string },
  );
  expect(stderr).toBe("");
});

test("the engine accepts the package schema", () => {
  const env = { PULUMI_HOME: temporaryFolder(), PULUMI_SKIP_UPDATE_CHECK: "true", PATH: process.env.PATH };
  execFileSync(join(engineFolder(), "pulumi"), ["schema", "check", "schema.json"], { cwd: root, env });
});

test("every resource, property, type and function of the package schema has a description", () => {
  const undescribed: string[] = [];
  let count = 0;
  const visit = (path: string, node: object): void => {
    for (const [key, below] of Object.entries(node)) {
      if (typeof below !== "object" || below === null) continue;
      const described = /\.(properties|inputProperties|variables|resources|functions|types)$/.test(path);
      if (described) count++;
      if (described && !(below as Property).description) undescribed.push(`${path}.${key}`);
      if (key !== "language") visit(`${path}.${key}`, below as object);
    }
  };
  visit("", schema);
  expect(undescribed).toEqual([]);
  expect(count).toBeGreaterThan(80);
});

test.each(Object.entries(resources))(
  "%s has an identity whose change the preview calls a replacement, and the engine finds its dynamic predecessor",
  (type, { lifecycle }) => {
    const written = schema.resources[`voiceplane:index:${type}`];
    const identity = names(written?.inputProperties, (property) => property.willReplaceOnChanges === true);
    expect(identity).toEqual([lifecycle.identity]);
    expect(written?.aliases).toEqual([{ type: `pulumi-nodejs:dynamic/voiceplane:${type}` }]);
  },
);

const defaulted: Record<ResourceType, readonly [args: object, defaults: object]> = {
  RetentionPolicy: [{ resource: "recordings", onCreate: "overwrite", retentionDays: 90 }, { enabled: true }],
  NetworkPolicy: [{ networkPolicyId: "np-1", onCreate: "overwrite", name: "office" }, {}],
  TrunkOutboundAuth: [{ trunkId: "t-1", cleared: true }, { onDelete: "retain" }],
  WebhookSecret: [{ webhookId: "w-1", onCreate: "rotate" }, {}],
};

test.each(types)("sending the defaults of %s makes no difference to its lifecycle", (type) => {
  const [args, defaults] = defaulted[type];
  const { inputProperties = {} } = schema.resources[`voiceplane:index:${type}`] ?? {};
  const declared = Object.entries(inputProperties).flatMap(([name, property]) =>
    "default" in property ? [[name, property.default]] : [],
  );
  expect(Object.fromEntries(declared)).toEqual(defaults);
  const { lifecycle } = resources[type];
  const checked = lifecycle.check(checkContext(), {}, { ...args });
  expect(lifecycle.check(checkContext(), {}, { ...args, ...defaults })).toEqual(checked);
});

test("secrets are marked: the token, an initial secret, and what a rotation gives", () => {
  const secretIn = (of?: Properties) => names(of, ({ secret }) => secret === true);
  expect(secretIn(schema.config.variables)).toEqual(["token"]);
  expect(secretIn(schema.provider.inputProperties)).toEqual(["token"]);
  // With an organization, a Provider called default would be taken for the engine's own, and get the stack's token.
  expect(Object.keys(schema.provider.inputProperties)).toEqual(["baseUrl", "token", "allowInsecureHttp"]);
  const webhook = schema.resources["voiceplane:index:WebhookSecret"];
  expect(secretIn(webhook?.inputProperties)).toEqual(["initialSecret"]);
  expect(secretIn(webhook?.properties)).toEqual(["secret", "previousSecret", "data"]);
  const organization = schema.resources["voiceplane:index:Organization"];
  expect(secretIn(organization?.properties)).toEqual(["webhookSecrets", "previousWebhookSecrets"]);
  expect(secretIn(schema.types["voiceplane:index:OrganizationWebhook"]?.properties)).toEqual(["initialSecret"]);
  expect(secretIn(schema.functions["voiceplane:index:listWebhooks"]?.outputs.properties)).toEqual(["webhooks"]);
});

test("no value comes from an environment variable: the engine would keep a token in plain text; and no change is called a replacement before the provider has decided", () => {
  expect(read("schema.json")).not.toMatch(/defaultInfo|"replaceOnChanges"/);
});

test("enums are for inputs only", () => {
  const outputs = Object.values(schema.resources).flatMap(({ properties }) => Object.values(properties));
  expect(outputs.filter((property) => JSON.stringify(property).includes("#/types/"))).toEqual([]);
});

test("Organization takes what the organization file has, and initial secrets, under names that are known at once", () => {
  const organization = schema.resources["voiceplane:index:Organization"];
  expect(Object.keys(organization?.inputProperties ?? {})).toEqual(Object.keys(organizationArgs().shape));
  // The entries are not plain: the engine's generator for Go leaves out the types of plain ones.
  expect(organization?.inputProperties.retention).toMatchObject({ type: "object", plain: true });
  expect(organization?.inputProperties.retention?.additionalProperties).toEqual({
    $ref: "#/types/voiceplane:index:OrganizationRetention",
  });
  expect(schema.types["voiceplane:index:OrganizationWebhook"]?.required).toEqual(["id"]);
});
