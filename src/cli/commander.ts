/**
 * The library of the command line, the options that commands share, and what a command uses of its process and of the package. The build
 * bundles the library into this file.
 */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { InvalidArgumentError, Option, type CommandUnknownOpts } from "@commander-js/extra-typings";

export { Argument, Command, CommanderError, InvalidArgumentError, Option } from "@commander-js/extra-typings";

export type AnyCommand = CommandUnknownOpts;

/** A paragraph, or terms with their meanings. */
export type HelpPart = string | Readonly<Record<string, string>>;

/** What the help of a command has below its options. Its section in docs/reference/commands.md has it too. */
export interface Help {
  /** Lines for the shell, by what they do. */
  readonly examples: Readonly<Record<string, string>>;
  /** Parts between the examples and the exit codes. */
  readonly more?: readonly HelpPart[];
  readonly exitCodes: Readonly<Record<number, string>>;
}

/** The help as text below the options, wrapped like them. */
export const belowOptions =
  ({ examples, more = [], exitCodes }: Help) =>
  ({ command }: { readonly command: Pick<AnyCommand, "createHelp" | "configureOutput"> }): string => {
    const help = command.createHelp();
    const helpWidth = command.configureOutput().getOutHelpWidth?.() ?? 80;
    help.prepareContext({ helpWidth });
    const shown = (part: HelpPart): string => {
      if (typeof part === "string") return help.boxWrap(`\n${part}`, helpWidth);
      const width = Math.max(...Object.keys(part).map((term) => term.length));
      const lines = Object.entries(part).map(([term, meaning]) => help.formatItem(term, width, meaning, help));
      return lines.join("\n");
    };
    const lines = Object.entries(examples).map(([what, line]) => `  # ${what}\n  ${line}`);
    return ["\nExamples:", ...lines, ...[...more, "Exit codes:", exitCodes].map(shown)].join("\n");
  };

/** The option has the names of Pulumi's own one. */
export const folderOption = () =>
  new Option("-C, --cwd <dir>", "the project's folder (default: the current one)").argParser(existingFolder);

/** The absolute path. In a folder that does not exist, the system would say that there is no program to start. */
function existingFolder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(path);
  throw new InvalidArgumentError("It is not a folder.");
}

export const stackOption = (description = "the stack (default: the selected stack)") =>
  new Option("-s, --stack <stack>", description).argParser(stackName);

/** Refuses an empty value, so that an empty variable of a script does not select the default. */
function stackName(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("A stack needs a name.");
  return text;
}

/** What a command uses of its process: `process` itself, or what a test gives in its place. */
export type Io = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr" | "env" | "exitCode">;

/** Prints a line for the person who runs the command. It goes to standard error, apart from the command's output. */
export const say = ({ stderr }: Pick<Io, "stderr">, line: string): void => {
  stderr.write(`voiceplane: ${line}\n`);
};

export const hasColors = ({ stdout }: Io): boolean => stdout.isTTY && stdout.hasColors();

/** The package's folder: the same way up from src as from dist. */
export const packageFolder = join(__dirname, "../..");

interface Manifest {
  readonly name: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly "@pulumi/pulumi": string };
}

/** The package's own package.json. */
export const ownManifest = (): Manifest =>
  JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as Manifest;
