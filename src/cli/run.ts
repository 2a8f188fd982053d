/** The command line, as a function. */
import { messageOf } from "../values/any.js";
import { secretsOf } from "../values/environment.js";
import { printableLine, redact } from "../values/text.js";
import { version } from "../values/version.js";
import { belowOptions, Command, CommanderError, type AnyCommand, type Io } from "./commander.js";
import { commands } from "./commands/index.js";

/** @param loadedName the command that is loaded with its options; the others have only their summaries */
async function newProgram(loadedName: string, io: Io) {
  const program = new Command("voiceplane")
    .usage("<command> [options]")
    .version(version, "-v, --version", "show the version of voiceplane")
    .helpOption("-h, --help", "show this")
    .commandsGroup("More:")
    .helpCommand("help [command]", "show the options of a command")
    // Without this, --version after a command would be the program's.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // `run` prints the error, without secrets.
      outputError: () => undefined,
      getOutHelpWidth: () => (io.stdout.isTTY ? io.stdout.columns : 80),
    })
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride();
  for (const [name, { summary, group, load }] of Object.entries(commands)) {
    const loaded = loadedName === name ? await load() : undefined;
    const command: AnyCommand = loaded?.command(io) ?? new Command(name);
    if (loaded) command.addHelpText("after", belowOptions(loaded.help));
    program.addCommand(command.summary(summary).helpGroup(group).copyInheritedSettings(program));
  }
  return program;
}

/** The error in one line, never a stack trace. */
export function explain(error: unknown): string {
  const message = printableLine(messageOf(error));
  return error instanceof CommanderError ? `${message.replace(/^error: /, "")} (try --help)` : message;
}

/** Runs a command, prints its error in one line, and sets the exit code. `serve` goes on until a signal. */
export async function run(args: readonly string[], io: Io): Promise<void> {
  // `help apply` is `apply --help`, and no word at all is `--help`.
  const words = args[0] === "help" && args.length > 1 ? [...args.slice(1), "--help"] : args;
  const [name = "--help", ...rest] = words;
  try {
    const program = await newProgram(name, io);
    const isKnown = program.commands.some((each) => each.name() === name);
    // Without the rest of an unknown command: if that has --help, the library would print the program's help instead.
    await program.parseAsync(isKnown ? [name, ...rest] : [name], { from: "user" });
  } catch (error) {
    // The help or the version was printed.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    io.exitCode = 1;
    io.stderr.write(`voiceplane: ${redact(explain(error), secretsOf(io.env))}\n`);
  }
}
