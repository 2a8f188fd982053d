import { ids } from "./support/organization";
import { project, type ProjectOptions } from "./support/project";

const policy = 'new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });';

/** One clear message: said by a preview that fails, without a stack trace, before anything is sent. */
async function refusal(options: ProjectOptions): Promise<string> {
  const stack = await project(options);
  const output = await stack.preview({ fails: true });
  expect(output).not.toMatch(/^at |node:internal|\.js:\d+/m);
  expect(stack.organization.requests()).toEqual([]);
  return output;
}

test("values that the engine carries: every problem is told by the user's own property, without the value", async () => {
  const stack = await project();
  const cases: [string, string][] = [
    [
      'new RetentionPolicy("p", { resource: "recordings", retentionDays: 90, retention_days: 7 });',
      "retention_days: is not a property of RetentionPolicy; known are resource, retentionDays,",
    ],
    [
      'new RetentionPolicy("p", { resource: "recordings", retentionDays: NaN });',
      "retentionDays: must be a whole number of days from 1 to 3650",
    ],
    [
      'new RetentionPolicy("p", { resource: "recordings" });',
      "retentionDays: is missing: it must be a whole number of days from 1 to 3650",
    ],
    [
      'new RetentionPolicy("p", { resource: "voicemail", retentionDays: "30" });',
      'resource: must be one of "recordings", "conversations", "audit_events"',
    ],
    [
      `new NetworkPolicy("p", { networkPolicyId: 17, sourceCidr: "10/8" });`,
      "networkPolicyId: must be the object's id: a string without slashes",
    ],
    [
      `new NetworkPolicy("p", { networkPolicyId: "${ids.office}", sourceCidr: "203.0.113.0/24", mustInclude: ["198.51.100.7"] });`,
      "sourceCidr: 203.0.113.0/24 does not contain 198.51.100.7, which mustInclude says it must",
    ],
    [`new TrunkOutboundAuth("p", { trunkId: "${ids.carrierA}" });`, "cleared: is missing: it must be true or false"],
    [
      `new WebhookSecret("p", { webhookId: "${ids.crm}", initialSecret: "canary" });`,
      "initialSecret: goes with rotateOnCreate: false keeps that secret in use, true rotates at once",
    ],
    [
      `new WebhookSecret("p", { webhookId: "..", initialSecret: ["canary"], rotateOnCreate: false });`,
      "initialSecret: must be the webhook's signing secret as it is known now",
    ],
  ];
  for (const [program, message] of cases) {
    stack.program(program);
    const output = await stack.preview({ fails: true });
    expect(output).toContain(message);
    expect(output).not.toContain("canary");
    expect(output).not.toMatch(/^at |node:internal|\.js:\d+/m);
  }
  expect(stack.organization.requests()).toEqual([]);
});

test("one policy declared twice", async () => {
  const output = await refusal({
    program: `${policy} new RetentionPolicy("again", { resource: "recordings", retentionDays: 30 });`,
  });
  expect(output).toContain(
    'RetentionPolicy "again" and RetentionPolicy "recordings" declare the same object, "recordings" of http://127.0.0.1:',
  );
});

test("no token", async () => {
  const output = await refusal({ program: policy, env: { VOICEPLANE_TOKEN: undefined } });
  expect(output).toContain("no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN");
});

test("no base URL and no token are told at once", async () => {
  const output = await refusal({
    program: policy,
    env: { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined },
  });
  expect(output).toContain(
    "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
  );
  expect(output).toContain("no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN");
});

test.each([
  ["a relative base URL", "api.example.com/v1", "The base URL is not an absolute URL"],
  ["a base URL of another scheme", "ftp://api.example.com", "The base URL has a scheme that is not HTTP"],
  ["plain http to another machine", "http://api.example.com", "The base URL is plain http to another machine"],
])("%s", async (_name, url, message) => {
  const output = await refusal({ program: policy, env: { VOICEPLANE_BASE_URL: url } });
  expect(output).toContain(message);
});

test("an explicit provider without a token", async () => {
  const output = await refusal({
    program: `
      const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL });
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 }, { provider: eu });`,
  });
  expect(output).toContain('no token: give the Provider "eu" a token or set VOICEPLANE_TOKEN_EU');
});

test("two declarations that turn out to be one object once their ids are known are refused before the second is sent", async () => {
  const stack = await project({
    program: `
      const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}" });
      new NetworkPolicy("office", { networkPolicyId: "${ids.office}", name: "HQ" });
      new NetworkPolicy("again", { networkPolicyId: crm.secret.apply(() => "${ids.office}"), name: "Annex" });`,
  });
  const output = await stack.up({ fails: true });
  expect(output).toContain('NetworkPolicy "again" and NetworkPolicy "office" declare the same object');
  expect(stack.organization.requests().filter((request) => request.includes("Annex"))).toEqual([]);
});

test("a token in the configuration in plain text is refused, also where the environment has another", async () => {
  const stack = await project({ program: 'new RetentionPolicy("r", { resource: "recordings", retentionDays: 90 });' });
  await stack.run(["config", "set", "--plaintext", "voiceplane:token", "some-token", "--stack", "dev"]);
  const output = await stack.preview({ fails: true });
  expect(output).toContain("the token is in plain text in the stack's configuration, and would be in its state: run");
  expect(output).not.toContain("some-token");
  expect(stack.organization.requests()).toEqual([]);
});
