/** `pulumi import` of a webhook, and of what the control plane cannot read from a file that has inputs and outputs, with the real engine. */
import { blocks } from "../../support/docs/documents";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";

const office = { networkPolicyId: ids.office, sourceCidr: "203.0.113.0/24", onCreate: "adopt" };
const resources = {
  recordings: recordings(365, { onCreate: "adopt" }),
  office: resource("NetworkPolicy", office),
  carrier: resource("TrunkOutboundAuth", { trunkId: ids.carrierA, cleared: true }),
  crm: crm({ onCreate: "adopt" }),
};
type Name = keyof typeof resources;
const objects: Record<Name, string> = {
  recordings: "recordings",
  office: ids.office,
  carrier: ids.carrierA,
  crm: ids.crm,
};

interface Added {
  readonly inputs?: object;
  readonly outputs?: object;
}

/** @param added to what is declared, by the names of the resources */
const importFile = (added: Partial<Record<Name, Added>>) =>
  JSON.stringify({
    resources: Object.entries(resources).map(([name, { type, properties }]) => {
      const { inputs = {}, outputs = {} } = added[name as Name] ?? {};
      const { onCreate: _, ...values } = properties as { onCreate?: string };
      return {
        type: type.replace(":", ":index:"),
        name,
        id: objects[name as Name],
        inputs: { ...properties, ...inputs },
        outputs: { ...values, ...outputs },
      };
    }),
  });

const importing = ["import", "--file", "import.json", "--yes", "--skip-preview", "--protect=false", "--stack", "dev"];

async function imported(added: Partial<Record<Name, Added>>): Promise<Project> {
  const stack = await yamlProject({ resources });
  stack.write("import.json", importFile(added));
  expect(await stack.run(importing)).toContain("= 4 imported");
  return stack;
}

const command = async (stack: Project, ...args: readonly string[]) => (await stack.voiceplane(args)).stdout;

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

test("an import sends nothing, and every step says that nothing is confirmed, whatever the file says, and after a refresh", async () => {
  const stack = await imported({ recordings: { outputs: { confirmed: true } } });
  await stack.refresh();
  const status = await command(stack, "status");
  expect(status.match(/^(retention|network|trunk) .* adopted, not sent .* ok$/gm)).toHaveLength(3);
  expect(status).toMatch(/^webhook +crm +- .* ok$/m);
  for (const text of [status, await command(stack, "preview", "--format", "markdown")])
    expect(text).not.toContain("undefined");
  await stack.up();
  expect(await stack.up()).toContain("5 unchanged");
  const organization = stack.organization.url;
  expect(stack.state().recordings?.outputs).toMatchObject({ organization, enabled: true, confirmed: false });
  expect(stack.state().crm?.outputs).toMatchObject({ organization, rotationState: "adopted", rotationCount: 0 });
  // A refresh looks the webhook up.
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
});

test("the first update compares with the outputs too, which may say more days than the inputs", async () => {
  const stack = await imported({ recordings: { outputs: { retentionDays: 730, enabled: true } } });
  expect(await stack.up({ fails: true })).toContain("730 => 365 deletes recordings older than 365 days for good");
  expect(stack.organization.requests()).toEqual([]);
});

test("a secret among the inputs is refused before it is stored, one among the outputs by the first run that sees it, until it is removed", async () => {
  const stack = await yamlProject({ resources });
  stack.write("import.json", importFile({ crm: { inputs: { initialSecret: "whsec_plain" } } }));
  // Without the preview, a checkpoint of the engine has the inputs of an import that has begun.
  const previewed = importing.filter((argument) => argument !== "--skip-preview");
  expect(await stack.run(previewed, { fails: true })).toContain('an import file must not have "initialSecret"');
  expect(stack.everything()).not.toContain("whsec_plain");

  stack.write("import.json", importFile({ crm: { outputs: { secret: "whsec_plain", rotationState: "adopted" } } }));
  await stack.run(importing);
  const refusal = `WebhookSecret "${ids.crm}" of ${stack.organization.url}: an import file must not have "secret"`;
  expect(await stack.up({ fails: true })).toContain(refusal);
  expect(await stack.refresh({ fails: true })).toContain(refusal);
  await stack.run(["state", "delete", String(stack.state().crm?.urn), "--yes", "--stack", "dev"]);
  await stack.up();
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "adopted" });
  expect(stack.organization.requests()).not.toContainEqual(expect.stringMatching(/^(POST|PUT|PATCH|DELETE) /));
});

/** A policy from a file, whose first update sends nothing and whose second one changes nothing. */
async function expectAdopted(stack: Project, file: string, more: readonly string[] = []): Promise<void> {
  stack.write("import.json", file);
  await stack.run([...importing, ...more]);
  expect(await stack.up()).toContain("~ 1 updated");
  expect(stack.state().recordings?.outputs).toMatchObject({ retentionDays: 365, confirmed: false });
  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
}

test("the dynamic provider does the same where the file names it, and no code is generated", async () => {
  const stack = await project({
    program:
      'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 365 });',
  });
  const __provider = 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")';
  const values = { ...resources.recordings.properties, __provider };
  const type = "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy";
  const policy = { type, name: "recordings", id: "recordings", inputs: values, outputs: values };
  await expectAdopted(stack, JSON.stringify({ resources: [policy] }), ["--generate-code=false"]);
});

test("the file of the page can be imported as the page says", async () => {
  const page = "docs/guides/use-yaml-python-or-go.md";
  const shown = blocks.find(({ file, text }) => file === page && text.includes('"outputs"'));
  const stack = await yamlProject({ resources: { recordings: resources.recordings } });
  await expectAdopted(stack, shown?.text ?? "");
});
