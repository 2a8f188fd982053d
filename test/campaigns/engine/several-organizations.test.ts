/** Providers whose names stand for one variable, and an Organization of which only a part succeeds. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explicitProvider, ids, organization } from "../../support/engine/organization";
import { filesBelow } from "../../support/engine/output";
import { project, yamlProject } from "../../support/engine/project";

const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

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
