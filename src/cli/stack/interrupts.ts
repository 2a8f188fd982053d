/** Ctrl-C and SIGTERM, for commands that run the Pulumi CLI. */
import { say, type Io } from "../commander.js";

/** An update ends well at the first: the requests in progress are answered and saved. */
export interface Interrupts {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
}

/** Runs the action with the interrupts of this process. Until it ends, a signal does not end the process. */
export async function withInterrupts<T>(io: Io, action: (interrupts: Interrupts) => Promise<T>): Promise<T> {
  const [first, second] = [new AbortController(), new AbortController()];
  const interrupt = (): void => {
    const isFirst = !first.signal.aborted;
    const what = isFirst
      ? "interrupted; waiting for requests in progress (interrupt again to stop at once)"
      : "interrupted again; stopping at once";
    say(io, what);
    (isFirst ? first : second).abort();
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  try {
    return await action({ first: first.signal, second: second.signal });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}
