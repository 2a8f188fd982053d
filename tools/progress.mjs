const QUIET_MS = 15_000;

/**
 * Shows what is being done and for how long. On a terminal that is one line, rewritten every second; elsewhere (a
 * pipeline's log) a line now and then.
 *
 * @param {NodeJS.WriteStream} stream
 */
export function createProgress(stream) {
  const live = stream.isTTY === true;
  let started = 0;
  let shown = 0;
  let doing = "";
  let timer;

  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  const clear = () => live && stream.write("\r\u001b[K");
  const fit = (text) => text.slice(0, Math.max(20, (stream.columns || 80) - 1));
  const show = () => {
    clear();
    stream.write(live ? fit(`  ${seconds()}  ${doing}`) : `  ${seconds()}  ${doing}\n`);
    shown = performance.now();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    clear();
  };

  return {
    /** What is being done now; shown at once on a terminal, else when nothing was shown for a while. */
    update(text) {
      if (timer === undefined) {
        started = performance.now();
        shown = started;
        timer = setInterval(() => {
          if (live || performance.now() - shown >= QUIET_MS) show();
        }, 1000);
        timer.unref();
      }
      doing = text;
    },
    /** A line that stays. Ends the display of the work before it. */
    line(text) {
      if (timer !== undefined) stop();
      stream.write(`${text}\n`);
    },
    /** Ends the display. */
    stop,
  };
}
