/** What the jobs of examples/pipelines/gitlab do with each answer of this package's program, for which a stand-in answers. */
import { asClone, bot, commitAgain, gitlabResults, NotesApi, runGitlab } from "../../support/pipelines/gitlab";
import { answer, calls, environmentsOf, playedRepository } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

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

/** What ends with which result after each exit code of the preview or the nightly update, and what is called. */
test.each([
  ["push", 0, { "preview dev": "success", "apply dev": "success" }, [preview("changes")]],
  ["push", 1, { "preview dev": "failed", "apply dev": "skipped" }, [preview("changes")]],
  ["push", 2, { "preview dev": "success", "apply dev": "success" }, [preview("changes"), applied]],
  [
    "rotation",
    2,
    { "preview dev": "success", "apply dev": "success", "remind dev": "failed" },
    [preview("rotates-a-secret"), applied],
  ],
  ["nightly", 0, { "nightly dev": "success" }, ["dev: voiceplane apply --yes --fail-on edits", refreshed]],
  ["nightly", 2, { "nightly dev": "failed" }, ["dev: voiceplane apply --yes --fail-on edits", refreshed]],
] as const)("a %s whose preview ends with %i", async (source, code, ended, called) => {
  answer(stack, source === "nightly" ? "apply" : "preview", code);
  const jobs = await runGitlab(source, stack);
  expect(gitlabResults(jobs)).toEqual(ended);
  expect(calls(stack)).toEqual(called);
  if (called.length === 2 && source !== "nightly")
    expect(jobs["apply dev"]?.output).toBe("plan of dev\n### voiceplane apply of dev\n");
});

test("nothing is applied before a person starts the job, or of an old commit; a night fails if a webhook is gone", async () => {
  answer(stack, "preview", 2);
  const waiting = await runGitlab("push", stack, { isStarted: false });
  expect(gitlabResults(waiting)).toEqual({ "preview dev": "success", "apply dev": "manual" });
  calls(stack);
  stack.standIn("pulumi", `echo "crm is not in the server's list of webhooks"`);
  expect(gitlabResults(await runGitlab("nightly", stack))).toEqual({ "nightly dev": "failed" });
  calls(stack);

  const sha = (await stack.must("git rev-parse HEAD")).trim();
  await commitAgain(stack, "organization.yaml");
  const old = await runGitlab("push", stack, { sha });
  const output =
    "Nothing was applied, because main has newer changes of this project. Start the job of its newest pipeline instead.\n";
  expect(old["apply dev"]).toEqual({ result: "failed", output });
  expect(gitlabResults(await runGitlab("nightly", stack, { sha }))).toEqual({ "nightly dev": "failed" });
  expect(calls(stack)).toEqual([preview("changes")]);
});

describe("a merge request", () => {
  test("gets one note, which is updated, also beyond the first page, and says if there is no report; other users' notes stay", async () => {
    const api = new NotesApi();
    const run = { api: await api.start() };
    const others = Array.from({ length: 120 }, (_, index) => ({
      id: index,
      author: { id: index === 0 ? 1 : bot },
      body: index === 0 ? "<!-- voiceplane dev -->\nlooks harmless" : "of another job, about <!-- voiceplane dev -->",
    }));
    api.notes.push(...others);
    for (const code of [0, 1]) {
      answer(stack, "preview", code);
      const ended = { "preview dev": code === 0 ? "success" : "failed", "note dev": "success" };
      expect(gitlabResults(await runGitlab("merge request", stack, run))).toEqual(ended);
      expect(calls(stack)).toEqual([preview("none")]);
      const link = "[The pipeline](https://gitlab.example.com/acme/voice/-/pipelines/77)\n";
      const body = `<!-- voiceplane dev -->\n### voiceplane preview of dev\n${link}`;
      expect(api.notes).toMatchObject([...others, { body }]);
    }
    stack.standIn("npm", "exit 1");
    await runGitlab("merge request", stack, run);
    expect(api.notes[120]?.body).toContain("\nThere is no report of dev, because the job failed.\n");
  });

  test("whose report is a link shows nothing of the job that has a token", async () => {
    answer(stack, "preview", 0, "ln -sf /proc/self/environ report.md");
    const api = new NotesApi();
    await runGitlab("merge request", stack, { api: await api.start() });
    expect(api.notes.map(({ body }) => body.split("\n")[1])).toEqual([
      "There is no report of dev, because the job failed.",
    ]);
    expect(JSON.stringify(api.notes)).not.toContain("glpat");
  });

  test("of a fork runs nothing", async () => {
    expect(await runGitlab("merge request", stack, { fork: true })).toEqual({});
  });
});

test("secrets do not reach the installation, and the organization's token reaches only the jobs that send", async () => {
  answer(stack, "preview", 2);
  const vars = { VOICEPLANE_BASE_URL: stack.organization.url, PULUMI_ACCESS_TOKEN: "canary-of-the-state" };
  const api = await new NotesApi().start();
  for (const source of ["merge request", "push", "nightly"] as const) await runGitlab(source, stack, { vars, api });
  const { npm = "", preview: previewed = "", apply = "" } = environmentsOf(stack);
  expect(npm.match(/^npm$/gm)).toHaveLength(4);
  expect(npm).not.toMatch(/canary|vp_dev/);
  expect(previewed.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=previews-send-nothing"));
  expect(apply.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=vp_dev_full"));
});

test("an .npmrc is refused before npm reads it", async () => {
  stack.write(".npmrc", "script-shell=./evil.sh\n");
  const jobs = await runGitlab("push", stack);
  expect(jobs["preview dev"]?.output).toContain("/.npmrc. A registry can be an option of the next command.");
  expect([jobs["preview dev"]?.result, stack.read(".npm-calls"), calls(stack)]).toEqual(["failed", "", []]);
});

test.each(["push", "nightly"] as const)("without the addresses, a %s runs nothing", async (source) => {
  const jobs = await runGitlab(source, stack, { vars: {} });
  expect(Object.values(jobs)[0]).toMatchObject({
    result: "failed",
    output: expect.stringMatching(
      /^Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, CI\/CD variables of the environment voiceplane\S*\/dev\./,
    ) as string,
  });
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});
