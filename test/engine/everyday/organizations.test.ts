/** Several organizations in one program: explicit providers, and the component Organization. */
import { createHash } from "node:crypto";
import { explicitProvider, ids, organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane"],
  ["native", "voiceplane:index"],
] as const)(
  "%s: each organization gets its own requests with its own token; an Organization is what its entries say, and its secrets are secret",
  async (over, type) => {
    const [eu, us] = [await organization(), await organization()];
    const program = (quarter: string) => ({
      resources: {
        eu: explicitProvider(eu.url),
        us: explicitProvider(us.url, "vp_dev_second_full"),
        acme: {
          type: "voiceplane:Organization",
          properties: {
            onCreate: "overwrite",
            retention: { recordings: { days: 90, onDelete: { days: 365, enabled: false } } },
            networkPolicies: { office: { id: ids.office, name: "HQ" } },
            trunks: {
              a: { id: ids.carrierA, outboundAuth: "cleared" },
              b: { id: ids.carrierB, outboundAuth: "tracked" },
            },
            webhooks: {
              crm: { id: ids.crm, onCreate: "rotate", triggers: { quarter } },
              billing: { id: ids.billing, onCreate: "adopt" },
            },
          },
          options: { providers: ["${eu}"] },
        },
        "us-recordings": {
          type: "voiceplane:RetentionPolicy",
          properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 30 },
          options: { provider: "${us}" },
        },
        recordings: {
          type: "voiceplane:RetentionPolicy",
          properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 60 },
        },
      },
      outputs: { secrets: "${acme.webhookSecrets}", previous: "${acme.previousWebhookSecrets}" },
    });
    // VOICEPLANE_TOKEN is the default provider's alone.
    const stack = await project({ env: { VOICEPLANE_TOKEN_EU: "vp_dev_full" } });
    stack.declare(over, program("2026-Q3"));
    const sent = () => ({
      stack: stack.organization.requests(),
      eu: eu.requests().sort(),
      us: us.requests(),
    });

    const up = await stack.up();
    expect(up).toContain("+ 12 created");
    expect(up).toContain("previous: [secret]\nsecrets: [secret]");
    expect(sent()).toEqual({
      stack: ['PUT /v1/retention-policies/recordings {"retention_days":60,"enabled":true}'],
      eu: [
        "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
        "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
        'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
      ],
      us: ['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}'],
    });
    expect([stack.organization.tokens(), eu.tokens(), us.tokens()]).toEqual([["full"], ["full"], ["secondFull"]]);
    const { acme, "acme-crm": crm, "acme-recordings": recordings } = stack.state();
    expect(acme?.type).toBe("voiceplane:index:Organization");
    expect(crm?.urn).toContain(`::voiceplane:index:Organization$${type}:WebhookSecret::acme-crm`);
    expect(crm?.inputs).toMatchObject({ organization: "eu", address: eu.url });
    expect(recordings?.outputs).toMatchObject({ organization: "eu", onDelete: { retentionDays: 365, enabled: false } });
    // Known secrets stay known: a preview of the same program has nothing to say.
    const same = await stack.preview();
    expect(same).toContain("12 unchanged");
    expect(same).not.toMatch(/secrets|previous/);

    stack.declare(over, program("2026-Q4"));
    const rotated = await stack.up({ flags: ["--diff"] });
    expect(rotated).toContain('~ quarter: "2026-Q3" => "2026-Q4"');
    expect(rotated).toContain("~ 1 updated\n11 unchanged");
    expect(sent()).toEqual({
      stack: [],
      eu: ["POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret"],
      us: [],
    });
    const secrets = stack.reveal("secrets") as unknown as Record<string, string>;
    expect(Object.keys(secrets)).toEqual(["crm"]);
    const inUse = eu.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;
    expect(
      createHash("sha256")
        .update(secrets.crm ?? "")
        .digest("hex"),
    ).toBe(inUse);

    // Where destroy sends nothing the engine knows it, and does not ask.
    const destroyed = await stack.destroy();
    expect(destroyed).toContain("- 12 deleted");
    expect(destroyed).not.toContain("acme-crm (");
    expect(sent()).toEqual({
      stack: [],
      eu: ['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":false}'],
      us: [],
    });
  },
);
