/** Runs a control plane until a signal. */
import { isThisMachine } from "../../../control-plane/access.js";
import { guide } from "../../../control-plane/admin.js";
import { startControlPlane, type ControlPlane, type JournalEntry } from "../../../control-plane/index.js";
import { printableLine } from "../../../values/text.js";
import { InvalidArgumentError, type Io } from "../../commander.js";
import { jsonDocument } from "../../output.js";

export interface ServeOptions {
  readonly io: Io;
  /** 0 for any free one. */
  readonly port: number;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  readonly expose?: boolean | undefined;
  /** Default: the memory of this process. */
  readonly file?: string | undefined;
  readonly quiet?: boolean | undefined;
  readonly format: "terminal" | "json";
}

/** Resolves once the control plane listens. It runs until SIGINT or SIGTERM. */
export async function serveRun({ io, port, host, expose, file, quiet, format }: ServeOptions): Promise<void> {
  if (host !== undefined && expose !== true && !isThisMachine(host)) {
    throw new InvalidArgumentError(
      `${host} can be reached from other machines, and the tokens are public: use --expose to allow it`,
    );
  }
  const controlPlane = await startControlPlane({
    port,
    ...(host !== undefined && { host }),
    ...(file !== undefined && { file }),
    ...(expose !== undefined && { expose }),
    ...(quiet !== true &&
      format === "terminal" && { onRequest: (entry: Shown) => void io.stdout.write(lineOf(entry)) }),
  });
  closeOnSignal(controlPlane);
  const { url, tokens } = controlPlane;
  const stored = `Stored in ${file ?? "memory until the process ends"}. Press Ctrl-C to stop.\n`;
  const json = jsonDocument({ version: 1, url, file: file ?? null, tokens }, 0);
  io.stdout.write(format === "json" ? json : `${guide(url)}\n${stored}`);
}

type Shown = Omit<JournalEntry, "id">;

/** A line has neither a body nor a token. */
function lineOf({ time, method, path, status, refusal, fault }: Shown): string {
  const instant = time.slice(0, "2026-01-01T00:00:00".length).replace("T", " ");
  const effect = fault === null ? "" : ` (fault: ${fault})`;
  const reason = refusal === null ? "" : `: ${refusal}`;
  return `${printableLine(`${instant} ${method} ${path} ${status ?? "no answer"}${effect}${reason}`)}\n`;
}

function closeOnSignal(controlPlane: ControlPlane): void {
  const close = (): void => {
    // Without these handlers, a second signal ends the process at once.
    process.off("SIGINT", close).off("SIGTERM", close);
    void controlPlane.close();
  };
  process.on("SIGINT", close).on("SIGTERM", close);
}
