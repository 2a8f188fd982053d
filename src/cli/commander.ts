/** The library of the command line, and the options that commands share. The build bundles the library into this file. */
import { resolve } from "node:path";
import { InvalidArgumentError, Option, type CommandUnknownOpts } from "@commander-js/extra-typings";

export { Argument, Command, CommanderError, InvalidArgumentError, Option } from "@commander-js/extra-typings";

export type AnyCommand = CommandUnknownOpts;

/** A paragraph, or terms with their meanings. */
export type HelpPart = string | Readonly<Record<string, string>>;

/** What a command's help has below its options. Its section in docs/reference/commands.md has it too. */
export interface Help {
  /** Lines for the shell, by what they do. */
  readonly examples: Readonly<Record<string, string>>;
  readonly more?: readonly HelpPart[];
  readonly exitCodes: Readonly<Record<number, string>>;
}

export const belowOptions = ({ examples, more = [], exitCodes }: Help) =>
  below(
    "Examples:",
    ...Object.entries(examples).map(([what, line]) => `  # ${what}\n  ${line}`),
    ...more.map((part) => (typeof part === "string" ? `\n${part}` : part)),
    "\nExit codes:",
    exitCodes,
  );

/** Parts below the options of a help, wrapped like the rest. */
export const below =
  (...parts: readonly HelpPart[]) =>
  ({ command }: { readonly command: Pick<AnyCommand, "createHelp" | "configureOutput"> }): string => {
    const help = command.createHelp();
    help.helpWidth = command.configureOutput().getOutHelpWidth?.() ?? 80;
    const shown = parts.map((part) => {
      if (typeof part === "string") return help.boxWrap(part, help.helpWidth ?? 80);
      const width = Math.max(...Object.keys(part).map((term) => term.length));
      return Object.entries(part)
        .map(([term, meaning]) => help.formatItem(term, width, meaning, help))
        .join("\n");
    });
    return `\n${shown.join("\n")}`;
  };

/** Refuses an empty value, so that an empty variable of a script does not select the default. */
export function stackName(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("A stack needs a name.");
  return text;
}

/** For an option with a file or folder that can be repeated. */
export function paths(path: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, resolve(path)];
}

/** As in Pulumi. */
export const folderOption = () => new Option("-C, --cwd <dir>", "the project's folder (default: the current one)");

export const outputOption = () =>
  new Option("--format <format>", "format of the output")
    .choices(["terminal", "json", "markdown"] as const)
    .default("terminal" as const);

/** What a command uses of its process: `process` itself, or what a test gives in its place. */
export type Io = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env" | "exitCode">;

/** A line for the person who runs the command, beside its output. */
export const say = ({ stderr }: Pick<Io, "stderr">, line: string): void => {
  stderr.write(`voiceplane: ${line}\n`);
};

export const hasColors = ({ stdout }: Io): boolean => stdout.isTTY && stdout.hasColors();

/** @param text that has the option, such as the library's message */
export function missingValue(text: string): string {
  return `${/--[\w-]+/.exec(text)?.[0] ?? text} needs a value; is a variable empty?`;
}

/**
 * The library takes the next word as an option's value, even if it is another option: in `--stack $STACK --record FILE`, for
 * example, if the variable is empty.
 */
export function refuseOptionsAsValues(command: AnyCommand): void {
  for (const option of command.options) {
    const values = [command.getOptionValue(option.attributeName())].flat();
    if (values.some((value) => typeof value === "string" && /^-./.test(value))) {
      command.error(missingValue(option.flags));
    }
  }
}

/** The library's messages repeat unknown options. The value of a mistyped one may be secret, so it is cut off. */
export function withoutUnknownValues(command: AnyCommand, args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, index) => {
    const flag = /^--[^=]+|^-[^-]/.exec(arg)?.[0];
    if (flag === undefined || index >= end) return arg;
    return command.options.some(({ long, short }) => flag === long || flag === short) ? arg : flag;
  });
}
