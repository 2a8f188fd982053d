#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { explain, UsageError } from "./errors.js";

interface Command {
  readonly summary: string;
  /** Loads the command with all that it needs, and nothing that the others need. */
  load(): Promise<{ run(args: string[]): Promise<void> }>;
}

const commands: Record<string, Command> = {
  serve: { summary: "run the embedded control plane", load: () => import("./serve.js") },
  report: { summary: "say in words what a preview changes", load: () => import("./report.js") },
  doctor: { summary: "look whether everything is there for a preview", load: () => import("./doctor.js") },
  init: { summary: "write a new project", load: () => import("./init.js") },
};

const usage = `Usage: voiceplane <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join("\n")}

Options:
  --help      how to use a command: voiceplane <command> --help
  --version   the version of voiceplane
`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined) throw new UsageError("a command is missing");
  if (name === "--help" || name === "-h") process.stdout.write(usage);
  else if (name === "--version") process.stdout.write(`${version()}\n`);
  else {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined) throw new UsageError(`there is no command ${JSON.stringify(name)}`);
    await (await command.load()).run(args);
  }
}

function version(): string {
  const text = readFileSync(join(__dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
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
