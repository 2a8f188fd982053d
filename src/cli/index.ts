#!/usr/bin/env node
import { commands } from "./commands.js";
import { explain, UsageError } from "./errors.js";
import { ownManifest } from "./manifest.js";
import { suggestion } from "./suggest.js";

const usage = (): string => `Usage: voiceplane <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
  .join("\n")}
  help COMMAND  show the options of a command

Options:
  -h, --help     show this
  -v, --version  show the version of voiceplane

Documentation: ${ownManifest().homepage}
`;

async function main([name, ...args]: string[]): Promise<void> {
  switch (name) {
    case undefined:
    case "--help":
    case "-h":
      process.stdout.write(usage());
      return;
    case "--version":
    case "-v":
      process.stdout.write(`${ownManifest().version}\n`);
      return;
    case "help":
      await help(args);
      return;
    default:
      await (await commandNamed(name).load()).run(args);
  }
}

async function help([name, ...others]: string[]): Promise<void> {
  if (others.length > 0) throw new UsageError("more than one command");
  const about = name === undefined || name.startsWith("-") ? usage() : (await commandNamed(name).load()).usage;
  process.stdout.write(about);
}

function commandNamed(name: string): (typeof commands)[string] {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  const known = [...Object.keys(commands), "help", "--help", "--version"];
  throw new UsageError(`there is no command ${JSON.stringify(name)}${suggestion(name, known)}`);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`voiceplane … | head`) is no reason to fail.
  if (error.code === "EPIPE") return;
  process.stderr.write(`voiceplane: cannot print: ${explain(error)}\n`);
  process.exit(1);
});

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`voiceplane: ${explain(error)}\n`);
  process.exitCode = 1;
});
