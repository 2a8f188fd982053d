/** Organizations that move, and an Organization of which only a part succeeds. */
import { ids, organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { providers, crm, explicitProvider, recordings, resource } from "../../support/engine/declared";

const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const policy = (options?: object) => recordings(90, {}, options);

test.each(providers)(
  "%s: another base URL of the same organization shows the address in the diff, and sends nothing; another name is another organization",
  async (over) => {
    const moved = await organization();
    const there = { env: { VOICEPLANE_BASE_URL: moved.url } };
    const stack = await project();
    const { url } = stack.organization;
    stack.declare(over, { resources: { recordings: policy(), crm: crm() } });
    await stack.up();
    stack.organization.forgetRequests();
    const nothingIsSent = () => {
      expect([...moved.requests(), ...stack.organization.requests()]).toEqual([]);
    };

    const renamed = await stack.up({ ...there, flags: ["--diff"] });
    expect(renamed).toContain(`~ address: "${url}" => "${moved.url}"`);
    expect(renamed).toContain("~ 2 updated");
    expect(await stack.up(there)).toContain("3 unchanged");
    nothingIsSent();

    // A webhook cannot move to another organization, because that would rotate its secret.
    stack.write("Pulumi.dev.yaml", `${stack.read("Pulumi.dev.yaml")}config: { "voiceplane:organization": other }\n`);
    expect(await stack.preview({ ...there, fails: true })).toContain(
      "this WebhookSecret belongs to the organization acme, and this provider talks to other. " +
        "If the same organization is meant, keep the name with `pulumi config set voiceplane:organization acme`",
    );

    // At an explicit Provider the configuration has no effect: its name is the organization's.
    const at = (name: string) => ({
      resources: {
        [name]: explicitProvider(url, "vp_dev_full"),
        recordings: policy({ provider: `\${${name}}` }),
        crm: crm({}, { provider: `\${${name}}` }),
      },
    });
    stack.declare(over, at("eu"));
    expect(await stack.preview({ fails: true })).toContain(
      "this WebhookSecret belongs to the organization acme, and this provider talks to eu. " +
        "If the same organization is meant, name the Provider acme, or use the provider as before.",
    );
    stack.declare(over, at("acme"));
    expect(await stack.preview()).not.toMatch(/replace|delete/);
    nothingIsSent();

    // Without the webhook, the policy is replaced, and the old one stays as it is.
    stack.declare(over, { resources: { recordings: policy() } });
    const output = await stack.up({ ...there, flags: ["--diff"] });
    expect(output).toContain('~ organization: "acme" => "other"');
    expect(output).toContain("+-1 replaced");
    expect(output).toContain("so nothing was sent and the object there stays as it is");
    expect(moved.requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}']);
    expect(stack.organization.requests()).toEqual([]);
  },
);

test.each([
  ["dynamic", "resource acme-crm [pulumi-nodejs:dynamic/voiceplane:WebhookSecret] failed to register"],
  [
    "native",
    "Organization resource 'acme' has a problem: these of its resources failed: acme-office, acme-carrier, acme-crm",
  ],
] as const)(
  "%s: with --continue-on-error, each entry of an Organization is tried whatever becomes of the others, and nothing goes on with only a part of it",
  async (over, message) => {
    const program = (quarter: string) => ({
      resources: {
        acme: resource("Organization", {
          onCreate: "overwrite",
          networkPolicies: { office: { id: ids.office, name: quarter } },
          trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared", triggers: { quarter } } },
          webhooks: { crm: { id: ids.crm, onCreate: "rotate", triggers: { quarter } } },
        }),
        consumer: resource("TrunkOutboundAuth", {
          trunkId: ids.carrierB,
          cleared: true,
          triggers: { secret: "${acme.webhookSecrets.crm}" },
        }),
      },
      outputs: { secrets: "${acme.webhookSecrets}" },
    });
    const stack = await project();
    stack.declare(over, program("2026-Q3"));
    await stack.up();
    stack.organization.forgetRequests();
    const before = stack.reveal("secrets");

    stack.organization.control.setFaults([
      { operation: "patchNetworkPolicy", status: 422, count: 1 },
      { operation: "clearTrunkOutboundAuth", status: 422, count: 1 },
      { operation: "rotateWebhookSecret", connection: "reset", commit: true, count: 1 },
    ]);
    stack.declare(over, program("2026-Q4"));
    const entries = [
      clearing,
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"2026-Q4"}',
      rotation,
    ];
    expect(await stack.up({ fails: true, flags: ["--continue-on-error", "--parallel", "1"] })).toContain(message);
    expect(stack.organization.requests().sort()).toEqual(entries);
    expect(stack.state()["acme-crm"]?.outputs).toMatchObject({ rotationState: "uncertain" });
    expect(stack.reveal("secrets")).toEqual(before);

    await stack.up();
    expect(stack.state()["acme-crm"]?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
    const consuming = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth";
    expect(stack.organization.requests().sort()).toEqual([...entries, consuming].sort());
  },
);
