/** Names in the letters of every script, with the real engine. */
import { ids } from "../../support/engine/organization";
import { organizationProject } from "../../support/engine/project";

const organization = {
  onCreate: "adopt",
  retention: { recordings: { days: 90 } },
  trunks: { 東京: { id: ids.carrierA, outboundAuth: "cleared" } },
  webhooks: { Zürich: { id: ids.crm } },
};

test("a name with letters of another script is a resource like any other", async () => {
  const stack = await organizationProject(JSON.stringify(organization));
  expect((await stack.voiceplane(["preview"])).stdout).toContain("Zürich: adopted");
  await stack.up();
  expect(Object.keys(stack.state())).toEqual(expect.arrayContaining(["org-Zürich", "org-東京"]));
  expect((await stack.voiceplane(["status"])).stdout).toMatch(/^TrunkOutboundAuth +東京 /m);
  const urn = String(stack.state()["org-Zürich"]?.urn);
  expect(await stack.up({ flags: ["--target", urn] })).not.toMatch(/created|updated|deleted/);
  expect(await stack.up()).toContain("unchanged");
});
