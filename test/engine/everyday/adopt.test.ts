/** An organization that is in use, taken over without a request, with the real engine. */
import { organizationProject } from "../../support/engine/organization-file";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

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

const yaml = (...values: Parameters<typeof args>) => ({
  resources: { org: { type: "voiceplane:Organization", properties: args(...values) } },
});

const program = (...values: Parameters<typeof args>) => `new Organization("org", ${JSON.stringify(args(...values))});`;

interface Door {
  readonly make: () => Promise<Project>;
  readonly declare: (stack: Project, ...values: Parameters<typeof args>) => void;
}

const doors: Record<string, Door> = {
  "the organization file": {
    make: () => organizationProject(JSON.stringify(args())),
    declare: (stack, ...values) => {
      stack.write("organization.yaml", JSON.stringify(args(...values)));
    },
  },
  "a program": {
    make: () => project({ program: program() }),
    declare: (stack, ...values) => {
      stack.program(program(...values));
    },
  },
  YAML: {
    make: () => yamlProject(yaml()),
    declare: (stack, ...values) => {
      stack.yaml(yaml(...values));
    },
  },
};

const sent = (stack: Project) => stack.organization.requests().filter((request) => !request.startsWith("GET "));
const output = async (stack: Project, ...command: readonly string[]) =>
  (await voiceplane(stack, [...command, "--stack", "dev"])).stdout;

describe.each(Object.entries(doors))("%s", (_name, { make, declare }) => {
  test("nothing is sent until a person changes something, and every step says so", async () => {
    const stack = await make();
    expect(await output(stack, "preview", "--format", "summary")).toBe("preview: no requests, 4 other changes\n");
    await stack.up();
    await stack.run(["refresh", "--stack", "dev", "--yes"]);
    expect(await stack.up()).not.toMatch(/created|updated/);
    expect(sent(stack)).toEqual([]);
    const { "org-recordings": recordings, "org-carrier": carrier } = stack.state();
    expect(recordings?.outputs).toMatchObject({ retentionDays: 365, confirmed: false });
    expect(carrier?.outputs).toMatchObject({ cleared: true, confirmed: false });
    const status = await output(stack, "status");
    expect(status.match(/^(retention|network|trunk) .* adopted, not sent /gm)).toHaveLength(3);
    expect(status).toContain("\n4 objects: 4 ok\n");

    declare(stack, 90);
    expect(await stack.up({ fails: true })).toContain("365 => 90 deletes recordings older than 90 days for good");
    expect(sent(stack)).toEqual([]);

    declare(stack, 500, "203.0.113.0/25");
    const report = await output(stack, "preview", "--format", "markdown");
    expect(report).toContain("365 → 500 days; may delete what is older: 365 days adopted, not confirmed");
    expect(report).toContain("replaces 203.0.113.0/24, which was adopted and is not confirmed");
    expect(report).toContain("deletes data");
    await stack.up();
    expect(sent(stack).sort()).toEqual([patch("203.0.113.0/25"), put(500)]);
    expect(stack.state()["org-recordings"]?.outputs).not.toHaveProperty("confirmed");
    expect((await output(stack, "status")).match(/ adopted, not sent /g)).toHaveLength(1);
    expect(await stack.up()).not.toMatch(/created|updated/);
  });
});
