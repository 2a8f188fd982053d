/** The commands of examples/pipelines/gitlab, run as GitLab runs them, with the real engine. */
import { organization } from "../../support/engine/organization";
import { asClone, gitlabFolder, gitlabResults, NotesApi, runGitlab } from "../../support/pipelines/gitlab";
import { readGitlabFiles, type GitlabJob } from "../../support/pipelines/gitlab-runner";
import { crm, declared, recordEnvironments, repository } from "../../support/pipelines/projects";

test("from a merge request to the merge and the nightly run, each run sends exactly what it should", async () => {
  const stack = await repository(".", "dev");
  const elsewhere = await organization();
  stack.write("Pulumi.dev.yaml", `config:\n  voiceplane:baseUrl: ${elsewhere.url}\n`);
  await asClone(stack);
  await stack.must("git add Pulumi.yaml package.json");
  const api = new NotesApi();
  const requested = await runGitlab("merge request", stack, { at: "2026-08-22T11:00:00Z", api: await api.start() });
  expect(gitlabResults(requested)).toEqual({ "preview dev": "success", "note dev": "success" });
  expect(api.notes).toHaveLength(1);
  expect(api.notes[0]?.body).toMatch(/^<!-- voiceplane dev -->\n### voiceplane/);
  expect(api.notes[0]?.body).toContain("crm: rotates its signing secret");
  expect(api.notes[0]?.body).toContain("\n#### What runs\n\n- Pulumi.yaml (new)\n- package.json (new)\n\n");
  expect(api.notes[0]?.body).toMatch(/\[The pipeline\]\(https:\/\/gitlab\.example\.com\/\S+\)\n$/);
  expect(stack.organization.requests()).toEqual([]);

  const merged = await runGitlab("push", stack, { at: "2026-08-22T12:00:00Z" });
  expect(gitlabResults(merged)).toEqual({ "plan dev": "success", "up dev": "success" });
  expect(stack.organization.requests().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);
  expect(merged["plan dev"]?.output).toContain("\nWhat runs\n\n     Pulumi.yaml (new)\n");
  expect(merged["up dev"]?.output).toContain("org-crm");
  expect(merged["up dev"]?.output).toMatch(/^voiceplane.*rotates a secret/m);

  const night = await runGitlab("nightly", stack, { at: "2026-09-01T03:17:00Z" });
  expect(gitlabResults(night)).toEqual({ "nightly dev": "success" });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    "GET /v1/webhooks/",
  ]);

  stack.write("organization.yaml", declared("days: 3650"));
  const unapproved = await runGitlab("nightly", stack, { at: "2026-09-20T03:17:00Z" });
  expect(gitlabResults(unapproved)).toEqual({ "nightly dev": "failed" });
  expect(unapproved["nightly dev"]?.output).toContain("Nothing was applied, because changes wait for a person.");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(elsewhere.requests()).toEqual([]);
  for (const jobs of [requested, merged, night, unapproved]) {
    for (const { output } of Object.values(jobs)) expect(output).not.toMatch(/vp_dev_\w+|glpat-/);
  }
});

test("secrets reach the engine alone: not the installation, and not the report", async () => {
  const stack = await repository(".", "dev");
  await asClone(stack);
  const environments = recordEnvironments(stack);
  const vars = { VOICEPLANE_BASE_URL: stack.organization.url, PULUMI_ACCESS_TOKEN: "canary-of-the-state" };
  const api = await new NotesApi().start();
  for (const source of ["merge request", "push", "nightly", "rotation"] as const) {
    const jobs = await runGitlab(source, stack, { at: "2026-08-22T12:00:00Z", vars, api });
    expect(Object.values(gitlabResults(jobs))).not.toContain("failed");
  }
  const recorded = environments();
  expect(recorded.match(/^== \S+\/npm ci$/gm)?.length).toBeGreaterThan(4);
  expect(recorded.match(/^== \S+\/node node_modules\S+$/gm)?.length).toBeGreaterThan(8);
  expect(recorded).not.toMatch(/canary|vp_dev/);
});

test("an .npmrc is refused before npm reads it", async () => {
  const stack = await repository(".", "dev");
  await asClone(stack);
  stack.write(".npmrc", "script-shell=./evil.sh\n");
  const jobs = await runGitlab("push", stack, { at: "2026-08-22T12:00:00Z" });
  expect(gitlabResults(jobs)).toMatchObject({ "plan dev": "failed" });
  expect(jobs["plan dev"]?.output).toContain("/.npmrc. A registry can be an option of the next command.");
  expect(stack.read(".npm-calls")).toBe("");
});

test("a report that is a link is not read: the job that writes the note has a token", async () => {
  const stack = await repository(".", "dev");
  await asClone(stack);
  const api = new NotesApi();
  const url = await api.start();
  const { jobs, ...others } = readGitlabFiles(gitlabFolder);
  const linking = { ...jobs["preview dev"], script: ["ln -sf /proc/self/environ report.md"] } as GitlabJob;
  const pipeline = { ...others, jobs: { ...jobs, "preview dev": linking } };
  const ran = await runGitlab("merge request", stack, { at: "2026-08-22T12:00:00Z", api: url, pipeline });
  expect(gitlabResults(ran)).toEqual({ "preview dev": "success", "note dev": "success" });
  expect(api.notes).toHaveLength(1);
  expect(api.notes[0]?.body).toContain("There is no report of dev");
  expect(JSON.stringify(api.notes)).not.toContain("glpat");
});
