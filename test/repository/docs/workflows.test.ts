/**
 * What a pull request or a dependency could misuse in the workflows of examples/pipelines and of this repository, and what neither
 * actionlint and zizmor, in test/campaigns/pipelines, nor the runs there would notice.
 */
import { read } from "../../support/repository";
import { githubFiles, gitlabJobs, readWorkflow, type Job, type Step } from "../../support/pipelines";

const [release = "", tests = ""] = ["release", "test"].map((name) => read(`.github/workflows/${name}.yml`));
const [own = "", stack = "", waves = "", action = ""] = Object.values(githubFiles);

/** Jobs with their own steps. The steps of a called workflow are in its own file. */
const jobsOf = (text: string): [string, Job & { steps: readonly Step[] }][] =>
  Object.entries(readWorkflow(text).jobs).flatMap(([name, job]) =>
    job.steps ? [[name, { ...job, steps: job.steps }]] : [],
  );

describe.each(Object.entries({ release, tests, own, stack, waves, action }))("%s", (_file, text) => {
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
});

test("all jobs that a caller starts get what they ask for and no more: GitHub starts nothing that asks for more", () => {
  const asked = Object.assign({}, ...jobsOf(stack).map(([, { permissions }]) => permissions)) as object;
  const callers = [own, waves].flatMap((text) => Object.values(readWorkflow(text).jobs).filter(({ uses }) => uses));
  expect(callers).toHaveLength(3);
  for (const { permissions, secrets } of callers) expect([permissions, secrets]).toEqual([asked, "inherit"]);
  for (const text of [own, stack, waves, release]) expect(readWorkflow(text).permissions).toEqual({});
});

test("a job whose token may write has no other right and runs nothing of the repository, and the others may only read", () => {
  /** Its rights, and the actions that it uses. */
  const writes: Record<string, [permissions: object, ...actions: string[]]> = {
    comment: [{ "pull-requests": "write" }, "actions/download-artifact"],
    issue: [{ issues: "write" }],
    publish: [{ "id-token": "write" }, "actions/setup-node", "actions/download-artifact"],
    attest: [
      { attestations: "write", "id-token": "write" },
      "actions/download-artifact",
      "actions/attest-build-provenance",
    ],
    plugin: [{ contents: "write" }, "actions/download-artifact"],
  };
  const commands = [stack, release].map((text) =>
    jobsOf(text).flatMap(([name, { steps, permissions, environment }]) => {
      if (!(name in writes)) {
        expect([name, permissions]).toEqual([name, { contents: "read" }]);
        return [];
      }
      const actions = steps.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
      expect([name, permissions, ...actions]).toEqual([name, ...(writes[name] ?? [])]);
      expect([name, environment]).toEqual([name, name === "publish" ? "npm" : undefined]);
      expect(JSON.stringify(steps)).not.toMatch(/secrets\.[A-Z]/);
      return steps.flatMap(({ run }) => run ?? []);
    }),
  );
  expect(commands[0]?.join("\n")).not.toMatch(/\.\/|npm|npx|pulumi /);
  expect(commands[1]).toEqual(["npm publish ./*.tgz", 'gh release upload "$GITHUB_REF_NAME" ./* --clobber']);
});

test("two updates of a stack never run at once, and none is cancelled", () => {
  expect(readWorkflow(stack).jobs.apply?.concurrency).toEqual({
    group: "voiceplane-apply-${{ inputs.stack }}",
    "cancel-in-progress": false,
  });
});

test("GitLab's jobs: the one that may write notes runs nothing of the repository, no two updates run at once, and a plan is private", () => {
  const jobs = gitlabJobs();
  const visible = Object.entries(jobs).filter(([name]) => !name.startsWith("."));
  const { script = [], before_script: before, variables } = jobs["note dev"] ?? {};
  expect([before, variables?.GIT_STRATEGY]).toEqual([[], "none"]);
  expect(script.join()).not.toMatch(/\b(npm|npx|pulumi|git)\b/);
  for (const [name, job] of visible)
    expect([name, JSON.stringify(job).includes("NOTE_TOKEN")]).toEqual([name, name === "note dev"]);
  expect(visible.flatMap(([name, { resource_group: group }]) => (group === undefined ? [] : [[name, group]]))).toEqual([
    ["apply dev", "voiceplane-dev"],
    ["nightly dev", "voiceplane-dev"],
  ]);
  expect(visible.flatMap(([, { artifacts }]) => (artifacts ? [artifacts.access] : []))).toEqual(["developer"]);
});

test("docs/guides/review-changes-in-pull-requests.md names the check to require, and shows the commands of these workflows for other systems", () => {
  const page = read("docs/guides/review-changes-in-pull-requests.md");
  expect(Object.keys(readWorkflow(own).jobs)).toContain("previewed");
  expect(page).toContain("Make the check `previewed` required.");
  const table = page.split("## Other systems")[1] ?? "";
  const commands = [...table.matchAll(/^\| (?:install|preview|apply) +\| `([^`]+)`/gm)].map((match) => match[1]);
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(action + stack).toContain(command);
});
