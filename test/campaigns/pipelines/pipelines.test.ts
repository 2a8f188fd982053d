/** The commands of examples/pipelines/github, run as GitHub runs them, with the real engine. */
import { organization } from "../../support/engine/organization";
import {
  comments,
  commented,
  issues,
  output,
  results,
  run,
  shown,
  standInForGh,
  type RunOptions,
  type Trigger,
} from "../../support/pipelines/github";
import { crm, declared, recordEnvironments, repository } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

/** A subfolder, because the projects of recorded-github.test.ts are in the root. */
const directory = "infra/voice";

const runIn = (stack: Workspace, name: Trigger, options: RunOptions) => run(name, stack, { ...options, directory });

test("from a pull request to the merge and the nightly and morning runs, each run sends exactly what it should", async () => {
  const stack = await repository(directory);
  standInForGh(stack);
  const write = (name: string, text: string) => {
    stack.write(`${directory}/${name}`, text);
  };
  const first = await runIn(stack, "up", { at: "2026-08-22T12:00:00Z" });
  expect(results(first)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "success" });
  expect(stack.organization.requests().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
  // The summary describes the changes in sentences, and the log has the engine's output.
  expect(first["apply (acme) / up"]?.summary).toMatch(/^### voiceplane update: /);
  expect(first["apply (acme) / up"]?.summary).toContain("crm: rotates its signing secret");
  expect(output(first["apply (acme) / up"], "Up")).toContain("org-crm");

  // A shortening is refused. The comment and the log say why.
  write("organization.yaml", declared("days: 30"));
  const refused = await runIn(stack, "preview", { at: "2026-08-23T12:00:00Z" });
  expect(results(refused)).toEqual({ "preview (acme)": "failure", "comment (acme)": "success", previewed: "failure" });
  expect(commented(stack)).toMatch(/add `?allowShortening: \\?\{ from: 90, to: 30 \\?\}/);
  expect(output(refused["preview (acme)"], "Say what is wrong")).toContain("add allowShortening: { from: 90, to: 30 }");

  // From here on, the stack's file names another address. Nothing may be sent there.
  const elsewhere = await organization();
  write("Pulumi.acme.yaml", `config:\n  voiceplane:baseUrl: ${elsewhere.url}\n`);
  write("organization.yaml", declared("days: 30, allowShortening: { from: 90, to: 30 }"));
  // Those who review and approve see that other code will run.
  write("package.json", stack.read(`${directory}/package.json`).replace("{", '{ "scripts": { "hush": "hush" },'));
  write("setup.js", "\n");
  const whatRuns = "#### What runs\n\n- package.json (scripts)\n- setup.js (new)\n\n";
  const previewed = await runIn(stack, "preview", { at: "2026-08-23T12:00:00Z" });
  expect(results(previewed)).toEqual({
    "preview (acme)": "success",
    "comment (acme)": "success",
    previewed: "success",
  });
  const summary = previewed["preview (acme)"]?.summary ?? "";
  expect(summary).toContain(whatRuns);
  expect(summary).toContain("recordings: 90 → 30 days; deletes what is older");
  const run77 = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";
  expect(comments(stack).map(({ body }) => body)).toEqual([`<!-- voiceplane acme -->\n${summary}${run77}`]);
  expect(stack.organization.requests()).toEqual([]);

  // Approved before anything else is due.
  write("setup.js", "// Changed in the merge\n");
  const approvedInTime = { at: "2026-08-24T12:00:00Z", approvedAt: "2026-08-28T12:00:00Z" };
  const merged = await runIn(stack, "up", approvedInTime);
  expect(results(merged)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "success" });
  expect(merged["apply (acme) / preview"]?.summary).toContain("#### What runs\n\n- setup.js\n\n");
  expect(merged["apply (acme) / preview"]?.summary).toContain("recordings: 90 → 30 days; deletes what is older");
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);

  // A push that changes nothing of the stack asks no reviewer.
  const unrelated = await runIn(stack, "up", { at: "2026-08-28T13:00:00Z" });
  expect(results(unrelated)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "skipped" });

  // With reassertUnattended, a due policy is sent without approval.
  const night = await runIn(stack, "nightly", { at: "2026-09-01T03:17:00Z" });
  expect(results(night)).toEqual({ "nightly (acme)": "success", "issue (acme)": "success" });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    "GET /v1/webhooks/",
  ]);
  expect(issues(stack)).toEqual([]);

  const morning = await runIn(stack, "rotation", { at: "2026-11-20T08:03:00Z" });
  expect(results(morning)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "success" });
  expect(morning["apply (acme) / preview"]?.summary).toContain("crm: rotates its signing secret");
  expect(stack.organization.requests().sort()).toEqual([
    "GET /v1/webhooks/",
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);

  // An unapproved change and a missing webhook open an issue.
  write("organization.yaml", declared("days: 7, allowShortening: { from: 30, to: 7 }"));
  stack.organization.control.seed({ remove: [crm] });
  const risky = await runIn(stack, "nightly", { at: "2026-11-21T03:17:00Z" });
  expect(results(risky)).toEqual({ "nightly (acme)": "failure", "issue (acme)": "success" });
  expect(risky["nightly (acme)"]?.steps.map(({ name }) => name)).not.toContain("Up");
  expect(output(risky["nightly (acme)"], "Are the webhooks still there?")).toContain(
    "is not in the server's list of webhooks",
  );
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(issues(stack)).toMatchObject([
    {
      number: 70,
      state: "open",
      title: "voiceplane: the nightly run of acme failed",
      body: `<!-- voiceplane nightly acme -->\n${run77}`,
    },
  ]);

  expect(elsewhere.requests()).toEqual([]);
  for (const jobs of [first, refused, previewed, merged, night, morning, risky]) {
    expect(shown(jobs)).not.toMatch(/vp_dev_\w+/);
  }
});

test("secrets reach the engine alone: not the installation, and not the report", async () => {
  const stack = await repository(directory);
  standInForGh(stack);
  const environments = recordEnvironments(stack);
  const environment: RunOptions["environment"] = (_name, { vars, secrets }) => ({
    ...(vars && { vars }),
    secrets: { ...secrets, PULUMI_ACCESS_TOKEN: "canary-of-the-state" },
  });
  for (const name of ["preview", "up", "nightly", "rotation"] as const) {
    const jobs = await runIn(stack, name, { at: "2026-08-22T12:00:00Z", environment });
    expect(Object.values(results(jobs))).not.toContain("failure");
  }
  const recorded = environments();
  expect(recorded.match(/^== \S+\/npm ci$/gm)).toHaveLength(5);
  expect(recorded.match(/^== \S+\/node node_modules\S+$/gm)?.length).toBeGreaterThan(8);
  expect(recorded).not.toMatch(/canary|vp_dev/);
});

test.each([
  ["the project's folder", directory],
  ["a folder above it, which may be a workspace", "infra"],
  ["the repository's root", "."],
])("an .npmrc in %s is refused before npm reads it: it may run code and send variables", async (_where, folder) => {
  const stack = await repository(directory);
  standInForGh(stack);
  stack.write(`${folder}/.npmrc`, "registry=http://127.0.0.1:9/${PULUMI_ACCESS_TOKEN}/\n");
  for (const name of ["preview", "up", "nightly"] as const) {
    const jobs = await runIn(stack, name, { at: "2026-08-22T12:00:00Z" });
    expect(shown(jobs)).toContain("/.npmrc. A step before this one can write a registry into ");
    expect(Object.values(results(jobs))).toContain("failure");
  }
  expect(stack.read(".npm-calls")).toBe("");
  expect(stack.organization.requests()).toEqual([]);
});

test("a backend in Pulumi.yaml gets no token, and without the variable of the environment nothing runs", async () => {
  const stack = await repository(directory);
  standInForGh(stack);
  const elsewhere = await organization();
  stack.write(
    `${directory}/Pulumi.yaml`,
    `${stack.read(`${directory}/Pulumi.yaml`)}backend: { url: "${elsewhere.url}" }\n`,
  );
  const run = await runIn(stack, "preview", { at: "2026-08-22T12:00:00Z" });
  expect(results(run)).toMatchObject({ previewed: "success" });
  expect(elsewhere.requests()).toEqual([]);

  const environment: RunOptions["environment"] = (_name, { vars = {}, ...rest }) => {
    const { PULUMI_BACKEND_URL: _, ...others } = vars;
    return { ...rest, vars: others };
  };
  const without = await runIn(stack, "preview", { at: "2026-08-22T12:00:00Z", environment });
  expect(without["preview (acme)"]?.steps.map(({ name }) => name)).toEqual(["Are the addresses set?"]);
  expect(shown(without)).toContain(
    "::error::Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, variables of this environment.",
  );
  expect(elsewhere.requests()).toEqual([]);
});
