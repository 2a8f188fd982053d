/** `voiceplane preview` as users start it, with a `pulumi` that plays the engine. */
import { execSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs, temporaryFolder, write } from "../../support/folders";
import { until } from "../../support/processes";
import { recording, recordingFile } from "../../support/recorded";
import { compile, run as runCommand, start } from "../../support/compiled";

const compiled = compile();

/** @param script shell commands of `pulumi preview`, in the project's folder */
function project(script: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  const stacks =
    `[ "$2" = ls ] && echo '[{"name":"dev"},{"name":"prod"}]' && exit 0\n` +
    `[ "$2" = export ] && { [ -f state.json ] && cat state.json || echo '{"version":3,"deployment":{}}'; exit 0; }`;
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
    `1 preview --json --stack dev --policy-pack ${folder}/a --policy-pack ${folder}/b --policy-pack-config ${folder}/a.json ` +
      "--non-interactive --color never\n",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: runs });
  expect(stdout).toMatch(/^preview: \d+ requests.*: deletes data/);
});

test("a preview that fails shows what validate finds, with its lines, and what Pulumi says", async () => {
  const { folder, preview } = project("echo 'error: is not assignable' >&2; exit 1");
  write(folder, {
    "Pulumi.yaml":
      "name: acme\nruntime: yaml\nresources:\n  acme:\n    type: voiceplane:Organization\n    properties:\n" +
      "      onCreate: adopt\n      retention: { recordings: { days: 90, enabeld: true } }\n",
  });
  const { code, stdout } = await preview();
  expect(code).toBe(1);
  expect(stdout).toContain(
    "Pulumi.yaml:8:44 acme: retention.recordings.enabeld: is not a property of retention.recordings (did you mean enabled?)",
  );
  expect(stdout).toContain("is not assignable");
});

test.each([
  [[], 0],
  [["--fail-on=deletes-data"], 2],
  [["--fail-on=changes"], 2],
  [["--fail-on=sends-the-token-elsewhere"], 0],
])("%j ends a preview with changes with %d", async (args, code) => {
  const { preview } = project(printing("edited.events"));
  const report = await preview([...args, "--commit=0123456789abcdef", "--format=markdown"]);
  expect(report.code).toBe(code);
  expect(report.stdout).toMatch(/^### voiceplane preview: .*\n\n.*, commit `0123456789ab`/);
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
  expect((await preview(["-C", "below", "--format", "terminal"])).stdout).toContain("(organization.yaml:2)");
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

test("without the CLI, and for input that is no preview, one line says so", async () => {
  const { preview } = project("echo hello");
  expect(await preview([], { PATH: "/nowhere" })).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/\nvoiceplane: there is no pulumi on PATH\n$/) as string,
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
    `${runs}voiceplane: interrupted; waiting for requests in progress (interrupt again to stop at once)\n` +
      "voiceplane: interrupted again; stopping at once\nvoiceplane: the preview was interrupted\n",
  );
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

test("what the state has pending is passed to the provider; where the state cannot be read, a line says so", async () => {
  const { folder, preview } = project(`echo "$VOICEPLANE_UNSETTLED" > passed; ${printing("unchanged.events")}`);
  const urn = "urn:pulumi:dev::acme::voiceplane:index:WebhookSecret::crm";
  const resource = { urn, inputs: { organization: "acme", webhookId: "wh-1" } };
  const state = { version: 3, deployment: { pending_operations: [{ type: "creating", resource }] } };
  write(folder, { "state.json": JSON.stringify(state) });
  await preview();
  expect(readFileSync(join(folder, "passed"), "utf8")).toBe('[["WebhookSecret","acme","wh-1",""]]\n');
  write(folder, { "state.json": "no state" });
  expect((await preview()).stderr).toContain("voiceplane: the pending operations of the state are not known: ");
});

test("--out keeps what is shown for apply, which no one else may read; a failed preview takes the place of an earlier plan", async () => {
  const { folder, preview } = project(`${printing("edited.events")}; [ ! -f fail ] || exit 1`);
  const plan = join(folder, "plan.json");
  write(folder, { "plan.json": "older and longer ".repeat(10_000) });
  await preview(["--out", "plan.json"]);
  expect(statSync(plan).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(plan, "utf8"))).toMatchObject({ version: 1, complete: true });
  write(folder, { fail: "" });
  expect((await preview(["--out", "plan.json"])).code).toBe(1);
  expect(JSON.parse(readFileSync(plan, "utf8"))).toMatchObject({ complete: false });
});

describe("--from explains events made elsewhere", () => {
  const { preview, folder } = project("echo a preview was run >&2; exit 9");

  test("from a file and from standard input, without Pulumi", async () => {
    write(folder, { "events.json": recording("edited.events") });
    const { code, stdout, stderr } = await preview(["--from", "events.json", "--format", "summary"], {
      PATH: "/nowhere",
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^preview: 7 requests/);
    const piped = execSync(`${process.execPath} ${compiled.entry} preview --from - --format summary < events.json`, {
      cwd: folder,
      encoding: "utf8",
    });
    expect(piped).toBe(stdout);
  });

  test("with the lines of a file that must exist", async () => {
    const text = "retention:\n  recordings: { days: 90 }\n";
    write(folder, { "events.json": recording("edited.events"), "another.yaml": text });
    const from = ["--from", "events.json", "--organization-file"];
    expect((await preview([...from, "another.yaml"])).stdout).toContain("(another.yaml:2)");
    expect((await preview([...from, "missing.yaml"])).stderr).toBe(
      "voiceplane: missing.yaml cannot be read (ENOENT)\n",
    );
  });
});
