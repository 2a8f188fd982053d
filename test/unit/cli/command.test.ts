/** The command line as a whole: help, versions and typing errors. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, start } from "../../support/compiled";

// A process starts slowly on a busy machine.
jest.setTimeout(30_000);

const compiled = compile();

const run = (...args: string[]) => start(compiled, args).finished;

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as {
  version: string;
};

const help = `Usage: voiceplane <command> [options]

Options:
  -v, --version   show the version of voiceplane
  -h, --help      show this

Commands:
  init            write a new project
  validate        check an organization file and the settings
  doctor          check that this machine, project and server are ready
  preview         run \`pulumi preview\` and explain it in plain language
  report          explain a stored preview in plain language
  apply           run \`pulumi up\` for one stack safely
  status          show what was sent, what is due and what is uncertain
  serve           run the embedded control plane
  completion      print a completion script for a shell
  help [command]  show the options of a command
`;

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j prints the help", async (args) => {
  expect(await run(...args)).toEqual({ code: 0, signal: null, stdout: help, stderr: "" });
});

test("the help ends with the address of the documentation, once package.json has one", async () => {
  const file = join(compiled.folder, "package.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, JSON.stringify({ ...manifest, homepage: "https://example.com/voiceplane" }));
  const { stdout } = await run("--help");
  writeFileSync(file, text);
  expect(stdout).toBe(`${help}\nDocumentation: https://example.com/voiceplane\n`);
});

test.each([["--version"], ["-v"]])("%s prints the package's version", async (option) => {
  expect(await run(option)).toEqual({ code: 0, signal: null, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([
  ["init"],
  ["validate"],
  ["doctor"],
  ["preview"],
  ["report"],
  ["apply"],
  ["status"],
  ["serve"],
  ["completion"],
])("%s: help, --help and -h print the same, at most 80 columns wide", async (name) => {
  const [first, ...others] = await Promise.all([run("help", name), run(name, "--help"), run(name, "-h")]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toMatch(new RegExp(`^Usage: voiceplane ${name} `));
  expect(others).toEqual([first, first]);
  for (const line of first.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  [["sevre"], "unknown command 'sevre' (Did you mean serve?)"],
  [["sevre", "--help"], "unknown command 'sevre' (Did you mean serve?)"],
  [["--verison"], "unknown option '--verison' (Did you mean --version?)"],
  [["toString"], "unknown command 'toString'"],
  [["help", "reprot"], "unknown command 'reprot' (Did you mean report?)"],
  [["report", "--fromat=secret"], "unknown option '--fromat' (Did you mean --format?)"],
  [["report", "-tsecret"], "unknown option '-t'"],
  [["--token=secret"], "unknown option '--token'"],
  [["status", "--stack", "--format", "json"], "--stack needs a value; is a variable empty?"],
  [["completion"], "missing required argument 'shell'"],
  [["doctor", "a", "b"], "too many arguments for 'doctor'. Expected 1 argument but got 2: a, b."],
  [["doctor", "--stack="], "option '-s, --stack <stack>' argument '' is invalid. A stack needs a name."],
  [["status", "--stack", " "], "option '-s, --stack <stack>' argument ' ' is invalid. A stack needs a name."],
  [
    ["report", "--format", "html"],
    "option '--format <format>' argument 'html' is invalid. Allowed choices are markdown, terminal, json, summary.",
  ],
  [
    ["completion", "tcsh"],
    "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
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
  const { code, stderr } = await run("report", "--", "--token=file");
  expect([code, stderr]).toEqual([1, "voiceplane: --token=file cannot be read (ENOENT)\n"]);
});
