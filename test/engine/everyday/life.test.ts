/**
 * The life of a stack with two organizations, over the classes of the dynamic provider and in YAML over the plugin: what is said, what is
 * sent. It declares single resources in its own organization, and at first the component `Organization` in "eu".
 */
import { hash } from "node:crypto";
import { ids, organization } from "../../support/engine/organization";
import { project, type Project, type ResourceState } from "../../support/engine/project";
import { explicitProvider, inJavaScript, resource as of, type YamlProgram } from "../../support/engine/declared";

interface Declared {
  readonly recordings?: { readonly name?: string; readonly properties?: object };
  readonly audit?: object;
  readonly range?: string;
  readonly quarter?: string;
  readonly crm?: object;
  /** Also a policy whose id only the rotation would tell, and the list of the webhooks. */
  readonly unknown?: boolean;
  readonly listed?: boolean;
  /** Without the other organization. */
  readonly alone?: boolean;
}

const retention = (resource: string, more: object) => ({ resource, onCreate: "overwrite", ...more });
const range = (networkPolicyId: string, more: object) => ({ networkPolicyId, onCreate: "overwrite", ...more });

/** "${crm.rotatedAt}" is known only after the rotation. */
const program = (
  eu: string,
  {
    recordings: { name = "recordings", properties = { retentionDays: 90 } } = {},
    audit = { retentionDays: 2555 },
    range: sourceCidr = "2001:db8:0:0::/48",
    quarter = "2026-Q3",
    crm = {},
    unknown = false,
    alone = false,
  }: Declared,
): YamlProgram => ({
  resources: {
    crm: of("WebhookSecret", { webhookId: ids.crm, onCreate: "rotate", triggers: { quarter }, ...crm }),
    [name]: of("RetentionPolicy", retention("recordings", { onDelete: "disable", ...properties })),
    audit: of("RetentionPolicy", retention("audit_events", { ...audit, enabled: false })),
    office: of("NetworkPolicy", range(ids.office, { name: "HQ", sourceCidr: "203.0.113.0/24" })),
    runners: of("NetworkPolicy", range(ids.runners, { name: "Runners", sourceCidr, mustInclude: ["2001:db8::7"] })),
    "carrier-a": of("TrunkOutboundAuth", {
      trunkId: ids.carrierA,
      cleared: true,
      onDelete: "clear",
      triggers: { quarter, "rotated.at": "${crm.rotatedAt}" },
    }),
    "carrier-b": of("TrunkOutboundAuth", { trunkId: ids.carrierB, cleared: false }),
    billing: of("WebhookSecret", { webhookId: ids.billing, onCreate: "adopt" }),
    ...(unknown && { unknown: of("NetworkPolicy", range("${crm.rotatedAt}", { name: "Unknown" })) }),
    ...(!alone && another(eu, quarter)),
  },
  ...(!alone && { outputs: { secrets: "${acme.webhookSecrets}", previous: "${acme.previousWebhookSecrets}" } }),
});

/** Its token is in VOICEPLANE_TOKEN_EU: VOICEPLANE_TOKEN is the default provider's alone. */
const another = (baseUrl: string, quarter: string) => ({
  eu: explicitProvider(baseUrl),
  acme: of(
    "Organization",
    {
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
    { providers: ["${eu}"] },
  ),
});

const list = "GET /v1/webhooks/";
const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const put = (days: number, enabled = true) =>
  `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":${enabled}}`;

/** The warnings about what a step cannot take back, for people who read no report. Off a terminal, the CLI also repeats each line while it runs. */
const warned = (printed: string): string[] =>
  [
    ...printed
      .slice(Math.max(0, printed.lastIndexOf("Diagnostics:")))
      .matchAll(/warning: (?:voiceplane: )?(\w+) "[^"]+" of \S+: (.*)\. \[[a-z-]+\]$/gm),
  ]
    .map(([, type, risk]) => `${type} ${risk}`)
    .sort();

const does = (type: string, ...risks: string[]) => `${type} this update ${risks.join(", ")}`;
const deletes = does("RetentionPolicy", "deletes data");
const cuts = does("TrunkOutboundAuth", "cuts a trunk");
const rotates = does("WebhookSecret", "rotates a secret");
const replaces = does("NetworkPolicy", "narrows access", "widens access");
const first = [replaces, replaces, deletes, deletes, deletes, cuts, cuts, rotates, rotates];
const later = [does("NetworkPolicy", "narrows access"), deletes, cuts, rotates, rotates];

const providers = [
  {
    provider: "dynamic",
    declare: (stack: Project, yaml: YamlProgram, listed: boolean) => {
      const list = `exports.webhooks = listWebhooks();
        exports.ids = require("@pulumi/pulumi").unsecret(exports.webhooks.apply((all) => all.map(({ id }) => id)));`;
      stack.declare("dynamic", inJavaScript(yaml) + (listed ? list : ""));
    },
    type: "pulumi-nodejs:dynamic/voiceplane",
    previewed: ['ids: [\n[0]: "c0000000-0000-4000-8000-000000000001"'],
    // As hooks of deletes need it. What the program declares is deleted too.
    destroy: ["--run-program"],
    destroyed: [],
    line: /^project:\/\/\/index\.js#\d+,\d+$/,
  },
  {
    provider: "native",
    declare: (stack: Project, yaml: YamlProgram, listed: boolean) => {
      const invoked = { list: { "fn::invoke": { function: "voiceplane:listWebhooks", return: "webhooks" } } };
      const more = { variables: invoked, outputs: { ...yaml.outputs, webhooks: "${list}" } };
      stack.declare("native", { ...yaml, ...(listed && more) });
    },
    type: "voiceplane:index",
    previewed: ['networkPolicyId: [unknown]\nonCreate: "overwrite"\nonDelete: "retain"', "rotated.at: [unknown]\n}"],
    destroy: [],
    destroyed: [
      `voiceplane:index:WebhookSecret (crm):\nwarning: WebhookSecret "${ids.crm}" of acme: keeps using its secret, of which the only stored copy leaves the state. Nothing was sent. [forgets-a-secret]`,
      `warning: NetworkPolicy "${ids.runners}" of acme: stays as it was last set, because onDelete is "retain". Nothing was sent. [object-left]`,
    ],
    line: undefined,
  },
] as const;

test.each(providers)(
  "with the $provider provider, create, no-op, refusal, update, another spelling, refresh, a rename, a replacement, a date that has come and destroy each say what they do, and send exactly that, each organization with its own token",
  async ({ provider, declare: declareOver, type, previewed, destroy, destroyed, line }) => {
    const eu = await organization();
    // What holds an update is the same for both.
    const held = provider === "native";
    const stack = await project({ held, env: { VOICEPLANE_TOKEN_EU: "vp_dev_second_full" } });
    const { control } = stack.organization;
    const declare = (declared: Declared) => {
      declareOver(stack, program(eu.url, declared), declared.listed ?? false);
    };
    const sent = () => ({
      own: stack.organization.requests().sort(),
      eu: eu.requests().sort(),
    });
    /** A run at a time on which this machine and the servers agree. */
    const at = (time: string) => {
      for (const each of [control, eu.control]) each.setClock(time);
      return { at: time };
    };
    const now = at("2026-11-20T12:00:00Z");

    declare({ listed: true, unknown: true });
    const preview = await stack.preview(now);
    expect(preview).toContain("+ 18 to create");
    expect(preview).toContain("webhooks: [secret]");
    for (const text of previewed) expect(preview).toContain(text);
    expect(warned(preview)).toEqual(first);
    expect(sent()).toEqual({ own: [list], eu: [] });

    declare({ listed: true });
    const up = await stack.up(now);
    expect(up).toContain("+ 17 created");
    expect(up).toContain("previous: [secret]\nsecrets: [secret]");
    expect(warned(up)).toEqual(first);
    // One for the preview that has written the plan, one for the update.
    expect(sent()).toEqual({
      own: [
        clearing,
        ...(held ? [list] : []),
        list,
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ","source_cidr":"203.0.113.0/24"}',
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/48"}',
        rotation,
        'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}',
        put(90),
      ],
      eu: [
        clearing,
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"HQ"}',
        rotation,
        put(90),
      ],
    });
    expect([stack.organization.tokens(), eu.tokens()]).toEqual([["full"], ["secondFull"]]);
    const state = stack.state();
    expect(Object.keys(state)).toHaveLength(15);
    expect(state.recordings).toMatchObject({ type: `${type}:RetentionPolicy`, id: "recordings" });
    expect(state.crm).toMatchObject({
      type: `${type}:WebhookSecret`,
      id: ids.crm,
      inputs: { webhookId: ids.crm, triggers: { quarter: "2026-Q3" }, organization: "acme" },
      outputs: { secret: "[secret]", rotationCount: 1, rotationState: "rotated" },
    });
    expect(state.acme?.type).toBe("voiceplane:index:Organization");
    expect(state["acme-crm"]).toMatchObject({
      urn: expect.stringContaining(`::voiceplane:index:Organization$${type}:WebhookSecret::acme-crm`) as string,
      inputs: { organization: "eu", address: eu.url },
    });
    expect(state["acme-recordings"]?.outputs).toMatchObject({
      organization: "eu",
      onDelete: { retentionDays: 365, enabled: false },
    });
    if (line === undefined) expect(JSON.stringify(state)).not.toContain("__provider");
    else expectLines(state, line);

    const edited = { recordings: { properties: { retentionDays: 365 } }, range: "2001:db8::/49", quarter: "2026-Q4" };
    declare({ ...edited, audit: { retentionDays: 30 } });
    expect(await stack.preview({ ...now, fails: true })).toContain(
      "resource 'audit' has a problem: retentionDays: 2555 => 30 deletes audit_events older than 30 days for good. " +
        "If this is intended, add `allowShortening: { from: 2555, to: 30 }` [retention-shortened]",
    );
    expect(sent()).toEqual({ own: [], eu: [] });

    const allowed = { ...edited, audit: { retentionDays: 30, allowShortening: { from: 2555, to: 30 } } };
    declare(allowed);
    const updatePreview = await stack.preview(now);
    const update = await stack.up({ ...now, flags: ["--diff"] });
    for (const printed of [updatePreview, update]) {
      expect(printed).toContain("~ retentionDays: 90 => 365");
      expect(printed).toContain("~ retentionDays: 2555 => 30");
      expect(printed).toContain('~ sourceCidr: "2001:db8::/48" => "2001:db8::/49"');
      expect(printed.match(/~ quarter: "2026-Q3" => "2026-Q4"/g)).toHaveLength(3);
      expect(printed).toMatch(/~ 6 (to update|updated)\n11 unchanged/);
    }
    for (const printed of [updatePreview, update]) expect(warned(printed)).toEqual(later);
    // What the rotation will bring is unknown, and so is what depends on it.
    expect(updatePreview).toContain('~ triggers: {\n~ quarter: "2026-Q3" => "2026-Q4"\n}');
    expect(updatePreview).toMatch(/~ rotated\.at: "\S+" => \[unknown\]\n\}/);
    expect(sent()).toEqual({
      own: [
        clearing,
        'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000002 {"name":"Runners","source_cidr":"2001:db8::/49"}',
        rotation,
        'PUT /v1/retention-policies/audit_events {"retention_days":30,"enabled":false}',
        put(365),
      ],
      eu: [rotation],
    });
    const secrets = stack.reveal("secrets") as unknown as Record<string, string>;
    expect(Object.keys(secrets)).toEqual(["crm"]);
    const inUse = eu.control.state().webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256;
    expect(hash("sha256", secrets.crm ?? "")).toBe(inUse);

    declare({ ...allowed, range: "2001:DB8::1/49", listed: true });
    const same = await stack.preview({ ...now, flags: ["--refresh"] });
    expect(same).toContain("17 unchanged");
    // Known secrets stay known.
    expect(same).not.toMatch(/secrets|previous/);
    expect(warned(same)).toEqual([]);
    // One for the refresh, one for the program.
    expect(sent()).toEqual({ own: [list, list], eu: [list] });

    control.seed({ remove: [ids.billing] });
    const gone = await stack.refresh(now);
    expect(gone).toContain("17 unchanged");
    expect(warned(gone)).toEqual([
      expect.stringContaining("is not in the server's list of webhooks. The state is kept"),
    ]);
    expect(sent()).toEqual({ own: [list], eu: [list] });

    // Each sets what is declared again and undoes nothing, though both have an onDelete. The other organization goes.
    const renamed = { name: "recordings-renamed", properties: { retentionDays: 365, reassertAfter: "90d" } };
    const dated = { ...allowed, recordings: renamed, crm: { rotateAfter: "90d" }, alone: true };
    declare(dated);
    const replace = ["--replace", state["carrier-a"]?.urn ?? ""];
    const replaced = await stack.up({ ...now, flags: replace });
    expect(replaced).toMatch(/\+ 1 created\n- 9 deleted\n\+-1 replaced/);
    for (const object of ['RetentionPolicy "recordings"', `TrunkOutboundAuth "${ids.carrierA}"`]) {
      expect(replaced).toContain(
        `${object} of acme: still declared by this program, so deleting it here sent nothing.`,
      );
    }
    expect(sent()).toEqual({ own: [clearing, put(365)], eu: [put(365, false)] });
    expect(stack.state().crm?.inputs?.rotateOn).toBe("2027-02-18");

    // No preview sends what is due, and a refresh on that day shows nothing of it.
    const due = at("2027-02-18T00:00:05Z");
    const duePreview = await stack.preview({ ...due, flags: ["--refresh"] });
    expect(duePreview).toContain('~ rotateOn: "2027-02-18" => "2027-05-19"');
    expect(duePreview).toContain('~ reassertOn: "2027-02-18" => "2027-05-19"');
    expect(duePreview).toContain("~ 3 to update");
    expect(sent()).toEqual({ own: [list], eu: [] });
    expect(await stack.up(due)).toContain("~ 3 updated");
    expect(sent()).toEqual({ own: [clearing, rotation, put(365)], eu: [] });
    expect(stack.state().crm?.outputs).toMatchObject({ rotationCount: 3, __due: "2027-02-18" });
    const before = at("2027-05-18T12:00:00Z");
    expect(await stack.up(before)).toContain("9 unchanged");
    expect(sent()).toEqual({ own: [], eu: [] });

    const printed = await stack.destroy({ ...before, flags: destroy });
    expect(printed).toContain("- 9 deleted");
    for (const text of destroyed) expect(printed).toContain(text);
    expect(sent()).toEqual({ own: [clearing, put(365, false)], eu: [] });
  },
);

/** Expects the line of the program that declares each single resource, not a line of this package. */
function expectLines(state: Readonly<Record<string, ResourceState>>, line: RegExp): void {
  const single = Object.entries(state).filter(([name]) => !name.startsWith("acme"));
  const positions = single.map(([, { sourcePosition }]) => sourcePosition);
  for (const position of positions) expect(position).toMatch(line);
  expect(new Set(positions).size).toBe(8);
}
