/** `voiceplane preview` as users start it, with a `pulumi` that plays the engine. */
import { execSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs, temporaryFolder, write } from "../../support/folders";
import { until } from "../../support/processes";
import { digest, recordingFile, stepOf } from "../../support/recorded";
import { secret, stale } from "./status/exports";
import { compile, run as runCommand, start } from "../../support/compiled";

const compiled = compile();

/** @param script shell commands of `pulumi preview`, in the project's folder */
function project(script: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  const stacks = `[ "$2" = ls ] && echo '[{"name":"dev"},{"name":"prod"}]' && exit 0`;
  writeFileSync(join(folder, "Pulumi.yaml"), "name: acme\nruntime: nodejs\n");
  programs({ pulumi: `${stacks}\n${script}` }, join(folder, "bin"));
  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, TMPDIR: join(folder, "tmp") };
  const preview = async (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) => {
    const finished = await runCommand(compiled, ["preview", ...args], folder, { ...env, ...more });
    expect(readdirSync(env.TMPDIR)).toEqual([]);
    return finished;
  };
  return { folder, env, preview };
}

const printing = (name: string) => `cat '${recordingFile(name)}'`;
const runs = "voiceplane: running pulumi preview\n";
const failed = `${runs}voiceplane: the preview failed; \`pulumi preview\` shows all of Pulumi's output\n`;

test("asks for a preview as events, with the stack and the policies, and prints its report", async () => {
  const { folder, preview } = project(
    `echo "$PULUMI_ENABLE_STREAMING_JSON_PREVIEW $*" > called; ${printing("edited.events")}`,
  );
  const packs = ["--policy-pack", "a", "--policy-pack", "b", "--policy-pack-config", "a.json"];
  const { code, stdout, stderr } = await preview(["--stack", "dev", "--format=summary", ...packs]);
  expect(readFileSync(join(folder, "called"), "utf8")).toBe(
    `1 preview --json --show-sames --stack dev --policy-pack ${folder}/a --policy-pack ${folder}/b --policy-pack-config ${folder}/a.json ` +
      "--non-interactive --color never\n",
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: runs });
  expect(stdout).toMatch(/^preview: \d+ requests.*: deletes data/);
});

test("the forms, risks and exit codes are those of a report", async () => {
  const { preview } = project(printing("edited.events"));
  expect((await preview()).stdout).toMatch(/^voiceplane preview: /);
  const { code, stdout } = await preview([
    "--fail-on=sends-the-token-elsewhere",
    "--commit=0123456789abcdef",
    "--format=markdown",
  ]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^### voiceplane preview: .*\n\n.*, commit `0123456789ab`/) as string,
  });
});

test("with a commit, it names what runs and was changed since", async () => {
  const { folder, preview } = project(printing("unchanged.events"));
  const git = "git -c user.name=ada -c user.email=ada@example.com";
  execSync(`git init --quiet && git add Pulumi.yaml && ${git} commit --quiet --message first`, { cwd: folder });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: acme\nruntime: python\n");
  const { code, stdout } = await preview(["--since", "HEAD", "--format", "terminal"]);
  expect(stdout).toMatch(
    /^voiceplane preview: no changes, what runs changed\n\nWhat runs\n\n {5}Pulumi\.yaml \(runtime\)\n/,
  );
  expect(code).toBe(0);
  expect(await preview(["--since", "main~9"])).toEqual({
    code: 1,
    stdout: "",
    stderr: `${runs}voiceplane: git knows no commit main~9 in ${folder}: fetch more of the history, or name another commit\n`,
  });
});

test("a line of the organization file, which is beside Pulumi.yaml and not in the folder below it", async () => {
  const { folder, preview } = project(printing("edited.events"));
  writeFileSync(join(folder, "organization.yaml"), "retention:\n  recordings: { days: 90 }\n");
  mkdirSync(join(folder, "below"));
  expect((await preview(["below", "--format", "terminal"])).stdout).toContain("(organization.yaml:2)");
});

test.each([
  ["with secrets in clear", stale(), "a secret that was rotated since: crm; an update registers it again", runs],
  [
    "encrypted",
    stale(() => secret),
    "",
    `${runs}voiceplane: the stack's outputs were not compared with the secrets, because they cannot be decrypted here\n`,
  ],
])("where a webhook was rotated, the outputs of the state are compared: %s", async (_what, state, shown, stderr) => {
  const due = digest("due.digest");
  stepOf(due, "org-crm").oldState.outputs.previousSecret = "[secret]";
  const { folder, preview } = project('[ "$2" = export ] && exec cat state.json; cat due.json');
  write(folder, { "state.json": state, "due.json": JSON.stringify(due) });
  const previewed = await preview();
  expect(previewed).toMatchObject({ code: 3, stderr });
  expect(previewed.stdout).toContain(shown);
});

test("a violated policy is an error, with its reason", async () => {
  const { code, stdout, stderr } = await project(`${printing("policies-refused.events")}; exit 255`).preview([
    "--format",
    "markdown",
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: failed });
  expect(stdout).toContain(
    "- the policy webhook-rotation is violated by billing: A webhook's secret is rotated regularly. rotateAfter is missing",
  );
});

test("a preview that ends before its first event: the CLI's first error, without secrets", async () => {
  const { preview } = project(`echo "error: no backend with $VOICEPLANE_TOKEN, ghp_in_the_url" >&2; exit 255`);
  const secrets = {
    VOICEPLANE_TOKEN: "canary-of-a-token",
    PULUMI_BACKEND_URL: "https://user:ghp_in_the_url@example.com",
  };
  const { code, stdout, stderr } = await preview(["--format", "terminal"], secrets);
  expect({ code, stderr }).toEqual({ code: 1, stderr: failed });
  expect(stdout).toBe("voiceplane: the preview failed\n\nErrors\n\n     no backend with [redacted], [redacted]\n");
});

test("a preview that was killed after its first events is no whole preview", async () => {
  const { code, stdout } = await project(`head -20 '${recordingFile("edited.events")}'; kill -9 $$`).preview([
    "--format",
    "markdown",
  ]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^### voiceplane: the preview failed/)]);
});

test.each([
  ["no stack named 'nope' found", ["-s", "nope"], "there is no stack nope; the project has dev, prod"],
  ["no stack selected; please use `pulumi stack select`", [], "no stack is selected; the project has dev, prod"],
])("%s: the report has the stacks that there are", async (error, args, line) => {
  const { preview } = project(`echo 'error: ${error}' >&2; exit 255`);
  const { code, stdout } = await preview([...args, "--format", "terminal"]);
  expect([code, stdout]).toEqual([1, `voiceplane: the preview failed\n\nErrors\n\n     ${line}\n`]);
});

test("without the CLI, and for input that is no preview, one line says so", async () => {
  const { preview } = project("echo hello");
  expect(await preview([], { PATH: "/nowhere" })).toEqual({
    code: 1,
    stdout: "",
    stderr: `${runs}voiceplane: there is no pulumi on PATH\n`,
  });
  const { code, stdout, stderr } = await preview();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("the input is not JSON (line 1)");
});

test("Ctrl-C ends the CLI, and a second one stops it", async () => {
  const { folder, env } = project(
    `trap 'echo INT >> signals; [ "$(wc -l < signals)" -eq 2 ] && exit 1' INT; : > started; ` +
      "while :; do sleep 0.05; done",
  );
  const signals = () => (existsSync(join(folder, "signals")) ? readFileSync(join(folder, "signals"), "utf8") : "");
  const previewing = start(compiled, ["preview"], { cwd: folder, env });
  await until(() => existsSync(join(folder, "started")));
  previewing.kill("SIGINT");
  await until(() => signals() === "INT\n");
  previewing.kill("SIGINT");
  const { code, stdout, stderr } = await previewing.finished;
  expect(signals()).toBe("INT\nINT\n");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe(
    `${runs}voiceplane: interrupted (interrupt again to stop at once)\n` +
      "voiceplane: interrupted again; stopping at once\nvoiceplane: the preview was interrupted\n",
  );
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});
