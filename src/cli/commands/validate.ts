/** Checks organization files, without an engine. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { formatFindings, isProblem, redacted } from "../findings/finding.js";
import { validate } from "../findings/validate.js";
import {
  Command,
  folderOption,
  hasColors,
  outputOption,
  refuseFileOfStack,
  stackOption,
  type Help,
  type Io,
} from "../commander.js";

export const help: Help = {
  examples: {
    "Check every stack of the project in this folder": "npx voiceplane validate",
    "Check the files of one stack": "npx voiceplane validate --stack dev",
  },
  exitCodes: { 0: "nothing is wrong", 1: "problems, or bad usage" },
};

export const command = (io: Io) =>
  new Command("validate")
    .description(
      "Checks an organization file, without an engine and without a request. In a Pulumi project, checks the file of each stack, and " +
        "whether the secrets that it names are in the stack's configuration, which is not decrypted. `voiceplane doctor` checks " +
        "the settings, and `voiceplane preview` what a program declares, in YAML too.",
    )
    .argument("[file]", "an organization file, from the folder of --cwd (default: those of the project in that folder)")
    .addOption(folderOption())
    .addOption(stackOption("check the files of this stack only (default: all stacks that have a file)"))
    .addOption(outputOption())
    .action((file, { cwd: folder = process.cwd(), stack, format }) => {
      const { env, stdout } = io;
      refuseFileOfStack(file, stack);
      const target = resolve(folder, file ?? "");
      if (!existsSync(target)) throw new Error(`there is no file or folder ${file ?? folder}`);
      const findings = redacted(validate(target, { stack, env, cwd: process.cwd() }), env, target);
      stdout.write(formatFindings("validate", findings, format, hasColors(io)));
      io.exitCode = findings.some(isProblem) ? 1 : 0;
    });
