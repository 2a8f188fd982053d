/** The command line as a whole: help, versions and typing errors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, start, type Compiled } from "./compiled";

// A process starts slowly on a busy machine.
jest.setTimeout(30_000);

let compiled: Compiled;

beforeAll(() => {
  compiled = compile();
});
afterAll(() => {
  compiled.remove();
});

const run = (...args: string[]) => start(compiled, args).finished;

const manifest = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as {
  version: string;
  homepage: string;
};

const help = `Usage: voiceplane <command> [options]

Commands:
  init          write a new project
  validate      check an organization file and the settings
  doctor        check that this machine, project and server are ready
  report        explain a preview in plain language
  apply         run one organization's stack safely
  status        show what a stack's state says
  serve         run the embedded control plane
  completion    print a completion script for a shell
  help COMMAND  show the options of a command

Options:
  -h, --help     show this
  -v, --version  show the version of voiceplane

Documentation: ${manifest.homepage}
`;

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j prints the help", async (args) => {
  expect(await run(...args)).toEqual({ code: 0, signal: null, stdout: help, stderr: "" });
});

test.each([["--version"], ["-v"]])("%s prints the package's version", async (option) => {
  expect(await run(option)).toEqual({ code: 0, signal: null, stdout: `${manifest.version}\n`, stderr: "" });
});

test.each([["init"], ["validate"], ["doctor"], ["report"], ["status"], ["serve"], ["completion"]])(
  "help %s, %s --help and %s -h print the same",
  async (name) => {
    const [first, ...others] = await Promise.all([run("help", name), run(name, "--help"), run(name, "-h")]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(new RegExp(`^Usage: voiceplane ${name} `));
    expect(others).toEqual([first, first]);
    for (const line of first.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  },
);

test.each([
  [["sevre"], 'there is no command "sevre": did you mean serve?'],
  [["--verison"], 'there is no command "--verison": did you mean --version?'],
  [["toString"], 'there is no command "toString"'],
  [["help", "reprot"], 'there is no command "reprot": did you mean report?'],
  [["help", "serve", "report"], "more than one command"],
  [["completion"], "completion takes one shell: bash, zsh, fish"],
  [["completion", "tcsh"], "completion takes one shell: bash, zsh, fish"],
  [["completion", "toString"], "completion takes one shell: bash, zsh, fish"],
])("%j fails with one line and exit code 1", async (args, message) => {
  expect(await run(...args)).toEqual({
    code: 1,
    signal: null,
    stdout: "",
    stderr: `voiceplane: ${message} (try --help)\n`,
  });
});
