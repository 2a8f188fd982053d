/** Organizations that move, providers whose names stand for one variable, and an Organization of which only a part succeeds. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explicitProvider, ids, organization } from "../../support/engine/organization";
import { filesBelow } from "../../support/engine/output";
import { project, yamlProject } from "../../support/engine/project";

const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const recordings = {
  type: "voiceplane:RetentionPolicy",
  properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" },
};
const crm = { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.crm, onCreate: "rotate" } };
const both = { resources: { recordings, crm } };

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

test.each(["dynamic", "native"] as const)(
  "%s: another base URL is another organization: a webhook cannot move there, because that would rotate its secret, and a policy is replaced",
  async (over) => {
    const moved = await organization();
    const there = { env: { VOICEPLANE_BASE_URL: moved.url } };
    const stack = await project();
    stack.declare(over, both);
    await stack.up();
    stack.organization.forgetRequests();
    const nothingIsSent = () => {
      expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
    };

    // Neither another base URL nor an explicit provider is allowed. With voiceplane:organization, only the address changes.
    expect(await stack.preview({ ...there, fails: true })).toContain(
      `the webhook belongs to the organization ${stack.organization.url}, and this provider talks to ${moved.url}. ` +
        `If only the address changed, keep the name with \`pulumi config set voiceplane:organization ${stack.organization.url}\``,
    );
    const eu = explicitProvider(moved.url, "vp_dev_full");
    stack.declare(over, { resources: { eu, recordings, crm: { ...crm, options: { provider: "${eu}" } } } });
    expect(await stack.preview({ fails: true })).toContain(
      `the webhook belongs to the organization ${stack.organization.url}, and this provider talks to eu.`,
    );
    stack.declare(over, both);
    const configuration = stack.read("Pulumi.dev.yaml");
    const named = ["-c", `voiceplane:organization=${stack.organization.url}`];
    expect(await stack.up({ ...there, flags: named })).toContain("3 unchanged");
    nothingIsSent();

    // Without the webhook, the policy is replaced, and the old one stays as it is.
    stack.write("Pulumi.dev.yaml", configuration);
    stack.declare(over, { resources: { recordings } });
    const output = await stack.up({ ...there, flags: ["--diff"] });
    expect(output).toContain(`~ organization: "${stack.organization.url}" => "${moved.url}"`);
    expect(output).toContain("+-1 replaced");
    expect(output).toContain("so nothing was sent and the object there stays as it is");
    expect(moved.requests()).toEqual([put]);
    expect(stack.organization.requests()).toEqual([]);

    // A destroy through the old address sends nothing to either address.
    const destroyed = await stack.destroy();
    expect(destroyed).toContain(`this provider talks to ${stack.organization.url}, so nothing was sent`);
    nothingIsSent();
  },
);

test.each(["dynamic", "native"] as const)(
  "%s: the diff shows a new address even when the organization keeps its name, and the update sends nothing",
  async (over) => {
    const moved = await organization();
    const stack = await project({ env: { VOICEPLANE_BASE_URL: undefined } });
    stack.declare(over, both);
    const initial = stack.read("Pulumi.dev.yaml");
    const configure = (baseUrl: string) => {
      const config = `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${baseUrl}\n`;
      stack.write("Pulumi.dev.yaml", initial + config);
    };
    configure(stack.organization.url);
    await stack.up();
    stack.organization.forgetRequests();

    configure(moved.url);
    const output = await stack.up({ flags: ["--diff"] });
    expect(output).toContain(`~ address: "${stack.organization.url}" => "${moved.url}"`);
    expect(output).toContain("~ 2 updated");
    expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);

    // A second up changes nothing. The pipeline's environment wins over the configuration in a pull request.
    configure("https://elsewhere.example.com");
    expect(await stack.up({ env: { VOICEPLANE_BASE_URL: moved.url } })).toContain("3 unchanged");
    expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
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
      us: explicitProvider(urls.us, "vp_dev_full"),
      "eu-1": explicitProvider(urls.first, "vp_dev_full"),
      [other]: explicitProvider(urls.second, "vp_dev_second_full"),
      one: trunk("eu-1", []),
      // Its provider is checked after the first one's.
      two: trunk(other, ["${one}"]),
      // Its delete is the first one.
      three: trunk("us", ["${two}"]),
    },
  };
};
const refusal =
  /the Providers "eu[-_]1" and "eu[-_]1" would both take their token from VOICEPLANE_TOKEN_EU_1: rename one of them/;

test.each(["dynamic", "native"] as const)(
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
  // The first delete is held until each of the two providers has noted its name.
  us.control.setFaults([{ operation: "clearTrunkOutboundAuth", hold: "before", count: 1 }]);
  const folder = join(stack.folder, "notes");
  mkdirSync(folder);
  const refused = stack.destroy({ fails: true, env: { VOICEPLANE_TOKEN_EU_1: "vp_dev_full", TMPDIR: folder } });
  await us.control.held();
  const notes = () =>
    filesBelow(folder)
      .map((path) => readFileSync(path, "utf8"))
      .join("");
  await stack.until(() => ['"eu-1"', '"eu_1"'].every((name) => notes().includes(name)));
  us.control.release();
  expect(await refused).toMatch(refusal);
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
            onCreate: "overwrite",
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
      { operation: "patchNetworkPolicy", status: 422, count: 1 },
      { operation: "clearTrunkOutboundAuth", status: 422, count: 1 },
      { operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 1 },
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
