/** A whole pull request, from an empty folder to its update, with the real engine. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "../../support/pipelines/workspace";

const crm = "c0000000-0000-4000-8000-000000000001";

test("init, a first up, a refused shortening, its acknowledgement, the report and the up", async () => {
  const stack = await workspace();
  const { url } = stack.organization;
  const folder = join(stack.folder, "acme");
  mkdirSync(folder);

  const run = async (script: string, expected = 0): Promise<string> => {
    const { code, output } = await stack.run(
      script,
      { VOICEPLANE_TOKEN: "vp_dev_full", VOICEPLANE_BASE_URL: url },
      folder,
    );
    expect({ code, output }).toEqual({ code: expected, output });
    return output;
  };
  const edit = (before: string, after: string) => {
    const text = stack.read("acme/organization.yaml");
    expect(text).toContain(before);
    stack.write("acme/organization.yaml", text.replace(before, after));
  };
  /** The report of the pull request's preview, which a pipeline comments. */
  const report = (code: number) =>
    run("npx --no-install voiceplane preview --stack dev --format markdown --fail-on none", code);
  const writes = () => stack.organization.requests().filter((request) => !request.startsWith("GET"));
  const up = "pulumi up --stack dev --yes --skip-preview --non-interactive";

  await run("cd .. && npx voiceplane init acme --ci github --from-server");
  await run("npm install && pulumi stack init dev");
  await run(`pulumi config set --stack dev voiceplane:organization acme
    pulumi config set --stack dev voiceplane:baseUrl ${url}`);
  expect(await run("npx voiceplane doctor --stack dev")).not.toContain("failure");
  edit("retention: {}", "retention:\n  recordings: { onCreate: overwrite, days: 365 }");
  edit(`id: "${crm}"\n    onCreate: adopt`, `id: "${crm}"\n    onCreate: adopt\n    triggers: {}`);
  await run(up);
  expect(writes()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}']);

  edit("days: 365 }", "days: 90 }");
  edit("triggers: {}", "triggers: { incident: 2026-11-20 }");
  expect(await report(1)).toContain("If this is intended, add `allowShortening: { from: 365, to: 90 }`");

  edit("days: 90 }", "days: 90, allowShortening: { from: 365, to: 90 } }");
  const proposed = await report(0);
  expect(proposed).toContain("voiceplane preview: 2 requests: deletes data, rotates a secret");
  expect(proposed).toContain("recordings: 365 → 90 days; deletes what is older");
  expect(proposed).toContain("crm-example-com: rotates its signing secret (trigger incident changed)");
  expect(writes()).toEqual([]);

  await run(up);
  expect(writes().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
  expect(await report(0)).toContain("no changes");
  expect(writes()).toEqual([]);
});
