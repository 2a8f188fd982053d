#!/usr/bin/env node
import "./node.js";
import { redact } from "../client/redact.js";
import { explain, UsageError, type Command } from "./command.js";
import { commands } from "./commands.js";
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
      process.stdout.write(await help(args));
      return;
    default:
      await (await commandNamed(name)).run(args);
  }
}

async function help([name, ...others]: string[]): Promise<string> {
  if (others.length > 0) throw new UsageError("more than one command");
  return name === undefined || name.startsWith("-") ? usage() : (await commandNamed(name)).usage;
}

async function commandNamed(name: string): Promise<Command> {
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry) return (await entry.load()).command;
  const known = [...Object.keys(commands), "help", "--help", "--version"];
  throw new UsageError(`there is no command ${JSON.stringify(name)}${suggestion(name, known)}`);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as in `voiceplane … | head`: that is no failure.
  if (error.code === "EPIPE") return;
  process.stderr.write(`voiceplane: cannot print: ${explain(error)}\n`);
  process.exit(1);
});

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = 1;
  // Loaded here, so that a command starts without it.
  return import("./secrets.js").then(({ secretsHere }) => {
    process.stderr.write(`voiceplane: ${redact(explain(error), secretsHere(process.env))}\n`);
  });
});
