import process from "node:process";

const QUIET_MS = 15_000;

/**
 * Shows the current step and its duration: on a terminal in one line that is rewritten every second, elsewhere (such as
 * a pipeline's log) in a new line every 15 seconds.
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
    /** Sets the current step. A terminal shows it within a second, other outputs after 15 seconds without a line. */
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
    /** Prints a permanent line, and ends the display of the current step. */
    line(text) {
      if (timer !== undefined) stop();
      stream.write(`${text}\n`);
    },
    /** Ends the display. */
    stop,
  };
}

/**
 * For a tool that prints what it finds: nothing else is on standard output, and an error is one line on standard error.
 *
 * @param {(log: ReturnType<typeof createProgress>) => Promise<string>} find
 * @param {(error: Error) => number} [codeOf] the exit code of an error. Default: 1.
 */
export async function printFound(find, codeOf = () => 1) {
  const log = createProgress(process.stderr);
  try {
    const found = await find(log);
    log.stop();
    console.log(found);
  } catch (error) {
    log.line(error.message);
    process.exitCode = codeOf(error);
  }
}
