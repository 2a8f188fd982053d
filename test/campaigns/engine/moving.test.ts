/** A stack moves between the dynamic provider and the plugin, there and back: nothing is sent, and everything works after. */
import { hash } from "node:crypto";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { crm, explicitProvider, recordings, resource, type YamlProgram } from "../../support/engine/declared";

const organization = (quarter: string) => ({
  onCreate: "overwrite",
  retention: { conversations: { days: 90, onDelete: "disable" } },
  trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared", triggers: { quarter } } },
  webhooks: { billing: { id: ids.billing, onCreate: "rotate", triggers: { quarter } } },
});

/** Single resources, and an Organization with a Provider of its own. The second quarter's policy has another name. */
const javascript = (quarter: string, office = "office") => `
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" });
  new NetworkPolicy("${office}", { networkPolicyId: "${ids.office}", onCreate: "overwrite", name: "HQ" });
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", rotateAfter: "90d", triggers: { quarter: "${quarter}" } });
  const eu = new Provider("eu", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });
  const acme = new Organization("acme", ${JSON.stringify(organization(quarter))}, { providers: [eu] });
  Object.assign(exports, { secret: crm.secret, previous: crm.previousSecret, secrets: acme.webhookSecrets });`;

const yaml = (baseUrl: string, quarter: string): YamlProgram => ({
  resources: {
    eu: explicitProvider(baseUrl, "vp_dev_full"),
    recordings: recordings(90, { onDelete: "disable" }),
    hq: resource(
      "NetworkPolicy",
      { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ" },
      // A rename in the same step has to name the old type.
      { aliases: [{ name: "office", type: "pulumi-nodejs:dynamic/voiceplane:NetworkPolicy" }] },
    ),
    crm: crm({ rotateAfter: "90d", triggers: { quarter } }),
    acme: resource("Organization", organization(quarter), { providers: ["${eu}"] }),
  },
  outputs: { secret: "${crm.secret}", secrets: "${acme.webhookSecrets}" },
});

const edited = [
  "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
  "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret",
];
const disabled = ["conversations", "recordings"].map(
  (kind) => `PUT /v1/retention-policies/${kind} {"retention_days":90,"enabled":false}`,
);
const list = "GET /v1/webhooks/";

const typesIn = (stack: Project) =>
  Object.values(stack.state()).flatMap(({ type }) => (type === "voiceplane:index:Organization" ? [] : [type]));
const six = (type: RegExp) => Array<unknown>(6).fill(expect.stringMatching(type));
const dynamic = six(/^pulumi-nodejs:dynamic\/voiceplane:\w+$/);
const native = six(/^voiceplane:index:\w+$/);

test("from the dynamic provider to YAML, back, and to the plugin's classes: unchanged or updates without a request, and each can go on", async () => {
  const stack = await project();
  stack.declare("dynamic", javascript("2026-Q3"));
  const sent = () => stack.organization.requests().sort();
  await stack.up();
  expect(typesIn(stack)).toEqual(dynamic);
  sent();

  // The providers come and go; what they manage stays.
  stack.declare("native", yaml(stack.organization.url, "2026-Q3"));
  expect(await stack.up()).toContain("8 unchanged");
  expect(sent()).toEqual([]);
  expect(typesIn(stack)).toEqual(native);
  const inUse = stack.organization.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;

  // In the plugin's hands it can be refreshed and edited.
  stack.declare("native", yaml(stack.organization.url, "2026-Q4"));
  expect(await stack.up({ flags: ["--refresh"] })).toContain("~ 3 updated");
  expect(sent()).toEqual([edited[0], list, list, ...edited.slice(1)]);

  // Back: the states that the plugin has written lack what the dynamic provider needs. Their updates send nothing.
  stack.declare("dynamic", javascript("2026-Q4", "hq"));
  expect(await stack.up()).toContain("~ 3 updated");
  expect(sent()).toEqual([]);
  expect(typesIn(stack)).toEqual(dynamic);
  const outputs = { rotationCount: 2, secret: "[secret]", previousSecret: "[secret]" };
  expect(stack.state().crm?.outputs).toMatchObject(outputs);
  expect(await stack.refresh()).toContain("9 unchanged");
  expect(sent()).toEqual([list, list]);

  stack.declare("native", javascript("2026-Q4", "hq"));
  expect(await stack.up()).toContain("8 unchanged");
  expect(sent()).toEqual([]);
  expect(typesIn(stack)).toEqual(native);
  // The secret that the dynamic provider got came through all of this.
  const previous = stack.reveal("previous") ?? "";
  expect(hash("sha256", previous)).toBe(inUse);
  await stack.destroy();
  expect(sent()).toEqual(disabled);
});
