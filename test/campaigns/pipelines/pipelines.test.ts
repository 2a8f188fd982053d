/** The pipelines of examples/pipelines, run as GitHub and GitLab run them, with the real engine. github-rules and gitlab-rules have the cases. */
import { organization } from "../../support/engine/organization";
import { commented, output, results, run, shown } from "../../support/pipelines/github";
import { asClone, gitlabResults, NotesApi, runGitlab } from "../../support/pipelines/gitlab";
import { crm, declared, repository } from "../../support/pipelines/projects";

const rotated = `POST /v1/webhooks/${crm}/rotate-secret`;
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;

test("GitHub: from a pull request to the merge, the night and the rotation, each run sends exactly what it should", async () => {
  /** A subfolder, because the other tests have their project in the root. */
  const directory = "infra/voice";
  const stack = await repository(directory);
  const write = (name: string, text: string) => {
    stack.write(`${directory}/${name}`, text);
  };
  const first = await run("push", stack, { at: "2026-08-22T12:00:00Z", directory });
  expect({ results: results(first), shown: shown(first) }).toMatchObject({
    results: { "stack (acme) / preview": "success", "stack (acme) / apply": "success" },
  });
  expect(stack.organization.requests().sort()).toEqual([rotated, put(90)]);
  expect(first["stack (acme) / apply"]?.summary).toMatch(/^### voiceplane update: /);
  expect(first["stack (acme) / apply"]?.summary).toContain("crm: rotates its signing secret");

  // From here on, the project's files name another address and another backend. Nothing may be sent there.
  const elsewhere = await organization();
  write("Pulumi.acme.yaml", `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${elsewhere.url}\n`);
  write("Pulumi.yaml", `${stack.read(`${directory}/Pulumi.yaml`)}backend: { url: "${elsewhere.url}" }\n`);

  // A shortening is refused. The comment says why.
  write("organization.yaml", declared("days: 30"));
  const refused = await run("pull request", stack, { at: "2026-08-23T12:00:00Z", directory });
  expect(results(refused)).toMatchObject({ "stack (acme) / preview": "failure", previewed: "failure" });
  expect(commented(stack)).toMatch(/add `?allowShortening: \\?\{ from: 90, to: 30 \\?\}/);

  // Those who review see that other code will run.
  write("organization.yaml", declared("days: 30, allowShortening: { from: 90, to: 30 }"));
  write("setup.js", "\n");
  const previewed = await run("pull request", stack, { at: "2026-08-23T12:00:00Z", directory });
  expect(results(previewed)).toMatchObject({ "stack (acme) / preview": "success", previewed: "success" });
  expect(commented(stack)).toContain("#### What runs\n\n- setup.js (new)\n\n");
  expect(commented(stack)).toContain("recordings: 90 → 30 days, still turned on; deletes what is older");
  expect(stack.organization.requests()).toEqual([]);

  // A rotation became due while the run waited for its approval.
  const late = { at: "2026-11-19T12:00:00Z", approvedAt: "2026-11-20T12:00:00Z", directory };
  const changed = await run("push", stack, late);
  expect(results(changed)).toEqual({ "stack (acme) / preview": "success", "stack (acme) / apply": "failure" });
  expect(output(changed["stack (acme) / apply"], "Apply")).toContain("than what was approved");
  expect(changed["stack (acme) / apply"]?.summary).toContain("crm: rotates its signing secret");
  expect(stack.organization.requests()).toEqual([]);

  const inTime = { at: "2026-08-24T12:00:00Z", approvedAt: "2026-08-26T12:00:00Z", directory };
  const merged = await run("push", stack, inTime);
  expect(results(merged)).toEqual({ "stack (acme) / preview": "success", "stack (acme) / apply": "success" });
  expect(stack.organization.requests()).toEqual([put(30)]);

  const unrelated = await run("push", stack, { at: "2026-08-26T13:00:00Z", directory });
  expect(results(unrelated)).toEqual({ "stack (acme) / preview": "success" });

  // With reassertUnattended, a due policy is sent without approval.
  const night = await run("nightly", stack, { at: "2026-09-05T03:17:00Z", directory });
  expect({ results: results(night), shown: shown(night) }).toMatchObject({
    results: { "stack (acme) / apply": "success", "stack (acme) / issue": "success" },
  });
  expect(stack.organization.requests()).toEqual([put(30), "GET /v1/webhooks/"]);

  const morning = await run("rotation", stack, { at: "2026-11-20T08:03:00Z", directory });
  expect(results(morning)).toEqual({ "stack (acme) / preview": "success", "stack (acme) / apply": "success" });
  expect(stack.organization.requests()).toContain(rotated);

  expect(elsewhere.requests()).toEqual([]);
  for (const jobs of [first, refused, previewed, changed, merged, night, morning])
    expect(shown(jobs)).not.toMatch(/vp_dev_\w+/);
});

test("GitLab: from a merge request to the merge and the night, each run sends exactly what it should", async () => {
  const stack = await repository(".", "dev");
  const elsewhere = await organization();
  stack.write("Pulumi.dev.yaml", `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${elsewhere.url}\n`);
  await asClone(stack);
  await stack.must("git add Pulumi.yaml package.json");
  const api = new NotesApi();
  const requested = await runGitlab("merge request", stack, { at: "2026-08-22T11:00:00Z", api: await api.start() });
  expect(gitlabResults(requested)).toEqual({ "preview dev": "success", "note dev": "success" });
  expect(api.notes[0]?.body).toMatch(/^<!-- voiceplane dev -->\n### voiceplane/);
  expect(api.notes[0]?.body).toContain("crm: rotates its signing secret");
  expect(api.notes[0]?.body).toContain("\n#### What runs\n\n- Pulumi.yaml (new)\n- package.json (new)\n\n");
  expect(stack.organization.requests()).toEqual([]);

  const merged = await runGitlab("push", stack, { at: "2026-08-22T12:00:00Z" });
  expect(merged).toMatchObject({ "preview dev": { result: "success" }, "apply dev": { result: "success" } });
  expect(stack.organization.requests().sort()).toEqual([rotated, put(90)]);
  expect(merged["apply dev"]?.output).toMatch(/^voiceplane.*rotates a secret/m);

  const night = await runGitlab("nightly", stack, { at: "2026-09-01T03:17:00Z" });
  expect(night).toMatchObject({ "nightly dev": { result: "success" } });
  expect(stack.organization.requests()).toEqual([put(90), "GET /v1/webhooks/"]);

  stack.write("organization.yaml", declared("days: 3650"));
  const unapproved = await runGitlab("nightly", stack, { at: "2026-09-20T03:17:00Z" });
  expect(gitlabResults(unapproved)).toEqual({ "nightly dev": "failed" });
  expect(unapproved["nightly dev"]?.output).toContain("Nothing was applied, because changes wait for a person.");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(elsewhere.requests()).toEqual([]);
  for (const jobs of [requested, merged, night, unapproved])
    for (const { output } of Object.values(jobs)) expect(output).not.toMatch(/vp_dev_\w+|glpat-/);
});
