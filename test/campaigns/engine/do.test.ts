/** `pulumi do`, which acts without a program: on the stack, or with --stateless on nothing but the server. */
import { ids } from "../../support/engine/organization";
import { parse, stringify } from "yaml";
import { yamlProject, type Project } from "../../support/engine/project";
import type { YamlProgram } from "../../support/engine/yaml-program";
import { installPlugin } from "../../support/native/release";

const webhook = "voiceplane:WebhookSecret";
const policy = "voiceplane:RetentionPolicy";

/** With the organization's name in the stack's configuration, because `pulumi do` does not read that of Pulumi.yaml. */
async function named(program: YamlProgram): Promise<Project> {
  const stack = await yamlProject(program);
  const { config: _config, ...rest } = parse(stack.read("Pulumi.yaml")) as Record<string, unknown>;
  stack.write("Pulumi.yaml", stringify(rest));
  await stack.run(["config", "set", "voiceplane:organization", "acme", "--stack", "dev"]);
  installPlugin(stack.environment);
  return stack;
}

test("lists the webhooks' ids to import; --stateless rotates nothing, and says what no guard sees", async () => {
  const stack = await named({ resources: {} });
  const requests = () => stack.organization.requests();

  expect(await stack.run(["do", webhook, "list"])).toContain(`"id": "${ids.crm}"`);
  expect(requests()).toEqual(["GET /v1/webhooks/"]);

  const create = ["do", "--stateless", webhook, "create", "--yes"];
  const undecided = await stack.run([...create, "--webhook-id", ids.crm], { fails: true });
  expect(undecided).toContain('Missing required input "onCreate"');
  stack.write("webhook.yaml", `webhookId: ${ids.crm}\nonCreate: rotate\n`);
  const refused = await stack.run([...create, "--input-file", "webhook.yaml"], { fails: true });
  expect(refused).toContain("a rotation is refused in `pulumi do --stateless`, which keeps no state");
  expect(requests()).toEqual([]);

  stack.write("policy.yaml", "resource: recordings\nonCreate: overwrite\nretentionDays: 30\n");
  const set = await stack.run(["do", "--stateless", policy, "create", "--input-file", "policy.yaml", "--yes"]);
  expect(set).toContain("`pulumi do --stateless` knows no state, so no guard compares this with what is in force");
  expect(requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}']);
});

test("beside a program, a create does not know what that declares; the next preview refuses both, and sends nothing", async () => {
  const recordings = { type: policy, properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } };
  const stack = await named({ resources: { recordings } });
  await stack.up();
  stack.organization.forgetRequests();

  stack.write("policy.yaml", "resource: recordings\nonCreate: overwrite\nretentionDays: 30\n");
  await stack.run(["do", policy, "create", "mine", "--input-file", "policy.yaml", "--yes"]);
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);
  stack.organization.forgetRequests();
  expect(await stack.preview({ fails: true })).toMatch(
    /declares the same object as RetentionPolicy "(mine|recordings)", "recordings" of acme: remove one of them/,
  );

  // What the page says to do.
  await stack.run(["do", policy, "delete", "mine", "--yes"]);
  expect(stack.organization.requests()).toEqual([]);
  await stack.up({ flags: ["--replace", "**::recordings"] });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
});
