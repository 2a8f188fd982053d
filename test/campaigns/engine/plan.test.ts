/** What was approved is all that can leave: with the real engine, whatever the program does in an update and not in a preview. */
import { ids, organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { crm, providers, resource } from "../../support/engine/declared";

const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const clearing = `DELETE /v1/trunks/${ids.carrierA}/outbound-auth`;
const patch = (cidr: string) => `PATCH /v1/network-policies/${ids.office} {"source_cidr":"${cidr}"}`;

async function ran(stack: Project, ...args: string[]) {
  stack.organization.forgetRequests();
  const { code, stdout, stderr } = await stack.voiceplane(args);
  return { code, shown: stdout + stderr, sent: stack.organization.requests().sort() };
}

const isUpdate = 'const isUpdate = !require("@pulumi/pulumi/runtime").isDryRun();\n';
const rotated = `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });`;
const cut = `new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true });`;
const adopted = `const billing = new WebhookSecret("billing", { webhookId: "${ids.billing}", onCreate: "adopt" });\n`;

/** Programs whose previews do not show what their updates declare. */
const hidden: readonly (readonly [what: string, program: string, refused: string[]])[] = [
  [
    "declared inside an output",
    `${adopted}billing.requestId.apply(() => { ${rotated} ${cut} });`,
    [rotation, clearing],
  ],
  ["declared in an update only", `${isUpdate}if (isUpdate) { ${rotated} ${cut} }`, [rotation, clearing]],
  [
    "created in another way than in the preview",
    `${isUpdate}new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: isUpdate ? "rotate" : "adopt" });`,
    [rotation],
  ],
];

describe.each(providers)("with the %s provider", (provider) => {
  test.each(hidden)("what is %s is not sent", async (_what, program, refused) => {
    const stack = await project();
    stack.declare(provider, program);
    expect(await ran(stack, "preview", "--out", "plan.json")).toMatchObject({ code: 0, sent: [] });
    const plan = { VOICEPLANE_PLAN: `${stack.folder}/plan.json` };
    const unknown = expect.stringContaining("[not-planned]") as string;
    const held = await ran(stack, "apply", "--plan", "plan.json");
    expect(held).toEqual({ code: 1, shown: unknown, sent: [] });
    expect(refused.some((request) => held.shown.includes(`${request} is not in the plan, so it was not sent.`))).toBe(
      true,
    );
    // Without a command of this package. A relative path would name several files.
    const relative = expect.stringContaining(
      "(it must be an absolute path), so nothing was sent. [plan-unreadable]",
    ) as string;
    for (const [env, says] of [
      [plan, unknown],
      [{ VOICEPLANE_PLAN: "plan.json" }, relative],
    ] as const) {
      const printed = await stack.up({ env, fails: true });
      expect([printed, stack.organization.requests()]).toEqual([says, []]);
    }
    // Its preview has the risk by now, or the list of what it shows holds the update.
    const stopped = await ran(stack, "apply", "--yes", "--fail-on", "rotates-a-secret,cuts-a-trunk");
    expect([stopped.code === 0, stopped.sent]).toEqual([false, []]);
    await stack.up();
    expect(stack.organization.requests().sort()).toEqual([...refused].sort());
  });

  test("what was sent beside a refused request stays, and the update fails", async () => {
    const stack = await project();
    const policy =
      'const recordings = new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });';
    stack.declare(
      provider,
      `${isUpdate}${policy}\nif (isUpdate) new TrunkOutboundAuth("carrier", { trunkId: "${ids.carrierA}", cleared: true }, { dependsOn: [recordings] });`,
    );
    const { code, shown, sent } = await ran(stack, "apply", "--yes");
    expect([code, sent]).toEqual([1, ['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}']]);
    expect(shown).toContain(`${clearing} is not in the plan, so it was not sent.`);
    expect(shown).toContain("run the same update again: what was begun and has no answer is sent again");
  });

  test("a secret range may be any: the report says so, and --fail-on counts it", async () => {
    const stack = await project();
    const declare = (cidr: string) => {
      const sourceCidr = { "fn::secret": cidr };
      const properties = {
        networkPolicyId: ids.office,
        onCreate: "overwrite",
        sourceCidr,
        mustInclude: ["203.0.113.7"],
      };
      stack.declare(provider, { resources: { office: resource("NetworkPolicy", properties) } });
    };
    declare("203.0.113.0/24");
    const previewed = await ran(stack, "preview", "--out", "plan.json");
    expect(previewed.shown).toContain("office: sets `sourceCidr: (a secret value)`");
    declare("0.0.0.0/0");
    expect(await ran(stack, "apply", "--yes", "--fail-on", "widens-access")).toMatchObject({ code: 2, sent: [] });
    expect(await ran(stack, "apply", "--plan", "plan.json")).toMatchObject({ code: 0, sent: [patch("0.0.0.0/0")] });
  });

  test("replacements that replace others, with a delete first, send what the preview has planned", async () => {
    const stack = await project();
    const declare = (networkPolicyId: string) => {
      const office = { networkPolicyId, onCreate: "overwrite", name: "HQ", onDelete: { name: "free" } };
      const triggers = () => ({ of: "${office.networkPolicyId}" });
      const carrier = { trunkId: ids.carrierA, cleared: true, onDelete: "clear", triggers: triggers() };
      stack.declare(provider, {
        resources: {
          office: resource("NetworkPolicy", office, { deleteBeforeReplace: true }),
          carrier: resource("TrunkOutboundAuth", carrier, {
            replaceOnChanges: ["triggers"],
            deleteBeforeReplace: true,
          }),
          crm: crm({ onCreate: "adopt", triggers: triggers() }, { replaceOnChanges: ["triggers"] }),
        },
      });
    };
    declare(ids.office);
    await stack.up();
    declare(ids.runners);
    const { shown } = await ran(stack, "preview", "--out", "plan.json");
    expect(shown).toContain("4 requests: cuts a trunk, rotates a secret");
    expect(await ran(stack, "apply", "--plan", "plan.json")).toMatchObject({
      code: 0,
      sent: [
        clearing,
        `PATCH /v1/network-policies/${ids.office} {"name":"free"}`,
        `PATCH /v1/network-policies/${ids.runners} {"name":"HQ"}`,
        rotation,
      ],
    });
  });

  test("requests of a Provider whose token is not known yet are its own organization's, and no other's", async () => {
    const stack = await project();
    const eu = await organization();
    stack.declare(
      provider,
      `const audit = new RetentionPolicy("audit", { resource: "audit_events", onCreate: "overwrite", retentionDays: 90 });
      const eu = new Provider("eu", { baseUrl: "${eu.url}", token: audit.requestId.apply(() => "vp_dev_full") });
      new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" }, { provider: eu });`,
    );
    const { shown } = await ran(stack, "preview", "--out", "plan.json");
    expect(shown).toContain("eu: crm: rotates its signing secret");
    const put = 'PUT /v1/retention-policies/audit_events {"retention_days":90,"enabled":true}';
    expect(await ran(stack, "apply", "--plan", "plan.json")).toMatchObject({ code: 0, sent: [put] });
    expect(eu.requests()).toEqual([rotation]);
    stack.declare(provider, rotated.replace('"crm"', '"crm-of-acme"'));
    const plan = { VOICEPLANE_PLAN: `${stack.folder}/plan.json` };
    expect(await stack.up({ env: plan, fails: true })).toContain("is in the plan for another organization or address");
    expect(stack.organization.requests()).toEqual([]);
  });

  test("a secret that is a part of the organization's name and of the address hides them: their requests count as the worst", async () => {
    const stack = await project();
    await stack.run(["config", "set", "--secret", "name", "acme"]);
    await stack.run(["config", "set", "--secret", "port", new URL(stack.organization.url).port]);
    stack.declare(provider, { resources: { crm: crm() } });
    const stopped = await ran(stack, "apply", "--yes", "--fail-on", "sends-the-token-elsewhere");
    expect(stopped).toMatchObject({ code: 2, sent: [] });
    expect(stopped.shown).toContain("(organization: a secret value, to an address that cannot be seen here)");
    expect(await ran(stack, "apply", "--yes")).toMatchObject({ code: 0, sent: [rotation] });
  });
});

test.each([[["triggers"]], [["*"]]])(
  "an adopted webhook that the engine replaces for a changed trigger (%j) rotates, and the preview says so",
  async (replaceOnChanges) => {
    const declared = (round: string) => ({
      resources: { crm: crm({ onCreate: "adopt", triggers: { round } }, { replaceOnChanges }) },
    });
    const stack = await project();
    stack.declare("native", declared("0"));
    expect(await ran(stack, "apply", "--yes")).toMatchObject({ code: 0, sent: [] });
    stack.declare("native", declared("1"));
    const previewed = await ran(stack, "preview");
    expect(previewed.shown).toContain("1 request: rotates a secret");
    expect(await ran(stack, "apply", "--yes", "--fail-on", "rotates-a-secret")).toMatchObject({ code: 2, sent: [] });
    expect(await ran(stack, "apply", "--yes")).toMatchObject({ code: 0, sent: [rotation] });
    expect(await ran(stack, "apply", "--yes", "--fail-on", "changes")).toMatchObject({ code: 0, sent: [] });
  },
);
