/**
 * A whole pull request, from an empty folder to the page that shows the result. The output of each step is stored in
 * .voiceplane/pull-request for inspection.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { findChromium, launchChromium } from "../../support/page/chromium";
import { workspace, type Workspace } from "../../support/pipelines/workspace";

const kept = resolve(__dirname, "../../../.voiceplane/pull-request");
const executablePath = findChromium();
const crm = "c0000000-0000-4000-8000-000000000001";

let browser: Browser | undefined;

beforeAll(async () => {
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  if (executablePath !== undefined) browser = await launchChromium(executablePath);
});
afterAll(() => browser?.close());

/** The organization's repository, as a user works in it. */
class Repository {
  #steps = 0;

  constructor(readonly stack: Workspace) {}

  /** Replaces a part of the organization file. The part must exist. */
  edit(before: string, after: string): void {
    const file = "acme/organization.yaml";
    const text = this.stack.read(file);
    expect(text).toContain(before);
    this.stack.write(file, text.replace(before, after));
    this.keep("organization.yaml", this.stack.read(file));
  }

  /** The output of a command in the repository's folder, which must end with this exit code. */
  async run(script: string, { as, code = 0 }: { as: string; code?: number }): Promise<string> {
    const env = { VOICEPLANE_TOKEN: "vp_dev_full", VOICEPLANE_BASE_URL: this.stack.organization.url };
    const { output, ...ran } = await this.stack.run(script, env, join(this.stack.folder, "acme"));
    this.keep(as, output);
    expect({ code: ran.code, output }).toEqual({ code, output });
    return output;
  }

  /** The report of a pull request's preview, which a pipeline comments. */
  async report(as: string, code: number): Promise<string> {
    const command = "npx --no-install voiceplane preview --stack dev --format markdown --fail-on none";
    await this.run(`${command} > report.md || test $? = ${code}`, { as: `${as}.stderr` });
    this.keep(`${as}.md`, this.stack.read("acme/report.md"));
    return this.stack.read("acme/report.md");
  }

  /** The requests since the last call that changed something or tried to. */
  writes(): string[] {
    return this.stack.organization.requests().filter((request) => !request.startsWith("GET"));
  }

  keep(name: string, contents: string | Buffer): void {
    this.#steps += 1;
    writeFileSync(join(kept, `${String(this.#steps).padStart(2, "0")}-${name}`), contents);
  }
}

async function watch(url: string): Promise<Page | undefined> {
  const page = await browser?.newPage({ viewport: { width: 1280, height: 1000 }, reducedMotion: "reduce" });
  await page?.goto(url);
  await page?.getByText("Live", { exact: true }).waitFor();
  return page;
}

// Without a browser, only the page is not looked at.
const pageTitle = executablePath === undefined ? "the page, NOT CHECKED without Chromium" : "the page that shows it";

test(`init, a first up, a refused shortening, its acknowledgement, the report, the up, and ${pageTitle}`, async () => {
  const stack = await workspace();
  const { url } = stack.organization;
  const repository = new Repository(stack);
  mkdirSync(join(stack.folder, "acme"));

  await repository.run("cd .. && npx voiceplane init acme --ci github --from-server", { as: "init.txt" });
  await repository.run("npm install && pulumi stack init dev", { as: "stack-init.txt" });
  const set = "pulumi config set --stack dev";
  await repository.run(`${set} voiceplane:organization acme && ${set} voiceplane:baseUrl ${url}`, { as: "config.txt" });
  const doctor = await repository.run("npx voiceplane doctor --stack dev", { as: "doctor.txt" });
  expect(doctor).not.toContain("failure");
  repository.edit("retention: {}", "retention:\n  recordings: { onCreate: overwrite, days: 365 }");
  repository.edit(`id: "${crm}"\n    onCreate: adopt`, `id: "${crm}"\n    onCreate: adopt\n    triggers: {}`);
  const up = "pulumi up --stack dev --yes --skip-preview --non-interactive";
  await repository.run(up, { as: "first-up.txt" });
  expect(repository.writes()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}']);

  repository.edit("days: 365 }", "days: 90 }");
  repository.edit("triggers: {}", "triggers: { incident: 2026-11-20 }");
  const refused = await repository.report("refused", 1);
  expect(refused).toContain("the preview failed");
  expect(refused).toContain("If this is intended, add `allowShortening: { from: 365, to: 90 }`");

  repository.edit(
    "\n  recordings: { onCreate: overwrite, days: 90 }",
    "\n  recordings: { onCreate: overwrite, days: 90, allowShortening: { from: 365, to: 90 } }",
  );
  const report = await repository.report("report", 0);
  const summary = "voiceplane preview: 2 requests: deletes data, rotates a secret";
  expect(report).toContain(summary);
  expect(report).toContain("recordings: 365 → 90 days; deletes what is older");
  expect(report).toContain("crm-example-com: rotates its signing secret (trigger incident changed)");
  expect(repository.writes()).toEqual([]);

  const page = await watch(url);
  await repository.run(up, { as: "up.txt" });
  expect(repository.writes().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
  if (page !== undefined) {
    await page.getByText("90 days").waitFor();
    await page.getByText(`POST /v1/webhooks/${crm}/rotate-secret`).waitFor();
    repository.keep("page.png", await page.screenshot({ fullPage: true }));
  }

  expect(await repository.report("nothing-left", 0)).toContain("no changes");
  expect(repository.writes()).toEqual([]);
});
