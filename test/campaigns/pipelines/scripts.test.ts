/** What each script of examples/pipelines does with each answer of the programs that it starts, for which stand-ins answer. */
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { startControlPlane } from "../../../src/control-plane/index";
import { afterTest, listenInTest } from "../../support/after-test";
import { bash, githubStep, gitlabJob, Played } from "../../support/pipelines";
import { testWith } from "../../support/programs";

const addresses = { VOICEPLANE_BASE_URL: "https://voice.example.com", PULUMI_BACKEND_URL: "s3://state" };
const refresh = "pulumi refresh --preview-only --expect-no-changes --suppress-outputs --non-interactive";
const previewing = (failOn: string) =>
  `voiceplane preview --format markdown ${failOn === "" ? "" : `--fail-on ${failOn} `}--out plan.json`;

let played: Played;
beforeEach(() => (played = new Played()));

/** As GitHub describes the repository to a step. */
const github = {
  GITHUB_SERVER_URL: "https://github.example.com",
  GITHUB_REPOSITORY: "acme/voice",
  GITHUB_RUN_ID: "77",
  GH_TOKEN: "token",
  STACK: "acme",
};

describe("GitHub", () => {
  test.each([
    ["preview", "", 0, 0, ""],
    ["preview", "", 1, 1, ""],
    ...["apply", "rotation"].flatMap((task): [string, string, number, number, string][] => {
      const stop = task === "apply" ? "changes" : "rotates-a-secret";
      return [
        [task, stop, 0, 0, ""],
        [task, stop, 1, 1, ""],
        [task, stop, 2, 0, "apply=true\n"],
      ];
    }),
    ["nightly", "edits", 0, 0, "apply=true\n"],
    ["nightly", "edits", 1, 1, ""],
    ["nightly", "edits", 2, 1, ""],
  ])("%s: a preview --fail-on '%s' that ends with %i ends with %i, with the output '%s'", async (...row) => {
    const [TASK, stop, ENDS, code, output] = row;
    const PULUMI_CONFIG_PASSPHRASE = "";
    const ended = await played.run(githubStep("Preview", { TASK, ENDS: String(ENDS), PULUMI_CONFIG_PASSPHRASE }));
    expect([ended.code, played.calls, played.read(".output")]).toEqual([code, [previewing(stop)], output]);
    expect([played.read(".summary"), played.read("plan.json")]).toEqual(["report\n", "plan\n"]);
    // The pull request's program could steal it.
    expect(played.read(".cli-env")).not.toContain("VOICEPLANE_TOKEN");
    // Pulumi would encrypt with an empty one.
    expect(played.read(".cli-env")).not.toContain("PASSPHRASE");
  });

  const missing = "crm is not in the server's list of webhooks";
  test.each([
    ["apply", 0, "", 0],
    ["apply", 1, "", 1],
    ["apply", 2, "", 2],
    ["nightly", 0, "", 0],
    ["nightly", 0, missing, 1],
    ["nightly", 0, "crm: the list may have further pages", 0],
  ])("%s: an apply that ends with %i, and a refresh that says '%s', end with %i", async (TASK, ENDS, said, code) => {
    const ended = await played.run(githubStep("Apply", { TASK, ENDS: String(ENDS), PULUMI_SAYS: said }));
    expect(ended.code).toBe(code);
    expect(ended.output.includes("::error::Nothing was applied")).toBe(ENDS === 2);
    expect(played.calls).toEqual(["voiceplane apply --plan plan.json", ...(TASK === "nightly" ? [refresh] : [])]);
  });

  /** A merge queue has changes that were previewed in their pull requests. */
  test.each([
    ["pull_request", "success", 0],
    ["pull_request", "failure", 1],
    ["pull_request", "skipped", 1],
    ["merge_group", "skipped", 0],
  ])("a %s whose previews end with %s ends its required check with %i", async (EVENT, RESULT, code) => {
    const ended = await played.run(githubStep("Was every stack previewed?", { EVENT, RESULT }));
    expect(ended.code).toBe(code);
    expect(ended.output.includes("push it to a branch")).toBe(EVENT === "pull_request" && RESULT === "skipped");
  });

  const jq = { missing: spawnSync("jq", ["--version"]).status === 0 ? undefined : "there is no jq on PATH" };
  const bot = { login: "github-actions[bot]" };
  const others = [
    { id: 1, number: 1, user: { login: "eve" }, body: "<!-- voiceplane acme -->\n<!-- voiceplane nightly acme -->" },
    { id: 2, number: 2, user: bot, body: "coverage: 12 %, see <!-- voiceplane acme -->" },
    { id: 3, number: 3, user: bot, body: "<!-- voiceplane acme-2 -->\nof another stack" },
    { id: 4, number: 4, user: bot, body: null },
  ];
  const listed = (...more: object[]) => JSON.stringify([...others, ...more]);

  testWith(jq, "a pull request gets one comment for each stack, which is updated; others' comments stay", async () => {
    const step = (LISTED: string) => githubStep("Comment", { ...github, NUMBER: "12", LISTED });
    const link = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";
    const api = "gh github.example.com: api --silent --method";
    await played.run(step(listed()));
    expect(played.read("comment.md")).toBe(
      `<!-- voiceplane acme -->\nThere is no report of acme, because the run failed.\n${link}`,
    );
    played.write("report.md", "### voiceplane preview\n");
    await played.run(step(listed({ id: 4711, user: bot, body: played.read("comment.md") })));
    expect(played.read("comment.md")).toBe(`<!-- voiceplane acme -->\n### voiceplane preview\n${link}`);
    expect(played.calls).toEqual([
      `${api} POST repos/acme/voice/issues/12/comments --field body=@comment.md`,
      `${api} PATCH repos/acme/voice/issues/comments/4711 --field body=@comment.md`,
    ]);
  });

  testWith(jq, "a report that is a link shows nothing of the job that has a token", async () => {
    symlinkSync("/proc/self/environ", join(played.folder, "report.md"));
    await played.run(githubStep("Comment", { ...github, NUMBER: "12", LISTED: "[]" }));
    expect(played.read("comment.md")).toContain("There is no report of acme, because the run failed.");
  });

  const issue = { number: 70, user: bot, body: "<!-- voiceplane nightly acme -->\nof yesterday" };
  testWith(jq, "a night that needs a person opens or updates one issue, which the next success closes", async () => {
    const step = (RESULT: string, LISTED: string) =>
      githubStep("Open, update or close the issue", { ...github, RESULT, LISTED });
    for (const RESULT of ["success", "failure"])
      for (const more of [[], [issue]]) await played.run(step(RESULT, listed(...more)));
    expect(played.calls.filter((line) => line.startsWith("gh")).map((line) => line.split(" --raw-field")[0])).toEqual([
      "gh github.example.com: api --silent --method PATCH repos/acme/voice/issues/70 --field state=closed",
      "gh github.example.com: api --silent --method POST repos/acme/voice/issues",
      "gh github.example.com: api --silent --method PATCH repos/acme/voice/issues/70",
    ]);
  });

  test("the canary's control plane is asked with its token, which is in no list of processes", async () => {
    const plane = await startControlPlane();
    afterTest(() => plane.close());
    const step = "Does the control plane of the canary still answer?";
    const asked = (VOICEPLANE_TOKEN: string) =>
      played.run(githubStep(step, { VOICEPLANE_BASE_URL: `${plane.url}/`, VOICEPLANE_TOKEN }));
    expect(await asked(plane.tokens.full)).toEqual({ code: 0, output: "" });
    expect((await asked("vp_dev_revoked")).code).toBe(22);
  });
});

/** A repository whose branch has one more commit than the one that a job was started for. */
async function withNewer(file: string): Promise<string> {
  const commit = "git add . && git -c user.name=ada -c user.email=ada@example.com commit --quiet --message change";
  played.write("infra/voice/package.json", "{}");
  await played.run({
    text: `git init --quiet --initial-branch main; git remote add origin "$PWD"; ${commit}`,
    env: {},
  });
  const { output } = await played.run({ text: "git rev-parse HEAD", env: {} });
  played.write(file, "newer\n");
  await played.run({ text: `${commit}; git checkout --quiet --detach ${output}`, env: {} });
  return output.trim();
}

describe.each([
  ["infra/voice/organization.yaml", true],
  [".github/workflows/voiceplane.yml", true],
  [".gitlab-ci.yml", true],
  ["package-lock.json", true],
  ["infra/voice-agents/index.ts", false],
])("a run that is approved after a newer commit has changed %s", (newer, isOld) => {
  const isOthers = (service: string) => newer.includes(service === "GitHub" ? "gitlab" : "github");

  test.each(["GitHub", "GitLab"])(`on %s applies ${isOld ? "nothing" : "what was approved"}`, async (service) => {
    const sha = await withNewer(newer);
    const [text = ""] = /^git fetch[^]*?exit 1; \}$/m.exec(gitlabJob("nightly").text) ?? [];
    const script =
      service === "GitHub"
        ? githubStep("Are these still the newest files?", { ...github, GITHUB_REF_NAME: "main", GITHUB_SHA: sha })
        : { text, env: { CI_COMMIT_BRANCH: "main", CI_COMMIT_SHA: sha } };
    const { code, output } = await played.run(script, "infra/voice");
    expect({ code, output }).toMatchObject({ code: isOld && !isOthers(service) ? 1 : 0 });
    expect(output.includes("Nothing was applied, because main has newer changes")).toBe(code === 1);
  });
});

describe("GitLab", () => {
  const setUp = { ...addresses, CI_ENVIRONMENT_NAME: "voiceplane/dev" };
  const install = "npm ci --ignore-scripts";
  /** Without the check for newer commits, which is above. */
  const job = (name: string, given: Record<string, string> = {}) => {
    const { text, env } = gitlabJob(name, { ...setUp, ...given });
    return { text: text.replace(/^git fetch[^]*?exit 1; \}$/m, ""), env };
  };

  test.each([
    ["", 0, 0, ""],
    ["", 1, 1, ""],
    ["changes", 0, 0, ""],
    ["changes", 1, 1, ""],
    ["changes", 2, 0, "plan\n"],
  ])("a preview --fail-on '%s' that ends with %i ends with %i, and keeps the plan '%s'", async (...row) => {
    const [STOP, ENDS, code, plan] = row;
    const ended = await played.run(job("preview", { STOP, ENDS: String(ENDS) }));
    expect([ended.code, played.calls]).toEqual([code, [install, previewing(STOP)]]);
    expect([ended.output, played.read("report.md"), played.read("plan.json")]).toEqual(["report\n", "report\n", plan]);
  });

  test.each([
    ["apply", "plan", 0, "", 0, ["voiceplane apply --plan plan.json"]],
    ["apply", "plan", 2, "", 2, ["voiceplane apply --plan plan.json"]],
    ["apply", undefined, 0, "", 0, []],
    ["remind", "plan", 0, "", 1, undefined],
    ["remind", undefined, 0, "", 0, undefined],
    ["nightly", undefined, 0, "", 0, ["voiceplane apply --yes --fail-on edits", refresh]],
    ["nightly", undefined, 2, "", 2, ["voiceplane apply --yes --fail-on edits", refresh]],
    ["nightly", undefined, 0, "crm is not in the server's list of webhooks", 1, undefined],
  ])("%s with the plan %s: a program that ends with %i, and a refresh that says '%s', end with %i", async (...row) => {
    const [name, plan, ENDS, PULUMI_SAYS, code, calls] = row;
    if (plan !== undefined) played.write("plan.json", plan);
    const ended = await played.run(job(name, { ENDS: String(ENDS), PULUMI_SAYS }));
    expect(ended.code).toBe(code);
    expect(ended.output.includes("Nothing was applied")).toBe(ENDS === 2);
    if (calls) expect(played.calls).toEqual([install, ...calls]);
  });

  test("a merge request gets one note, which is updated, also beyond the first page; a link is no report", async () => {
    const notes = Array.from({ length: 120 }, (_, id) => ({
      id,
      author: { id: id === 0 ? 1 : 77 },
      body: id === 0 ? "<!-- voiceplane dev -->\nlooks harmless" : "about <!-- voiceplane dev -->",
    }));
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://gitlab.example.com");
      const call = `${request.method ?? ""} ${pathname}`;
      const answer = async (): Promise<unknown> => {
        expect(request.headers["private-token"]).toBe("glpat-notes");
        if (call === "GET /user") return { id: 77 };
        if (request.method === "GET") return notes.slice((Number(searchParams.get("page")) - 1) * 100).slice(0, 100);
        const { body } = (await json(request)) as { body: string };
        if (call === "POST /projects/5/merge_requests/12/notes") notes.push({ id: 120, author: { id: 77 }, body });
        if (call === "PUT /projects/5/merge_requests/12/notes/120" && notes[120]) notes[120].body = body;
        return {};
      };
      void answer().then((value) => response.end(JSON.stringify(value)));
    });
    const script = gitlabJob("note", {
      CI_API_V4_URL: `http://127.0.0.1:${await listenInTest(server)}`,
      ...{ CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "12", CI_PIPELINE_URL: "https://gitlab.example.com/77" },
      VOICEPLANE_NOTE_TOKEN: "glpat-notes",
    });
    const note = (text: string) => `<!-- voiceplane dev -->\n${text}[The pipeline](https://gitlab.example.com/77)\n`;
    const none = note("There is no report of dev, because the job failed.\n");
    symlinkSync("/proc/self/environ", join(played.folder, "report.md"));
    expect(await played.run(script)).toEqual({ code: 0, output: "" });
    expect(notes.slice(120)).toMatchObject([{ body: none }]);
    await bash(played.folder, { text: "rm report.md; echo report > report.md", env: {} });
    expect(await played.run(script)).toEqual({ code: 0, output: "" });
    expect(notes.slice(120)).toMatchObject([{ body: note("report\n") }]);
  });
});

/** What both services do before a step has a secret. */
describe.each([
  ["GitHub", (given: object) => githubStep("Are the addresses set?", { ...given })],
  ["GitLab", (given: object) => gitlabJob("preview", { ...given })],
])("%s installs", (service, first) => {
  const steps = () => [first(addresses), ...(service === "GitHub" ? [githubStep("Install")] : [])];

  test.each(Object.keys(addresses))("nothing without %s", async (name) => {
    const { code, output } = await played.run(first({ ...addresses, [name]: "" }));
    expect([code, played.calls]).toEqual([1, []]);
    expect(output).toContain("Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL");
  });

  test.each(["infra/voice", "infra", "."])("nothing where an .npmrc in %s may run code", async (folder) => {
    played.write("infra/voice/package.json", "{}");
    played.write(`${folder}/.npmrc`, "registry=http://127.0.0.1:9/${PULUMI_ACCESS_TOKEN}/\n");
    const ended = [];
    for (const { text, env } of steps())
      ended.push(
        await played.run(
          { text, env: { ...env, PROJECT_FOLDER: "infra/voice" } },
          service === "GitHub" ? "infra/voice" : ".",
        ),
      );
    expect([ended.at(-1)?.code, played.calls]).toEqual([1, []]);
    expect(ended.at(-1)?.output).toContain("/.npmrc. A ");
  });

  test("without secrets", async () => {
    for (const { text, env } of steps())
      await played.run({ text, env: { ...env, ...(service === "GitLab" && { PULUMI_ACCESS_TOKEN: "canary" }) } });
    expect(played.calls[0]).toBe("npm ci --ignore-scripts");
    expect(played.read(".npm-env")).toMatch(/^PATH=/m);
    expect(played.read(".npm-env")).not.toMatch(/canary|TOKEN|VOICEPLANE/);
  });
});
