/**
 * Notices that this process was stopped for a while: by a signal, or with its machine. Its run may have lost the stack to another one, since
 * the lease on Pulumi Cloud's stacks ends some minutes after its last renewal. Pulumi's engine notices it only with its next request.
 */
import { uptime } from "node:os";

/** The lease lasts 5 minutes and is renewed after half of them. No process is merely slow for that long. */
const longestPauseMs = 60_000;

const beatMs = 1000;

/** Both in ms. */
interface Clocks {
  /** Stands still while the machine is suspended. */
  readonly monotonic: () => number;
  /** Goes on while the machine is suspended, and does not change when the time is set. The host of a virtual machine can stop both. */
  readonly uptime: () => number;
  /** Calls back again and again, without keeping the process alive. */
  readonly every: (ms: number, beat: () => void) => void;
}

const realClocks: Clocks = {
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
  every: (ms, beat) => {
    setInterval(beat, ms).unref();
  },
};

/** How long this process was stopped since the call of {@link watchForStops}, ms. */
export type StoppedMs = () => number | undefined;

export function watchForStops({ monotonic, uptime, every }: Clocks = realClocks): StoppedMs {
  let last = { monotonic: monotonic(), uptime: uptime() };
  let longest = 0;
  const beat = (): void => {
    const now = { monotonic: monotonic(), uptime: uptime() };
    longest = Math.max(longest, now.monotonic - last.monotonic, now.uptime - last.uptime);
    last = now;
  };
  every(beatMs, beat);
  return () => {
    // After a stop, answers are handled before the timers.
    beat();
    return longest > longestPauseMs ? longest : undefined;
  };
}

/** Why a run that was stopped sends nothing more: another run may have the stack by now, and may have sent what its own program declares. */
export const stopText = (ms: number): string =>
  `this run was stopped for ${Math.round(ms / 1000)} s, so its lease on the state may have ended. Run the update again.`;
