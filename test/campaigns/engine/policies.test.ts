/** examples/policies in the engine: what a violation stops, over the classes and over the native plugin. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { blocks, compare } from "../../support/docs/documents";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { providers, resource } from "../../support/engine/declared";
import { root } from "../../support/repository";

const pack = join(root, "examples/policies");
const policies = ["--policy-pack", pack];

const audit =
  'const audit = new RetentionPolicy("audit", { resource: "audit_events", onCreate: "overwrite", retentionDays: 400 });';
const office = (cidr: string) =>
  `new NetworkPolicy("office", { networkPolicyId: "${ids.office}", onCreate: "overwrite", sourceCidr: ${cidr}, mustInclude: ["203.0.113.7"] });`;
const crm = (more: string) => `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", ${more} });`;

const putAudit = 'PUT /v1/retention-policies/audit_events {"retention_days":400,"enabled":true}';
const patchOffice = `PATCH /v1/network-policies/${ids.office} {"source_cidr":"203.0.113.0/24"}`;
const rotateCrm = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

test("the README shows the preview of examples/minimal", async () => {
  const minimal = resolve(pack, "../minimal");
  const files = ["Pulumi.yaml", "package.json", "index.ts"].map((name) => [
    name,
    readFileSync(join(minimal, name), "utf8"),
  ]);
  const stack = await project({ files: Object.fromEntries(files) as Record<string, string> });
  await stack.run(["config", "set", "voiceplane:organization", "acme"]);
  const printed = await stack.run(["preview", "--stack", "dev", ...policies], { fails: true });
  const [shown] = blocks.filter(({ file, language }) => file === "examples/policies/README.md" && language === "text");
  expect(shown).toBeDefined();
  if (shown) compare(shown, printed);
});

test("a mandatory violation stops an update before its request, and an advisory one is only printed", async () => {
  const shortening = "retentionDays: 90, enabled: false, allowShortening: { from: 365, to: 90 }";
  const recordings = `new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", ${shortening} });`;
  const stack = await project();
  stack.declare("dynamic", recordings);
  const alone = await stack.up({ flags: policies, fails: true });
  expect(alone).toContain(
    "- [mandatory] retention-enabled (pulumi-nodejs:dynamic/voiceplane:RetentionPolicy: recordings)",
  );
  expect(alone).toContain('the pull request has no label "shorten-retention"');
  expect(stack.organization.requests()).toEqual([]);

  // A range that the preview does not know: the update reads it, before its request.
  stack.declare("dynamic", `${audit}\n${office('audit.id.apply(() => "128.0.0.0/1")')}`);
  const computed = await stack.run(["up", "--yes", "--stack", "dev", ...policies], { fails: true });
  expect(computed).toContain("can't run policy 'network-range' from policy pack 'voiceplane@v1.0.0' during preview");
  expect(computed).toContain("sourceCidr is a range of IPv4 with the prefix /1: declare /16 or a longer prefix.");
  expect(stack.organization.requests()).toEqual([putAudit]);

  stack.write("policies.json", '{ "webhook-rotation": { "maxDays": 30, "enforcementLevel": "advisory" } }');
  stack.declare("dynamic", `${crm('rotateAfter: "90d"')}\n${recordings.replace("enabled: false, ", "")}`);
  const configured = await stack.up({
    flags: [...policies, "--policy-pack-config", "policies.json"],
    env: { PULL_REQUEST_LABELS: "urgent,shorten-retention" },
  });
  expect(configured).toContain("- [advisory] webhook-rotation (pulumi-nodejs:dynamic/voiceplane:WebhookSecret: crm)");
  expect(configured).toContain('rotateAfter is too long: declare "30d" or less.');
  const sent = [rotateCrm, 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}'];
  expect(stack.organization.requests().sort()).toEqual(sent);
});

test("the same rules hold for a program in YAML over the native plugin", async () => {
  const declared = (network: object) => ({
    resources: {
      acme: resource("Organization", {
        onCreate: "overwrite",
        networkPolicies: { office: { id: ids.office, sourceCidr: "203.0.113.0/24", ...network } },
      }),
    },
  });
  const stack = await project();
  stack.declare("native", declared({}));
  const violating = await stack.up({ flags: policies, fails: true });
  expect(violating).toMatch(/- \[mandatory\] network-must-include \(voiceplane:index:NetworkPolicy: .*office\)/);
  expect(stack.organization.requests()).toEqual([]);

  stack.declare("native", declared({ mustInclude: ["203.0.113.7"] }));
  expect(await stack.up({ flags: policies })).toContain("✅ voiceplane@v1.0.0");
  expect(stack.organization.requests()).toEqual([patchOffice]);
});

const remediating = join(root, "test/campaigns/engine/remediating");

test.each(providers)("%s: what a remediating policy changes is checked again before anything is sent", async (over) => {
  const stack = await project();
  const declare = (days: number) => {
    stack.declare(
      over,
      `new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: ${days} });`,
    );
  };
  declare(90);
  await stack.up();
  stack.organization.forgetRequests();
  declare(100);
  const flags = ["--policy-pack", remediating, "--skip-preview"];
  expect(await stack.up({ flags, fails: true })).toContain(
    'RetentionPolicy "recordings" of acme: retentionDays: 90 => 30 deletes recordings older than 30 days for good.',
  );
  expect(stack.organization.requests()).toEqual([]);
});

test.each(providers)(
  "%s: a secret rotates when the period is over that a remediating policy has given it",
  async (over) => {
    const stack = await project();
    stack.declare(over, crm('rotateAfter: "90d"'));
    await stack.up({ at: "2026-11-01T12:00:00Z" });
    expect(stack.organization.requests()).toEqual([rotateCrm]);
    const flags = ["--policy-pack", remediating, "--skip-preview"];
    for (const [at, sent] of [
      ["2026-11-30T12:00:00Z", []],
      ["2026-12-01T12:00:00Z", [rotateCrm]],
    ] as const) {
      await stack.up({ at, flags });
      expect(stack.organization.requests()).toEqual(sent);
    }
  },
);
