/**
 * Checks the workflows of examples/pipelines and of this repository: the rules that actionlint and zizmor, in test/campaigns/pipelines, do
 * not have. test/campaigns/pipelines runs them.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { read } from "../../support/docs/documents";
import { githubFiles, waves } from "../../support/pipelines/github";
import { readWorkflow, type Job } from "../../support/pipelines/runner";

const root = resolve(__dirname, "../../..");
const ours = Object.fromEntries(
  ["release", "delivery", "test"].map((name) => [name, read(`.github/workflows/${name}.yml`)]),
) as Record<"release" | "delivery" | "test", string>;
const written = githubFiles();
const [action = "", stack = "", own = ""] = [
  ".github/actions/voiceplane/action.yml",
  ".github/workflows/voiceplane-stack.yml",
  ".github/workflows/voiceplane.yml",
].map((path) => written[path]);

/** Jobs with their own steps. The steps of a called workflow are in its own file. */
const jobsOf = (text: string): [string, Job & { steps: NonNullable<Job["steps"]> }][] =>
  Object.entries(readWorkflow(text).jobs).flatMap(([name, job]) =>
    job.steps ? [[name, { ...job, steps: job.steps }]] : [],
  );
const mentions = (value: unknown, what: RegExp) => what.test(JSON.stringify(value));

test("init writes exactly these files, which are less than half of those before them", () => {
  expect(Object.keys(written).sort()).toEqual([
    ".github/actions/voiceplane/action.yml",
    ".github/workflows/voiceplane-stack.yml",
    ".github/workflows/voiceplane.yml",
  ]);
  const lines = (text: string) => text.trimEnd().split("\n").length;
  expect(lines(action) + lines(stack) + lines(own)).toBeLessThanOrEqual(280);
  expect(lines(waves)).toBeLessThanOrEqual(60);
});

describe.each(Object.entries({ ...ours, own, stack, waves, action }))("%s", (file, text) => {
  test("pins every action to a commit, with its version in a comment", () => {
    const uses = [...text.matchAll(/uses: (.+)$/gm)].flatMap((match) => match[1] ?? []);
    expect(uses.length).toBeGreaterThan(0);
    // A file of the same commit needs no other.
    for (const each of uses.filter((name) => !name.startsWith("./.github/")))
      expect(each).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("has no expressions in commands, where a title could inject code", () => {
    const commands = [...text.matchAll(/^( *)(?:- )?run: (\|\n(?:\1 +.*\n|\n)+|.*\n)/gm)].map((match) => match[0]);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).not.toContain("${{");
  });

  test("leaves no credentials in the folder, and has a time limit", () => {
    for (const [name, { steps, ...job }] of file === "action" ? [] : jobsOf(text)) {
      for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
        expect([name, step.with?.["persist-credentials"]]).toEqual([name, false]);
      }
      expect([name, job["timeout-minutes"]]).toEqual([name, expect.any(Number)]);
    }
  });
});

test("all jobs that a caller starts get what they ask for and no more: GitHub starts nothing that asks for more", () => {
  const asked = Object.assign({}, ...jobsOf(stack).map(([, { permissions }]) => permissions)) as object;
  const callers = [own, waves].flatMap((text) => Object.values(readWorkflow(text).jobs).filter(({ uses }) => uses));
  expect(callers).toHaveLength(3);
  for (const { permissions, secrets } of callers) expect([permissions, secrets]).toEqual([asked, "inherit"]);
  for (const text of [own, stack, waves]) expect(readWorkflow(text).permissions).toEqual({});
});

test("a job whose token may write runs nothing of the repository, and the others may only read", () => {
  const writes: Record<string, object> = { comment: { "pull-requests": "write" }, issue: { issues: "write" } };
  for (const [name, { steps, permissions, environment }] of jobsOf(stack)) {
    expect([name, permissions]).toEqual([name, writes[name] ?? { contents: "read" }]);
    if (!(name in writes)) continue;
    expect(environment).toBeUndefined();
    expect(mentions(steps, /checkout|\.\/|npm|npx|pulumi |secrets\.[A-Z]/)).toBe(false);
  }
});

test("secrets are only in the step of each job that starts the engine, and the token only where something is sent", () => {
  const found = [own, stack, waves].flatMap((text) =>
    Object.entries(readWorkflow(text).jobs).flatMap(([job, { steps = [], ...rest }]) => {
      expect([job, mentions(rest, /secrets\.[A-Z]/)]).toEqual([job, false]);
      return steps.flatMap(({ name = "", ...step }) =>
        mentions(step, /secrets\.[A-Z]/)
          ? [[job, name, rest.environment, mentions(step.env, /secrets\.VOICEPLANE_TOKEN/)]]
          : [],
      );
    }),
  );
  expect(found).toEqual([
    ["preview", "Preview", "voiceplane-preview-${{ inputs.stack }}", false],
    ["apply", "Apply", "voiceplane-${{ inputs.task == 'nightly' && 'nightly-' || '' }}${{ inputs.stack }}", true],
    ["asked", "Does the control plane of the canary still answer?", "voiceplane-nightly-acme", true],
  ]);
  expect(action).not.toContain("secrets.");
});

test("pins both addresses wherever the engine runs, never runs two updates of a stack at once, and never cancels one", () => {
  for (const name of ["preview", "apply"]) {
    expect(readWorkflow(stack).jobs[name]?.env).toMatchObject({
      VOICEPLANE_BASE_URL: "${{ vars.VOICEPLANE_BASE_URL }}",
      PULUMI_BACKEND_URL: "${{ vars.PULUMI_BACKEND_URL }}",
    });
  }
  expect(readWorkflow(stack).jobs.apply?.concurrency).toEqual({
    group: "voiceplane-apply-${{ inputs.stack }}",
    "cancel-in-progress": false,
  });
});

test("the schedules start what the files say", () => {
  for (const text of [own, waves]) {
    const { on, jobs } = readWorkflow(text);
    expect((on.schedule as { cron: string }[]).map(({ cron }) => cron)).toEqual(["17 3 * * *", "3 8 * * 1-5"]);
    for (const { with: inputs } of Object.values(jobs).filter(({ uses }) => uses))
      expect(inputs?.task).toContain("github.event.schedule == '3 8 * * 1-5' && 'rotation' || 'nightly' }}");
  }
});

test("the release is published and attested by jobs that have no right beyond that and run none of this repository's code", () => {
  const { on, permissions, jobs } = readWorkflow(ours.release);
  expect([on, permissions]).toEqual([{ release: { types: ["published"] } }, {}]);
  expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ["package", { contents: "read" }],
    ["publish", { "id-token": "write" }],
    ["attest", { attestations: "write", "id-token": "write" }],
    ["plugin", { contents: "write" }],
  ]);
  expect(jobs.publish?.steps?.map(({ uses, run }) => run ?? uses?.split("@")[0])).toEqual([
    "actions/setup-node",
    "actions/download-artifact",
    "npm publish ./*.tgz",
  ]);
  expect(jobs.plugin?.steps?.map(({ uses, run }) => run ?? uses?.split("@")[0])).toEqual([
    "actions/download-artifact",
    'gh release upload "$GITHUB_REF_NAME" ./* --clobber',
  ]);
  expect(jobs.attest?.steps?.map(({ uses, run, with: inputs }) => [run ?? uses?.split("@")[0], inputs])).toEqual([
    ["actions/download-artifact", { name: "plugin" }],
    ["actions/attest-build-provenance", { "subject-path": "*" }],
  ]);
  const commands = jobs.package?.steps?.flatMap(({ run }) => run ?? []).join("\n");
  expect(commands).toMatch(/^node tools\/publishable\.mjs "\$GITHUB_REF_NAME"\nnpm ci\nnpm run test:all\n/);
});

test("the release's archives go from the job that makes them, after the tests, to the job that adds them", () => {
  const { jobs } = readWorkflow(ours.release);
  const made = jobs.package?.steps?.map(({ run, with: inputs }) => run ?? [inputs?.name, inputs?.path].join(": "));
  expect(made?.filter((step) => /plugin|npm run test/.test(step))).toEqual([
    "npm run test:all",
    "node tools/release-plugin.mjs plugin\ncp package/sbom.cdx.json plugin\n",
    "plugin: plugin",
  ]);
  expect([jobs.plugin?.needs, jobs.plugin?.steps?.[0]?.with]).toEqual(["package", { name: "plugin" }]);
  expect(jobs.plugin?.steps?.[1]?.env).toEqual({
    GH_TOKEN: "${{ github.token }}",
    GH_REPO: "${{ github.repository }}",
  });
});

test("the recipes are tested weekly and on each change, by a read-only job", () => {
  const { on, permissions, jobs } = readWorkflow(ours.delivery);
  expect(Object.keys(on).sort()).toEqual(["pull_request", "push", "schedule", "workflow_dispatch"]);
  expect([permissions, Object.values(jobs).map((job) => job.permissions)]).toEqual([{}, [{ contents: "read" }]]);
  expect(JSON.stringify(on)).toContain("examples/delivery/**");
  const commands = jobs.recipes?.steps?.flatMap(({ run }) => run ?? []);
  expect(commands).toEqual(["npm ci", "npm run test:delivery", "npm run test:delivery -- --newest"]);
});

test("each push and pull request is tested with the oldest and the newest versions, and the default branch with the campaigns", () => {
  const { on, permissions, jobs } = readWorkflow(ours.test);
  expect([on, permissions]).toEqual([
    { push: { branches: ["main"] }, pull_request: null, workflow_dispatch: null },
    {},
  ]);
  const versions = jobs.test?.strategy?.matrix as unknown as {
    include: { os: string; versions: string; engine: string }[];
  };
  const { engines: minimal, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    engines: { node: string };
    peerDependencies: Record<string, string>;
  };
  const oldest = [minimal.node.replace(">=", ""), peerDependencies["@pulumi/pulumi"]?.replace("^", "")];
  expect(oldest).toEqual(["22.19", "3.250.0"]);
  expect(versions.include.map(({ os, versions, engine }) => `${os} ${versions} ${engine}`.trim())).toEqual([
    "ubuntu-24.04",
    "ubuntu-24.04 node@22.19.0 @pulumi/pulumi@3.250.0 3.250.0",
    "ubuntu-24.04 node@latest @pulumi/pulumi@latest 3.274.1",
    "macos-15",
  ]);
  expect(jobs.campaigns?.strategy?.matrix).toEqual({ engine: ["", "3.274.1"] });
  const engines = ["test", "campaigns"].map((job) => jobs[job]?.steps?.at(-1)?.env);
  const engine = { VOICEPLANE_ENGINE_VERSION: "${{ matrix.engine }}" };
  expect(engines).toEqual([engine, engine]);
  const last = Object.entries(jobs).map(([name, { steps }]) => [name, steps?.at(-1)?.run]);
  expect(Object.fromEntries(last)).toEqual({
    test: "npm test",
    windows: "npm run test:quick",
    campaigns: "npm run test:all",
  });
});

test("docs/guides/review-changes-in-pull-requests.md names the check to require", () => {
  expect(Object.keys(readWorkflow(own).jobs)).toContain("previewed");
  expect(read("docs/guides/review-changes-in-pull-requests.md")).toContain("Make the check `previewed` required.");
});

test("docs/guides/review-changes-in-pull-requests.md shows the commands of these workflows for other systems", () => {
  const table = read("docs/guides/review-changes-in-pull-requests.md").split("## Other systems")[1] ?? "";
  const commands = [...table.matchAll(/^\| (?:install|preview|apply|check) +\| `([^`]+)`/gm)].map((match) => match[1]);
  expect(commands).toHaveLength(4);
  for (const command of commands) expect(action + stack).toContain(command);
});
