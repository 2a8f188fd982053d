import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { printableLine } from "../client/printable.js";
import { andMore } from "../resources/problems.js";
import { below, Command, Option } from "./commander.js";
import { redacted } from "./secrets.js";
import { validate, type Validation } from "../check/organization-file.js";
import { lineOf } from "../check/problem.js";

export const command = new Command("validate")
  .description(
    "Checks an organization file and the settings, without an engine and without a request. In a Pulumi project, the " +
      "organization file of each stack is checked, and the plain values of Pulumi.yaml and Pulumi.<stack>.yaml. The " +
      "environment variables VOICEPLANE_… are always checked. Nothing is decrypted. A missing token or address is not a " +
      "problem here.",
  )
  .argument("[path]", "an organization file, or a folder that has one or is in a Pulumi project", ".")
  .addOption(new Option("--format <format>", "form of the output").choices(["terminal", "json"]).default("terminal"))
  .addHelpText("after", below("Exit codes: 0 nothing is wrong, 1 problems or bad usage."))
  /** Prints all problems and sets the exit code. */
  .action((target, { format }) => {
    if (!existsSync(target)) throw new Error(`there is no file or folder ${target}`);
    const validation = validate(resolve(target), undefined, process.env, process.cwd());
    const shown = { ...validation, problems: redacted(validation.problems, process.env) };
    process.stdout.write((format === "json" ? json : terminal)(shown));
    process.exitCode = validation.problems.length > 0 ? 1 : 0;
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
