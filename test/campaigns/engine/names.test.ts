/** Names in the letters of every script, with the real engine. */
import { organizationProject } from "../../support/engine/organization-file";
import { ids } from "../../support/engine/organization";
import type { Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

const command = async (stack: Project, ...args: readonly string[]) => (await voiceplane(stack, args)).stdout;

const organization = {
  onCreate: "adopt",
  retention: { recordings: { days: 90 } },
  trunks: { 東京: { id: ids.carrierA, outboundAuth: "cleared" } },
  webhooks: { Zürich: { id: ids.crm } },
};

test("a name with letters of another script is a resource like any other", async () => {
  const stack = await organizationProject(JSON.stringify(organization));
  expect(await command(stack, "preview", "--stack", "dev")).toContain("Zürich: adopted");
  await stack.up();
  expect(Object.keys(stack.state())).toEqual(expect.arrayContaining(["org-Zürich", "org-東京"]));
  expect(await command(stack, "status", "--stack", "dev")).toMatch(/^trunk +東京 /m);
  const urn = String(stack.state()["org-Zürich"]?.urn);
  expect(await stack.up({ flags: ["--target", urn] })).not.toMatch(/created|updated|deleted/);
  expect(await stack.up()).toContain("unchanged");
});
