import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { andMore } from "../resources/problems.js";
import { choice, defineCommand, printableLine } from "./command.js";
import { redacted } from "./secrets.js";
import { validate, type Validation } from "../check/organization-file.js";
import { lineOf } from "../check/problem.js";

export const command = defineCommand({
  usage: `Usage: voiceplane validate [options] [DIR|FILE]

Checks an organization file and the settings, without an engine and without a request. FILE is an organization file.
DIR (default: the current folder) has one, or is in a Pulumi project: then the organization file of each stack is
checked, and the plain values of Pulumi.yaml and Pulumi.<stack>.yaml. The environment variables VOICEPLANE_… are always
checked. Nothing is decrypted. A missing token or address is not a problem here.

Options:
  --format FORMAT      terminal (default) or json
  -h, --help           show this

Exit codes: 0 nothing is wrong, 1 problems or bad usage.
`,
  options: { format: { type: "string" } },
  positional: ["folder", "file"],
  /** Prints all problems and sets the exit code. */
  run({ format }, target = ".") {
    const print = choice("--format", ["terminal", "json"], format) === "json" ? json : terminal;
    if (!existsSync(target)) throw new Error(`there is no file or folder ${target}`);
    const validation = validate(resolve(target), undefined, process.env, process.cwd());
    process.stdout.write(print({ ...validation, problems: redacted(validation.problems, process.env) }));
    process.exitCode = validation.problems.length > 0 ? 1 : 0;
  },
});

/** `version` grows if a reader of the old form would misread the new one. New members do not change it. */
function json({ checked, problems, more, unchecked }: Validation): string {
  const document = { version: 1, ok: problems.length === 0, checked, problems, more, unchecked };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function terminal({ checked, problems, more, unchecked }: Validation): string {
  const found = [...problems.map(lineOf), ...(more > 0 ? [andMore(more)] : [])];
  const total = problems.length + more;
  const count = total === 1 ? "1 problem" : `${total === 0 ? "no" : total.toLocaleString("en")} problems`;
  const files = checked.length > 0 ? checked.join(", ") : "the environment alone";
  const rest = unchecked.map((what) => `not checked: ${what}`);
  return [...[...found, `${count} in ${files}`, ...rest].map(printableLine), ""].join("\n");
}
