import { Command, InvalidArgumentError, Option, type Help, type Io } from "../../commander.js";
import { serveRun } from "./run.js";

export const help: Help = {
  examples: {
    "Try the package, without a platform": "npx voiceplane serve",
    "Keep everything in a file": "npx voiceplane serve --file organization.json",
    "Print the address and the tokens for a script": "npx voiceplane serve --port 0 --format json",
  },
  exitCodes: { 0: "stopped by Ctrl-C or SIGTERM", 1: "bad usage, or it cannot listen" },
};

export const command = (io: Io) =>
  new Command("serve")
    .description(
      "Runs a control plane on this machine, for trials and tests. It implements all five operations of the interface.",
    )
    .addOption(new Option("--port <port>", "port to listen on, 0 for any free one").argParser(portNumber).default(4010))
    .option("--host <host>", "address to listen on (default: 127.0.0.1)")
    .option("--expose", "allow a host that other machines can reach; the tokens are public")
    .option("--file <path>", "keep everything in this JSON file (default: in memory until the process ends)")
    .option("--quiet", "print no line for each request")
    .addOption(
      new Option("--format <format>", "json: one line with the address and the tokens, once it listens")
        .choices(["terminal", "json"] as const)
        .default("terminal"),
    )
    .action((options) => serveRun({ io, ...options }));

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}
