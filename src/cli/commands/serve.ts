/** Runs a control plane until a signal. */
import { guide } from "../../control-plane/admin.js";
import { startControlPlane, type ControlPlane, type JournalEntry } from "../../control-plane/index.js";
import { printableLine } from "../../values/text.js";
import { Command, InvalidArgumentError, Option, type Help, type Io } from "../commander.js";
import { jsonDocument } from "../output.js";

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
      "Runs a control plane on this machine, for trials and tests. It implements all operations of the interface.",
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
    .action(async ({ quiet, format, ...options }) => {
      const isQuiet = quiet === true || format === "json";
      const onRequest = (request: ShownRequest) => void io.stdout.write(requestLine(request));
      const controlPlane = await startControlPlane({ ...options, ...(!isQuiet && { onRequest }) });
      // The process ends after a signal, once nothing is open any more.
      closeOnSignal(controlPlane);
      const { url, tokens } = controlPlane;
      const { file } = options;
      if (format === "json") {
        io.stdout.write(jsonDocument({ version: 1, url, file: file ?? null, tokens }, 0));
      } else {
        const stored = `Stored in ${file ?? "memory until the process ends"}. Press Ctrl-C to stop.`;
        io.stdout.write(`${guide(url)}\n${stored}\n`);
      }
    });

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

type ShownRequest = Omit<JournalEntry, "id">;

/** The line shows neither the body nor the token of the request. */
function requestLine({ time, method, path, status, refusal, fault }: ShownRequest): string {
  const instant = time.slice(0, "2026-01-01T00:00:00".length).replace("T", " ");
  const injected = fault === null ? "" : ` (fault: ${fault})`;
  const reason = refusal === null ? "" : `: ${refusal}`;
  return `${printableLine(`${instant} ${method} ${path} ${status ?? "no answer"}${injected}${reason}`)}\n`;
}

function closeOnSignal(controlPlane: ControlPlane): void {
  const close = (): void => {
    // Without these handlers, a second signal ends the process at once.
    process.off("SIGINT", close).off("SIGTERM", close);
    void controlPlane.close();
  };
  process.on("SIGINT", close).on("SIGTERM", close);
}
