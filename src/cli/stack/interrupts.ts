/** Ctrl-C and SIGTERM, for commands that run the Pulumi CLI. */
import { say, type Io } from "../commander.js";

/** After the first interrupt, an update waits for the answers to the requests in progress, and saves them. The second ends it. */
export interface Interrupts {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
}

/** Runs the action with the interrupts of this process. Until it ends, a signal does not end the process. */
export async function withInterrupts<T>(io: Io, action: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const [first, second] = [new AbortController(), new AbortController()];
  const interrupt = (): void => {
    if (first.signal.aborted) {
      say(io, "interrupted again; stopping at once");
      second.abort();
    } else {
      say(io, "interrupted; waiting for requests in progress (interrupt again to stop at once)");
      first.abort();
    }
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    return await action({ first: first.signal, second: second.signal });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}
