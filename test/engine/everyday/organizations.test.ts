/** Several organizations in one program: explicit providers, and the component Organization. */
import { createHash } from "node:crypto";
import { ids, organization } from "../../support/engine/organization";
import { project, yamlProject } from "../../support/engine/project";

const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const provider = (baseUrl: string, token?: string) => ({
  type: "pulumi:providers:voiceplane",
  properties: { baseUrl, ...(token !== undefined && { token: { "fn::secret": token } }) },
});

const providers = [
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane"],
  ["native", "voiceplane:index"],
] as const;

test.each(providers)(
  "%s: each organization gets its own requests with its own token; an Organization is what its entries say, and its secrets are secret",
  async (over, type) => {
    const [eu, us] = [await organization(), await organization()];
    const program = (quarter: string) => ({
      resources: {
        eu: provider(eu.url),
        us: provider(us.url, "vp_dev_second_full"),
        acme: {
          type: "voiceplane:Organization",
          properties: {
            retention: { recordings: { days: 90, onDelete: { days: 365, enabled: false } } },
            networkPolicies: { office: { id: ids.office, name: "HQ" } },
            trunks: {
              a: { id: ids.carrierA, outboundAuth: "cleared" },
              b: { id: ids.carrierB, outboundAuth: "tracked" },
            },
            webhooks: {
              crm: { id: ids.crm, onCreate: "rotate", triggers: { quarter } },
              billing: { id: ids.billing, onCreate: "adopt" },
            },
          },
          options: { providers: ["${eu}"] },
        },
        "us-recordings": {
          type: "voiceplane:RetentionPolicy",
          properties: { resource: "recordings", retentionDays: 30 },
          options: { provider: "${us}" },
        },
        recordings: {
          type: "voiceplane:RetentionPolicy",
          properties: { resource: "recordings", retentionDays: 60 },
        },
      },
      outputs: { secrets: "${acme.webhookSecrets}", previous: "${acme.previousWebhookSecrets}" },
    });
    // VOICEPLANE_TOKEN is the default provider's alone.
    const stack = await project({ env: { VOICEPLANE_TOKEN_EU: "vp_dev_full" } });
    stack.declare(over, program("2026-Q3"));
    const sent = () => ({
      stack: stack.organization.requests(),
      eu: eu.requests().sort(),
      us: us.requests(),
    });

    const up = await stack.up();
    expect(up).toContain("+ 12 created");
    expect(up).toContain("previous: [secret]\nsecrets: [secret]");
    expect(sent()).toEqual({
      stack: ['PUT /v1/retention-policies/recordings {"retention_days":60,"enabled":true}'],
      eu: [
        "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
        "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
        'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
      ],
      us: ['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}'],
    });
    expect([stack.organization.tokens(), eu.tokens(), us.tokens()]).toEqual([["full"], ["full"], ["secondFull"]]);
    const { acme, "acme-crm": crm, "acme-recordings": recordings } = stack.state();
    expect(acme?.type).toBe("voiceplane:index:Organization");
    expect(crm?.urn).toContain(`::voiceplane:index:Organization$${type}:WebhookSecret::acme-crm`);
    expect(crm?.inputs).toMatchObject({ account: "eu", address: eu.url });
    expect(recordings?.outputs).toMatchObject({ account: "eu", onDelete: { retentionDays: 365, enabled: false } });
    // Known secrets stay known: a preview of the same program has nothing to say.
    const same = await stack.preview();
    expect(same).toContain("12 unchanged");
    expect(same).not.toMatch(/secrets|previous/);

    stack.declare(over, program("2026-Q4"));
    const rotated = await stack.up({ flags: ["--diff"] });
    expect(rotated).toContain('~ quarter: "2026-Q3" => "2026-Q4"');
    expect(rotated).toContain("~ 1 updated\n11 unchanged");
    expect(sent()).toEqual({
      stack: [],
      eu: ["POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret"],
      us: [],
    });
    const secrets = stack.reveal("secrets") as unknown as Record<string, string>;
    expect(Object.keys(secrets)).toEqual(["crm"]);
    const inUse = eu.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;
    expect(
      createHash("sha256")
        .update(secrets.crm ?? "")
        .digest("hex"),
    ).toBe(inUse);

    // Where destroy sends nothing the engine knows it, and does not ask.
    const destroyed = await stack.destroy();
    expect(destroyed).toContain("- 12 deleted");
    expect(destroyed).not.toContain("acme-crm (");
    expect(sent()).toEqual({
      stack: [],
      eu: ['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":false}'],
      us: [],
    });
  },
);

/** A trunk's setting in each of three organizations. The providers "eu-1" and "eu_1" would read the same variable. */
const settings = (urls: Readonly<Record<"us" | "first" | "second", string>>, other: string) => {
  const trunk = (of: string, dependsOn: string[]) => ({
    type: "voiceplane:TrunkOutboundAuth",
    properties: { trunkId: ids.carrierA, cleared: true, onDelete: "clear" },
    options: { provider: `\${${of}}`, dependsOn },
  });
  return {
    resources: {
      us: provider(urls.us, "vp_dev_full"),
      "eu-1": provider(urls.first, "vp_dev_full"),
      [other]: provider(urls.second, "vp_dev_second_full"),
      one: trunk("eu-1", []),
      // Its provider is checked after the first one's.
      two: trunk(other, ["${one}"]),
      // Its delete is the first one, and lasts until the engine has told each provider of the state its name.
      three: trunk("us", ["${two}"]),
    },
  };
};
const refusal =
  /the Providers "eu[-_]1" and "eu[-_]1" would both take their token from VOICEPLANE_TOKEN_EU_1: rename one of them/;

test.each(providers)(
  "%s: two providers whose names stand for one variable are refused before a request of the second one, in previews too; under two names, each has its own token",
  async (over) => {
    const [us, first, second] = [await organization(), await organization(), await organization()];
    const program = (other: string) => settings({ us: us.url, first: first.url, second: second.url }, other);
    const stack = await project();
    stack.declare(over, program("eu_1"));
    expect(await stack.run(["preview", "--stack", "dev"], { fails: true })).toMatch(refusal);
    expect(await stack.up({ fails: true })).toMatch(refusal);
    expect(second.requests()).toEqual([]);

    stack.declare(over, program("eu-2"));
    await stack.up();
    expect(first.tokens()).toEqual(["full"]);
    expect(second.tokens()).toEqual(["secondFull"]);
  },
);

// The dynamic provider knows the name of a row's provider when the engine calls it for that row, and not before.
test("native: two such providers of a state are refused before a request of either, while the variable is set", async () => {
  const [us, first, second] = [await organization(), await organization(), await organization()];
  const stack = await yamlProject(settings({ us: us.url, first: first.url, second: second.url }, "eu-2"));
  await stack.up();
  const requests = () => [...first.requests(), ...second.requests()];
  expect(requests()).toEqual([clearing, clearing]);
  // A state of a version that did not refuse it.
  const file = ".state/.pulumi/stacks/test/dev.json";
  stack.write(file, stack.read(file).replaceAll("eu-2", "eu_1"));
  us.control.setFaults([{ operation: "clearTrunkOutboundAuth", effect: "latency", latencyMs: 2_000, count: 1 }]);
  const set = { VOICEPLANE_TOKEN_EU_1: "vp_dev_full" };
  expect(await stack.destroy({ fails: true, env: set })).toMatch(refusal);
  expect(requests()).toEqual([]);
  await stack.destroy();
  expect(requests()).toEqual([clearing, clearing]);
});

test.each([
  [
    "dynamic",
    [
      "resource acme-office [pulumi-nodejs:dynamic/voiceplane:NetworkPolicy] failed to register",
      "resource acme-carrier [pulumi-nodejs:dynamic/voiceplane:TrunkOutboundAuth] failed to register",
      "resource acme-crm [pulumi-nodejs:dynamic/voiceplane:WebhookSecret] failed to register",
    ],
  ],
  [
    "native",
    ["Organization resource 'acme' has a problem: these of its resources failed: acme-office, acme-carrier, acme-crm"],
  ],
] as const)(
  "%s: with --continue-on-error, each entry of an Organization is tried whatever becomes of the others, and nothing goes on with only a part of it",
  async (over, told) => {
    const program = (quarter: string) => ({
      resources: {
        acme: {
          type: "voiceplane:Organization",
          properties: {
            networkPolicies: { office: { id: ids.office, name: quarter } },
            trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared", triggers: { quarter } } },
            webhooks: { crm: { id: ids.crm, onCreate: "rotate", triggers: { quarter } } },
          },
        },
        consumer: {
          type: "voiceplane:TrunkOutboundAuth",
          properties: { trunkId: ids.carrierB, cleared: true, triggers: { secret: "${acme.webhookSecrets.crm}" } },
        },
      },
      outputs: { secrets: "${acme.webhookSecrets}" },
    });
    const stack = await project();
    stack.declare(over, program("2026-Q3"));
    await stack.up();
    stack.organization.requests();
    const before = stack.reveal("secrets");

    stack.organization.control.setFaults([
      { operation: "patchNetworkPolicy", effect: "status", status: 422, count: 1 },
      { operation: "clearTrunkOutboundAuth", effect: "status", status: 422, count: 1 },
      { operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 1 },
    ]);
    stack.declare(over, program("2026-Q4"));
    const failed = await stack.up({ fails: true, flags: ["--continue-on-error", "--parallel", "1"] });
    expect(stack.organization.requests().sort()).toEqual([
      clearing,
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"2026-Q4"}',
      rotation,
    ]);
    for (const text of told) expect(failed).toContain(text);
    expect(stack.state()["acme-crm"]?.outputs).toMatchObject({ rotationState: "uncertain" });
    expect(stack.reveal("secrets")).toEqual(before);

    await stack.up();
    expect(stack.state()["acme-crm"]?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
    expect(stack.organization.requests().sort()).toEqual([
      clearing,
      "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth",
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"2026-Q4"}',
      rotation,
    ]);
  },
);
