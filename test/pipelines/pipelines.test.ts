/** The commands of examples/pipelines/github, run as the service runs them, with the real engine. */
import { copyFileSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readWorkflow, runWorkflow, type Environment, type RanJob } from "./support/runner";
import { workspace, type Workspace } from "./support/workspace";

const root = resolve(__dirname, "../..");
const workflow = (name: string) =>
  readWorkflow(readFileSync(join(root, "examples/pipelines/github", `${name}.yml`), "utf8"));

const sha = "0123456789abcdef0123456789abcdef01234567";
const crm = "c0000000-0000-4000-8000-000000000001";

const environment = (token: Record<string, string>): Environment => ({
  vars: { PULUMI_STACK: "acme" },
  secrets: { PULUMI_ACCESS_TOKEN: "unused-with-a-state-in-files", ...token },
});
const environments = {
  "voiceplane-preview": environment({}),
  voiceplane: environment({ VOICEPLANE_TOKEN: "vp_dev_full" }),
  "voiceplane-nightly": environment({ VOICEPLANE_TOKEN: "vp_dev_full" }),
};

const declared = (retention: string) => `retention:
  recordings: { ${retention}, reassertAfter: 7d }
webhooks:
  crm: { id: ${crm}, rotateAfter: 90d }
`;

/** A repository with a stack without code, as the README describes it. */
async function repository(): Promise<Workspace> {
  const made = await workspace();
  made.write("Pulumi.yaml", "name: acme-voice\nruntime: { name: nodejs, options: { typescript: false } }\n");
  made.write("package.json", '{ "private": true, "dependencies": { "pulumi-voiceplane": "*" } }\n');
  made.write("index.js", 'module.exports = require("pulumi-voiceplane/stack");\n');
  made.write("organization.yaml", declared("days: 90"));
  standInForGh(made);
  await made.must("pulumi stack init acme --non-interactive");
  await made.must(`pulumi config set voiceplane:baseUrl ${made.organization.url} --stack acme --non-interactive`);
  return made;
}

interface Comment {
  readonly user: { readonly login: string };
  readonly body: string;
}

function standInForGh(stack: Workspace): void {
  stack.standIn("gh", `exec node "${join(__dirname, "support/gh.cjs")}" "$@"`);
  comment(stack);
}

/** Puts these comments on the pull request. */
function comment(stack: Workspace, ...comments: Comment[]): void {
  stack.write(".comments.json", JSON.stringify(comments.map((each, index) => ({ id: 4711 + index, ...each }))));
}

const comments = (stack: Workspace) => JSON.parse(stack.read(".comments.json")) as Comment[];
/** What the last comment says. */
const commented = (stack: Workspace): string => comments(stack).at(-1)?.body ?? "";

interface Given {
  readonly at: string;
  /** When the reviewers say yes. Default: at once. */
  readonly approvedAt?: string;
  readonly newest?: string;
  readonly fork?: boolean;
}

async function run(name: string, stack: Workspace, given: Given): Promise<Record<string, RanJob>> {
  copyFileSync(join(root, "test/engine/support/pin-clock.cjs"), join(stack.folder, ".clock.cjs"));
  return runWorkflow(workflow(name), {
    workspace: stack,
    environments,
    github: {
      repository: "acme/voice",
      ref_name: "main",
      token: "a-token-of-the-service",
      event: {
        pull_request: { number: 12, head: { repo: { full_name: given.fork === true ? "eve/voice" : "acme/voice" } } },
      },
    },
    env: (job) => ({
      GITHUB_SERVER_URL: "https://github.example.com",
      GITHUB_REPOSITORY: "acme/voice",
      GITHUB_RUN_ID: "77",
      GITHUB_REF_NAME: "main",
      GITHUB_SHA: sha,
      NEWEST: given.newest ?? sha,
      COMMENTS: join(stack.folder, ".comments.json"),
      NODE_OPTIONS: `--require "${join(stack.folder, ".clock.cjs")}"`,
      TEST_CLOCK: job === "up" ? (given.approvedAt ?? given.at) : given.at,
    }),
  });
}

const results = (jobs: Record<string, RanJob>) =>
  Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]));
/** What a run shows to people, everywhere. */
const shown = (jobs: Record<string, RanJob>): string =>
  Object.values(jobs)
    .flatMap(({ steps, summary }) => [summary, ...steps.map(({ output }) => output)])
    .join("\n");
const output = (job: RanJob | undefined, name: string) => job?.steps.find((step) => step.name === name)?.output ?? "";

const report = (name: string) => join(root, "test/cli/report/previews", `${name}.digest`);

test("from a pull request to the merge, the night and the morning: each run sends what it should and nothing else", async () => {
  const stack = await repository();
  const first = await run("up", stack, { at: "2026-08-22T12:00:00Z" });
  expect(results(first)).toEqual({ preview: "success", up: "success" });
  expect(stack.organization.requests().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ]);

  // The file is wrong: the comment says where.
  stack.write("organization.yaml", "retention:\n  recordings: { days: 0 }\n");
  const broken = await run("preview", stack, { at: "2026-08-23T11:00:00Z" });
  expect(results(broken)).toEqual({ preview: "failure", comment: "success" });
  expect(commented(stack)).toContain("\n- organization.yaml:2:23 retention.recordings.days: must be a whole");

  // The guard refuses: the comment says why, and the log too.
  stack.write("organization.yaml", declared("days: 30"));
  const refused = await run("preview", stack, { at: "2026-08-23T12:00:00Z" });
  expect(results(refused)).toEqual({ preview: "failure", comment: "success" });
  expect(commented(stack)).toContain("add allowShortening: \\{ from: 90, to: 30 \\}");
  expect(output(refused.preview, "Say what is wrong")).toContain("add allowShortening: { from: 90, to: 30 }");

  stack.write("organization.yaml", declared("days: 30, allowShortening: { from: 90, to: 30 }"));
  const previewed = await run("preview", stack, { at: "2026-08-23T12:00:00Z" });
  expect(results(previewed)).toEqual({ preview: "success", comment: "success" });
  expect(previewed.preview?.summary).toBe(
    "### voiceplane: 1 change: deletes data\n\n#### Risks\n\n" +
      "- **deletes data**: recordings are kept 30 instead of 90 days: recordings older than 30 days will be deleted\n",
  );
  const run77 = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";
  expect(comments(stack).map(({ body }) => body)).toEqual([
    `<!-- voiceplane -->\n${previewed.preview?.summary ?? ""}${run77}`,
  ]);
  expect(stack.organization.requests()).toEqual([]);

  const merged = await run("up", stack, { at: "2026-08-24T12:00:00Z" });
  expect(results(merged)).toEqual({ preview: "success", up: "success" });
  expect(merged.preview?.summary).toContain("recordings are kept 30 instead of 90 days");
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);

  // What is due again has no risk, and needs nobody.
  const night = await run("nightly", stack, { at: "2026-09-01T03:17:00Z" });
  expect(results(night)).toEqual({ nightly: "success" });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    "GET /v1/webhooks/",
  ]);

  const morning = await run("rotation", stack, { at: "2026-11-20T08:03:00Z" });
  expect(results(morning)).toEqual({ due: "success", up: "success" });
  expect(morning.due?.summary).toContain("crm's signing secret will be rotated (due 2026-11-20)");
  expect(stack.organization.requests().sort()).toEqual([
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);

  // A change without a risk that nobody has said yes to yet, on a night on which something is due too.
  stack.write("organization.yaml", declared("days: 3650"));
  const longer = await run("nightly", stack, { at: "2026-12-20T03:17:00Z" });
  expect(results(longer)).toEqual({ nightly: "success" });
  expect(longer.nightly?.summary).toContain("recordings are kept 3650 instead of 30 days (due 2026-11-27)");
  expect(longer.nightly?.steps.map(({ name }) => name)).not.toContain("Up");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);

  // One with a risk, and a webhook that is gone.
  stack.write("organization.yaml", declared("days: 7, allowShortening: { from: 30, to: 7 }"));
  stack.organization.control.seed({ remove: [crm] });
  const risky = await run("nightly", stack, { at: "2026-11-21T03:17:00Z" });
  expect(results(risky)).toEqual({ nightly: "failure" });
  expect(risky.nightly?.steps.map(({ name }) => name)).not.toContain("Up");
  expect(output(risky.nightly, "Are the webhooks still there?")).toContain("error: no changes were expected");
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);

  for (const jobs of [first, broken, refused, previewed, merged, night, morning, longer, risky]) {
    expect(shown(jobs)).not.toMatch(/vp_dev_\w+/);
  }
});

test("what became due before the approval came was not approved: nothing is applied until somebody has read it too", async () => {
  const stack = await repository();
  await run("up", stack, { at: "2026-08-22T12:00:00Z" });
  stack.organization.requests();
  stack.write("organization.yaml", declared("days: 365"));

  // Four days later the report is the same; a day after that, the policy is due as well.
  const late = await run("up", stack, { at: "2026-08-24T12:00:00Z", approvedAt: "2026-08-29T12:00:00Z" });
  expect(results(late)).toEqual({ preview: "success", up: "failure" });
  expect(output(late.up, "Is this still what was approved?")).toContain(
    "something else would happen now than what was approved",
  );
  expect(late.up?.summary).toContain("recordings are kept 365 instead of 90 days (due 2026-08-29)");
  const rotated = await run("rotation", stack, { at: "2026-11-20T08:03:00Z", approvedAt: "2026-11-19T08:03:00Z" });
  expect(results(rotated)).toEqual({ due: "success", up: "failure" });
  expect(stack.organization.requests()).toEqual([]);

  const inTime = await run("up", stack, { at: "2026-08-24T12:00:00Z", approvedAt: "2026-08-28T12:00:00Z" });
  expect(results(inTime)).toEqual({ preview: "success", up: "success" });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);
});

/** A repository whose engine only notes what it is asked for, and answers with a preview that was recorded. */
async function rehearsal(preview: string): Promise<Workspace> {
  const made = await workspace();
  standInForGh(made);
  made.standIn("pulumi", `echo "$*" >> "${join(made.folder, ".pulumi-calls")}"; cat "${report(preview)}"`);
  return made;
}

test("a morning on which nothing is due asks nobody and applies nothing", async () => {
  const stack = await rehearsal("unchanged");
  const jobs = await run("rotation", stack, { at: "2026-08-31T08:03:00Z" });
  expect(results(jobs)).toEqual({ due: "success", up: "skipped" });
  expect(stack.read(".pulumi-calls")).toBe("preview --json --suppress-outputs --non-interactive\n");
});

test("a night on which another provider's resource would go applies nothing, whatever else is due", async () => {
  const stack = await rehearsal("due");
  const calls = () => stack.read(".pulumi-calls").match(/^\w+/gm);
  const preview = JSON.parse(readFileSync(report("due"), "utf8")) as { steps: { urn: string }[] };
  const due = preview.steps.filter(({ urn }) => !urn.endsWith("::org-crm"));
  const answer = (steps: object[]) => {
    stack.write("answer.json", JSON.stringify({ ...preview, steps }));
    stack.standIn("pulumi", `echo "$*" >> "${join(stack.folder, ".pulumi-calls")}"; cat answer.json`);
  };
  answer(due);
  await run("nightly", stack, { at: "2026-08-31T03:17:00Z" });
  expect(calls()).toEqual(["preview", "up", "refresh"]);

  const type = "aws:rds/instance:Instance";
  const urn = `urn:pulumi:dev::previews::${type}::db`;
  answer([...due, { op: "delete", urn, oldState: { type, inputs: {}, outputs: {} } }]);
  await run("nightly", stack, { at: "2026-08-31T03:17:00Z" });
  expect(calls()?.slice(3)).toEqual(["preview", "refresh"]);
});

test.each([
  ["up", "preview"],
  ["rotation", "due"],
])("an %s that was approved after something newer was merged applies nothing", async (name, before) => {
  const stack = await rehearsal("due");
  const newest = "fedcba9876543210fedcba9876543210fedcba98";
  const jobs = await run(name, stack, { at: "2026-11-20T08:03:00Z", newest });
  expect(results(jobs)).toEqual({ [before]: "success", up: "failure" });
  expect(stack.read(".pulumi-calls")).toBe("preview --json --suppress-outputs --non-interactive\n");
});

test("one comment is kept up to date, and those of people and of other workflows stay as they are", async () => {
  const stack = await rehearsal("due");
  const others = [
    { user: { login: "eve" }, body: "<!-- voiceplane -->\nlooks harmless" },
    { user: { login: "github-actions[bot]" }, body: "coverage: 12 %, see <!-- voiceplane -->" },
  ];
  comment(stack, ...others);
  await run("preview", stack, { at: "2026-11-20T08:03:00Z" });
  await run("preview", stack, { at: "2026-11-20T09:03:00Z" });
  const all = comments(stack);
  expect(all.slice(0, 2)).toMatchObject(others);
  expect(all).toHaveLength(3);
  expect(commented(stack)).toMatch(/^<!-- voiceplane -->\n### voiceplane: 2 changes: rotates a secret\n/);

  comment(stack, { user: { login: "github-actions[bot]" }, body: "<!-- voiceplane -->\nof yesterday" }, ...others);
  await run("preview", stack, { at: "2026-11-20T10:03:00Z" });
  expect(comments(stack).map(({ body }) => body.split("\n")[1])).toEqual([
    "### voiceplane: 2 changes: rotates a secret",
    "looks harmless",
    undefined,
  ]);
});

test("a preview that cannot be read makes the check of the pull request fail", async () => {
  const stack = await rehearsal("unchanged");
  stack.standIn("pulumi", "echo 'a preview of another format'");
  const jobs = await run("preview", stack, { at: "2026-08-23T12:00:00Z" });
  expect(results(jobs)).toEqual({ preview: "failure", comment: "success" });
  expect(output(jobs.preview, "Report")).toContain("voiceplane: the input is not JSON");
});

test("a fork's pull request runs nothing at all", async () => {
  const stack = await rehearsal("unchanged");
  const jobs = await run("preview", stack, { at: "2026-08-23T12:00:00Z", fork: true });
  expect(results(jobs)).toEqual({ preview: "skipped", comment: "skipped" });
  expect(stack.read(".pulumi-calls")).toBe("");
});
