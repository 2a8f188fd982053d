/** Mistakes in a program, in its settings and in its configuration: clear messages, and nothing is sent. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { resource } from "../../support/engine/declared";

const stackTrace = /^at |node:internal|\.js:\d+|goroutine|panic/m;

const providers = [["dynamic"], ["native"]] as const;

// test/unit/resources/bad-input.test.ts has the problems of each property.
test("native: the engine prints every problem with a resource's values, and shows no value", async () => {
  const stack = await project();
  stack.declare("native", 'new WebhookSecret("p", { webhook_id: "..", initialSecret: ["canary"] });');
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

test.each(providers)(
  "%s: without settings, a preview names all that it needs, and an update without a token sends nothing",
  async (over) => {
    const stack = await project({ env: { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined } });
    stack.declare(
      over,
      'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });',
    );
    const output = await stack.preview({ fails: true });
    expect(output).toContain(
      "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
    );
    expect(output).not.toMatch(stackTrace);
    // A preview sends nothing, and needs no token.
    const env = { VOICEPLANE_BASE_URL: stack.organization.url };
    await stack.preview({ env });
    const up = await stack.startUp({ env }).finished;
    expect([up.code === 0, up.stdout]).toEqual([
      false,
      expect.stringContaining("no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN"),
    ]);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test.each(providers)(
  "%s: an address that cannot be used, and an object that an Organization and a single resource declare, are refused",
  async (over) => {
    const stack = await project({ env: { VOICEPLANE_BASE_URL_RELATIVE: "api.example.com/v1" } });
    stack.declare(
      over,
      'listWebhooks({ provider: new Provider("relative", { baseUrl: "https://api.example.com", token: "t" }) });',
    );
    expect(await stack.preview({ fails: true })).toContain("The base URL is no absolute http");
    stack.declare(
      over,
      `
      const provider = new Provider("org", { baseUrl: "${stack.organization.url}", token: "t" });
      new Organization("org", {
        networkPolicies: { office: { id: "${ids.office}", onCreate: "overwrite", name: "Office" } },
      }, { providers: [provider] });
      new NetworkPolicy("again", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "Office" }, { provider });`,
    );
    const output = await stack.preview({ fails: true });
    expect(output).toMatch(
      /declares the same object as NetworkPolicy "(org-office|again)", "\S+" of org: remove one of them/,
    );
    expect(output).not.toMatch(stackTrace);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test.each(providers)(
  "%s: a token in the configuration in plain text is refused, even when the environment sets another one",
  async (over) => {
    const stack = await project({ env: { VOICEPLANE_TOKEN: "another" } });
    stack.declare(
      over,
      'new RetentionPolicy("r", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });',
    );
    stack.write("Pulumi.dev.yaml", `${stack.read("Pulumi.dev.yaml")}config:\n  voiceplane:token: some-token\n`);
    const output = await stack.preview({ fails: true });
    expect(output).toContain("the token is in plain text in the stack's configuration, and would be in its state: run");
    expect(output).not.toContain("some-token");
    expect(output).not.toMatch(stackTrace);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test("mistakes that the schema tells: an unknown property, a missing one and a wrong type, with their lines", async () => {
  const policy = (properties: object) => resource("RetentionPolicy", properties);
  const stack = await project();
  stack.declare("native", {
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
  expect(stack.organization.requests()).toEqual([]);
});
