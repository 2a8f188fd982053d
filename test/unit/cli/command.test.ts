/** The command line as a whole: help, versions and typing errors. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/cli/commands";
import { compile, start } from "../../support/compiled";

const compiled = compile();

const run = (...args: string[]) => start(compiled, args).finished;

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as {
  version: string;
};

const help = `Usage: voiceplane <command> [options]

Options:
  -v, --version   show the version of voiceplane
  -h, --help      show this

Set up:
  init            write a new project
  serve           run the embedded control plane

Check:
  validate        check an organization file and the settings
  doctor          check that this machine, project and server are ready

Preview and apply:
  preview         preview a stack, and explain it in plain language
  apply           preview a stack, and update it
  status          show what was sent, what is due and what is uncertain

More:
  help [command]  show the options of a command
`;

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j prints the help", async (args) => {
  expect(await run(...args)).toEqual({ code: 0, signal: null, stdout: help, stderr: "" });
});

test("the help, also of a command, ends with the address of the documentation, once package.json has one", async () => {
  const file = join(compiled.folder, "package.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, JSON.stringify({ ...manifest, homepage: "https://example.com/voiceplane" }));
  const [all, doctor] = [await run("--help"), await run("help", "doctor")];
  writeFileSync(file, text);
  expect(all.stdout).toBe(`${help}\nDocumentation: https://example.com/voiceplane\n`);
  expect(doctor.stdout).toMatch(/\nDocumentation: https:\/\/example\.com\/voiceplane\n$/);
});

test("--version prints the package's version", async () => {
  expect(await run("--version")).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  expect(await run("-v")).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
});

const names = Object.keys(commands);

test.each([["--help"], ["-h"]])("a command's %s prints what help prints", async (option) => {
  const help = await run("help", "status");
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(await run("status", option)).toEqual(help);
});

test.each(names)(
  "the help of %s has examples that its options accept, and its exit codes, and is at most 80 columns wide",
  async (name) => {
    const { stdout } = await run("help", name);
    expect(stdout).toMatch(new RegExp(`^Usage: voiceplane ${name} `));
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const [, examples = ""] = /^Examples:\n(.*?)\n\n/ms.exec(stdout) ?? [];
    const lines = examples.split("\n").filter((line) => !line.startsWith("  # "));
    const shown = lines.flatMap((line) => /(?:npx (?:pulumi-)?|<\()?voiceplane (\w+)(.*)$/.exec(line)?.slice(1) ?? []);
    expect(shown[0]).toBe(name);
    expect(stdout).toMatch(/^Exit codes:\n {2}0 {2}\w/m);
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
    const used = [...shown.join(" ").matchAll(/ (--[\w-]+)/g)].map(([, option]) => option);
    expect(used.filter((option) => !options.includes(option))).toEqual([]);
  },
);

test.each([
  [["sevre"], "unknown command 'sevre' (Did you mean serve?)"],
  [["sevre", "--help"], "unknown command 'sevre' (Did you mean serve?)"],
  [["--verison"], "unknown option '--verison' (Did you mean --version?)"],
  [["toString"], "unknown command 'toString'"],
  [["help", "statsu"], "unknown command 'statsu' (Did you mean status?)"],
  [["preview", "--fromat=secret"], "unknown option '--fromat' (Did you mean --format?)"],
  [["preview", "-tsecret"], "unknown option '-t'"],
  [["--token=secret"], "unknown option '--token'"],
  [["status", "--stack", "--format", "json"], "--stack needs a value; is a variable empty?"],
  [["serve", "--port"], "--port needs a value; is a variable empty?"],
  [
    ["serve", "--port", "65536"],
    "option '--port <port>' argument '65536' is invalid. It must be a number from 0 to 65535.",
  ],
  [
    ["serve", "--port", "1e3"],
    "option '--port <port>' argument '1e3' is invalid. It must be a number from 0 to 65535.",
  ],
  [
    ["serve", "--host", "0.0.0.0"],
    "0.0.0.0 can be reached from other machines, and the tokens are public: use --expose to allow it",
  ],
  [["doctor", "a"], "too many arguments for 'doctor'. Expected 0 arguments but got 1: a."],
  [["doctor", "--stack="], "option '-s, --stack <stack>' argument '' is invalid. A stack needs a name."],
  [
    ["preview", "--format", "html"],
    "option '--format <format>' argument 'html' is invalid. Allowed choices are markdown, terminal, json, summary.",
  ],
])("%j fails with one line and exit code 1", async (args, message) => {
  expect(await run(...args)).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: `voiceplane: ${message} (try --help)\n`,
  });
});

test("a file whose name is like an option follows --", async () => {
  const { code, stderr } = await run("status", "--", "--token=file");
  expect([code, stderr]).toEqual([1, "voiceplane: --token=file cannot be read (ENOENT)\n"]);
});
