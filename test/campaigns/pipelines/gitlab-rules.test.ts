/** What the jobs of examples/pipelines/gitlab do with each answer of this package's program, for which a stand-in answers. */
import { asClone, bot, commitAgain, gitlabResults, NotesApi, runGitlab } from "../../support/pipelines/gitlab";
import { answer, calls, environmentsOf, playedRepository } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

const morning = { at: "2026-11-20T08:03:00Z" };

let stack: Workspace;

beforeEach(async () => {
  stack = await playedRepository();
  await asClone(stack);
});

const preview = (failOn: string) =>
  expect.stringMatching(
    `^dev: voiceplane preview --format markdown --commit \\w{40} --since \\w{40} --fail-on ${failOn} --out plan\\.json$`,
  ) as string;
const applied = "dev: voiceplane apply --plan plan.json";
const refreshed = "dev: pulumi refresh --preview-only --expect-no-changes --suppress-outputs --non-interactive";

describe("a merge request", () => {
  test("gets one note, which is updated, also beyond the first page; other users' notes stay", async () => {
    const api = new NotesApi();
    const url = await api.start();
    const others = Array.from({ length: 120 }, (_, index) => ({
      id: index,
      author: { id: index === 0 ? 1 : bot },
      body: index === 0 ? "<!-- voiceplane dev -->\nlooks harmless" : "of another job, about <!-- voiceplane dev -->",
    }));
    api.notes.push(...others);
    for (let push = 0; push < 2; push++) {
      const jobs = await runGitlab("merge request", stack, { ...morning, api: url });
      expect(gitlabResults(jobs)).toEqual({ "preview dev": "success", "note dev": "success" });
      expect(calls(stack)).toEqual([preview("none")]);
    }
    expect(api.notes.slice(0, 120)).toEqual(others);
    expect(api.notes.slice(120)).toMatchObject([
      {
        body: "<!-- voiceplane dev -->\n### voiceplane preview of dev\n[The pipeline](https://gitlab.example.com/acme/voice/-/pipelines/77)\n",
      },
    ]);
  });

  test("with a preview that fails has its report in the note, and the note says when there is none", async () => {
    const api = new NotesApi();
    const url = await api.start();
    answer(stack, "preview", 1);
    const failed = await runGitlab("merge request", stack, { ...morning, api: url });
    expect(gitlabResults(failed)).toEqual({ "preview dev": "failed", "note dev": "success" });
    expect(api.notes[0]?.body).toContain("### voiceplane preview of dev");

    stack.standIn("npm", "exit 1");
    await runGitlab("merge request", stack, { ...morning, api: url });
    expect(api.notes.map(({ body }) => body.split("\n")[1])).toEqual([
      "There is no report of dev, because the job failed.",
    ]);
  });

  test("whose report is a link shows nothing of the job that has a token", async () => {
    answer(stack, "preview", 0, "ln -sf /proc/self/environ report.md");
    const api = new NotesApi();
    await runGitlab("merge request", stack, { ...morning, api: await api.start() });
    expect(api.notes.map(({ body }) => body.split("\n")[1])).toEqual([
      "There is no report of dev, because the job failed.",
    ]);
    expect(JSON.stringify(api.notes)).not.toContain("glpat");
  });

  test("of a fork runs nothing", async () => {
    expect(await runGitlab("merge request", stack, { ...morning, fork: true })).toEqual({});
  });
});

test.each([
  ["push", "changes"],
  ["rotation", "rotates-a-secret"],
] as const)(
  "a %s applies the plan that was shown once a person starts the job, and nothing after a failure or after a newer commit",
  async (source, failOn) => {
    answer(stack, "preview", 1);
    const failed = await runGitlab(source, stack, morning);
    expect(gitlabResults(failed)).toMatchObject({ "preview dev": "failed", "apply dev": "skipped" });

    answer(stack, "preview", 2);
    const waiting = await runGitlab(source, stack, { ...morning, started: false });
    expect(waiting["apply dev"]?.result).toBe("manual");
    calls(stack);
    const jobs = await runGitlab(source, stack, morning);
    expect(jobs["apply dev"]).toMatchObject({
      result: "success",
      output: "plan of dev\n### voiceplane apply of dev\n",
    });
    expect(jobs["remind dev"]?.result).toBe(source === "rotation" ? "failed" : undefined);
    expect(calls(stack)).toEqual([preview(failOn), applied]);

    const sha = (await stack.must("git rev-parse HEAD")).trim();
    await commitAgain(stack);
    const old = await runGitlab(source, stack, { ...morning, sha });
    expect(old["apply dev"]).toMatchObject({
      result: "failed",
      output: "Nothing was applied, because main has a newer commit.\n",
    });
    expect(calls(stack)).toEqual([preview(failOn)]);
  },
);

describe("a night", () => {
  test("applies what needs no person, and looks for the webhooks", async () => {
    expect(gitlabResults(await runGitlab("nightly", stack, morning))).toEqual({ "nightly dev": "success" });
    expect(calls(stack)).toEqual(["dev: voiceplane apply --yes --fail-on edits", refreshed]);
  });

  test("fails if a webhook is gone, and applies nothing of an old commit", async () => {
    stack.standIn("pulumi", `echo "crm is not in the server's list of webhooks"`);
    expect(gitlabResults(await runGitlab("nightly", stack, morning))).toEqual({ "nightly dev": "failed" });
    calls(stack);
    const sha = (await stack.must("git rev-parse HEAD")).trim();
    await commitAgain(stack);
    expect(gitlabResults(await runGitlab("nightly", stack, { ...morning, sha }))).toEqual({ "nightly dev": "failed" });
    expect(calls(stack)).toEqual([]);
  });
});

test("secrets do not reach the installation, and the organization's token reaches only the jobs that send", async () => {
  answer(stack, "preview", 2);
  const vars = { VOICEPLANE_BASE_URL: stack.organization.url, PULUMI_ACCESS_TOKEN: "canary-of-the-state" };
  const api = await new NotesApi().start();
  for (const source of ["merge request", "push", "nightly"] as const)
    await runGitlab(source, stack, { ...morning, vars, api });
  const { npm = "", preview: previewed = "", apply = "" } = environmentsOf(stack);
  expect(npm.match(/^npm$/gm)).toHaveLength(4);
  expect(npm).not.toMatch(/canary|vp_dev/);
  expect(previewed.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=previews-send-nothing"));
  expect(apply.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=vp_dev_full"));
});

test("an .npmrc is refused before npm reads it", async () => {
  stack.write(".npmrc", "script-shell=./evil.sh\n");
  const jobs = await runGitlab("push", stack, morning);
  expect(jobs["preview dev"]?.output).toContain("/.npmrc. A registry can be an option of the next command.");
  expect([jobs["preview dev"]?.result, stack.read(".npm-calls"), calls(stack)]).toEqual(["failed", "", []]);
});

test.each(["push", "nightly"] as const)("without the addresses, a %s runs nothing", async (source) => {
  const jobs = await runGitlab(source, stack, { ...morning, vars: {} });
  expect(Object.values(jobs)[0]).toMatchObject({
    result: "failed",
    output: expect.stringMatching(
      /^Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, CI\/CD variables of the environment voiceplane\S*\/dev\./,
    ) as string,
  });
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});
