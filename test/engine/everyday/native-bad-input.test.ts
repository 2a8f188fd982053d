/** Mistakes in a YAML program: one clear message each, with the line where the engine gives one, and nothing is sent. */
import { ids } from "../../support/engine/organization";
import { yamlProject, type YamlProgram } from "../../support/engine/project";

const stackTrace = /^at |node:internal|\.js:\d+|goroutine|panic/m;

const one = (type: string, properties: object): YamlProgram => ({
  resources: { it: { type: `voiceplane:${type}`, properties } },
});

/** What the plugin itself says of the resource "it". */
const said = (type: string, reason: string): string =>
  `error: voiceplane:index:${type} resource 'it' has a problem: ${reason}\n`;

const cases: [what: string, YamlProgram, RegExp | string][] = [
  // The plugin knows the rest.
  [
    "a wrong range",
    one("RetentionPolicy", { resource: "recordings", retentionDays: 0 }),
    "error: voiceplane:index:RetentionPolicy resource 'it': property retentionDays value {0} has a problem: " +
      "must be a whole number of days from 1 to 3650\n",
  ],
  [
    "a range that is secret, and of which the engine would print the value",
    one("RetentionPolicy", { resource: "recordings", retentionDays: { "fn::secret": 31415 } }),
    said("RetentionPolicy", "retentionDays: must be a whole number of days from 1 to 3650"),
  ],
  [
    "an Organization with wrong values in it, one of them secret",
    one("Organization", {
      webhooks: { crm: { id: { "fn::secret": "a/canary" }, onCreate: "rotate" } },
      trunks: { a: { id: "t", outboundAuth: "cleard" } },
    }),
    said(
      "Organization",
      'Organization "it":\n' +
        'trunks.a.outboundAuth: must be "cleared" (the trunk has no outbound authentication) or "tracked" (its credentials ' +
        "are set elsewhere)\n" +
        'webhooks.crm.id: must be the object\'s id: a string without slashes or spaces around it, and not empty, "." or ".."',
    ),
  ],
  [
    "the same object twice, once in an Organization",
    {
      resources: {
        it: { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.crm, onCreate: "rotate" }, options: { dependsOn: ["${org}"] } },
        org: { type: "voiceplane:Organization", properties: { webhooks: { crm: { id: ids.crm, onCreate: "rotate" } } } },
      },
    },
    /resource 'it' has a problem: declares the same object as WebhookSecret "org-crm", "c0\S+" of http:\S+: remove one of them\n/,
  ],
]; // prettier-ignore

test("mistakes that the schema tells: an unknown property, a missing one and a wrong type, with their lines", async () => {
  const policy = (properties: object) => ({ type: "voiceplane:RetentionPolicy", properties });
  const stack = await yamlProject({
    resources: {
      unknown: policy({ resource: "recordings", retentionDays: 90, days: 1 }),
      missing: policy({ resource: "conversations" }),
      type: policy({ resource: "audit_events", retentionDays: "ninety" }),
    },
  });
  const output = await stack.preview({ fails: true });
  expect(output).toMatch(
    /Property days does not exist on 'voiceplane:index:RetentionPolicy'\s+on Pulumi\.yaml line 13:/,
  );
  expect(output).toContain("retentionDays: Missing required property 'retentionDays'");
  expect(output).toMatch(/on Pulumi\.yaml line 22:\s+22: retentionDays: \S*ninety/);
  expect(output).toContain("retentionDays: Cannot assign type 'string' to type 'integer'");
  expect(output).not.toMatch(stackTrace);
  expect(stack.organization.requests()).toEqual([]);
});

test("mistakes that the plugin tells: each by the user's own name for it, without a value that may be secret", async () => {
  const stack = await yamlProject({});
  for (const [what, program, message] of cases) {
    stack.yaml(program);
    const output = await stack.preview({ fails: true });
    const isSaid = typeof message === "string" ? output.includes(message) : message.test(output);
    expect({ what, isSaid, output }).toEqual({ what, isSaid: true, output });
    expect(output).not.toMatch(/canary|31415/);
    expect(output).not.toMatch(stackTrace);
  }
  expect(stack.organization.requests()).toEqual([]);
});

test("a misspelt key of the configuration is named in every update, once in each language", async () => {
  const stack = await yamlProject(one("WebhookSecret", { webhookId: ids.crm, onCreate: "rotate" }));
  await stack.run(["config", "set", "voiceplane:acount", "canary"]);
  const warning = "the configuration has voiceplane:acount, which is not read: did you mean voiceplane:account?";
  const up = await stack.up();
  expect(up.split("Diagnostics:")[1]).toContain(warning);
  expect((await stack.preview()).split(warning)).toHaveLength(2);
  stack.native(`new WebhookSecret("it", { webhookId: "${ids.crm}", onCreate: "rotate" });`);
  expect((await stack.preview()).split(warning)).toHaveLength(2);
});

test("settings that are missing or wrong are told once, for the provider", async () => {
  const stack = await yamlProject(one("RetentionPolicy", { resource: "recordings", retentionDays: 90 }), {
    env: { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined },
  });
  const output = await stack.preview({ fails: true });
  const problems = [
    "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
    "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
  ];
  for (const problem of problems) expect(output.split(problem)).toHaveLength(2);
  expect(output).not.toMatch(stackTrace);
});
