/** The scripts of examples/pipelines in a shell with the real engine, one after the other as both services start them. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { listenInTest } from "../../support/after-test";
import { clockOf } from "../../support/engine/installation";
import { ids, organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { githubStep, gitlabJob, type Script } from "../../support/pipelines";
import { testWith } from "../../support/tools";

const rotated = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;

const declared = (days: number) => ({
  onCreate: "overwrite",
  retention: { recordings: { days, reassertAfter: "7d" } },
  webhooks: { crm: { id: ids.crm, onCreate: "rotate", rotateAfter: "90d" } },
});

/** What each service runs, for what it was started. GitLab's jobs begin with the installation. */
const services = {
  GitHub: {
    install: [githubStep("Are the addresses set?"), githubStep("Install")],
    preview: (TASK: string) => [githubStep("Preview", { TASK })],
    apply: [githubStep("Are these still the newest files?"), githubStep("Apply", { TASK: "apply" })],
    night: [githubStep("Preview", { TASK: "nightly" }), githubStep("Apply", { TASK: "nightly" })],
  },
  GitLab: {
    install: [gitlabJob("preview")],
    preview: (task: string) => [gitlabJob("preview", { STOP: task === "preview" ? "" : "changes" })],
    apply: [gitlabJob("apply")],
    night: [gitlabJob("nightly")],
  },
};

/** A repository with a project, at the place of a job. `npm` is a stand-in, which notes its variables. */
async function repository() {
  const stack = await project({ env: { VOICEPLANE_TOKEN: undefined } });
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  stack.declareFile(declared(90));
  stack.standIn("npm", `env > "${stack.folder}/.npm-env"`);
  const must = async (script: string): Promise<string> => {
    const { code, output } = await stack.shell(script);
    expect({ code, output }).toMatchObject({ code: 0 });
    return output.trim();
  };
  const commit = "git add *.yaml; git -c user.name=ada -c user.email=ada@example.com commit --quiet --message change";
  await must(`git init --quiet --initial-branch main; git remote add origin "$PWD"; ${commit}`);
  const sha = await must("git rev-parse HEAD");
  const { VOICEPLANE_TOKEN: _, ...own } = stack.environment;
  const service = {
    ...{ CI_COMMIT_SHA: sha, CI_COMMIT_BRANCH: "main", CI_PROJECT_DIR: stack.folder, PULUMI_STACK: "dev" },
    ...{ GITHUB_SHA: sha, GITHUB_REF_NAME: "main", GITHUB_SERVER_URL: "https://github.example.com" },
    ...{ GITHUB_WORKSPACE: stack.folder, GITHUB_OUTPUT: join(stack.folder, ".output") },
    ...{ GITHUB_STEP_SUMMARY: join(stack.folder, ".summary") },
  };
  /** Runs scripts until one fails. */
  const run = async (scripts: readonly Script[], env: NodeJS.ProcessEnv = {}) => {
    let ended: { code: number | null; output: string } = { code: 0, output: "" };
    for (const script of scripts) {
      ended = await stack.shell(script.text, { ...script.env, ...own, ...service, ...env });
      if (ended.code !== 0) break;
    }
    return ended;
  };
  return { stack, must, commit, run };
}

const changes = ({ organization }: Project) => organization.requests().filter((line) => !line.startsWith("GET"));

test.each(Object.entries(services))(
  "%s sends what was approved, and nothing else",
  async (_service, { install, preview, apply, night }) => {
    const { stack, must, commit, run } = await repository();
    // The project's file names another address: the pipeline's own is what counts.
    const elsewhere = await organization();
    await stack.run(["config", "set", "voiceplane:baseUrl", elsewhere.url]);
    const send = { VOICEPLANE_TOKEN: "vp_dev_full" };
    const outputs: string[] = [];
    const ends = async (scripts: readonly Script[], code: number, at: string, env: NodeJS.ProcessEnv = {}) => {
      stack.organization.control.setClock(at);
      const ended = await run(scripts, { ...clockOf({ at }), ...env });
      outputs.push(ended.output);
      expect(ended).toMatchObject({ code });
      return ended.output;
    };

    // The pull request's program could steal it.
    for (const { env } of preview("preview")) expect(env).not.toHaveProperty("VOICEPLANE_TOKEN");
    await ends([...install, ...preview("preview")], 0, "2026-08-22T11:00:00Z");
    expect(stack.read("report.md")).toContain("rotates its signing secret");
    await ends(preview("apply"), 0, "2026-08-22T12:00:00Z");
    expect(changes(stack)).toEqual([]);
    // A newer commit of the project stops an older run.
    await must(`echo >> organization.yaml; ${commit}; git checkout --quiet --detach HEAD~`);
    expect(await ends(apply, 1, "2026-08-22T12:01:00Z", send)).toContain("main has newer changes");
    await must("git checkout --quiet -B main");
    await ends(apply, 0, "2026-08-22T12:01:00Z", send);
    expect(changes(stack).sort()).toEqual([rotated, put(90)]);

    // A rotation became due while the run waited for its approval.
    stack.declareFile(declared(365));
    await ends(preview("apply"), 0, "2026-11-19T12:00:00Z");
    expect(await ends(apply, 2, "2026-11-21T12:00:00Z", send)).toContain("than what was approved");
    expect(changes(stack)).toEqual([]);

    // Nobody approves the night: it sends what is due, and nothing that was edited.
    stack.declareFile(declared(90));
    await ends(night, 0, "2026-09-05T03:17:00Z", send);
    expect(changes(stack)).toEqual([put(90)]);
    stack.declareFile(declared(3650));
    expect((await run(night, { ...clockOf({ at: "2026-09-20T03:17:00Z" }), ...send })).code).not.toBe(0);
    expect(changes(stack)).toEqual([]);

    expect(elsewhere.requests()).toEqual([]);
    expect(outputs.join("\n") + stack.read("report.md")).not.toMatch(/vp_dev_\w+/);
  },
);

test.each(Object.entries(services))(
  "%s installs nothing without the addresses, or where an .npmrc may run code",
  async (service, { install }) => {
    const { stack, run } = await repository();
    const unset = await run(install, { VOICEPLANE_BASE_URL: "" });
    expect([unset.code, unset.output]).toEqual([1, expect.stringContaining("Set VOICEPLANE_BASE_URL and PULUMI_BACK")]);
    stack.write(".npmrc", "registry=http://127.0.0.1:9/${PULUMI_ACCESS_TOKEN}/\n");
    const ended = await run(install);
    expect([ended.code, ended.output]).toEqual([1, expect.stringContaining("/.npmrc. A ")]);
    expect(stack.read(".npm-env")).toBe("");
    await stack.shell("rm .npmrc");
    await run(install, { PULUMI_ACCESS_TOKEN: "canary" });
    expect(stack.read(".npm-env")).toMatch(/^PATH=/m);
    // GitHub's step gets no secret. All of GitLab's job has them.
    if (service === "GitLab") expect(stack.read(".npm-env")).not.toMatch(/canary|TOKEN|VOICEPLANE/);
  },
);

const jq = { missing: spawnSync("jq", ["--version"]).status === 0 ? undefined : "there is no jq on PATH" };

testWith(
  jq,
  "GitHub: one comment and one issue for each stack, which are updated; others' and links stay",
  async () => {
    const { stack, run } = await repository();
    const bot = { login: "github-actions[bot]" };
    const others = [
      { id: 1, number: 1, user: { login: "eve" }, body: "<!-- voiceplane dev -->\n<!-- voiceplane nightly dev -->" },
      { id: 2, number: 2, user: bot, body: "<!-- voiceplane dev-2 -->\nof another stack" },
      { id: 3, number: 3, user: bot, body: null },
    ];
    stack.standIn(
      "gh",
      `if [ "$3" = --paginate ]; then printf '%s' "$LISTED" | jq -r "$5"; else echo "$*" >> "$CALLS"; fi`,
    );
    const env = { GITHUB_REPOSITORY: "acme/voice", GITHUB_RUN_ID: "77", GH_TOKEN: "t", STACK: "dev", NUMBER: "12" };
    const calls = join(stack.folder, ".calls");
    const ran = async (name: string, listed: readonly object[], RESULT = "") => {
      const more = { ...env, RESULT, LISTED: JSON.stringify([...others, ...listed]), CALLS: calls };
      expect(await run([githubStep(name)], more)).toEqual({ code: 0, output: "" });
    };
    symlinkSync("/proc/self/environ", join(stack.folder, "report.md"));
    await ran("Comment", []);
    const link = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";
    const none = "There is no report of dev, because the run failed.\n";
    expect(stack.read("comment.md")).toBe(`<!-- voiceplane dev -->\n${none}${link}`);
    stack.write("report.md", "### voiceplane preview\n");
    await ran("Comment", [{ id: 4711, user: bot, body: stack.read("comment.md") }]);
    expect(stack.read("comment.md")).toBe(`<!-- voiceplane dev -->\n### voiceplane preview\n${link}`);
    const issue = { number: 70, user: bot, body: "<!-- voiceplane nightly dev -->\nof yesterday" };
    for (const result of ["success", "failure"])
      for (const listed of [[], [issue]]) await ran("Open, update or close the issue", listed, result);
    const api = "api --silent --method";
    expect(stack.read(".calls").match(/^api .*?(?= --raw-field|$)/gm)).toEqual([
      `${api} POST repos/acme/voice/issues/12/comments --field body=@comment.md`,
      `${api} PATCH repos/acme/voice/issues/comments/4711 --field body=@comment.md`,
      `${api} PATCH repos/acme/voice/issues/70 --field state=closed`,
      `${api} POST repos/acme/voice/issues`,
      `${api} PATCH repos/acme/voice/issues/70`,
    ]);
  },
);

test("GitLab: one note for each stack, which is updated; a link is no report", async () => {
  const { stack, run } = await repository();
  const notes = [{ id: 1, author: { id: 1 }, body: "<!-- voiceplane dev -->\nlooks harmless" }];
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      const call = `${request.method ?? ""} ${new URL(request.url ?? "", "http://gitlab").pathname}`;
      expect(request.headers["private-token"]).toBe("glpat-notes");
      if (call === "GET /user") return { id: 77 };
      if (request.method === "GET") return request.url?.endsWith("page=1") ? notes : [];
      const { body } = (await json(request)) as { body: string };
      if (call === "POST /projects/5/merge_requests/12/notes") notes.push({ id: 2, author: { id: 77 }, body });
      if (call === "PUT /projects/5/merge_requests/12/notes/2" && notes[1]) notes[1].body = body;
      return {};
    };
    void answer().then((value) => response.end(JSON.stringify(value)));
  });
  const env = {
    CI_API_V4_URL: `http://127.0.0.1:${await listenInTest(server)}`,
    ...{ CI_PROJECT_ID: "5", CI_MERGE_REQUEST_IID: "12", CI_PIPELINE_URL: "https://gitlab.example.com/77" },
    VOICEPLANE_NOTE_TOKEN: "glpat-notes",
  };
  const noted = async () => {
    expect(await run([gitlabJob("note")], env)).toEqual({ code: 0, output: "" });
    return notes.slice(1).map(({ body }) => body);
  };
  const note = (text: string) => `<!-- voiceplane dev -->\n${text}[The pipeline](https://gitlab.example.com/77)\n`;
  symlinkSync("/proc/self/environ", join(stack.folder, "report.md"));
  expect(await noted()).toEqual([note("There is no report of dev, because the job failed.\n")]);
  await stack.shell("rm report.md; echo report > report.md");
  expect(await noted()).toEqual([note("report\n")]);
});
