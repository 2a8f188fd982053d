/** The life of a stack, over the classes of the dynamic provider and in YAML over the plugin: what is said, what is sent. */
import { inJavaScript } from "../../support/engine/in-javascript";
import { ids } from "../../support/engine/organization";
import { project, type Project, type ResourceState, type YamlProgram } from "../../support/engine/project";

interface Declared {
  readonly recordings?: object;
  readonly audit?: object;
  readonly range?: string;
  readonly quarter?: string;
  /** Also a policy whose id only the rotation would tell, and the list of the webhooks. */
  readonly unknown?: boolean;
  readonly listed?: boolean;
}

const of = (type: string, properties: object) => ({ type: `voiceplane:${type}`, properties });

/** "${crm.rotatedAt}" is known only after the rotation. */
const program = ({
  recordings = { retentionDays: 90 },
  audit = { retentionDays: 2555 },
  range = "2001:db8:0:0::/48",
  quarter = "2026-Q3",
  unknown = false,
}: Declared): YamlProgram => ({
  resources: {
    crm: of("WebhookSecret", { webhookId: ids.crm, onCreate: "rotate", triggers: { quarter } }),
    recordings: of("RetentionPolicy", {
      resource: "recordings",
      onCreate: "overwrite",
      onDelete: "disable",
      ...recordings,
    }),
    audit: of("RetentionPolicy", { resource: "audit_events", onCreate: "overwrite", ...audit, enabled: false }),
    office: of("NetworkPolicy", {
      networkPolicyId: ids.office,
      onCreate: "overwrite",
      name: "HQ",
      sourceCidr: "203.0.113.0/24",
    }),
    runners: of("NetworkPolicy", {
      networkPolicyId: ids.runners,
      onCreate: "overwrite",
      name: "Runners",
      sourceCidr: range,
    }),
    "carrier-a": of("TrunkOutboundAuth", {
      trunkId: ids.carrierA,
      cleared: true,
      triggers: { quarter, "rotated.at": "${crm.rotatedAt}" },
    }),
    "carrier-b": of("TrunkOutboundAuth", { trunkId: ids.carrierB, cleared: false }),
    billing: of("WebhookSecret", { webhookId: ids.billing, onCreate: "adopt" }),
    ...(unknown && {
      unknown: of("NetworkPolicy", { networkPolicyId: "${crm.rotatedAt}", onCreate: "overwrite", name: "Unknown" }),
    }),
  },
});

const list = "GET /v1/webhooks/";
const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const providers = [
  {
    provider: "dynamic provider",
    declare: (stack: Project, declared: Declared) => {
      const listed = `exports.webhooks = listWebhooks();
        exports.ids = require("@pulumi/pulumi").unsecret(exports.webhooks.apply((all) => all.map(({ id }) => id)));`;
      stack.dynamic(inJavaScript(program(declared)) + (declared.listed === true ? listed : ""));
    },
    type: "pulumi-nodejs:dynamic/voiceplane",
    previewed: ['ids: [\n[0]: "c0000000-0000-4000-8000-000000000003"'],
    refused: "resource 'audit' has a problem: 2555",
    destroyed: () => [],
    line: /^project:\/\/\/index\.js#\d+,\d+$/,
  },
  {
    provider: "native plugin",
    declare: (stack: Project, declared: Declared) => {
      const listed = {
        variables: { list: { "fn::invoke": { function: "voiceplane:listWebhooks", return: "webhooks" } } },
        outputs: { webhooks: "${list}" },
      };
      stack.yaml({ ...program(declared), ...(declared.listed === true && listed) });
    },
    type: "voiceplane:index",
    previewed: ['networkPolicyId: [unknown]\nonCreate: "overwrite"\nonDelete: "retain"', "rotated.at: [unknown]\n}"],
    refused: "resource 'audit' has a problem: 2555",
    destroyed: (url: string) => [
      `voiceplane:index:WebhookSecret (crm):\nwarning: WebhookSecret "${ids.crm}" of ${url}: keeps its secret. Nothing was sent.`,
      `warning: NetworkPolicy "${ids.runners}" of ${url}: stays as it was last set, because onDelete is "retain". Nothing was sent.`,
    ],
    line: undefined,
  },
];

test.each(providers)(
  "$provider: create, no-op, refusal, update, another spelling, refresh and destroy each say what they do, and send exactly that",
  async ({ declare, type, previewed, refused, destroyed, line }) => {
    const stack = await project();
    const requests = () => stack.organization.requests().sort();

    declare(stack, { listed: true, unknown: true });
    const preview = await stack.preview();
    expect(preview).toContain("+ 10 to create");
    expect(preview).toContain("webhooks: [secret]");
    for (const text of previewed) expect(preview).toContain(text);
    expect(requests()).toEqual([list]);

    declare(stack, { listed: true });
    await stack.up();
    expect(requests()).toEqual([
      clearing,
      list,
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ","source_cidr":"203.0.113.0/24"}',
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/48"}',
      rotation,
      'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}',
      'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    ]);
    const state = stack.state();
    expect(Object.keys(state)).toHaveLength(8);
    expect(state.recordings).toMatchObject({ type: `${type}:RetentionPolicy`, id: "recordings" });
    expect(state.crm).toMatchObject({
      type: `${type}:WebhookSecret`,
      id: ids.crm,
      inputs: { webhookId: ids.crm, triggers: { quarter: "2026-Q3" }, organization: stack.organization.url },
      outputs: { secret: "[secret]", rotationCount: 1, rotationState: "rotated" },
    });
    if (line === undefined) expect(JSON.stringify(state)).not.toContain("__provider");
    else expectLines(Object.values(state), line);

    const edited = { recordings: { retentionDays: 365 }, range: "2001:db8::/32", quarter: "2026-Q4" };
    declare(stack, { ...edited, audit: { retentionDays: 30 } });
    expect(await stack.preview({ fails: true })).toContain(
      `${refused} => 30 deletes audit_events older than 30 days for good. ` +
        "If this is intended, add allowShortening: { from: 2555, to: 30 }",
    );
    expect(requests()).toEqual([]);

    const allowed = { ...edited, audit: { retentionDays: 30, allowShortening: { from: 2555, to: 30 } } };
    declare(stack, allowed);
    const updatePreview = await stack.preview();
    for (const printed of [updatePreview, await stack.up({ flags: ["--diff"] })]) {
      expect(printed).toContain("~ retentionDays: 90 => 365");
      expect(printed).toContain("~ retentionDays: 2555 => 30");
      expect(printed).toContain('~ sourceCidr: "2001:db8::/48" => "2001:db8::/32"');
      expect(printed.match(/~ quarter: "2026-Q3" => "2026-Q4"/g)).toHaveLength(2);
      expect(printed).toMatch(/~ 5 (to update|updated)\n4 unchanged/);
    }
    // What the rotation will bring is unknown, and so is what depends on it.
    expect(updatePreview).toContain('~ triggers: {\n~ quarter: "2026-Q3" => "2026-Q4"\n}');
    expect(updatePreview).toMatch(/~ rotated\.at: "\S+" => \[unknown\]\n\}/);
    expect(requests()).toEqual([
      clearing,
      'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/32"}',
      rotation,
      'PUT /v1/retention-policies/audit_events {"retention_days":30,"enabled":false}',
      'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
    ]);

    declare(stack, { ...allowed, range: "2001:DB8::1/32", listed: true });
    expect(await stack.up({ flags: ["--refresh"] })).toContain("9 unchanged");
    // One for the refresh, one for the program.
    expect(requests()).toEqual([list, list]);

    stack.organization.control.seed({ remove: [ids.billing] });
    const gone = await stack.refresh();
    expect(gone).toContain("9 unchanged");
    expect(gone).toContain(
      `WebhookSecret "${ids.billing}" of ${stack.organization.url}: is not in the server's list of webhooks. The state is kept`,
    );
    expect(requests()).toEqual([list]);

    const printed = await stack.destroy();
    for (const text of destroyed(stack.organization.url)) expect(printed).toContain(text);
    expect(requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":false}']);
  },
);

/** Expects the line of the program that declares each resource, not a line of this package. */
function expectLines(states: readonly ResourceState[], line: RegExp): void {
  const positions = states.map(({ sourcePosition }) => sourcePosition);
  for (const position of positions) expect(position).toMatch(line);
  expect(new Set(positions).size).toBe(8);
}
