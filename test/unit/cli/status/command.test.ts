/** `voiceplane status` as users start it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs, temporaryFolder } from "../../../support/folders";
import { ended } from "../../../support/processes";
import { read } from "../../../support/docs/documents";
import { compile, run as runCommand } from "../../../support/compiled";
import { everything, exported, well } from "./exports";

const compiled = compile();
let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "everything.json"), everything);
  writeFileSync(join(folder, "well.json"), well);
  writeFileSync(join(folder, "empty.json"), exported([]));
  writeFileSync(join(folder, "preview.json"), '{ "steps": [], "changeSummary": {} }');
});

const pathWith = (scripts: Readonly<Record<string, string>>) => ({
  PATH: `${programs(scripts)}:${process.env.PATH ?? ""}`,
});

const run = (args: readonly string[], env?: Record<string, string>) =>
  runCommand(compiled, ["status", ...args], folder, env);

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

test("without a file, it asks the engine for the selected stack, or for the named one", async () => {
  const asked = "stack export --stack org/acme/prod --non-interactive";
  const env = pathWith({ pulumi: `[ "$*" = "${asked}" ] || exit 7\ncat ${folder}/well.json` });
  expect(await run(["--stack", "org/acme/prod"], env)).toMatchObject({ code: 0, stderr: "" });
  const advice = "name a stack with --stack, or pass the output of `pulumi stack export`";
  expect(await run([], env)).toEqual({
    code: 1,
    stdout: "",
    stderr: `voiceplane: the state of the selected stack cannot be read: exit code 7; ${advice}\n`,
  });
  expect(await run(["-s", "x"])).toMatchObject({
    code: 1,
    stderr: `voiceplane: the state of the stack x cannot be read: there is no \`pulumi\` on the PATH; ${advice}\n`,
  });
});

test.each([
  [["-s", "nope"], "no stack named 'nope' found", "there is no stack nope; the project has dev, prod"],
  [[], "no stack selected; please use `pulumi stack select`", "no stack is selected; the project has dev, prod"],
])("%j: for a stack that is not there, the message has those that are", async (args, error, message) => {
  const list = `[ "$2" = ls ] && echo '[{"name":"dev"},{"name":"prod"}]' && exit`;
  const env = pathWith({ pulumi: `${list}\necho "error: ${error.replaceAll("`", "\\`")}" >&2\nexit 255` });
  expect(await run(args, env)).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${message}\n` });
});

test("an error of the CLI is shown without the password of the backend that Pulumi.yaml names", async () => {
  const backend = "https://user:ghp0fTheBackend@example.com";
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "Pulumi.yaml"), `name: acme\nruntime: nodejs\nbackend: { url: "${backend}" }\n`);
  const env = pathWith({ pulumi: `echo 'error: no login at ${backend}' >&2\nexit 255` });
  const { stderr } = await runCommand(compiled, ["status"], cwd, env);
  expect(stderr).toContain(" cannot be read: no login at https://user");
  expect(stderr).not.toContain("ghp0fTheBackend");
});

test.each([
  [["missing.json"], "missing.json cannot be read (ENOENT)"],
  [["."], ". cannot be read (EISDIR)"],
  [["empty.json"], "the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?"],
  [
    ["preview.json"],
    "the input is a preview or an update's events, not a stack's state: pass the complete output of `pulumi stack export`",
  ],
  [["--stack", "dev", "well.json"], "pass a file or --stack, not both (try --help)"],
])("%j is refused with one line and exit code 1", async (args, message) => {
  expect(await run(args)).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${message}\n` });
});

const testWithJq = spawnSync("jq", ["--version"]).status === 0 ? test : test.skip;

testWithJq(
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
