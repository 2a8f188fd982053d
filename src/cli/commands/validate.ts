import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { format, isFailure, redacted } from "../findings/finding.js";
import { validate } from "../findings/validate.js";
import { Command, folderOption, hasColors, outputOption, stackOption, type Help, type Io } from "../commander.js";

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
      "Checks an organization file and the settings, without an engine and without a request. In a Pulumi project, checks the " +
        "organization file of each stack, and the plain values of Pulumi.yaml and Pulumi.<stack>.yaml. Always checks the " +
        "environment variables VOICEPLANE_…. Decrypts nothing. A missing token or address is not a " +
        "problem here. `voiceplane preview` checks what a program declares, in YAML too.",
    )
    .argument("[file]", "an organization file (default: those of the project in the folder)")
    .addOption(folderOption())
    .addOption(stackOption("check the files of this stack only (default: all stacks that have a file)"))
    .addOption(outputOption())
    .action((file, { cwd = ".", stack, format: form }) => {
      const { env, stdout } = io;
      const target = file ?? cwd;
      if (!existsSync(target)) throw new Error(`there is no file or folder ${target}`);
      const found = validate(resolve(target), { stack, env, cwd: process.cwd() });
      const findings = redacted(found, env, resolve(target));
      stdout.write(format("validate", findings, form, hasColors(io)));
      io.exitCode = findings.some(isFailure) ? 1 : 0;
    });
