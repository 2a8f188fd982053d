import { statSync } from "node:fs";
import { resolve } from "node:path";
import { examine, type Machine } from "./findings/doctor.js";
import { countOf, format, forms, redacted } from "./findings/finding.js";
import { queryPulumi } from "./pulumi/cli.js";
import { Command, folderOption, hasColors, Option, stackName, type Help } from "./commander.js";
import { askPassphrase } from "./passphrase.js";

export const help: Help = {
  examples: {
    "Check the project in this folder, with its selected stack": "npx voiceplane doctor",
    "Check another stack too": "npx voiceplane doctor --stack dev",
  },
  exitCodes: { 0: "nothing failed, though there may be warnings", 1: "a failure, or bad usage" },
};

export const command = new Command("doctor")
  .description(
    "Checks that a preview can run: Node, the engine, the project with its packages and its organization file, the settings, " +
      "the stack's state, and the control plane. Changes nothing. Sends one request, GET /v1/webhooks/, and never shows the token.",
  )
  .addOption(folderOption())
  .option(
    "-s, --stack <stack>",
    "also read this stack's configuration and state. `pulumi config` decrypts the token if the environment has none " +
      "(default: the selected stack)",
    stackName,
  )
  .addOption(new Option("--format <format>", "format of the output").choices(forms).default("terminal"))
  .action(async ({ cwd: path = ".", stack, format: form }) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${path} is not a folder`);
    await askPassphrase(resolve(path), stack);
    const findings = await examine(resolve(path), stack, machineOf(process));
    process.stdout.write(format(redacted(findings, process.env, resolve(path)), form, hasColors()));
    process.exitCode = countOf(findings, "failure") > 0 ? 1 : 0;
  });

function machineOf({ env, versions, stderr }: NodeJS.Process): Machine {
  return {
    env,
    nodeVersion: versions.node,
    pulumi: queryPulumi(env),
    later: (action, ms) => {
      const timer = setTimeout(action, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    say: (line) => stderr.write(`${line}\n`),
  };
}
