/**
 * The scripts of `voiceplane completion`. bash runs its own script. The other shells check theirs if they are
 * installed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile, start, type Compiled } from "./compiled";

// A process starts slowly on a busy machine.
jest.setTimeout(30_000);

let compiled: Compiled;
let folder: string;
let file: string;

beforeAll(async () => {
  compiled = compile();
  folder = mkdtempSync(join(tmpdir(), "voiceplane-completion-"));
  file = join(folder, "completion.bash");
  writeFileSync(file, await scriptFor("bash"));
});
afterAll(() => {
  compiled.remove();
  rmSync(folder, { recursive: true });
});

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await start(compiled, ["completion", shell]).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** What bash offers for the last of these words when Tab is pressed. */
function offered(...words: string[]): string[] {
  const script = `set -u
    source "$1"; shift
    complete -p voiceplane
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _voiceplane
    printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", file, "voiceplane", ...words], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const [registered, ...lines] = stdout.trim().split("\n");
  expect(registered).toBe("complete -o default -F _voiceplane voiceplane");
  return lines;
}

test("bash completes commands", () => {
  expect(offered("")).toEqual([
    "init",
    "validate",
    "doctor",
    "report",
    "apply",
    "status",
    "serve",
    "completion",
    "help",
    "--help",
    "--version",
  ]);
  expect(offered("re")).toEqual(["report"]);
  expect(offered("help", "s")).toEqual(["status", "serve"]);
  expect(offered("completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
});

test("bash completes every option that a command's help lists", async () => {
  expect(offered("serve", "--po")).toEqual(["--port"]);
  expect(offered("doctor", "--stack", "dev", "--f")).toEqual(["--format"]);
  const commands = ["init", "validate", "doctor", "report", "status", "serve", "completion"];
  const helps = await Promise.all(commands.map((command) => start(compiled, [command, "--help"]).finished));
  for (const [index, { stdout }] of helps.entries()) {
    const command = commands[index] ?? "";
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
    expect(listed).toContain("--help");
    expect(offered(command, "--")).toEqual(listed);
  }
});

test("bash completes files where an option takes a file, and where a command takes arguments", () => {
  expect(offered("serve", "--file", "")).toEqual([]);
  expect(offered("report", "pre")).toEqual([]);
});

test.each([
  ["zsh", ["-n"]],
  ["fish", ["--no-execute"]],
])("%s's script names every command and option, and has valid syntax if %s is installed", async (shell, checkOnly) => {
  const script = await scriptFor(shell);
  for (const word of ["init", "completion", "from-server", "fail-on", "dialect"]) expect(script).toContain(word);
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, script);
  const { error, status, stderr } = spawnSync(shell, [...checkOnly, path], { encoding: "utf8" });
  if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
});
