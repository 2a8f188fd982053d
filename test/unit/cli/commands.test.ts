/** `preview`, `apply` and `status` as users start them, with a `pulumi` that plays the engine. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compile, start } from "../../support/compiled";
import { run as runCommand } from "../../support/command";
import { programs, temporaryFolder, write } from "../../support/folders";
import { until } from "../../support/processes";
import { recording } from "../../support/recorded";
import { everything, exported, webhook, well } from "./state/exports";

const compiled = compile();

type Texts = Readonly<Record<string, string>>;

/** @param files what `pulumi` prints: preview.events, state.json; and `up`, a script of the update */
function project(files: Texts = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  write(folder, {
    "Pulumi.yaml": "name: acme\nruntime: yaml\n",
    "state.json": exported([]),
    "preview.events": recording("edited.digest"),
    up: "",
    ...files,
  });
  const script = `echo "$*" >> calls
[ "$1 $2" != "$(cat interrupted 2>&1)" ] || { trap 'exit 1' INT; : > started; while :; do sleep 0.05; done; }
case "$1 $2" in
  "stack export") [ -f failed ] && { cat failed >&2; exit 255; }; cat state.json ;;
  "stack --show-name") echo dev ;;
  preview*|destroy*) echo "$PULUMI_ENABLE_STREAMING_JSON_PREVIEW $VOICEPLANE_NOW" >> dates; cat preview.events; [ ! -f during ] || . ./during ;;
  up*) echo "$VOICEPLANE_NOW" >> dates; cat "$VOICEPLANE_PLAN" > held; stat -c %a "$VOICEPLANE_PLAN" > mode; . ./up ;;
esac`;
  programs({ pulumi: script }, join(folder, "bin"));
  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, TMPDIR: join(folder, "tmp"), HOME: folder };
  const lines = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8").trim().split("\n") : [];
  const run = (args: readonly string[], more: Texts = {}) => runCommand(args, folder, { ...env, ...more });
  return { folder, env, run, calls: () => lines("calls"), lines };
}

const quiet = "--non-interactive --color never";
const unchanged = { "preview.events": recording("unchanged.digest") };

describe("preview", () => {
  test("asks for a preview as events, of the stack, with what follows --, and prints its report", async () => {
    const { run, calls, lines } = project();
    const { code, stdout, stderr } = await run([
      "preview",
      "--stack",
      "dev",
      "--",
      "--policy-pack",
      "./pack",
      "--refresh",
    ]);
    expect(calls()).toEqual([
      `stack export --stack dev ${quiet}`,
      `preview --stack dev --policy-pack ./pack --refresh --json ${quiet}`,
    ]);
    expect(lines("dates")).toEqual(["1"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "voiceplane: running pulumi preview\n" });
    expect(stdout).toMatch(/^voiceplane preview: 7 requests, 2 other changes: deletes data, /);
  });

  test.each<[string, string[], number, string]>([
    [
      "a risk that it has",
      ["--fail-on", "deletes-data"],
      2,
      "voiceplane: --fail-on deletes-data: the preview contains it\n",
    ],
    ["a risk that it does not have", ["--fail-on", "stops-managing"], 0, ""],
    [
      "a plan of a destroy",
      ["--destroy", "--out", "p"],
      1,
      "voiceplane: a destroy has no plan: leave out --out (try --help)\n",
    ],
    ["an option of Pulumi without --", ["--refresh"], 1, "voiceplane: unknown option '--refresh' (try --help)\n"],
  ])("with %s", async (_what, args, code, says) => {
    const run = await project().run(["preview", ...args]);
    expect([run.code, run.stderr.replace("voiceplane: running pulumi preview\n", "")]).toEqual([code, says]);
  });

  test("a preview that is not whole fails, and the command that shows all is named with the CLI that ran", async () => {
    const { folder, run } = project({ during: "kill -9 $$" });
    const { code, stdout, stderr } = await run(["preview", "--fail-on", "changes"]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^voiceplane: the preview failed; 7 requests/)]);
    expect(stderr).toContain(`the preview failed; \`${folder}/bin/pulumi preview\` shows all of Pulumi's output\n`);
  });

  test("what the CLI says before the first event is shown without secrets", async () => {
    const { run } = project({
      "preview.events": "",
      during: 'echo "error: no backend with $VOICEPLANE_TOKEN" >&2; exit 255',
    });
    const { code, stdout } = await run(["preview"], { VOICEPLANE_TOKEN: "canary-of-a-token" });
    expect([code, stdout]).toEqual([
      1,
      "voiceplane: the preview failed\n\nErrors\n\n     no backend with [redacted]\n",
    ]);
  });

  test("--out keeps what is shown, which no one else may read; a failed preview takes the place of an earlier plan", async () => {
    const { folder, run } = project({ "plan.json": "older and longer ".repeat(10_000) });
    const plan = join(folder, "plan.json");
    await run(["preview", "--out", "plan.json"]);
    expect(statSync(plan).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(plan, "utf8"))).toMatchObject({ version: 1, phase: "preview", complete: true });
    write(folder, { during: "exit 1" });
    expect((await run(["preview", "--out", "plan.json"])).code).toBe(1);
    expect(JSON.parse(readFileSync(plan, "utf8"))).toMatchObject({ complete: false });
  });

  test("what the state has uncertain and pending is shown", async () => {
    const { stdout } = await project({ ...unchanged, "state.json": everything }).run(["preview"]);
    expect(stdout).toMatch(
      /^voiceplane preview: 3 uncertain; no changes\n\nUncertain\n\n {5}lost is uncertain: .*\n {5}pending: updating WebhookSecret crm: /,
    );
  });

  test.each<[string, Texts, says: string]>([
    ["cannot be read", { "state.json": "no state" }, "this is no state of a stack that"],
    [
      "the CLI does not find",
      { failed: "error: no stack selected\n" },
      "the state of the selected stack cannot be read: FOLDER/bin/pulumi: no stack selected\n",
    ],
  ])("a state that %s is said, and previewed", async (_what, files, says) => {
    const { folder, run } = project({ ...unchanged, ...files });
    const { code, stderr } = await run(["preview"]);
    const said = `voiceplane: what is uncertain is not known: ${says.replace("FOLDER", folder)}`;
    expect([code, stderr]).toEqual([0, expect.stringContaining(said)]);
  });

  test("a folder without a project is named", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await runCommand(["preview"], folder);
    expect([code, stderr]).toEqual([1, `voiceplane: there is no Pulumi.yaml in ${folder} or above it (try --help)\n`]);
  });

  test.each(["stack --show-name", "stack export", "preview --stack"])(
    "Ctrl-C while `pulumi %s` runs ends an apply before anything is sent, and leaves nothing",
    async (interrupted) => {
      const { folder, env, calls } = project({ interrupted });
      const applying = start(compiled, ["apply", "--yes"], { cwd: folder, env });
      await until(() => existsSync(join(folder, "started")));
      applying.kill("SIGINT");
      const { code, stderr } = await applying.finished;
      expect([code, stderr]).toEqual([1, expect.stringContaining("voiceplane: interrupted; nothing was sent\n")]);
      expect(calls().at(-1)).toContain(interrupted);
      expect(readdirSync(env.TMPDIR)).toEqual([]);
    },
  );
});

describe("apply", () => {
  test("hands the update to Pulumi with its options, the list in a private file, and the date of the preview", async () => {
    const { folder, run, calls, lines } = project();
    const { code, stdout } = await run(["apply", "--yes", "--", "--parallel", "2"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^voiceplane preview: 7 requests/)]);
    expect(calls()).toEqual([
      `stack --show-name ${quiet}`,
      `stack export --stack dev ${quiet}`,
      `preview --stack dev --parallel 2 --json ${quiet}`,
      "up --yes --skip-preview --stack dev --parallel 2",
      `stack export --stack dev ${quiet}`,
    ]);
    expect(JSON.parse(readFileSync(join(folder, "held"), "utf8"))).toMatchObject({ complete: true, requestCount: 7 });
    expect(lines("mode")).toEqual(["600"]);
    const [previewed, updated] = lines("dates");
    expect(updated).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(previewed).toBe(`1 ${updated ?? ""}`);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  test.each<[what: string, args: string[], files: Texts, code: number, says: string]>([
    ["nobody to ask", [], {}, 1, "voiceplane: without a terminal, pass --yes or --plan (try --help)\n"],
    [
      "what --fail-on names",
      ["--yes", "--fail-on", "deletes-data"],
      {},
      2,
      "nothing was sent: the preview contains what --fail-on names: deletes-data\n",
    ],
    ["a failed preview", ["--yes"], { during: "exit 1" }, 1, "nothing was sent: the preview failed\n"],
    [
      "a plan without its requests",
      ["--plan", "plan.json"],
      {},
      2,
      "nothing was sent: the preview has more than the plan:\n  PUT /v1/retention-policies/recordings is not in the plan, so it was not sent. ",
    ],
    [
      "a plan that is none",
      ["--plan", "Pulumi.yaml"],
      {},
      1,
      "cannot be read (it is not a plan: write one with `voiceplane preview --out`), so nothing was sent.",
    ],
  ])("begins nothing with %s", async (_what, args, files, code, says) => {
    const empty = JSON.stringify({ version: 1, phase: "preview", complete: true, requests: [] });
    const { run, calls } = project({ "plan.json": empty, ...files });
    const refused = await run(["apply", "--stack", "dev", ...args]);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(says)]);
    expect(calls().filter((call) => call.startsWith("up"))).toEqual([]);
  });

  test("takes the plan from the variable, which needs an absolute path; an empty one counts as not set", async () => {
    const { folder, run, lines } = project();
    await run(["preview", "--out", "plan.json"]);
    expect((await run(["apply"], { VOICEPLANE_PLAN: join(folder, "plan.json") })).code).toBe(0);
    expect(lines("held").join("\n").trim()).toBe(readFileSync(join(folder, "plan.json"), "utf8").trim());
    const relative = await run(["apply"], { VOICEPLANE_PLAN: "plan.json" });
    expect([relative.code, relative.stderr]).toEqual([1, expect.stringContaining("(it must be an absolute path)")]);
    expect((await run(["apply"], { VOICEPLANE_PLAN: "" })).stderr).toContain(
      "without a terminal, pass --yes or --plan",
    );
  });

  test("afterwards says what status calls a problem, and of a failed update what to do", async () => {
    const { run } = project({ "state.json": everything, up: "exit 1" });
    const { code, stderr } = await run(["apply", "--yes"]);
    expect(code).toBe(1);
    const lines = stderr.split("\n").slice(1, -1);
    expect(lines.map((line) => line.slice(0, 46))).toEqual([
      "voiceplane: lost is uncertain: its last reques",
      "voiceplane: pending: updating WebhookSecret cr",
      "voiceplane: pending: updating urn:pulumi:prod:",
      "voiceplane: silent is unread: rotated, but no ",
      "voiceplane: audit is due: a due date has passe",
      "voiceplane: run the same update again: what wa",
    ]);
  });

  test("a state that cannot be read afterwards is said, and the exit code is that of the update", async () => {
    const { code, stderr } = await project({ up: "rm state.json" }).run(["apply", "--yes"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("voiceplane: what is uncertain is not known: ")]);
  });
});

describe("status", () => {
  const table = `acme/prod

TYPE               NAME        SENT LAST            WHEN        SECRET AGE  NEXT DUE    STATE

us
NetworkPolicy      office      2001:db8::/48 HQ     2026-02-03  -           -           ok
RetentionPolicy    audit       90 days, disabled    2026-02-03  -           2026-01-20  due
RetentionPolicy    recordings  adopted, not sent    -           -           -           adopted
TrunkOutboundAuth  carrier     cleared              2026-02-03  -           -           ok

eu
WebhookSecret      adopted     -                    -           unknown     -           ok
WebhookSecret      crm         rotation 3           2026-10-22  AGE          2999-12-01  pending
WebhookSecret      lost        rotation 1           2026-11-21  AGE          -           uncertain
WebhookSecret      silent      rotation 1           2026-01-02  AGE         -           unread
`;

  test("shows each object, and below what each condition means", async () => {
    const { code, stdout } = await project({ "state.json": everything }).run(["status"]);
    expect(code).toBe(0);
    const plain = (text: string) => text.replaceAll(/ +/g, " ").replaceAll(/\b\d+d /g, "AGE ");
    expect(plain(stdout)).toContain(plain(table));
    expect(stdout).toMatch(/\npending: updating urn:pulumi:prod::acme::aws:s3\/bucket:Bucket::logs\n/);
    expect(stdout).toMatch(
      /\nuncertain: its last request may have been carried out: [^]*\n8 objects: 3 ok, 1 uncertain, 2 pending, 1 unread, 1 due, 1 adopted\n$/,
    );
  });

  test("exits with 2 where --fail-on problems finds one, and reads an export from standard input", async () => {
    const { run, folder } = project({ "state.json": everything });
    expect((await run(["status", "--fail-on", "problems"])).code).toBe(2);
    write(folder, { "state.json": well });
    expect(await run(["status", "--fail-on", "problems"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n1 object: 1 ok\n$/) as string,
    });
    const printed = execFileSync(process.execPath, [compiled.entry, "status", "-"], { input: well, cwd: folder });
    expect(printed.toString()).toMatch(/^acme\/prod\n/);
  });

  test("as JSON it has every fact and no secret", async () => {
    const { stdout } = await project({ "state.json": everything }).run(["status", "--format", "json"]);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, ok: false, project: "acme", stack: "prod" });
    const { objects } = JSON.parse(stdout) as { objects: Record<string, unknown>[] };
    expect(objects.find(({ name }) => name === "crm")).toMatchObject({
      conditions: ["pending"],
      secretAgeSeconds: expect.any(Number) as number,
    });
    expect(stdout).not.toContain("v1:");
  });

  test("refuses a state without an object, and a file", async () => {
    const { run } = project();
    expect((await run(["status"])).stderr).toContain("the state has no object of pulumi-voiceplane");
    expect((await run(["status", "a.json"])).stderr).toContain("Allowed choices are -.");
  });
});

test("a name of any characters stays in its cell and its line", async () => {
  const odd = exported([webhook("a\u001b[2J\nb")]);
  const { stdout } = await project({ "state.json": odd }).run(["status"]);
  expect(stdout).toContain("a\\u{1b}[2J\\u{a}b");
});
