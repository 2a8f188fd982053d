/** `pulumi import` of a webhook, and the refusal of what the control plane cannot read, with the real engine. */
import { ids } from "../../support/engine/organization";
import { project, yamlProject } from "../../support/engine/project";
import { crm, recordings } from "../../support/engine/yaml-program";

const instead = 'cannot be imported from a file with its values. Declare it with onCreate: "adopt" instead';
const importing = ["import", "--file", "import.json", "--yes", "--protect=false", "--stack", "dev"];

test("without a file, a webhook is imported as it is, and rotates later without a doubt, and nothing else can be imported", async () => {
  const billing = crm({ webhookId: ids.billing, onCreate: "adopt" });
  const stack = await yamlProject({ resources: { billing } });
  const flags = ["--yes", "--skip-preview", "--protect=false", "--stack", "dev"];
  const importOf = (...object: readonly string[]) => ["import", ...object, ...flags];
  const printed = await stack.run(importOf("voiceplane:index:WebhookSecret", "billing", ids.billing));
  expect(printed).toContain(`onCreate: adopt\nwebhookId: ${ids.billing}`);
  expect(printed).not.toContain("warning");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.state().billing?.outputs).toMatchObject({ rotationState: "adopted", rotationCount: 0 });
  const policy = importOf("voiceplane:index:RetentionPolicy", "recordings", "recordings");
  expect(await stack.run(policy, { fails: true })).toContain("a RetentionPolicy cannot be imported");
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
  stack.yaml({ resources: { billing: crm({ webhookId: ids.billing, onCreate: "adopt", triggers: { n: 1 } }) } });
  expect(await stack.up()).not.toMatch(/may have been carried out|it is unknown whether/);
  expect(stack.organization.requests()).toEqual([`POST /v1/webhooks/${ids.billing}/rotate-secret`]);
});

/** A file for `pulumi import` whose values the engine does not ask for. */
const fileOf = (type: string, name: string, inputs: object, outputs?: object): string =>
  JSON.stringify({ resources: [{ type, name, id: name, inputs, ...(outputs && { outputs }) }] });

test("a file with inputs and outputs is refused by both providers, before anything is stored", async () => {
  const values = { resource: "recordings", onCreate: "adopt", retentionDays: 365 };
  const yaml = await yamlProject({ resources: { recordings: recordings(365, { onCreate: "adopt" }) } });
  yaml.write("import.json", fileOf("voiceplane:index:RetentionPolicy", "recordings", values, values));
  expect(await yaml.run(importing, { fails: true })).toContain(instead);
  const program =
    'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "adopt", retentionDays: 365 });';
  const dynamic = await project({ program });
  const __provider = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
  const type = "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy";
  dynamic.write("import.json", fileOf(type, "recordings", { ...values, __provider }, { ...values, __provider }));
  expect(await dynamic.run([...importing, "--generate-code=false"], { fails: true })).toContain(instead);
  for (const stack of [yaml, dynamic]) expect(stack.state().recordings).toBeUndefined();
});

test("a webhook whose file has its secret is refused before the secret is stored", async () => {
  const stack = await yamlProject({ resources: { crm: crm({ onCreate: "adopt" }) } });
  const inputs = { webhookId: ids.crm, onCreate: "adopt", initialSecret: "whsec_plain" };
  stack.write("import.json", fileOf("voiceplane:index:WebhookSecret", ids.crm, inputs));
  expect(await stack.run(importing, { fails: true })).toContain(instead);
  expect(stack.everything()).not.toContain("whsec_plain");
});
