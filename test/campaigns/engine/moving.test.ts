/** A stack moves between the dynamic provider and the plugin, there and back: nothing is sent, and everything works after. */
import { createHash } from "node:crypto";
import { ids } from "../../support/engine/organization";
import { project, type Project, type YamlProgram } from "../../support/engine/project";

const javascript = (quarter: string, office = "office") => `
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" });
  new NetworkPolicy("${office}", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "HQ" });
  new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true, triggers: { quarter: "${quarter}" } });
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", rotateAfter: "90d", triggers: { quarter: "${quarter}" } });
  exports.secret = crm.secret;`;

const yaml = (quarter: string, others: object = {}): YamlProgram => ({
  resources: {
    ...others,
    recordings: {
      type: "voiceplane:RetentionPolicy",
      properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" },
    },
    // A rename in the same step has to name the old type.
    hq: {
      type: "voiceplane:NetworkPolicy",
      properties: { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" },
      options: { aliases: [{ name: "office", type: "pulumi-nodejs:dynamic/voiceplane:NetworkPolicy" }] },
    },
    carrier: {
      type: "voiceplane:TrunkOutboundAuth",
      properties: { trunkId: ids.carrierA, cleared: true, triggers: { quarter } },
    },
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate", rotateAfter: "90d", triggers: { quarter } },
    },
  },
  outputs: { secret: "${crm.secret}" },
});

const edited = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
];
const disabled = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}';

/** Declared in YAML first. */
const billing = { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.billing, onCreate: "adopt" } };
const javascriptBilling = `new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "adopt" });`;

const typesIn = (stack: Project) => Object.values(stack.state()).map(({ type }) => type);
const dynamicType = expect.stringMatching(/^pulumi-nodejs:dynamic\/voiceplane:\w+$/) as string;
const nativeType = expect.stringMatching(/^voiceplane:index:\w+$/) as string;

test("from the dynamic provider to YAML, back, and to the plugin's classes: unchanged or updates without a request, and each can go on", async () => {
  const stack = await project({ program: javascript("2026-Q3") });
  const sent = () => stack.organization.requests().sort();
  await stack.up();
  expect(typesIn(stack)).toEqual([dynamicType, dynamicType, dynamicType, dynamicType]);
  sent();

  stack.yaml(yaml("2026-Q3"));
  expect(await stack.up()).toContain("5 unchanged");
  expect(sent()).toEqual([]);
  expect(typesIn(stack)).toEqual([nativeType, nativeType, nativeType, nativeType]);
  const inUse = stack.organization.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;

  // In the plugin's hands it can be refreshed and edited, and can grow.
  stack.yaml(yaml("2026-Q4", { billing }));
  expect(await stack.up({ flags: ["--refresh"] })).toContain("+ 1 created\n~ 2 updated");
  expect(sent()).toEqual([edited[0], "GET /v1/webhooks/", edited[1]]);

  // Back: the rows that the plugin has written lack what the dynamic provider needs. Their updates send nothing.
  stack.dynamic(javascript("2026-Q4", "hq") + javascriptBilling);
  expect(await stack.up()).toContain("~ 3 updated\n3 unchanged");
  expect(sent()).toEqual([]);
  expect(typesIn(stack)).toEqual([dynamicType, dynamicType, dynamicType, dynamicType, dynamicType]);
  expect(stack.state().crm?.outputs).toMatchObject({
    rotationCount: 2,
    secret: "[secret]",
    previousSecret: "[secret]",
  });
  expect(await stack.refresh()).toContain("6 unchanged");
  expect(sent()).toEqual(["GET /v1/webhooks/"]);

  stack.native(javascript("2026-Q4", "hq") + javascriptBilling + "exports.previous = crm.previousSecret;");
  expect(await stack.up()).toContain("6 unchanged");
  // The secret that the dynamic provider got came through all of this.
  const previous = stack.reveal("previous") ?? "";
  expect(createHash("sha256").update(previous).digest("hex")).toBe(inUse);
  expect(await stack.destroy()).toContain("- 6 deleted");
  expect(sent()).toEqual([disabled]);
});

const component = (quarter: string) => `
  const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });
  const acme = new Organization("acme", {
    onCreate: "overwrite",
    retention: { recordings: { days: 90, onDelete: "disable" } },
    networkPolicies: { office: { id: "${ids.office}", name: "HQ" } },
    trunks: { carrier: { id: "${ids.carrierA}", outboundAuth: "cleared", triggers: { quarter: "${quarter}" } } },
    webhooks: { crm: { id: "${ids.crm}", onCreate: "rotate", triggers: { quarter: "${quarter}" } } },
  }, { providers: [eu] });
  exports.secrets = acme.webhookSecrets;`;

const yamlComponent = (baseUrl: string, quarter: string): YamlProgram => ({
  resources: {
    eu: { type: "pulumi:providers:voiceplane", properties: { baseUrl, token: { "fn::secret": "vp_dev_full" } } },
    acme: {
      type: "voiceplane:Organization",
      properties: {
        onCreate: "overwrite",
        retention: { recordings: { days: 90, onDelete: "disable" } },
        networkPolicies: { office: { id: ids.office, name: "HQ" } },
        trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared", triggers: { quarter } } },
        webhooks: { crm: { id: ids.crm, onCreate: "rotate", triggers: { quarter } } },
      },
      options: { providers: ["${eu}"] },
    },
  },
  outputs: { secrets: "${acme.webhookSecrets}" },
});

test("an Organization with a Provider of its own moves to YAML and to the plugin's classes, and back to the dynamic provider", async () => {
  const stack = await project({ program: component("2026-Q3") });
  const sent = () => stack.organization.requests().sort();
  await stack.up();
  sent();

  // The providers come and go; what they manage stays.
  stack.yaml(yamlComponent(stack.organization.url, "2026-Q3"));
  const preview = await stack.preview();
  expect(preview).toContain("+ 1 to create\n- 1 to delete");
  expect(preview).toContain("6 unchanged");
  expect(sent()).toEqual([]);
  // A move and an edit in one step.
  stack.yaml(yamlComponent(stack.organization.url, "2026-Q4"));
  expect(await stack.up()).toContain("~ 2 updated");
  expect(sent()).toEqual(edited);

  stack.native(component("2026-Q4"));
  expect(await stack.preview()).toContain("7 unchanged");
  stack.dynamic(component("2026-Q4"));
  expect(await stack.up()).toContain("~ 2 updated");
  expect(sent()).toEqual([]);
  expect(await stack.destroy({ flags: ["--refresh"] })).toContain("- 7 deleted");
  expect(sent()).toEqual(["GET /v1/webhooks/", disabled]);
});
