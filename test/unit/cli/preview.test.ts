/** `voiceplane preview` as users start it, with a `pulumi` that plays the engine. */
import { execSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs, temporaryFolder, write } from "../../support/folders";
import { until } from "../../support/processes";
import { pendingRequestsOn } from "../../../src/provider/pending";
import { recording, recordingFile, withRequestId } from "../../support/recorded";
import { testApproved } from "../../support/approved";
import { printed, run as runCommand } from "../../support/command";
import { compile, start } from "../../support/compiled";

const compiled = compile();

/** @param script shell commands of `pulumi preview`, in the project's folder */
function project(script: string) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  const stacks =
    `[ "$2" = ls ] && echo '[{"name":"dev"},{"name":"prod"}]' && exit 0\n` +
    `[ "$2" = export ] && [ -f failed ] && { cat failed >&2; exit 255; }\n[ "$2" = export ] && { [ -f state.json ] && cat state.json || echo '{"version":3,"deployment":{}}'; exit 0; }`;
  writeFileSync(join(folder, "Pulumi.yaml"), "name: acme\nruntime: nodejs\n");
  programs({ pulumi: `${stacks}\n${script}` }, join(folder, "bin"));
  const env = { PATH: `${folder}/bin:/usr/bin:/bin`, TMPDIR: join(folder, "tmp") };
  const preview = (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
    runCommand(["preview", ...args], folder, { ...env, ...more });
  return { folder, env, preview };
}

const printing = (name: string) => `cat '${recordingFile(name)}'`;
const runs = "voiceplane: running pulumi preview\n";

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

type Texts = Readonly<Record<string, string>>;

/** What the command prints in such a project. */
const outcome =
  (script: string, args: readonly string[] = [], files: Texts = {}, env: Texts = {}) =>
  async () => {
    const { folder, preview } = project(script);
    write(folder, files);
    return printed(await preview([...args, "--format=terminal"], env)).replaceAll(folder, "FOLDER");
  };

const organizationFile = "retention:\n  recordings: { days: 90 }\n";

const secrets = {
  VOICEPLANE_TOKEN: "canary-of-a-token",
  PULUMI_BACKEND_URL: "https://user:ghp_in_the_url@example.com",
};
const failing = 'echo "error: no backend with $VOICEPLANE_TOKEN, ghp_in_the_url" >&2; exit 255';
const unchanged = printing("unchanged.events");
const later = printing("later.events");

testApproved(join(__dirname, "approved/preview.md"), {
  "a preview with changes": outcome(later),
  "with a label that it does not have": outcome(later, ["--fail-on=deletes-data"]),
  "with a label that it has": outcome(later, ["--fail-on=weakens-a-guard"]),
  "with any change": outcome(later, ["--fail-on=changes"]),
  "with the lines of the organization file beside Pulumi.yaml, from a folder below": outcome(
    printing("edited.events"),
    ["-C", "below"],
    { "organization.yaml": organizationFile, "below/x": "" },
  ),
  "a commit that git does not know": outcome(unchanged, ["--since", "main~9"]),
  "a file that is wrong: what validate finds, with its lines, and what Pulumi says": outcome(
    "echo 'error: is not assignable' >&2; exit 1",
    [],
    { "organization.yaml": "retention:\n  recordings: { days: 90, enabeld: true }\n" },
  ),
  "an end before the first event: the CLI's first error, without secrets": outcome(failing, [], {}, secrets),
  "a preview that was killed after its first events is no whole preview": outcome(
    `head -20 '${recordingFile("edited.events")}'; kill -9 $$`,
  ),
  "without the CLI": outcome("echo hello", [], {}, { PATH: "/nowhere" }),
  "input that is no preview": outcome("echo hello"),
  "a state that cannot be read": outcome(unchanged, [], { "state.json": "no state" }),
  "no selected stack, and a file of one": outcome(unchanged, [], {
    "Pulumi.dev.yaml": "",
    failed: "error: no stack selected; please use `pulumi stack select` or `pulumi stack init`\n",
  }),
  "a plan of a destroy": outcome(unchanged, ["--destroy", "--out", "plan.json"]),
  "a destroy of a stack, which fails": outcome("exit 1", ["--destroy", "--stack", "dev"]),
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

test("what the state has pending is passed to the provider", async () => {
  const { folder, preview } = project(`echo "$VOICEPLANE_PENDING" > passed; ${printing("unchanged.events")}`);
  const urn = "urn:pulumi:dev::acme::voiceplane:index:WebhookSecret::crm";
  const type = "voiceplane:index:WebhookSecret";
  const resource = { urn, type, outputs: { organization: "acme", webhookId: "wh-1", requestId: "r1" } };
  const deployment = { resources: [resource], pending_operations: [{ type: "updating", resource }] };
  const state = { version: 3, deployment };
  write(folder, { "state.json": JSON.stringify(state) });
  await preview();
  expect(readFileSync(join(folder, "passed"), "utf8")).toBe('["r1"]\n');
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

test("what this machine remembers of a run that died is said", async () => {
  const { preview, folder } = project("cat preview.events");
  const memory = { VOICEPLANE_STATE_DIR: join(folder, "memory") };
  pendingRequestsOn(memory).begin(
    "0000000000000001",
    { organization: "example", address: "http://127.0.0.1:8000" },
    false,
  );
  write(folder, { "preview.events": withRequestId(recording("edited.events"), "0000000000000001") });
  const { stdout } = await preview([], memory);
  expect(/crm: rotates .*/.exec(stdout)?.[0]).toContain("its last rotation may have been carried out");
});
