/** Shows what a stack's state has. */
import { text } from "node:stream/consumers";
import {
  Command,
  folderOption,
  hasColors,
  Option,
  outputOption,
  refuseFileOfStack,
  stackOption,
  type Help,
  type Io,
} from "../../commander.js";
import { queryPulumi } from "../../pulumi/cli.js";
import { fileText } from "../../pulumi/files.js";
import { isWell } from "../../state/conditions.js";
import { exportedState } from "../../state/export.js";
import { withUncertain } from "../../state/memory.js";
import { readStackState } from "../../state/state.js";
import { formatStatus } from "./formats.js";

export const help: Help = {
  examples: {
    "Show the state of a stack": "npx voiceplane status --stack prod",
    "Show a state that was exported": "pulumi stack export | npx voiceplane status -",
  },
  exitCodes: {
    0: "the state was shown",
    1: "it cannot be read",
    2: "with --fail-on problems: an object is uncertain, unread, failed, leaving, duplicate or overdue, outputs are stale, or an operation is pending",
  },
};

export const command = (io: Io) =>
  new Command("status")
    .description(
      "Shows the state of a stack: for each object what was sent last and when, the age of its secret, the next due date, and " +
        "whether the outcome of its last request is unknown. Sends nothing, and shows no secret.",
    )
    .argument(
      "[file]",
      "the output of `pulumi stack export`, or a file of a state backend; - for standard input (default: the state of a stack)",
    )
    .addOption(
      stackOption(
        "read the state of this stack, with `pulumi stack export` in the project's folder (default: the selected stack)",
      ),
    )
    .addOption(outputOption())
    .addOption(new Option("--fail-on <what>", "problems: the exit code is 2 if there is one").choices(["problems"]))
    .addOption(folderOption())
    .action(async (file, { cwd: folder = process.cwd(), stack, format, failOn }) => {
      const { env, stdin, stdout } = io;
      const now = new Date();
      refuseFileOfStack(file, stack);
      const textOfFile = async (path: string) => (path === "-" ? text(stdin) : fileText(path, folder));
      const stored =
        file === undefined
          ? await exportedState(queryPulumi(env), stack, { folder, env })
          : readStackState(await textOfFile(file));
      const state = withUncertain(stored, env);
      if (state.objects.length === 0 && state.pendingOperations.length === 0)
        throw new Error(
          "the state has no object of pulumi-voiceplane: is it the right stack, and was it ever updated?",
        );
      stdout.write(formatStatus(state, format, now, hasColors(io)));
      if (failOn !== undefined && !isWell(state, now)) io.exitCode = 2;
    });
