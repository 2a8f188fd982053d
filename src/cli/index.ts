#!/usr/bin/env node
import { messageOf } from "../values/any.js";
import "./node.js";
import { printableLine, redact } from "../values/text.js";
import {
  below,
  Command,
  CommanderError,
  missingValue,
  refuseOptionsAsValues,
  withoutUnknownValues,
} from "./commander.js";
import type { AnyCommand } from "./commander.js";
import { ownManifest } from "./manifest.js";

interface Entry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: AnyCommand }>;
}

/** In the order of the help, which is the order in which a project needs them. */
const commands: Readonly<Record<string, Entry>> = {
  init: { summary: "write a new project", load: () => import("./init.js") },
  validate: { summary: "check an organization file and the settings", load: () => import("./validate.js") },
  doctor: { summary: "check that this machine, project and server are ready", load: () => import("./doctor.js") },
  preview: { summary: "run `pulumi preview` and explain it in plain language", load: () => import("./preview.js") },
  report: { summary: "explain a stored preview in plain language", load: () => import("./report.js") },
  apply: { summary: "run `pulumi up` for one stack safely", load: () => import("./apply.js") },
  status: { summary: "show what was sent, what is due and what is uncertain", load: () => import("./status.js") },
  serve: { summary: "run the embedded control plane", load: () => import("./serve.js") },
  completion: { summary: "print a completion script for a shell", load: () => import("./completion.js") },
};

/** @param needed the names of the commands to load; of the others, only the name and the summary are known */
async function programWith(needed: readonly string[]) {
  const { version, homepage } = ownManifest();
  const program = new Command("voiceplane")
    .usage("<command> [options]")
    .version(version, "-v, --version", "show the version of voiceplane")
    .helpOption("-h, --help", "show this")
    .helpCommand("help [command]", "show the options of a command")
    // Otherwise --version after a command would be the program's.
    .enablePositionalOptions()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .hook("preAction", (_program, command) => {
      refuseOptionsAsValues(command);
    });
  if (homepage !== undefined) program.addHelpText("after", below(`Documentation: ${homepage}`));
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = needed.includes(name) ? (await load()).command : new Command(name);
    program.addCommand(command.summary(summary).copyInheritedSettings(program));
  }
  return program;
}

async function main(args: readonly string[]): Promise<void> {
  const isHelp = args[0] === "help" && args.length > 1;
  const [name = "--help", ...rest] = isHelp ? [...args.slice(1), "--help"] : args;
  // Completion asks for the options of a second command.
  const program = await programWith(name === "completion" ? [name, ...rest] : [name]);
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
  return import("./engine/backend.js").then(({ secretsHere }) => {
    process.stderr.write(`voiceplane: ${redact(explain(error), secretsHere(process.env))}\n`);
  });
});
