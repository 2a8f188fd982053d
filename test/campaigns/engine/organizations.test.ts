import { ids, organization as newOrganization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const recordings = {
  type: "voiceplane:RetentionPolicy",
  properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" },
};
const crm = { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.crm, onCreate: "rotate" } };
const both = { resources: { recordings, crm } };

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

test.each(["dynamic", "native"] as const)(
  "%s: another base URL is another organization: a webhook cannot move there, because that would rotate its secret, and a policy is replaced",
  async (over) => {
    const moved = await newOrganization();
    const there = { env: { VOICEPLANE_BASE_URL: moved.url } };
    const stack = await project();
    stack.declare(over, both);
    await stack.up();
    stack.organization.forgetRequests();
    const nothingIsSent = () => {
      expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
    };

    // Neither another base URL nor an explicit provider is allowed. With voiceplane:organization, only the address changes.
    expect(await stack.preview({ ...there, fails: true })).toContain(
      `the webhook belongs to the organization ${stack.organization.url}, and this provider talks to ${moved.url}. ` +
        `If only the address changed, keep the name with \`pulumi config set voiceplane:organization ${stack.organization.url}\``,
    );
    const eu = {
      type: "pulumi:providers:voiceplane",
      properties: { baseUrl: moved.url, token: { "fn::secret": "vp_dev_full" } },
    };
    stack.declare(over, { resources: { eu, recordings, crm: { ...crm, options: { provider: "${eu}" } } } });
    expect(await stack.preview({ fails: true })).toContain(
      `the webhook belongs to the organization ${stack.organization.url}, and this provider talks to eu.`,
    );
    stack.declare(over, both);
    const configuration = stack.read("Pulumi.dev.yaml");
    const organization = ["-c", `voiceplane:organization=${stack.organization.url}`];
    expect(await stack.up({ ...there, flags: organization })).toContain("3 unchanged");
    nothingIsSent();

    // Without the webhook, the policy is replaced, and the old one stays as it is.
    stack.write("Pulumi.dev.yaml", configuration);
    stack.declare(over, { resources: { recordings } });
    const output = await stack.up({ ...there, flags: ["--diff"] });
    expect(output).toContain(`~ organization: "${stack.organization.url}" => "${moved.url}"`);
    expect(output).toContain("+-1 replaced");
    expect(output).toContain("so nothing was sent and the object there stays as it is");
    expect(moved.requests()).toEqual([put]);
    expect(stack.organization.requests()).toEqual([]);

    // A destroy through the old address sends nothing to either address.
    const destroyed = await stack.destroy();
    expect(destroyed).toContain(`this provider talks to ${stack.organization.url}, so nothing was sent`);
    nothingIsSent();
  },
);

test.each(["dynamic", "native"] as const)(
  "%s: the diff shows a new address even when the organization keeps its name, and the update sends nothing",
  async (over) => {
    const moved = await newOrganization();
    const stack = await project({ env: { VOICEPLANE_BASE_URL: undefined } });
    stack.declare(over, both);
    const initial = stack.read("Pulumi.dev.yaml");
    const configure = (baseUrl: string) => {
      const config = `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${baseUrl}\n`;
      stack.write("Pulumi.dev.yaml", initial + config);
    };
    configure(stack.organization.url);
    await stack.up();
    stack.organization.forgetRequests();

    configure(moved.url);
    const output = await stack.up({ flags: ["--diff"] });
    expect(output).toContain(`~ address: "${stack.organization.url}" => "${moved.url}"`);
    expect(output).toContain("~ 2 updated");
    expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);

    // A second up changes nothing. The pipeline's environment wins over the configuration in a pull request.
    configure("https://elsewhere.example.com");
    expect(await stack.up({ env: { VOICEPLANE_BASE_URL: moved.url } })).toContain("3 unchanged");
    expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
  },
);
