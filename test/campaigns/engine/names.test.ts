/** Names in the letters of every script, and mistakes in a program in YAML, with the real engine. */
import { organizationProject } from "../../support/engine/organization-file";
import { ids } from "../../support/engine/organization";
import { yamlProject, type Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

const command = async (stack: Project, ...args: readonly string[]) => (await voiceplane(stack, args)).stdout;

const organization = (days: unknown) => ({
  onCreate: "adopt",
  retention: { recordings: { days } },
  trunks: { 東京: { id: ids.carrierA, outboundAuth: "cleared" } },
  webhooks: { Zürich: { id: ids.crm } },
});

test("a name with letters of another script is a resource like any other", async () => {
  const stack = await organizationProject(JSON.stringify(organization(90)));
  expect(await command(stack, "preview", "--stack", "dev")).toContain("Zürich: adopted");
  await stack.up();
  expect(Object.keys(stack.state())).toEqual(expect.arrayContaining(["org-Zürich", "org-東京"]));
  expect(await command(stack, "status", "--stack", "dev")).toMatch(/^trunk +東京 /m);
  const urn = String(stack.state()["org-Zürich"]?.urn);
  expect(await stack.up({ flags: ["--target", urn] })).not.toMatch(/created|updated|deleted/);
  expect(await stack.up()).toContain("unchanged");
});

test("validate finds in Pulumi.yaml what the engine would refuse, before a run", async () => {
  const resources = (days: unknown) => ({
    org: { type: "voiceplane:Organization", properties: organization(days) },
  });
  const stack = await yamlProject({ resources: resources(0) });
  const problem = "retention.recordings.days: must be a whole number of days from 1 to 3650";
  expect(await command(stack, "validate")).toMatch(new RegExp(`^Pulumi\\.yaml:\\d+:\\d+ org: ${problem}$`, "m"));
  expect(await stack.preview({ fails: true })).toContain(problem);
  stack.yaml({ config: { days: { type: "integer", default: 90 } }, resources: resources("${days}") });
  expect(await command(stack, "validate")).toMatch(/^no problems in Pulumi\.yaml/);
  await stack.up();
  expect(stack.state()["org-recordings"]?.outputs).toMatchObject({ retentionDays: 90, confirmed: false });
});
