/** Checks that a preview can run. */
import { examine } from "../findings/doctor.js";
import { formatFindings, isProblem, redacted } from "../findings/finding.js";
import { queryPulumi } from "../pulumi/cli.js";
import { Command, folderOption, hasColors, outputOption, stackOption, type Help, type Io } from "../commander.js";
import { askPassphrase } from "../stack/passphrase.js";

export const help: Help = {
  examples: {
    "Check the project in this folder, with its selected stack": "npx voiceplane doctor",
    "Check another stack too": "npx voiceplane doctor --stack dev",
  },
  exitCodes: { 0: "nothing failed, though there may be warnings", 1: "a problem, or bad usage" },
};

export const command = (io: Io) =>
  new Command("doctor")
    .description(
      "Checks that a preview can run: Node, the engine, the project with its packages and its organization file, the settings, " +
        "the stack's state, and the control plane. Changes nothing. Sends one request, GET /v1/webhooks/, and never shows the token.",
    )
    .addOption(folderOption())
    .addOption(
      stackOption(
        "also read this stack's configuration and state. `pulumi config` decrypts the token if the environment has none " +
          "(default: the selected stack)",
      ),
    )
    .addOption(outputOption())
    .action(async ({ cwd: folder = process.cwd(), stack, format }) => {
      const { env, stdout } = io;
      await askPassphrase(io, folder, stack);
      const findings = redacted(await examine(folder, stack, { env, pulumi: queryPulumi(env) }), env, folder);
      stdout.write(formatFindings("doctor", findings, format, hasColors(io)));
      io.exitCode = findings.some(isProblem) ? 1 : 0;
    });
