/** The workflows of examples/pipelines/github with recorded previews, without an engine. */
import { readFileSync } from "node:fs";
import {
  comment,
  commented,
  comments,
  issues,
  output,
  results,
  run,
  standInForGh,
  type RunOptions,
} from "../../support/pipelines/github";
import { answerWith, calls, recorded, repositoryWithPreview } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

async function githubRepository(preview: string): Promise<Workspace> {
  const made = await repositoryWithPreview(preview);
  standInForGh(made);
  return made;
}

const morning: RunOptions = { at: "2026-11-20T08:03:00Z" };
const two: RunOptions = { ...morning, stacks: ["dev", "prod"] };

test("a morning run without due requests asks for no approval and applies nothing", async () => {
  const stack = await githubRepository("unchanged");
  const jobs = await run("rotation", stack, { at: "2026-08-31T08:03:00Z" });
  expect(results(jobs)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "skipped" });
  expect(stack.read(".pulumi-calls")).toBe("acme preview --json --show-sames --suppress-outputs --non-interactive\n");
});

test.each([
  ["nightly by hand", { "nightly (acme)": "success", "issue (acme)": "success" }],
  ["rotation by hand", { "apply (acme) / preview": "success", "apply (acme) / up": "skipped" }],
] as const)("a person can start a %s", async (name, expected) => {
  const stack = await githubRepository("unchanged");
  expect(results(await run(name, stack, morning))).toEqual(expected);
});

test("a nightly run that would delete another provider's resource applies nothing", async () => {
  const stack = await githubRepository("unchanged");
  const unchanged = JSON.parse(readFileSync(recorded("unchanged"), "utf8")) as { steps: object[] };
  const answer = (steps: object[]) => {
    stack.write("answer.json", JSON.stringify({ ...unchanged, steps }));
    answerWith(stack, `${stack.folder}/answer.json`);
  };
  answer(unchanged.steps);
  await run("nightly", stack, { at: "2026-08-31T03:17:00Z" });
  expect(calls(stack)).toEqual(["acme preview", "acme up", "acme refresh"]);

  const type = "aws:rds/instance:Instance";
  const urn = `urn:pulumi:dev::previews::${type}::db`;
  answer([...unchanged.steps, { op: "delete", urn, oldState: { type, inputs: {}, outputs: {} } }]);
  await run("nightly", stack, { at: "2026-08-31T03:17:00Z" });
  expect(calls(stack).slice(3)).toEqual(["acme preview", "acme refresh"]);
});

test("a nightly run with unapproved changes applies nothing, and shows them in an issue", async () => {
  const stack = await githubRepository("edited");
  const jobs = await run("nightly", stack, { at: "2026-08-31T03:17:00Z" });
  expect(results(jobs)).toEqual({ "nightly (acme)": "success", "issue (acme)": "success" });
  expect(calls(stack)).toEqual(["acme preview", "acme refresh"]);
  const link = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";
  const issue = {
    number: 70,
    state: "open",
    title: "voiceplane: the night needs a person for acme",
    body: `<!-- voiceplane nightly acme -->\n${jobs["nightly (acme)"]?.summary ?? ""}${link}`,
  };
  expect(issues(stack)).toMatchObject([issue]);

  // The next nightly run fails, and the same issue says so.
  stack.standIn("pulumi", "exit 1");
  await run("nightly", stack, { at: "2026-09-01T03:17:00Z" });
  const title = "voiceplane: the nightly run of acme failed";
  expect(issues(stack)).toMatchObject([{ ...issue, title, body: `<!-- voiceplane nightly acme -->\n${link}` }]);
});

test("the comment lists the problems of the organization file, with lines and columns", async () => {
  const stack = await githubRepository("broken-file");
  stack.standIn("pulumi", `cat "${recorded("broken-file")}"; exit 255`);
  const jobs = await run("preview", stack, morning);
  expect(results(jobs)).toEqual({ "preview (acme)": "failure", "comment (acme)": "success", previewed: "failure" });
  expect(commented(stack)).toMatch(/organization\.yaml:\d+:\d+ \S+: must be/);
});

test.each([["up"], ["rotation"]] as const)(
  "an %s that is approved after a newer commit was merged applies nothing",
  async (name) => {
    const stack = await githubRepository("due");
    const newest = "fedcba9876543210fedcba9876543210fedcba98";
    const jobs = await run(name, stack, { ...morning, newest });
    expect(results(jobs)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "failure" });
    expect(calls(stack)).toEqual(["acme preview"]);
  },
);

test.each([["up"], ["rotation"]] as const)(
  "an %s applies nothing if a request becomes due between the preview and the approval",
  async (name) => {
    const stack = await githubRepository("edited");
    // The job before the approval and the one after it see different previews.
    stack.standIn(
      "pulumi",
      `echo "$PULUMI_STACK $*" >> "${stack.folder}/.pulumi-calls"
cd "${stack.folder}"; test -e .approved && exec cat "${recorded("due")}"; touch .approved; cat "${recorded("edited")}"`,
    );
    const jobs = await run(name, stack, { at: "2026-08-24T12:00:00Z", approvedAt: "2026-11-20T12:00:00Z" });
    expect(results(jobs)).toEqual({ "apply (acme) / preview": "success", "apply (acme) / up": "failure" });
    expect(output(jobs["apply (acme) / up"], "Is this still what was approved?")).toContain(
      "something else would happen now than what was approved",
    );
    expect(jobs["apply (acme) / up"]?.summary).toContain("2026-11-20");
    expect(calls(stack)).toEqual(["acme preview", "acme preview"]);
  },
);

test("one comment is updated, and those of people, of other workflows and of other stacks do not change", async () => {
  const stack = await githubRepository("due");
  const others = [
    { user: { login: "eve" }, body: "<!-- voiceplane acme -->\nlooks harmless" },
    { user: { login: "github-actions[bot]" }, body: "coverage: 12 %, see <!-- voiceplane acme -->" },
    { user: { login: "github-actions[bot]" }, body: "<!-- voiceplane acme-2 -->\nof another stack" },
  ];
  comment(stack, ...others);
  await run("preview", stack, morning);
  await run("preview", stack, { at: "2026-11-20T09:03:00Z" });
  const all = comments(stack);
  expect(all.slice(0, 3)).toMatchObject(others);
  expect(all).toHaveLength(4);
  expect(commented(stack)).toMatch(/^<!-- voiceplane acme -->\n### voiceplane.* rotates a secret/);

  comment(stack, { user: { login: "github-actions[bot]" }, body: "<!-- voiceplane acme -->\nof yesterday" }, ...others);
  await run("preview", stack, { at: "2026-11-20T10:03:00Z" });
  expect(comments(stack)).toHaveLength(4);
  expect(comments(stack)[0]?.body).toContain("rotates a secret");
  expect(comments(stack).slice(1)).toMatchObject(others);
});

describe("of two stacks", () => {
  /** The engine fails for dev. */
  async function failing(preview: string): Promise<Workspace> {
    const stack = await githubRepository(preview);
    const answers = `cat "${recorded(preview)}"`;
    stack.standIn(
      "pulumi",
      `echo "$PULUMI_STACK $*" >> "${stack.folder}/.pulumi-calls"
[ "$PULUMI_STACK" = prod ] || exit 1
case "$1" in up) cat "${recorded("unchanged").replace(".digest", ".events")}" >&3 ;; *) ${answers} ;; esac`,
    );
    return stack;
  }

  test("each has its own comment and report", async () => {
    const stack = await githubRepository("due");
    const jobs = await run("preview", stack, two);
    expect(results(jobs)).toEqual({
      "preview (dev)": "success",
      "preview (prod)": "success",
      "comment (dev)": "success",
      "comment (prod)": "success",
      previewed: "success",
    });
    expect(comments(stack).map(({ body }) => body.split("\n")[0])).toEqual([
      "<!-- voiceplane dev -->",
      "<!-- voiceplane prod -->",
    ]);
  });

  test("a failed preview of one fails the check, and is reported in its own comment", async () => {
    const stack = await failing("due");
    const jobs = await run("preview", stack, two);
    expect(results(jobs)).toMatchObject({
      "preview (dev)": "failure",
      "preview (prod)": "success",
      previewed: "failure",
    });
    expect(comments(stack).map(({ body }) => body.split("\n").slice(0, 2))).toEqual([
      ["<!-- voiceplane dev -->", "There is no report of dev, because the run failed."],
      ["<!-- voiceplane prod -->", expect.stringContaining("rotates a secret")],
    ]);
  });

  test("a failure of one does not stop the update of the other", async () => {
    const stack = await failing("due");
    expect(results(await run("up", stack, two))).toEqual({
      "apply (dev) / preview": "failure",
      "apply (dev) / up": "skipped",
      "apply (prod) / preview": "success",
      "apply (prod) / up": "success",
    });
    expect(calls(stack)).toEqual(["dev preview", "prod preview", "prod preview", "prod up"]);
  });

  test("the nightly run opens an issue for a failed stack, and closes it after the next success", async () => {
    const stack = await failing("unchanged");
    const failed = await run("nightly", stack, two);
    expect(results(failed)).toMatchObject({ "nightly (dev)": "failure", "nightly (prod)": "success" });
    expect(issues(stack).map(({ number, state, title }) => ({ number, state, title }))).toEqual([
      { number: 70, state: "open", title: "voiceplane: the nightly run of dev failed" },
    ]);

    answerWith(stack, recorded("unchanged"));
    const well = await run("nightly", stack, two);
    expect(results(well)).toEqual({
      "nightly (dev)": "success",
      "nightly (prod)": "success",
      "issue (dev)": "success",
      "issue (prod)": "success",
    });
    expect(issues(stack).map(({ number, state }) => ({ number, state }))).toEqual([{ number: 70, state: "closed" }]);

    // A closed issue is not opened again: the next failure opens a new one.
    stack.standIn("pulumi", "exit 1");
    await run("nightly", stack, { ...two, stacks: ["dev"] });
    expect(issues(stack).map(({ number, state }) => ({ number, state }))).toEqual([
      { number: 70, state: "closed" },
      { number: 71, state: "open" },
    ]);
  });
});

test("issues of people and of other stacks do not change", async () => {
  const stack = await githubRepository("unchanged");
  const others = [
    { number: 1, state: "open", title: "t", user: { login: "eve" }, body: "<!-- voiceplane nightly acme -->" },
    { number: 2, state: "open", title: "t", user: { login: "github-actions[bot]" }, body: null },
    {
      number: 3,
      state: "open",
      title: "t",
      user: { login: "github-actions[bot]" },
      body: "<!-- voiceplane nightly x -->",
    },
  ];
  stack.write(".issues.json", JSON.stringify(others));
  await run("nightly", stack, morning);
  expect(issues(stack)).toEqual(others);
});

test("an unreadable preview fails the check of the pull request", async () => {
  const stack = await githubRepository("unchanged");
  stack.standIn("pulumi", "echo 'a preview of another format'");
  const jobs = await run("preview", stack, { at: "2026-08-23T12:00:00Z" });
  expect(results(jobs)).toEqual({ "preview (acme)": "failure", "comment (acme)": "success", previewed: "failure" });
  expect(output(jobs["preview (acme)"], "Report")).toContain("voiceplane: the input is not JSON");
});

test.each([
  ["a fork", { fork: true }],
  ["Dependabot", { actor: "dependabot[bot]" }],
])("a pull request of %s runs none of its code, and does not count as previewed", async (_whose, options) => {
  const stack = await githubRepository("unchanged");
  const jobs = await run("preview", stack, { ...morning, ...options });
  expect(results(jobs)).toEqual({ preview: "skipped", comment: "skipped", previewed: "failure" });
  expect(output(jobs.previewed, "Was every stack previewed?")).toContain("push it to a branch of this repository");
  expect(stack.read(".pulumi-calls")).toBe("");
});

test("a failed update is reported in the summary and in the log, and keeps its exit code", async () => {
  const stack = await githubRepository("due");
  const events = recorded("lost-answers").replace(".digest", ".events");
  stack.standIn(
    "pulumi",
    `case "$1" in up) echo 'error: update failed'; cat "${events}" >&3; exit 4 ;; *) cat "${recorded("due")}" ;; esac`,
  );
  const jobs = await run("up", stack, morning);
  const up = jobs["apply (acme) / up"];
  expect(up?.result).toBe("failure");
  expect(output(up, "Up")).toContain("error: update failed");
  expect(up?.summary).toContain("failed");
});
