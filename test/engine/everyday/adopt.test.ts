/** An organization that is in use, taken over without a request, with the real engine. */
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { resource } from "../../support/engine/declared";

const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;
const patch = (cidr: string) => `PATCH /v1/network-policies/${ids.office} {"source_cidr":"${cidr}"}`;

/** Of an organization that keeps recordings for 730 days, which its owner takes for 365. */
const args = (days = 365, cidr = "203.0.113.0/24") => ({
  onCreate: "adopt",
  retention: { recordings: { days } },
  networkPolicies: { office: { id: ids.office, sourceCidr: cidr } },
  trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared" } },
  webhooks: { crm: { id: ids.crm } },
});

const sent = (stack: Project) => stack.organization.requests().filter((request) => !request.startsWith("GET "));
const refusal = "365 => 90 deletes recordings older than 90 days for good";
const edited = [500, "203.0.113.0/25"] as const;

function expectEdited(stack: Project): void {
  expect(sent(stack).sort()).toEqual([patch("203.0.113.0/25"), put(500)]);
  expect(stack.state()["org-recordings"]?.outputs).not.toHaveProperty("confirmed");
}

test("the organization file: nothing is sent until a person changes something, and every step says so", async () => {
  const stack = await project();
  stack.declareFile(JSON.stringify(args()));
  const output = async (...command: readonly string[]) => (await stack.voiceplane(command)).stdout;
  const declare = (...values: Parameters<typeof args>) => {
    stack.write("organization.yaml", JSON.stringify(args(...values)));
  };
  expect(await output("preview")).toContain("no requests, 4 other changes");
  await stack.up();
  expect(await stack.up({ flags: ["--refresh"] })).not.toMatch(/created|updated/);
  expect(sent(stack)).toEqual([]);
  const { "org-recordings": recordings, "org-carrier": carrier } = stack.state();
  expect(recordings?.outputs).toMatchObject({ retentionDays: 365, confirmed: false });
  expect(carrier?.outputs).toMatchObject({ cleared: true, confirmed: false });
  const status = await output("status");
  expect(status.match(/^(RetentionPolicy|NetworkPolicy|TrunkOutboundAuth) .* adopted, not sent /gm)).toHaveLength(3);
  expect(status).toContain("\n4 objects: 1 ok, 3 adopted\n");

  declare(90);
  expect(await stack.up({ fails: true })).toContain(refusal);
  expect(sent(stack)).toEqual([]);

  declare(...edited);
  const report = await output("preview", "--format", "markdown");
  expect(report).toContain("sets `retentionDays: 365 → 500, enabled: true` (adopted, never sent)");
  expect(report).toContain('sets `sourceCidr: "203.0.113.0/24" → "203.0.113.0/25"` (adopted, never sent)');
  expect(report).toContain("deletes data");
  await stack.up();
  expectEdited(stack);
  expect((await output("status")).match(/ adopted, not sent /g)).toHaveLength(1);
  expect(await stack.up()).not.toMatch(/created|updated/);
});

test("YAML over the plugin: nothing is sent either, also by a refresh, until a person changes something", async () => {
  const yaml = (...values: Parameters<typeof args>) => ({
    resources: { org: resource("Organization", args(...values)) },
  });
  const stack = await project();
  stack.declare("native", yaml());
  await stack.up();
  stack.declare("native", yaml(90));
  expect(await stack.up({ flags: ["--refresh"], fails: true })).toContain(refusal);
  expect(sent(stack)).toEqual([]);
  stack.declare("native", yaml(...edited));
  expect(await stack.up()).toContain("this update deletes data");
  expectEdited(stack);
});

test("an entry of the organization file adopts a webhook with the secret of the configuration, and sends nothing", async () => {
  const stack = await project();
  stack.declareFile({ webhooks: { crm: { id: ids.crm, onCreate: "adopt", initialSecret: "crmSecret" } } });
  expect(await stack.up({ fails: true })).toContain(
    "webhooks.crm.initialSecret: the configuration has no secret of this name",
  );
  await stack.run(["config", "set", "--secret", "crmSecret", "whsec-known-to-the-receiver", "--stack", "dev"]);
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  const crm = stack.inClear().find(({ urn }) => urn.endsWith("-crm"));
  expect(crm?.outputs).toMatchObject({ secret: "whsec-known-to-the-receiver", rotationState: "adopted" });
  expect(JSON.stringify(stack.deployment())).not.toContain("whsec-known-to-the-receiver");
});
