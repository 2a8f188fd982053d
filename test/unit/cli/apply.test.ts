/** `voiceplane apply` as users start it, with a `pulumi` that plays the engine. */
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder, write, type TestProject } from "../../support/project-folder";
import { shorteningPreview } from "../../support/preview-events";
import { until } from "../../support/processes";
import { compile, run as runCommand, start } from "../../support/compiled";

const compiled = compile();

const inJson = ["--format", "json"];

const quiet = [
  { sequence: 0, preludeEvent: { config: {} } },
  { sequence: 1, summaryEvent: { isPreview: false, result: "succeeded", resourceChanges: {}, durationSeconds: 1 } },
];

/** @param up shell commands of `pulumi up` */
function project(up: string): TestProject {
  const made = projectFolder();
  write(made.folder, {
    "bin/pulumi": `#!/bin/sh\ncd "${made.folder}"\n[ "$2" = --show-name ] && exec cat selected\n[ "$1" = stack ] && echo '{"version":3,"deployment":{}}' && exit\n${up}\n`,
    events: quiet.map((event) => `${JSON.stringify(event)}\n`).join(""),
  });
  chmodSync(join(made.folder, "bin/pulumi"), 0o755);
  return { ...made, env: { ...made.env, PATH: `${made.folder}/bin:/usr/bin:/bin`, TMPDIR: made.folder } };
}

const run = ({ folder, env }: TestProject, args: readonly string[]) =>
  runCommand(compiled, ["apply", ...(args.includes("--format") ? [] : inJson), ...args], folder, env);

test("the result is one line of JSON, the same in a folder and from outside of it; progress goes to standard error", async () => {
  const made = project("cat events");
  const first = await run(made, ["--stack", "acme", "--revision", "3f2a"]);
  expect(first.code).toBe(0);
  expect(first.stderr).toBe(
    "voiceplane: runs acme: there is no record of an earlier run\nvoiceplane: acme unchanged: no changes\n",
  );
  expect(first.stdout).toMatch(/^\{.*\}\n$/);
  const { seconds, ...result } = JSON.parse(first.stdout) as Record<string, unknown>;
  expect(seconds).toEqual(expect.any(Number));
  expect(result).toEqual({
    organization: "acme-eu",
    stack: "acme",
    outcome: "unchanged",
    reason: "there is no record of an earlier run",
    needsPerson: false,
    summary: "no changes",
    risks: [],
    requests: 0,
    rotations: 0,
    uncertain: 0,
    uncertainObjects: [],
    nextDueDate: null,
    rotatedAgain: [],
    rotatedEarlier: [],
    unreadable: [],
    staleOutputs: [],
    pending: [],
    staleLocks: [],
    log: null,
  });
  const outside = await run({ ...made, folder: join(made.folder, "bin") }, [
    ...["--stack", "acme", "--revision", "3f2a", made.folder],
  ]);
  expect(outside).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/acme skipped: nothing changed since/) as string,
  });
});

test("--dry-run prints the preview's report for people, and as a member of the result; --fail-on can be repeated", async () => {
  const made = project('[ "$1" = preview ] && exec cat previewed');
  write(made.folder, {
    previewed: shorteningPreview()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(""),
  });
  const dry = await run(made, ["--stack", "acme", "--dry-run"]);
  expect(dry.code).toBe(3);
  expect(JSON.parse(dry.stdout)).toMatchObject({
    outcome: "previewed",
    report: expect.stringMatching(/^voiceplane preview: 1 request: deletes data\n\nRisks\n/) as string,
  });
  expect(dry.stderr).toContain("voiceplane: Risks\n");
  expect(dry.stderr).toMatch(/voiceplane: acme previewed: 1 request: deletes data\n$/);

  const inMarkdown = await run(made, ["--stack", "acme", "--dry-run", "--format", "markdown"]);
  expect(inMarkdown.code).toBe(3);
  expect(inMarkdown.stdout).toMatch(
    /^### voiceplane apply: acme previewed: 1 request: deletes data\n\n### voiceplane preview: 1 request: deletes data\n\nStack `acme` of `fleet`.*\n\n#### Risks\n/,
  );
  expect(inMarkdown.stderr).not.toContain("#");

  const refused = await run(made, ["--stack", "acme", "--fail-on", "cuts-a-trunk", "--fail-on", "deletes-data"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/acme failed: the preview shows changes that --fail-on refuses: deletes data\n$/);
});

test("without --stack, it runs the selected stack", async () => {
  const made = project("cat events");
  write(made.folder, { selected: "acme\n" });
  const { code, stdout } = await run(made, []);
  expect([code, stdout]).toEqual([0, expect.stringContaining('"stack":"acme","outcome":"unchanged"')]);
});

test("for people, the result is on standard error alone", async () => {
  expect(await run(project("cat events"), ["-s", "acme", "--format", "terminal"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "voiceplane: runs acme: there is no record of an earlier run\nvoiceplane: acme unchanged: no changes\n",
  });
});

test("each object that is uncertain is named", async () => {
  const intent = JSON.stringify({
    ...{ id: "r1", intent: true, since: null, operation: "rotateWebhookSecret", organization: "acme-eu" },
    ...{ path: "/v1/webhooks/wh-1/rotate-secret", method: "POST", attempt: 1, time: "2026-11-20T12:00:00.000Z" },
  });
  const killed = project(`echo '${intent}' >> "$VOICEPLANE_REQUEST_LOG"; exit 255`);
  const { code, stdout, stderr } = await run(killed, ["-s", "acme", "--format", "json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ uncertain: 1, uncertainObjects: ["wh-1"] });
  expect(stderr).toContain(
    "voiceplane: wh-1 is uncertain: the server may have another secret or value than the state\n",
  );
});

test("in Markdown, the result on standard output is a heading, with what it has of others escaped", async () => {
  const failing = project('echo "error: <img src=x> of @acme" >&2\nexit 255');
  const { code, stdout } = await run(failing, ["-s", "acme", "--format", "markdown"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^### voiceplane apply: acme failed: \\<img src=x\\> of @<!-- -->acme\n\n- Pulumi's own output is in \S+\n$/,
  );
});

test("a result that nobody reads is not forgotten: the run fails, and the journal stays", async () => {
  const made = project('echo "{}" >> "$VOICEPLANE_REQUEST_LOG"; cat events');
  const { child, finished } = start(compiled, ["apply", "--stack", "acme", ...inJson], {
    cwd: made.folder,
    env: made.env,
  });
  finished.catch(() => undefined); // Its stream is cut off.
  child.stdout?.destroy();
  let progress = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (progress += text));
  const [code] = (await once(child, "close")) as [number];
  expect([code, progress]).toEqual([1, expect.stringContaining("the result could not be written (write EPIPE)")]);
  expect(readdirSync(join(made.folder, ".voiceplane/apply/acme.journal"))).toHaveLength(1);
  expect(JSON.parse((await run(made, ["--stack", "acme"])).stdout)).toMatchObject({
    outcome: "unchanged",
    unreadable: [{}, {}].map(() => expect.stringMatching(/^1 line of the journal/) as string),
  });
});

test("options choose the record, the state's version and the limits", async () => {
  const made = project("cat events");
  const words = "--stack acme --record kept/acme.json --full-pass-after 30 --cancel-locks-after 2h --revision 3f2a";
  const options = words.split(" ");
  const version = ["--state-version", "cat - version"];
  write(made.folder, { version: "1\n" });
  await run(made, [...options, ...version]);
  expect(existsSync(join(made.folder, "kept/acme.json"))).toBe(true);
  expect((await run(made, [...options, ...version])).stdout).toContain('"outcome":"skipped"');
  write(made.folder, { version: "2\n" });
  expect((await run(made, [...options, ...version])).stdout).toContain('"the state changed since the last run"');
  const failing = await run(made, [...options, "--state-version", "exit 3"]);
  expect(failing.stdout).toContain('"the version of the state is not known"');
  expect(failing.stderr).toContain("voiceplane: the command of --state-version failed, so nothing is skipped\n");
});

test.each([
  [[], "no stack is selected: name one with --stack"],
  [["--stack="], "option '-s, --stack <stack>' argument '' is invalid. A stack needs a name."],
  [["--stack", "--record", "file"], "--stack needs a value; is a variable empty?"],
  [
    ["--full-pass-after", "0"],
    "option '--full-pass-after <days>' argument '0' is invalid. It must be a number of days.",
  ],
  [
    ["--cancel-locks-after", "2"],
    "option '--cancel-locks-after <time>' argument '2' is invalid. It must be a time such as 2h or 90m.",
  ],
])("%j is refused with one line, and nothing is run", async (args, message) => {
  const made = project("touch called; cat events");
  expect(await run(made, args)).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${message} (try --help)\n` });
  expect(existsSync(join(made.folder, "called"))).toBe(false);
});

test("a project that is wrong is a result", async () => {
  const made = project("cat events");
  const wrong = await run(made, ["--stack", "other"]);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/^\{.*"outcome":"failed".*\}\n$/);
  expect(wrong.stderr).toMatch(/^voiceplane: other failed: there is no .*Pulumi\.other\.yaml: without it/);
});

test("the name of a lock's holder is shown with escapes", async () => {
  const made = project("cat events");
  const lock = { pid: 1, hostname: "worker\r::error::x", username: "\u001b[2J", timestamp: "2026-11-20T12:00:00Z" };
  write(made.folder, { ".state/.pulumi/locks/organization/fleet/acme/x.json": JSON.stringify(lock) });
  const { code, stderr } = await run(made, ["--stack", "acme"]);
  expect(code).toBe(4);
  expect(stderr).toContain(String.raw`the stack is locked by \u{1b}[2J@worker\u{d}::error::x (pid 1)`);
});

test("a signal ends a command of --state-version that does not answer", async () => {
  const made = project("cat events");
  await run(made, ["--stack", "acme"]);
  const waiting = ["apply", "--stack", "acme", ...inJson, "--state-version", "touch asked; exec sleep 300"];
  const applying = start(compiled, waiting, { cwd: made.folder, env: made.env });
  await until(() => existsSync(join(made.folder, "asked")));
  applying.kill("SIGTERM");
  const { code, stdout } = await applying.finished;
  expect(code).toBe(1);
  expect(stdout).toContain('"reason":"interrupted before the run"');
});

test("the first SIGTERM lets the CLI end its calls, the second stops it; the CLI gets one SIGINT for each", async () => {
  const made = project(
    'trap "echo INT >> signals" INT\ntouch started\nuntil [ -f signals ] && [ "$(wc -l < signals)" = 2 ]; do sleep 0.05; done\nexit 130',
  );
  const applying = start(compiled, ["apply", "--stack", "acme", ...inJson], { cwd: made.folder, env: made.env });
  const signals = () => {
    const file = join(made.folder, "signals");
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  await until(() => existsSync(join(made.folder, "started")));
  applying.kill("SIGTERM");
  await until(() => signals() === "INT\n");
  applying.kill("SIGINT");
  const { code, stdout, stderr } = await applying.finished;
  expect(signals()).toBe("INT\nINT\n");
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.objectContaining({ outcome: "failed", reason: "interrupted" }),
  ]);
  expect(stderr).toContain("waiting for requests in progress");
  expect(stderr).toContain("interrupted again; stopping at once");
});

test("a reader of the progress may go away: the run goes on, and its exit code is its own", async () => {
  const made = project("cat events; until [ -f closed ]; do sleep 0.05; done");
  const applying = start(compiled, ["apply", "--stack", "acme", ...inJson], { cwd: made.folder, env: made.env });
  applying.finished.catch(() => undefined); // Its stream is cut off.
  applying.child.stderr?.once("data", () => {
    applying.child.stderr?.destroy();
    write(made.folder, { closed: "" });
  });
  const [code] = (await once(applying.child, "exit")) as [number | null];
  expect(code).toBe(0);
  expect(readFileSync(join(made.folder, ".voiceplane/apply/acme.json"), "utf8")).toContain('"open":null');
});
