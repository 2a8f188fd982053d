/** Runs a control plane until a signal. */
import { guide } from "../../control-plane/admin.js";
import { startControlPlane, type JournalEntry } from "../../control-plane/index.js";
import { printableLine } from "../../values/text.js";
import { Command, Option, type Help, type Io } from "../commander.js";

export const help: Help = {
  examples: {
    "Try the package, without a platform": "npx voiceplane serve",
    "Keep everything in a file": "npx voiceplane serve --file organization.json",
  },
  exitCodes: { 0: "stopped by Ctrl-C or SIGTERM", 1: "bad usage, or it cannot listen" },
};

export const command = (io: Io) =>
  new Command("serve")
    .description(
      "Runs a control plane on this machine, for trials and tests. It implements all operations of the interface, and prints each request.",
    )
    .addOption(new Option("--port <port>", "port to listen on, 0 for any free one").argParser(Number).default(4010))
    .option("--file <path>", "keep everything in this JSON file (default: in memory until the process ends)")
    .action(async ({ port, file }) => {
      const onRequest = (request: JournalEntry) => void io.stdout.write(requestLine(request));
      const controlPlane = await startControlPlane({ port, onRequest, ...(file !== undefined && { file }) });
      // The process ends after a signal, once nothing is open any more.
      const close = (): void => {
        // Without these handlers, a second signal ends the process at once.
        process.off("SIGINT", close).off("SIGTERM", close);
        void controlPlane.close();
      };
      process.on("SIGINT", close).on("SIGTERM", close);
      const stored = `Stored in ${file ?? "memory until the process ends"}. Press Ctrl-C to stop.`;
      io.stdout.write(`${guide(controlPlane.url)}\n${stored}\n`);
    });

/** The line shows neither the body nor the token of the request. */
function requestLine({ time, method, path, status, refusal, fault }: JournalEntry): string {
  const instant = time.slice(0, "2026-01-01T00:00:00".length).replace("T", " ");
  const injected = fault === null ? "" : ` (fault: ${fault})`;
  const reason = refusal === null ? "" : `: ${refusal}`;
  return `${printableLine(`${instant} ${method} ${path} ${status ?? "no answer"}${injected}${reason}`)}\n`;
}
