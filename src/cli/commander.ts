/** The library of the command line, as all commands use it. The build bundles it into this file, so users do not install it. */
import { InvalidArgumentError, type Command, type CommandUnknownOpts } from "@commander-js/extra-typings";

export { Argument, Command, CommanderError, InvalidArgumentError, Option } from "@commander-js/extra-typings";

/** A command of any arguments and options. */
export type AnyCommand = CommandUnknownOpts;

/** Text below the options of a help, wrapped like the rest. */
export const below =
  (text: string) =>
  ({ command }: { readonly command: Command }): string =>
    `\n${command.createHelp().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? 80)}`;

/** For an option of which an empty variable of a script must not select the default. */
export function stackName(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("A stack needs a name.");
  return text;
}

/**
 * The library takes the next word as an option's value, even if it is another option: in `--stack $STACK --record FILE`, for
 * example, if the variable is empty.
 */
export function refuseOptionsAsValues(command: AnyCommand): void {
  for (const option of command.options) {
    const values = [command.getOptionValue(option.attributeName())].flat();
    if (values.some((value) => typeof value === "string" && /^-./.test(value))) {
      command.error(`option '${option.flags}' argument missing`);
    }
  }
}

/** The library's messages repeat unknown words. The value of a mistyped option may be secret, so it is cut off. */
export function withoutUnknownValues(command: AnyCommand, args: readonly string[]): string[] {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  return args.map((arg, index) => {
    const flag = /^--[^=]+|^-[^-]/.exec(arg)?.[0];
    if (flag === undefined || index >= end) return arg;
    return command.options.some(({ long, short }) => flag === long || flag === short) ? arg : flag;
  });
}
