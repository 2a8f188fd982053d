/**
 * The scripts of `voiceplane completion`. bash runs its own script. The other shells check theirs if they are
 * installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/cli/commands";
import { temporaryFolder } from "../../support/folders";
import { compile, start } from "../../support/compiled";

const compiled = compile();
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "completion.bash"), await scriptFor("bash"));
  // The script starts the command that is on PATH.
  const cache = `export NODE_COMPILE_CACHE='${join(compiled.folder, "compiled")}'`;
  const script = `#!/bin/sh\n${cache}\nexec '${process.execPath}' '${compiled.entry}' "$@"\n`;
  writeFileSync(join(folder, "voiceplane"), script, { mode: 0o755 });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: acme\nruntime: yaml\nstackConfigDir: stacks\n");
  mkdirSync(join(folder, "stacks"));
  for (const stack of ["dev", "prod-eu"]) writeFileSync(join(folder, `stacks/Pulumi.${stack}.yaml`), "");
});

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await start(compiled, ["completion", shell]).finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** What bash offers for the last of these words when Tab is pressed. Without an offer, it completes files. */
function offered(...words: string[]): string[] {
  const script = `set -u
    source ./completion.bash
    complete -p voiceplane
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _voiceplane
    printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", "voiceplane", ...words], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH ?? ""}` },
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
    "preview",
    "report",
    "apply",
    "status",
    "serve",
    "completion",
    "help",
    "--version",
    "--help",
  ]);
  expect(offered("re")).toEqual(["report"]);
  expect(offered("help", "s")).toEqual(["status", "serve"]);
  expect(offered("help", "e")).toEqual(["environment", "exit-codes"]);
  expect(offered("completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("bash completes every option that a command's help lists", async () => {
  expect(offered("serve", "--po")).toEqual(["--port"]);
  expect(offered("doctor", "--stack", "dev", "--f")).toEqual(["--format"]);
  const helps = Object.keys(commands).map(async (command) => {
    const { stdout } = await start(compiled, [command, "--help"]).finished;
    return [command, stdout] as const;
  });
  for (const [command, stdout] of await Promise.all(helps)) {
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
    expect(listed).toContain("--help");
    expect(offered(command, "--")).toEqual(listed);
  }
});

test("bash completes the values of an option, and stacks by their files, wherever the project keeps them", () => {
  expect(offered("report", "--format", "")).toEqual(["markdown", "terminal", "json", "summary"]);
  for (const command of ["doctor", "validate", "apply"])
    expect(offered(command, "--format", "")).toEqual(["terminal", "json", "markdown"]);
  expect(offered("status", "--format", "")).toEqual(["terminal", "json", "markdown", "prometheus"]);
  expect(offered("serve", "--format", "")).toEqual(["terminal", "json"]);
  expect(offered("doctor", "--stack", "")).toEqual(["dev", "prod-eu"]);
  expect(offered("status", "-s", "p")).toEqual(["prod-eu"]);
  expect(offered("preview", "-s", "p")).toEqual(["prod-eu"]);
  expect(offered("init", "--runtime", "")).toEqual(["nodejs", "yaml"]);
  expect(offered("init", "--ci", "g")).toEqual(["github", "gitlab"]);
});

test("bash completes the risks of --fail-on, also within a list", () => {
  expect(offered("preview", "--fail-on", "n")).toEqual(["none", "narrows-access"]);
  expect(offered("report", "--fail-on", "deletes-data,n")).toEqual(["deletes-data,narrows-access"]);
});

test("bash completes a value after an equals sign, which it takes for a word of its own", () => {
  expect(offered("report", "--format", "=")).toEqual(["markdown", "terminal", "json", "summary"]);
  expect(offered("report", "--format", "=", "j")).toEqual(["json"]);
});

test("other shells pass an option with its value as one word", async () => {
  const { stdout } = await start(compiled, ["completion", "zsh", "--", "report", "--format=j"]).finished;
  expect(stdout).toBe("--format=json\n");
});

test("bash completes files where an option takes a file, and where a command takes arguments", () => {
  expect(offered("serve", "--file", "")).toEqual([]);
  expect(offered("report", "")).toEqual([]);
  expect(offered("report", "pre")).toEqual([]);
  expect(offered("unknown", "")).toEqual([]);
});

test("a word that is being completed is not run", () => {
  expect(offered("report", "$(touch run)")).toEqual([]);
  expect(offered("$(touch run)")).toEqual([]);
  expect(existsSync(join(folder, "run"))).toBe(false);
});

test.each([
  ["zsh", ["-n"]],
  ["fish", ["--no-execute"]],
])("%s's script asks voiceplane, and has valid syntax if that shell is installed", async (shell, checkOnly) => {
  const script = await scriptFor(shell);
  expect(script).toContain(`voiceplane completion ${shell} -- `);
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, script);
  const { error, status, stderr } = spawnSync(shell, [...checkOnly, path], { encoding: "utf8" });
  if (error === undefined) expect([status, stderr]).toEqual([0, ""]);
});
