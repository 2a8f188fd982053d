/** The commands of examples/pipelines/gitlab with recorded previews, run as GitLab runs them, without an engine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  asClone,
  bot,
  commitAgain,
  gitlabFolder,
  gitlabResults,
  NotesApi,
  runGitlab,
} from "../../support/pipelines/gitlab";
import { readPipeline } from "../../support/pipelines/gitlab-runner";
import { answerWith, calls, recorded, repositoryWithPreview } from "../../support/pipelines/projects";

const morning = { at: "2026-11-20T08:03:00Z" };

async function clone(preview: string) {
  const made = await repositoryWithPreview(preview);
  await asClone(made);
  return made;
}

// test/repository/docs/gitlab-rules.test.ts has the same check at the beginning of each job.
test("without the address, the first job of a push fails before anything runs", async () => {
  const stack = await clone("due");
  const jobs = await runGitlab("push", stack, { ...morning, vars: {} });
  expect(jobs["plan dev"]?.result).toBe("failed");
  expect(jobs["plan dev"]?.output).toMatch(
    /^Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, CI\/CD variables of the environment voiceplane\S*\/dev\. Pulumi Cloud is https:\/\/api\.pulumi\.com\.\n$/,
  );
  expect(calls(stack)).toEqual([]);
  expect(stack.read(".npm-calls")).toBe("");
});

test("nothing is applied until a person starts the job", async () => {
  const stack = await clone("due");
  const jobs = await runGitlab("push", stack, { ...morning, started: false });
  expect(gitlabResults(jobs)).toEqual({ "plan dev": "success", "up dev": "manual" });
  expect(calls(stack)).toEqual(["dev preview"]);
});

test("a plan that has changed since it was shown, or an old commit, applies nothing", async () => {
  const stack = await clone("due");
  const before = (await stack.must("git rev-parse HEAD")).trim();
  await commitAgain(stack);
  const old = await runGitlab("push", stack, { ...morning, sha: before });
  expect(gitlabResults(old)).toEqual({ "plan dev": "success", "up dev": "failed" });
  expect(old["up dev"]?.output).toContain("Nothing was applied, because main has a newer commit.");

  // The second preview differs from the one that was shown.
  stack.write(".first", readFileSync(recorded("due"), "utf8"));
  stack.standIn(
    "pulumi",
    `cd "${stack.folder}"; test "$1" = preview && { cat .first 2>/dev/null || cat "${recorded("edited")}"; rm -f .first; }`,
  );
  const changed = await runGitlab("push", stack, morning);
  expect(gitlabResults(changed)).toEqual({ "plan dev": "success", "up dev": "failed" });
  expect(changed["up dev"]?.output).toContain("something else would happen now than what was approved");
});

test("the morning job fails as a reminder when a rotation is due, and otherwise nothing waits to be started", async () => {
  const stack = await clone("due");
  expect(gitlabResults(await runGitlab("rotation", stack, morning))).toEqual({
    "plan dev": "success",
    "up dev": "success",
    "remind dev": "failed",
  });
  expect(calls(stack)).toEqual(["dev preview", "dev preview", "dev up"]);

  answerWith(stack, recorded("unchanged"));
  const nothingDue = await runGitlab("rotation", stack, morning);
  expect(gitlabResults(nothingDue)).toEqual({ "plan dev": "success", "up dev": "success", "remind dev": "success" });
  expect(nothingDue["up dev"]?.output).toContain("There is nothing to apply.");
  expect(calls(stack).slice(3)).toEqual(["dev preview"]);

  // Neither is there after a push that changes nothing of the stack.
  const pushed = await runGitlab("push", stack, morning);
  expect(gitlabResults(pushed)).toEqual({ "plan dev": "success", "up dev": "success" });
  expect(pushed["up dev"]?.output).toContain("There is nothing to apply.");
  expect(calls(stack).slice(4)).toEqual(["dev preview"]);
});

describe("notes", () => {
  test("one note is updated, also beyond the first page, and other users' notes do not change", async () => {
    const stack = await clone("due");
    const api = new NotesApi();
    const url = await api.start();
    const others = Array.from({ length: 120 }, (_, index) => ({
      id: index,
      author: { id: index === 0 ? 1 : bot },
      body: index === 0 ? "<!-- voiceplane dev -->\nlooks harmless" : "of another job, about <!-- voiceplane dev -->",
    }));
    api.notes.push(...others);
    await runGitlab("merge request", stack, { ...morning, api: url });
    await runGitlab("merge request", stack, { ...morning, api: url });
    expect(api.notes.slice(0, 120)).toEqual(others);
    expect(api.notes).toHaveLength(121);
    expect(api.notes.at(-1)?.body).toContain("rotates a secret");
  });

  test("a failed preview has its report in the note, and the note says when there is no report", async () => {
    const stack = await clone("refused");
    stack.standIn("pulumi", `cat "${recorded("refused")}"; exit 1`);
    const api = new NotesApi();
    const url = await api.start();
    const refused = await runGitlab("merge request", stack, { ...morning, api: url });
    expect(gitlabResults(refused)).toEqual({ "preview dev": "failed", "note dev": "success" });
    expect(api.notes[0]?.body).toContain("the preview failed");

    stack.standIn("npm", "exit 1");
    await runGitlab("merge request", stack, { ...morning, api: url });
    expect(api.notes.map(({ body }) => body.split("\n")[1])).toEqual([
      "There is no report of dev, because the job failed.",
    ]);
  });

  test("a refused token fails only the note's job, and is not printed", async () => {
    const stack = await clone("due");
    const api = await new NotesApi("glpat-another").start();
    const jobs = await runGitlab("merge request", stack, { ...morning, api });
    expect(gitlabResults(jobs)).toEqual({ "preview dev": "success", "note dev": "failed" });
    expect(jobs["note dev"]?.output).toContain("GET user was answered 401");
    expect(jobs["note dev"]?.output).not.toContain("glpat-");
  });
});

test("a fork's merge request runs nothing", async () => {
  const stack = await clone("due");
  expect(await runGitlab("merge request", stack, { ...morning, fork: true })).toEqual({});
});

test("two stacks have their own jobs, environments and notes, and a failed one does not stop the other", async () => {
  const read = (path: string) => readFileSync(join(gitlabFolder, path), "utf8");
  const text = read(".gitlab-ci.yml");
  const twice = `${text}  - local: .gitlab/voiceplane.yml\n    inputs: { stack: prod, directory: voice }\n`;
  const stack = await clone("due");
  stack.write("voice/organization.yaml", "{}\n");
  stack.standIn(
    "pulumi",
    `[ "$PULUMI_STACK" = prod ] && [ "\${PWD##*/}" = voice ] && exec cat "${recorded("due")}"; exit 1`,
  );
  const pipeline = readPipeline(twice, read);
  const jobs = await runGitlab("push", stack, { ...morning, started: false, pipeline });
  expect(gitlabResults(jobs)).toEqual({
    "plan dev": "failed",
    "plan prod": "success",
    "up dev": "skipped",
    "up prod": "manual",
  });
});
