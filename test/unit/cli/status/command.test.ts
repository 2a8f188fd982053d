/** `voiceplane status` as users start it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testWith } from "../../../support/programs";
import { programs, temporaryFolder, write } from "../../../support/folders";
import { ended } from "../../../support/processes";
import { read } from "../../../support/repository";
import { testApproved } from "../../../support/approved";
import { printed, run as runCommand } from "../../../support/command";
import { compile } from "../../../support/compiled";
import { everything, exported, well } from "./exports";

const compiled = compile();
let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "everything.json"), everything);
  writeFileSync(join(folder, "well.json"), well);
  write(join(folder, "project"), {
    "Pulumi.yaml": "name: acme\nruntime: yaml\n",
    "Pulumi.dev.yaml": "",
    "state.json": well,
  });
  writeFileSync(join(folder, "empty.json"), exported([]));
  writeFileSync(join(folder, "preview.json"), '{ "steps": [], "changeSummary": {} }');
});

const pathWith = (scripts: Readonly<Record<string, string>>) => ({
  PATH: `${programs(scripts)}:${process.env.PATH ?? ""}`,
});

const run = (args: readonly string[], env?: Record<string, string>) => runCommand(["status", ...args], folder, env);

test("exits with 0, and with --fail-on problems with 2 if something is not well", async () => {
  expect(await run(["well.json", "--fail-on", "problems"])).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/\n1 object: 1 ok\n$/) as string,
  });
  const json = expect.stringMatching(/^\{\n {2}"version": 1,\n {2}"ok": false,/) as string;
  expect(await run(["everything.json", "--format", "json"])).toMatchObject({ code: 0, stdout: json });
  expect(await run(["everything.json", "--format", "json", "--fail-on", "problems"])).toMatchObject({
    code: 2,
    stdout: json,
  });
});

test("- reads standard input", () => {
  const printed = execFileSync(process.execPath, [compiled.entry, "status", "-"], { input: well, cwd: folder });
  expect(printed.toString()).toMatch(/^acme\/prod, as of /);
});

test.each([
  ["a pipe that is empty and closed, as GitHub's runner gives it", true],
  ["a pipe that stays open and silent", false],
])("without -, %s is not read: the selected stack is", async (_what, isClosed) => {
  const child = spawn(process.execPath, [compiled.entry, "status"], {
    cwd: folder,
    env: pathWith({ pulumi: `cat ${folder}/well.json` }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (isClosed) child.stdin.end();
  expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^acme\/prod, as of /) as string });
});

const asked = "stack export --stack org/acme/prod --non-interactive";
const asking = { pulumi: `[ "$*" = "${asked}" ] || exit 7\ncat well.json` };
const failing = (error: string) => ({
  pulumi: `[ "$2" = ls ] && echo '[{"name":"dev"},{"name":"prod"}]' && exit\necho 'error: ${error}' >&2\nexit 255`,
});
const noneSelected = "no stack selected; please use `pulumi stack select` or `pulumi stack init` to choose one";
const outcome = (args: readonly string[], scripts?: Readonly<Record<string, string>>) => async () =>
  printed(await run(args, scripts && pathWith(scripts))).replace(/\b\d+d\b/, "DAYS");

testApproved(join(__dirname, "approved/command.md"), {
  "the engine is asked for the stack": outcome(["--stack", "org/acme/prod"], asking),
  "or for the selected one": outcome([], asking),
  "without an engine": outcome(["-s", "x"]),
  "a stack that is not there": outcome(["-s", "nope"], failing("no stack named nope found")),
  "no selected stack": outcome([], failing("no stack selected; please use `pulumi stack select`")),
  "no selected stack, and a file of one": outcome(["-C", "project"], failing(noneSelected)),
  "a stack without a state, and its file": outcome(
    ["-C", "project", "-s", "org/dev"],
    failing("no stack named 'dev' found"),
  ),
  "a file from the folder of --cwd": outcome(["-C", "project", "state.json"]),
  "a missing file": outcome(["missing.json"]),
  "a folder": outcome(["."]),
  "a state without an object": outcome(["empty.json"]),
  "a preview": outcome(["preview.json"]),
  "a file and a stack": outcome(["--stack", "dev", "well.json"]),
});

const jq = spawnSync("jq", ["--version"]).status === 0 ? undefined : "there is no jq on PATH";

testWith(
  { missing: jq },
  "the lines in docs/operate/what-to-watch.md write metrics of what is wrong and of the age of secrets",
  () => {
    const [, lines = ""] =
      /```text\n(voiceplane status [^`]*jq .*?)```/s.exec(read("docs/operate/what-to-watch.md")) ?? [];
    const env = pathWith({
      voiceplane: `exec "${process.execPath}" "${compiled.entry}" "$@"`,
      pulumi: `cat ${folder}/everything.json`,
    });
    execFileSync("sh", ["-ec", lines], { cwd: folder, env: { ...process.env, ...env } });
    const metrics = readFileSync(join(folder, "acme-prod.prom"), "utf8").trimEnd().split("\n");
    expect(metrics).toContain('voiceplane_problem{stack="prod",organization="eu",name="lost",problem="uncertain"} 1');
    expect(metrics).toContain('voiceplane_pending_operations{stack="prod"} 1');
    const line = /^voiceplane_\w+\{(,?\w+="([^"\\]|\\[\\"n])*")+\} \d+$/;
    for (const each of metrics) expect(each).toMatch(line);
    expect(metrics.filter((each) => each.startsWith("voiceplane_secret_age_seconds{"))).toHaveLength(3);
  },
);
