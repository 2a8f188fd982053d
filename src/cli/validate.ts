import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { countOf, formatFailures, redacted } from "../check/finding.js";
import { validate } from "../check/validate.js";
import { below, Command, Option } from "./commander.js";

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
    const findings = redacted(validation.findings, process.env);
    process.stdout.write(formatFailures({ ...validation, findings }, format));
    process.exitCode = countOf(findings, "failure") > 0 ? 1 : 0;
  });
