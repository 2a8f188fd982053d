import { dialects, type Dialect } from "../control-plane/answers.js";
import { startControlPlane, type ControlPlane } from "../control-plane/index.js";
import type { RequestEntry } from "../control-plane/store.js";
import { isLoopbackName, lacks, tokenNames, type TokenName } from "../control-plane/access.js";
import { printableLine } from "../values/text.js";
import { Command, InvalidArgumentError, Option, type Help } from "./commander.js";

export const help: Help = {
  examples: {
    "Try the package, without a platform": "npx voiceplane serve",
    "Keep everything in a file": "npx voiceplane serve --file organization.sqlite",
    "Print the address and the tokens for a script": "npx voiceplane serve --port 0 --format json",
  },
  exitCodes: { 0: "stopped by Ctrl-C or SIGTERM", 1: "bad usage, or it cannot listen" },
};

export const command = new Command("serve")
  .description(
    "Runs a control plane on this machine, for trials and tests. It implements all five operations of the interface.",
  )
  .addOption(new Option("--port <port>", "port to listen on, 0 for any free one").argParser(portNumber).default(4010))
  .option("--host <host>", "address to listen on (default: 127.0.0.1)")
  .option("--expose", "allow a host that other machines can reach; the tokens are public")
  .option("--file <path>", "store everything in this SQLite file (default: in memory until the process ends)")
  .addOption(
    new Option(
      "--dialect <dialect>",
      "observed: answers like a deployed server; bare: answers with the minimum that the interface allows",
    )
      .choices(dialects)
      .default("observed"),
  )
  .option("--quiet", "print no line for each request")
  .addOption(
    new Option("--format <format>", "json: one line with the address and the tokens, once it listens")
      .choices(["terminal", "json"])
      .default("terminal"),
  )
  /** Resolves once the control plane listens. It runs until SIGINT or SIGTERM. */
  .action(async ({ port, host, expose, file, dialect, quiet, format }) => {
    if (host !== undefined && expose !== true && !isLoopbackName(host)) {
      throw new InvalidArgumentError(
        `${host} can be reached from other machines, and the tokens are public: use --expose to allow it`,
      );
    }
    const controlPlane = await startControlPlane({
      port,
      dialect,
      ...(host !== undefined && { host }),
      ...(file !== undefined && { file }),
      ...(expose !== undefined && { expose }),
      ...(quiet !== true && format === "terminal" && { onRequest: printRequest }),
      onProblem: (message) => process.stderr.write(`voiceplane: ${printableLine(message)}\n`),
    });
    closeOnSignal(controlPlane);
    process.stdout.write((format === "json" ? json : banner)(controlPlane, dialect, file));
  });

/** Neither a body nor a token. */
function printRequest({ time, method, path, status, refusal, fault }: RequestEntry): void {
  const instant = time.slice(0, "2026-01-01T00:00:00".length).replace("T", " ");
  const effect = fault === null ? "" : ` (fault: ${fault})`;
  const reason = refusal === null ? "" : `: ${refusal}`;
  process.stdout.write(`${printableLine(`${instant} ${method} ${path} ${status ?? "no answer"}${effect}${reason}`)}\n`);
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

function closeOnSignal(controlPlane: ControlPlane): void {
  const close = (): void => {
    // Without these handlers, a second signal ends the process at once.
    process.off("SIGINT", close).off("SIGTERM", close);
    void controlPlane.close();
  };
  process.on("SIGINT", close).on("SIGTERM", close);
}

/** `version` grows if a reader of the old form would misread the new one. New members do not change it. */
function json({ url, tokens }: ControlPlane, dialect: Dialect, file: string | null = null): string {
  return `${JSON.stringify({ version: 1, url, dialect, file, tokens })}\n`;
}

function banner({ url, tokens }: ControlPlane, dialect: Dialect, file = "memory until the process ends"): string {
  const width = Math.max(...tokenNames.map((name) => tokens[name].length));
  const tokenLine = (name: TokenName): string => {
    const lacking = lacks[name];
    return `  ${tokens[name].padEnd(width)}  ${lacking === null ? "has all rights" : `lacks ${lacking}`}`;
  };
  return `voiceplane control plane at ${url} (${dialect})
Stored in ${file}

Tokens, the same on every machine:
${tokenNames.map(tokenLine).join("\n")}

Page: ${url}/
Admin API (state, journal, faults, clock): ${url}/_control/
Press Ctrl-C to stop.
`;
}
