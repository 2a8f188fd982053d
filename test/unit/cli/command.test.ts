/** The command line as a whole: help, versions and typing errors. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/cli/commands";
import { testApproved } from "../../support/approved";
import { run as runCommand } from "../../support/command";

const run = (...args: string[]) => runCommand(args);

const manifest = JSON.parse(readFileSync(join(__dirname, "../../../package.json"), "utf8")) as {
  version: string;
};

const help = `Usage: voiceplane <command> [options]

Options:
  -v, --version   show the version of voiceplane
  -h, --help      show this

Set up:
  init            write a new project, or its pipeline
  serve           run the embedded control plane

Check:
  validate        check an organization file
  doctor          check that this machine, project and server are ready

Preview and apply:
  preview         preview a stack, and explain it in plain language
  apply           preview a stack, and update it
  status          show what was sent, what is due and what is uncertain

More:
  help [command]  show the options of a command
`;

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j prints the help", async (args) => {
  expect(await run(...args)).toEqual({ code: 0, stdout: help, stderr: "" });
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
    const lines = examples
      .split("\n")
      .filter((line) => !line.startsWith("  # "))
      // What follows is for Pulumi.
      .map((line) => line.replace(/ -- .*/, ""));
    const shown = lines.flatMap((line) => /(?:npx (?:pulumi-)?|<\()?voiceplane (\w+)(.*)$/.exec(line)?.slice(1) ?? []);
    expect(shown[0]).toBe(name);
    expect(stdout).toMatch(/^Exit codes:\n {2}0 {2}\w/m);
    const options = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option);
    const used = [...shown.join(" ").matchAll(/ (--[\w-]+)/g)].map(([, option]) => option);
    expect(used.filter((option) => !options.includes(option))).toEqual([]);
  },
);

const mistakes: readonly (readonly string[])[] = [
  ["sevre"],
  ["sevre", "--help"],
  ["--verison"],
  ["toString"],
  ["help", "statsu"],
  ["preview", "--fromat=hush"],
  ["preview", "-thush"],
  ["--token=hush"],
  ["serve", "--port"],
  ["doctor", "a"],
  ["doctor", "--stack="],
  ["doctor", "-C", "nowhere"],
  ["apply", "-C", "package.json"],
  ["preview", "--format", "html"],
  ["plan"],
];

testApproved(
  join(__dirname, "approved/mistakes.md"),
  Object.fromEntries(
    mistakes.map((args) => [
      args.join(" "),
      async () => {
        const made = await run(...args);
        expect(made).toMatchObject({
          code: 1,
          stdout: "",
          stderr: expect.stringMatching(/^voiceplane: .*\n$/) as string,
        });
        return made.stderr.trimEnd();
      },
    ]),
  ),
);
