/** The command line, as a function. */
import { diagnosticText } from "../values/diagnostic.js";
import { stateFolderProblem } from "../machine.js";
import { messageOf } from "../values/any.js";
import { printableLine, redact } from "../values/text.js";
import { textBelow, belowOptions, Command, CommanderError, type AnyCommand, type Io } from "./commander.js";
import { commands } from "./commands/index.js";
import { ownManifest } from "./manifest.js";

/** @param loadedName the command that is loaded with its options; the others have only their summaries */
async function newProgram(loadedName: string, io: Io) {
  const { version, homepage } = ownManifest();
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
    .exitOverride()
    .hook("preAction", (_program, command) => {
      refuseOptionsAsValues(command);
      const problem = stateFolderProblem(io.env);
      if (problem) throw new Error(diagnosticText(problem));
    });
  if (homepage !== undefined) program.addHelpText("afterAll", textBelow(`Documentation: ${homepage}`));
  for (const [name, { summary, group, load }] of Object.entries(commands)) {
    const loaded = loadedName === name ? await load() : undefined;
    const command: AnyCommand = loaded?.command(io) ?? new Command(name);
    if (loaded) command.addHelpText("after", belowOptions(loaded.help));
    program.addCommand(command.summary(summary).helpGroup(group).copyInheritedSettings(program));
  }
  return program;
}

/** What other tools call these commands. */
const otherNames = new Map([
  ["plan", "preview"],
  ["diff", "preview"],
  ["up", "apply"],
  ["update", "apply"],
  ["destroy", "preview --destroy, then pulumi destroy"],
]);

/** What to do instead of options that people expect. */
const otherOptions = new Map([
  ["--json", "use --format json"],
  ["--output", "use --format json"],
  ["--from", "a preview made elsewhere cannot be read, run it on the stack, with --stack NAME"],
  ["--organization-file", "the setting voiceplane:organizationFile names the file of a stack"],
]);

/** The program, and the words for it to parse. */
async function programFor(args: readonly string[], io: Io) {
  const isHelpOfCommand = args[0] === "help" && args.length > 1;
  // `help apply` is `apply --help`, and no word at all is `--help`.
  const [name = "--help", ...rest] = isHelpOfCommand ? [...args.slice(1), "--help"] : args;
  const meant = otherNames.get(name);
  if (meant !== undefined) throw new Error(`there is no command ${name}: use ${meant}`);
  const program = await newProgram(name, io);
  const command = program.commands.find((each) => each.name() === name);
  if (command) return { program, words: [name, ...withoutUnknownValues(command, rest)] };
  // An unknown command is refused. Without the rest: if that has --help, the library would print the program's help instead.
  return { program, words: withoutUnknownValues(program, [name]) };
}

const missingValue = (option: string): string => `${option} needs a value; is a variable empty?`;

/**
 * The library takes the next word as an option's value, even if it is another option: for example in `--stack $STACK --format json`
 * with an empty variable.
 */
function refuseOptionsAsValues(command: AnyCommand): void {
  for (const option of command.options) {
    const values = [command.getOptionValue(option.attributeName())].flat();
    if (values.some((value) => typeof value === "string" && /^-./.test(value))) {
      command.error(missingValue(option.long ?? option.flags));
    }
  }
}

/** The library's messages repeat unknown options. The value of a mistyped one may be secret, so it is cut off. */
function withoutUnknownValues(command: AnyCommand, args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, index) => {
    const flag = /^--[^=]+|^-[^-]/.exec(arg)?.[0];
    if (flag === undefined || index >= end) return arg;
    return command.options.some(({ long, short }) => flag === long || flag === short) ? arg : flag;
  });
}

/** The error in one line, never a stack trace. */
export function explain(error: unknown): string {
  const message = printableLine(messageOf(error));
  return error instanceof CommanderError ? `${usageProblem(error.code, message)} (try --help)` : message;
}

function usageProblem(code: string, message: string): string {
  const [option = ""] = /--[\w-]+/.exec(message) ?? [];
  if (code === "commander.optionMissingArgument") return missingValue(option);
  const instead = code === "commander.unknownOption" ? otherOptions.get(option) : undefined;
  // If the library suggests an option that begins with this one, as --from-server for `init --from`, its message stays.
  if (instead !== undefined && !message.includes(`${option}-`)) return `there is no ${option}: ${instead}`;
  return message.replace(/^error: /, "");
}

/** Runs a command, prints its error in one line, and sets the exit code. `serve` goes on until a signal. */
export async function run(args: readonly string[], io: Io): Promise<void> {
  let folder = process.cwd();
  try {
    const { program, words } = await programFor(args, io);
    // An error has no secret of the project that --cwd names.
    program.hook("preAction", (_program, command: AnyCommand) => {
      const cwd: unknown = command.getOptionValue("cwd");
      if (typeof cwd === "string") folder = cwd;
    });
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    // The help or the version was printed.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    io.exitCode = 1;
    // This is loaded here, so that no command waits for it when it starts.
    const { secretsIn } = await import("./pulumi/project.js");
    io.stderr.write(`voiceplane: ${redact(explain(error), secretsIn(folder, io.env))}\n`);
  }
}
