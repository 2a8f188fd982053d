import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { projectFiles } from "../../../src/cli/init/templates";
import { organizationFileOf } from "../../../src/cli/init/organization-file";
import { organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const examples = resolve(__dirname, "../../../examples");
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "Pulumi.yaml")));

function filesOf(name: string): Record<string, string> {
  const files = readdirSync(join(examples, name), { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map((file) => [file.name, readFileSync(join(examples, name, file.name), "utf8")]));
}

const recordings = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const audit = 'PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":true}';
const office = "PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001";
const carrierA = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const carrierB = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000002/outbound-auth";
const crm = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const billing = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000002/rotate-secret";

interface Sent {
  readonly up: readonly string[];
  /** To the second organization. Default: nothing. */
  readonly upThere?: readonly string[];
  readonly destroy: readonly string[];
}

/** The requests of each example, sorted. */
const sent: Readonly<Record<string, Sent>> = {
  "gitops-yaml": {
    up: [carrierA, `${office} {"source_cidr":"203.0.113.0/24"}`, crm, audit, recordings],
    destroy: ['PUT /v1/retention-policies/audit_events {"retention_days":2555,"enabled":false}'],
  },
  minimal: {
    up: [carrierA, `${office} {"name":"Office","source_cidr":"203.0.113.0/24"}`, crm, recordings],
    destroy: [],
  },
  organization: {
    up: [
      carrierA,
      "GET /v1/webhooks/",
      `${office} {"name":"Office","source_cidr":"203.0.113.0/24"}`,
      crm,
      audit,
      recordings,
    ],
    destroy: [carrierB, 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}'],
  },
  rotation: { up: [crm, billing], destroy: [] },
  "two-organizations": {
    up: [recordings],
    upThere: [carrierB, 'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}'],
    destroy: [],
  },
};

test("the requests of every example with a stack are asserted", () => {
  expect(names).toEqual(Object.keys(sent));
});

test.each(names)("the example %s sends what it declares, and goes down", async (name) => {
  const { up, upThere = [], destroy } = sent[name] ?? { up: [], destroy: [] };
  const eu = await organization();
  const stack = await project({ files: filesOf(name), env: { VOICEPLANE_TOKEN_EU: "vp_dev_second_full" } });
  // `npm install` in a copy of the example would make it; the path in Pulumi.yaml does not look above its folder.
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  const euBaseUrl = `${/^name: (.+)$/m.exec(stack.read("Pulumi.yaml"))?.[1] ?? ""}:euBaseUrl=${eu.url}`;

  await stack.up({ flags: ["-c", euBaseUrl] });
  expect(stack.organization.requests().sort()).toEqual(up);
  expect(eu.requests().sort()).toEqual(upThere);

  await stack.destroy();
  expect(stack.organization.requests().sort()).toEqual(destroy);
  expect(eu.requests()).toEqual([]);
  expect(stack.state()).toEqual({});
});

test("a project of `init --runtime yaml` adopts the webhooks, and the engine keeps the plugin's schema", async () => {
  const ids = ["c0000000-0000-4000-8000-000000000001", "c0000000-0000-4000-8000-000000000002"];
  const content = organizationFileOf(ids.map((id) => ({ id })));
  const stack = await project({ files: projectFiles("written", "yaml", content) });
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  const schema = join(stack.folder, ".home/schemas/voiceplane-0.1.0.json");

  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  const adopted = Object.values(stack.state()).flatMap(({ id }) => id ?? []);
  expect(adopted.sort()).toEqual(ids);
  const { mtimeMs } = statSync(schema);
  await stack.preview({ flags: ["--expect-no-changes"] });
  expect(statSync(schema).mtimeMs).toBe(mtimeMs);
});
