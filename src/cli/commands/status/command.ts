import { resolve } from "node:path";
import { Command, folderOption, Option, outputOption, stackOption, type Help, type Io } from "../../commander.js";
import { statusRun } from "./run.js";

export const help: Help = {
  examples: {
    "Show the state of a stack": "npx voiceplane status --stack prod",
    "Show a state that was exported": "pulumi stack export | npx voiceplane status -",
  },
  exitCodes: {
    0: "the state was shown",
    1: "it cannot be read",
    2: "with --fail-on problems: an object is uncertain, unread, failed, leaving, duplicate or overdue, or an operation is pending",
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
        "read the state of this stack, with `pulumi stack export` in the current folder (default: the selected stack)",
      ),
    )
    .addOption(outputOption())
    .addOption(new Option("--fail-on <what>", "problems: the exit code is 2 if there is one").choices(["problems"]))
    .addOption(folderOption())
    .action(async (file, { cwd = ".", failOn, ...options }) => {
      const failOnProblems = failOn !== undefined;
      io.exitCode = await statusRun({ io, file, folder: resolve(cwd), failOnProblems, ...options });
    });
