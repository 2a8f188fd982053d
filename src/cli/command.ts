/** What all commands share: the command line, `--help`, choices and usage errors. */
import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { printable } from "../client/printable.js";
import { suggestion } from "./suggest.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

type Values<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own }>>["values"];

export interface Command {
  /** What `--help` prints. */
  readonly usage: string;
  /** In the order of the help, `--help` among them. */
  readonly options: Options;
  /** The values that the positional argument can have; empty for files. */
  readonly words: readonly string[];
  readonly run: (args: string[]) => Promise<void>;
}

interface Definition<Own extends Options> {
  readonly usage: string;
  /** In the order of the help, without `--help`. */
  readonly options: Own;
  /** What the one positional argument can be, such as "file". Default: the command takes none. */
  readonly positional?: readonly string[];
  readonly words?: readonly string[];
  readonly run: (values: Values<Own>, positional: string | undefined) => Promise<void> | void;
}

const help = { type: "boolean", short: "h" } as const;

export function defineCommand<const Own extends Options>(definition: Definition<Own>): Command {
  const { usage, options, positional = [], words = [], run } = definition;
  return {
    usage,
    options: { ...options, help },
    words,
    run: async (args) => {
      const { values, positionals } = parseCommandLine(args, options, positional.length > 0);
      if (values.help === true) {
        process.stdout.write(usage);
        return;
      }
      if (positionals.length > 1) throw new UsageError(`more than one ${positional.join(" or ")}`);
      await run(values as Values<Own>, positionals[0]);
    },
  };
}

/** @throws UsageError if an option is unknown or has no value */
export function parseCommandLine(args: string[], own: Options, allowPositionals: boolean) {
  const options = { ...own, help };
  requireKnown(args, options);
  try {
    return parseArgs({ args, allowPositionals, options });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** Node's message about an unknown option explains "--" and suggests no other option. */
function requireKnown(args: string[], options: Options): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(options, token.name)) continue;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`unknown option ${token.rawName}${suggestion(token.rawName, known)}`);
  }
}

/** The value of an option with a fixed set of values. The first one is the default. */
export function choice<const Choice extends string>(
  option: string,
  choices: readonly [Choice, ...Choice[]],
  text: string | undefined = choices[0],
): Choice {
  const chosen = choices.find((each) => each === text);
  if (chosen === undefined) throw new UsageError(`${option} must be ${choices.join(" or ")}`);
  return chosen;
}

/** The command line is wrong. The message says which part. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An error as one line, with a hint for usage errors. Never a stack trace. */
export function explain(error: unknown): string {
  const message = printableLine(messageOf(error));
  return error instanceof UsageError ? `${message} (try --help)` : message;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Text with names from files, servers and command lines, safe to print. Line ends become spaces. */
export const printableLine = (text: string): string => printable(text.replaceAll(/\s*\n\s*/g, " "));

/** The text of a file that the user named. */
export function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`${file} cannot be read (${code})`, { cause: error });
  }
}
