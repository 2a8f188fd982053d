/** Mistakes in a program, in its settings and in its configuration: clear messages, all in one run, and nothing is sent. */
import { ids } from "../../support/engine/organization";
import { project, yamlProject } from "../../support/engine/project";
import { resource } from "../../support/engine/yaml-program";

const stackTrace = /^at |node:internal|\.js:\d+|goroutine|panic/m;

const providers = [["dynamic"], ["native"]] as const;

// test/unit/resources/bad-input.test.ts has the problems of each property. secrets/commands.test.ts has what the engine prints over the dynamic provider.
test("native: the engine prints every problem with a resource's values, and shows no value", async () => {
  const stack = await project();
  stack.native('new WebhookSecret("p", { webhook_id: "..", initialSecret: ["canary"] });');
  const output = await stack.preview({ fails: true });
  const messages = [
    "webhook_id: is not a property of WebhookSecret (did you mean webhookId?); known are webhookId,",
    "has a problem: webhookId: is missing: it must be a string without slashes",
    'has a problem: onCreate: is missing: it must be "rotate" or "adopt" [missing]',
    "initialSecret: must be a signing secret: ASCII characters without white space [wrong-value]",
  ];
  for (const message of messages) expect(output).toContain(message);
  expect(output).not.toContain("canary");
  expect(output).not.toMatch(stackTrace);
  expect(stack.organization.requests()).toEqual([]);
});

// The classes of both providers collect them in the same place.
test("the problems of several resources are reported at once, though the engine stops at the first one, and a secret's value is not", async () => {
  const stack = await project({
    program: `
    new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 4000 });
    new NetworkPolicy("office", { networkPolicyId: "np-1", onCreate: "overwrite", sourceCidr: "10.0.0.0/8", mustInclude: ["11.0.0.1"] });
    new WebhookSecret("crm", { webhookId: "wh-1", onCreate: "rotates", initialSecret: ["canary"] });
    new TrunkOutboundAuth("carrier", { trunkId: "tr-1", cleared: Promise.resolve(false) });`,
  });
  const output = await stack.preview({ fails: true });
  expect(output.slice(output.indexOf("error: "))).toBe(
    [
      'error: RetentionPolicy "recordings":\nretentionDays: must be a whole number of days from 1 to 3650 [wrong-value]',
      'error: NetworkPolicy "office":\nsourceCidr: 10.0.0.0/8 does not contain 11.0.0.1, which mustInclude requires [address-left-out]',
      'error: WebhookSecret "crm":\nonCreate: must be "rotate" or "adopt" [wrong-value]',
      "initialSecret: must be a signing secret: ASCII characters without white space [wrong-value]",
      "",
    ].join("\n"),
  );
  expect(stack.organization.requests()).toEqual([]);
});

test.each(providers)(
  "%s: a missing base URL, a missing token, impossible addresses and objects that are declared twice are all reported in one run",
  async (over) => {
    const addresses = {
      VOICEPLANE_BASE_URL_RELATIVE: "api.example.com/v1",
      VOICEPLANE_BASE_URL_SCHEME: "ftp://api.example.com",
      VOICEPLANE_BASE_URL_PLAIN: "http://api.example.com",
    };
    const stack = await project({ env: { ...addresses, VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined } });
    // Each part fails with its own error, and the engine prints all of them.
    stack[over](`
      const part = async (declare) => declare();
      part(() => new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 }));
      for (const name of ["relative", "scheme", "plain"]) {
        part(() => listWebhooks({ provider: new Provider(name, { baseUrl: "https://api.example.com", token: "t" }) }));
      }
      const provider = new Provider("org", { baseUrl: "${stack.organization.url}", token: "t" });
      new RetentionPolicy("first", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 }, { provider });
      part(() => new RetentionPolicy("again", { resource: "recordings", onCreate: "overwrite", retentionDays: 30 }, { provider }));
      new Organization("org", {
        onCreate: "overwrite",
        retention: { conversations: { days: 90 } },
        networkPolicies: { office: { id: "${ids.office}", name: "Office" } },
        trunks: { a: { id: "${ids.carrierA}", outboundAuth: "tracked" } },
        webhooks: { crm: { id: "${ids.crm}", onCreate: "rotate" } },
      }, { providers: [provider] });
      part(() => new RetentionPolicy("again", { resource: "conversations", onCreate: "overwrite", retentionDays: 90 }, { provider }));
      part(() => new NetworkPolicy("again", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "Office" }, { provider }));
      part(() => new TrunkOutboundAuth("again", { trunkId: "${ids.carrierA}", cleared: false }, { provider }));
      part(() => new WebhookSecret("again", { webhookId: "${ids.crm}", onCreate: "rotate" }, { provider }));`);
    const output = await stack.preview({ fails: true });
    const messages = [
      "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
      "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
      "The base URL is not an absolute URL",
      "The base URL has a scheme that is not HTTP",
      "The base URL is plain http to another machine",
      'RetentionPolicy "again" and RetentionPolicy "first" declare the same object, "recordings" of org',
      // An Organization and a single resource cannot declare the same object.
      'RetentionPolicy "again" and RetentionPolicy "org-conversations" declare the same object, "conversations" of org',
      'NetworkPolicy "again" and NetworkPolicy "org-office" declare the same object',
      'TrunkOutboundAuth "again" and TrunkOutboundAuth "org-a" declare the same object',
      'WebhookSecret "again" and WebhookSecret "org-crm" declare the same object',
    ];
    for (const message of messages) expect(output).toContain(message);
    expect(output).not.toMatch(stackTrace);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test.each(providers)(
  "%s: a token in the configuration in plain text is refused, even when the environment sets another one",
  async (over) => {
    const stack = await project({ env: { VOICEPLANE_BASE_URL: "api.example.com/v1" } });
    stack[over]('new RetentionPolicy("r", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });');
    stack.write("Pulumi.dev.yaml", `${stack.read("Pulumi.dev.yaml")}config:\n  voiceplane:token: some-token\n`);
    const output = await stack.preview({ fails: true });
    expect(output).toContain("the token is in plain text in the stack's configuration, and would be in its state: run");
    expect(output).not.toContain("some-token");
    // It is reported together with the other problems of the stack's settings, each once.
    expect(output.split("The base URL is not an absolute URL")).toHaveLength(2);
    expect(output).not.toMatch(stackTrace);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test("mistakes that the schema tells: an unknown property, a missing one and a wrong type, with their lines", async () => {
  const policy = (properties: object) => resource("RetentionPolicy", properties);
  const stack = await yamlProject({
    resources: {
      unknown: policy({ resource: "recordings", retentionDays: 90, days: 1, onCreate: "adopt" }),
      missing: policy({ resource: "conversations", onCreate: "adopt" }),
      type: policy({ resource: "audit_events", retentionDays: "ninety", onCreate: "adopt" }),
    },
  });
  const output = await stack.preview({ fails: true });
  expect(output).toMatch(
    /Property days does not exist on 'voiceplane:index:RetentionPolicy'\s+on Pulumi\.yaml line 13:/,
  );
  expect(output).toContain("retentionDays: Missing required property 'retentionDays'");
  expect(output).toMatch(/on Pulumi\.yaml line 24:\s+24: retentionDays: \S*ninety/);
  expect(output).toContain("retentionDays: Cannot assign type 'string' to type 'integer'");
  expect(output).not.toMatch(stackTrace);
  // The report has the same, of an Organization too.
  const errors = async () => (await stack.voiceplane(["preview", "--format", "json"])).stdout;
  expect(JSON.parse(await errors())).toMatchObject({
    errors: [
      "Pulumi.yaml:13: Property days does not exist on 'voiceplane:index:RetentionPolicy'",
      "retentionDays: Missing required property 'retentionDays'",
      "retentionDays (Pulumi.yaml:24): Cannot assign type 'string' to type 'integer'",
    ],
  });
  stack.yaml({ resources: { r: policy({ resource: "calls", retentionDays: 90, onCreate: "adopt" }) } });
  expect(await errors()).toContain("resource (Pulumi.yaml:11): Cannot assign type 'string' to type");
  expect(await errors()).toContain(String.raw`Allowed values are \"recordings\", \"conversations\", \"audit_events\"`);
  const provider = {
    type: "pulumi:providers:voiceplane",
    properties: { organization: "eu", baseUrl: "https://eu.example.com" },
  };
  stack.yaml({ resources: { default: provider, r: resource("RetentionPolicy", {}, { provider: "${default}" }) } });
  expect(await errors()).toContain(
    "Pulumi.yaml:11: Property organization does not exist on 'pulumi:providers:voiceplane'",
  );
  const entries = { recordings: { dayz: 90, onCreate: "adopt" } };
  stack.yaml({ resources: { acme: resource("Organization", { retention: entries }) } });
  expect(await errors()).toContain("retention.recordings.days (Pulumi.yaml:12): Missing required property 'days'.");
  expect(stack.organization.requests()).toEqual([]);
});

test("a misspelt key of the configuration is named in every run, once, though SDK and plugin both see it, and what a transform adds is not missing", async () => {
  const stack = await project();
  stack.write("Pulumi.dev.yaml", `${stack.read("Pulumi.dev.yaml")}config:\n  voiceplane:organisation: canary\n`);
  const warning =
    "the configuration has voiceplane:organisation, which is not read: did you mean voiceplane:organization?";
  stack.native(`const { runtime } = require("@pulumi/pulumi");
    runtime.registerStackTransform(({ type, props, opts }) =>
      type.endsWith(":WebhookSecret") ? { props: { ...props, onCreate: "adopt" }, opts } : undefined);
    for (const id of ["wh-1", "wh-2"]) new WebhookSecret(id, { webhookId: id });`);
  const preview = await stack.preview();
  expect(preview).toContain("+ 3 to create");
  expect(preview.split(warning)).toHaveLength(2);
});
