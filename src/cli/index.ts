#!/usr/bin/env node
import { messageOf } from "../values/any.js";
import "./node.js";
import { printableLine, redact } from "../values/text.js";
import {
  below,
  belowOptions,
  Command,
  CommanderError,
  missingValue,
  refuseOptionsAsValues,
  withoutUnknownValues,
} from "./commander.js";
import { commands } from "./commands.js";
import { ownManifest } from "./manifest.js";

/** @param needed the command to load; of the others, only the name and the summary are known */
async function programWith(needed: string) {
  const { version, homepage } = ownManifest();
  const program = new Command("voiceplane")
    .usage("<command> [options]")
    .version(version, "-v, --version", "show the version of voiceplane")
    .helpOption("-h, --help", "show this")
    .commandsGroup("More:")
    .helpCommand("help [command]", "show the options of a command")
    // Otherwise --version after a command would be the program's.
    .enablePositionalOptions()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .hook("preAction", (_program, command) => {
      refuseOptionsAsValues(command);
    });
  if (homepage !== undefined) program.addHelpText("afterAll", below(`Documentation: ${homepage}`));
  for (const [name, { summary, group, load }] of Object.entries(commands)) {
    const { command, help } = needed === name ? await load() : { command: new Command(name) };
    if (help) command.addHelpText("after", belowOptions(help));
    program.addCommand(command.summary(summary).helpGroup(group).copyInheritedSettings(program));
  }
  return program;
}

async function main(args: readonly string[]): Promise<void> {
  const isHelp = args[0] === "help" && args.length > 1;
  const [name = "--help", ...rest] = isHelp ? [...args.slice(1), "--help"] : args;
  const program = await programWith(name);
  const command = program.commands.find((each) => each.name() === name);
  // Without the rest: with --help, the library prints the program's help for a command that does not exist.
  const words = command ? [name, ...withoutUnknownValues(command, rest)] : withoutUnknownValues(program, [name]);
  await program.parseAsync(words, { from: "user" });
}

/** One line, never a stack trace. */
function explain(error: unknown): string {
  const message = printableLine(messageOf(error));
  if (!(error instanceof CommanderError)) return message;
  const isMissing = error.code === "commander.optionMissingArgument";
  return `${isMissing ? missingValue(message) : message.replace(/^error: /, "")} (try --help)`;
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as in `voiceplane … | head`: that is no failure.
  if (error.code === "EPIPE") return;
  process.stderr.write(`voiceplane: cannot print: ${explain(error)}\n`);
  process.exit(1);
});

main(process.argv.slice(2)).catch((error: unknown) => {
  // The help and the version, which are printed.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  process.exitCode = 1;
  // Loaded here, so that a command starts without it.
  return import("./pulumi/project.js").then(({ secretsIn }) => {
    process.stderr.write(`voiceplane: ${redact(explain(error), secretsIn(process.cwd(), process.env))}\n`);
  });
});
