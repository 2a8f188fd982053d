/** Calls back after `ms`, unless the function that it returns is called first. */
export type StartTimer = (ms: number, elapsed: () => void) => () => void;

interface Timer {
  readonly end: number;
  readonly elapsed: () => void;
}

const timers = new Set<Timer>();
let ticks: NodeJS.Timeout | undefined;
const tickMs = 250;

/** All long timers share one of Node's, so they may elapse a tick late. They do not keep the process alive. */
export const startTimer: StartTimer = (ms, elapsed) => {
  if (ms < 10 * tickMs) {
    const timeout = setTimeout(elapsed, ms);
    return () => {
      clearTimeout(timeout);
    };
  }
  const timer = { end: performance.now() + ms, elapsed };
  timers.add(timer);
  ticks ??= setInterval(tick, tickMs).unref();
  return () => {
    timers.delete(timer);
  };
};

function tick(): void {
  const now = performance.now();
  for (const timer of timers) {
    if (timer.end > now) continue;
    timers.delete(timer);
    timer.elapsed();
  }
  if (timers.size > 0) return;
  clearInterval(ticks);
  ticks = undefined;
}
