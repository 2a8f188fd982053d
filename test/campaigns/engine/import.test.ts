/** `pulumi import` of a webhook, and of what the control plane cannot read from a file that has inputs and outputs, with the real engine. */
import { blocks } from "../../support/docs/documents";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

const properties = {
  RetentionPolicy: { resource: "recordings", retentionDays: 365, onCreate: "adopt" },
  NetworkPolicy: { networkPolicyId: ids.office, sourceCidr: "203.0.113.0/24", onCreate: "adopt" },
  TrunkOutboundAuth: { trunkId: ids.carrierA, cleared: true },
  WebhookSecret: { webhookId: ids.crm, onCreate: "adopt" },
};
const names = {
  RetentionPolicy: "recordings",
  NetworkPolicy: "office",
  TrunkOutboundAuth: "carrier",
  WebhookSecret: "crm",
};
const objects = {
  RetentionPolicy: "recordings",
  NetworkPolicy: ids.office,
  TrunkOutboundAuth: ids.carrierA,
  WebhookSecret: ids.crm,
};

type Type = keyof typeof properties;
const types = Object.keys(properties) as Type[];

const yaml = (changes: Partial<Record<Type, object>> = {}) => ({
  resources: Object.fromEntries(
    types.map((type) => [
      names[type],
      { type: `voiceplane:${type}`, properties: { ...properties[type], ...changes[type] } },
    ]),
  ),
});

/** @param outputs of each type, in addition to the declared values */
const importFile = (outputs: Partial<Record<Type, object>> = {}, inputs: Partial<Record<Type, object>> = {}) =>
  JSON.stringify({
    resources: types.map((type) => {
      const { onCreate, ...values } = properties[type] as { onCreate?: string };
      return {
        type: `voiceplane:index:${type}`,
        name: names[type],
        id: objects[type],
        inputs: { ...properties[type], ...inputs[type] },
        outputs: { ...values, ...outputs[type] },
      };
    }),
  });

const importing = ["import", "--file", "import.json", "--yes", "--skip-preview", "--protect=false", "--stack", "dev"];

async function imported(file = importFile()): Promise<Project> {
  const stack = await yamlProject(yaml());
  stack.write("import.json", file);
  expect(await stack.run(importing)).toContain("= 4 imported");
  return stack;
}

const command = async (stack: Project, ...args: readonly string[]) => {
  const { stdout, stderr } = await voiceplane(stack, [...args, "--stack", "dev"]);
  return stdout + stderr;
};

test("without a file, a webhook is imported as it is, and nothing else can be", async () => {
  const billing = { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.billing, onCreate: "adopt" } };
  const stack = await yamlProject({ resources: { billing } });
  const flags = ["--yes", "--skip-preview", "--protect=false", "--stack", "dev"];
  const importOf = (type: Type, name: string, id: string) => ["import", `voiceplane:index:${type}`, name, id, ...flags];
  const printed = await stack.run(importOf("WebhookSecret", "billing", ids.billing));
  expect(printed).toContain(`onCreate: adopt\nwebhookId: ${ids.billing}`);
  expect(printed).not.toContain("warning");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.state().billing).toMatchObject({
    id: ids.billing,
    inputs: { webhookId: ids.billing, onCreate: "adopt" },
    outputs: { rotationState: "adopted", rotationCount: 0 },
  });
  expect(await stack.run(importOf("RetentionPolicy", "recordings", "recordings"), { fails: true })).toContain(
    "a RetentionPolicy cannot be imported, because the control plane has no operation that reads it. Declare it with " +
      'onCreate: "adopt" instead: the first update then sends nothing.',
  );
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});

test("an import sends nothing, and every step says that nothing is confirmed", async () => {
  const stack = await imported();
  const status = await command(stack, "status");
  expect(status.match(/^(retention|network|trunk) .* adopted, not sent .* ok$/gm)).toHaveLength(3);
  expect(status).toMatch(/^webhook +crm +- .* ok$/m);
  const report = await command(stack, "preview", "--format", "markdown");
  expect(report).toContain("voiceplane preview: no requests, 4 other changes");
  expect(report).toContain(
    "- recordings: adopted as 365 days without a request, which is not confirmed; `+ enabled: true`",
  );
  expect(report).toContain("- crm: adopted, with its signing secret left as it is (");
  for (const text of [status, report, await command(stack, "doctor")]) expect(text).not.toContain("undefined");
  expect(await stack.up()).toContain("~ 4 updated");
  expect(await stack.up()).toContain("5 unchanged");
  const organization = stack.organization.url;
  expect(stack.state().recordings?.outputs).toEqual({
    resource: "recordings",
    retentionDays: 365,
    organization,
    enabled: true,
    confirmed: false,
    requestId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(stack.state().crm?.outputs).toMatchObject({ organization, rotationState: "adopted", rotationCount: 0 });
  // `doctor` asks for the list of webhooks.
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
});

test("a refresh before the first update is no confirmation either", async () => {
  const stack = await imported(importFile({ RetentionPolicy: { confirmed: true } }));
  await stack.refresh();
  expect(stack.state().recordings?.outputs).toMatchObject({ organization: stack.organization.url, confirmed: false });
  expect(await stack.up()).toContain("5 unchanged");
  expect(await command(stack, "status")).toMatch(/^retention .* adopted, not sent /m);
  // A refresh looks the webhook up.
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
});

test("the first update compares with the outputs too, which may say more days than the inputs", async () => {
  const stack = await imported(importFile({ RetentionPolicy: { retentionDays: 730, enabled: true } }));
  expect(await stack.up({ fails: true })).toContain("730 => 365 deletes recordings older than 365 days for good");
  expect(stack.organization.requests()).toEqual([]);
});

test("a secret among the inputs is refused before it is stored", async () => {
  const stack = await yamlProject(yaml());
  stack.write("import.json", importFile({}, { WebhookSecret: { initialSecret: "whsec_plain" } }));
  // Without the preview, a checkpoint of the engine has the inputs of an import that has begun.
  const previewed = importing.filter((argument) => argument !== "--skip-preview");
  const refused = await stack.run(previewed, { fails: true });
  expect(refused).toContain('an import file must not have "initialSecret", because the state keeps it as plain text.');
  expect(stack.everything()).not.toContain("whsec_plain");
});

test("a secret among the outputs is refused by the first run that sees it, which says how it is removed", async () => {
  const stack = await imported(importFile({ WebhookSecret: { secret: "whsec_plain", rotationState: "adopted" } }));
  const refusal =
    `WebhookSecret "${ids.crm}" of ${stack.organization.url}: an import file must not have "secret", because the state keeps it as plain ` +
    "text. If the state has it already, remove the resource with `pulumi state delete`, and rotate the secret. To keep a secret that you " +
    'know, declare the webhook with onCreate: "adopt" and initialSecret from a secret of the configuration.';
  expect(await stack.run(["preview", "--stack", "dev"], { fails: true })).toContain(refusal);
  expect(await stack.up({ fails: true })).toContain(refusal);
  expect(await stack.refresh({ fails: true })).toContain(refusal);
  await stack.run(["state", "delete", String(stack.state().crm?.urn), "--yes", "--stack", "dev"]);
  await stack.up();
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "adopted" });
  expect(stack.organization.requests()).not.toContainEqual(expect.stringMatching(/^(POST|PUT|PATCH|DELETE) /));
});

test("the dynamic provider does the same where the file names it, and no code is generated", async () => {
  const stack = await project({
    program:
      'new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 365 });',
  });
  const values = {
    ...properties.RetentionPolicy,
    __provider: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")',
  };
  const type = "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy";
  const resources = [{ type, name: "recordings", id: "recordings", inputs: values, outputs: values }];
  stack.write("import.json", JSON.stringify({ resources }));
  await stack.run([...importing, "--generate-code=false"]);
  expect(await command(stack, "preview", "--format", "markdown")).toContain(
    "recordings: adopted as 365 days without a request",
  );
  expect(await stack.up()).toContain("~ 1 updated");
  expect(stack.state().recordings?.outputs).toMatchObject({ organization: stack.organization.url, confirmed: false });
  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});

test("the file of the page can be imported as the page says", async () => {
  const file = blocks.find(
    ({ file: page, text }) => page === "docs/guides/use-yaml-python-or-go.md" && text.includes('"outputs"'),
  );
  const stack = await yamlProject({ resources: { recordings: yaml().resources.recordings } });
  stack.write("import.json", file?.text ?? "");
  await stack.run(["import", "--file", "import.json", "--protect=false", "--yes", "--stack", "dev"]);
  expect(await stack.up()).toContain("~ 1 updated");
  expect(stack.state().recordings?.outputs).toMatchObject({ retentionDays: 365, confirmed: false });
  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
