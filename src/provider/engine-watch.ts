/**
 * Ends a provider's process when the engine was killed. Otherwise it would keep sending requests that no state records, also during the
 * next operation. A provider's process imports this module before all others. The parent's id is no sign of a dynamic provider: the engine
 * starts it through a shell, which outlives the engine.
 */
import { connect, type Socket } from "node:net";

const pauseMs = 100;

// The watch begins before the rest is loaded: a process that is orphaned in between would never end.
const ownEngine = engineAddress();
if (ownEngine !== undefined) {
  const parent = process.ppid;
  const end = () => process.exit(1);
  // The engine's port may close before the parent's id changes, or after it.
  watchEngine(ownEngine, end);
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 200).unref();
}

/** The engine's host and port: its argument to a provider's process, behind the flags that it passes on. Undefined in any other process. */
export function engineAddress([, , ...args]: readonly string[] = process.argv): string | undefined {
  const isAddress = /^(127\.0\.0\.1|localhost|\[::1\]):\d+$/;
  return args.findLast((arg, index) => isAddress.test(arg) && args[index - 1] !== "--tracing");
}

export function portOf(address: string): number {
  return Number(new URL(`tcp://${address}`).port);
}

/**
 * Keeps a silent connection to the engine, and calls `gone` once when the engine refuses a connection. A server may close a
 * silent connection, so a closed one is opened again. Does not keep the process alive.
 *
 * @param address host and port
 * @returns ends the watch
 */
export function watchEngine(address: string, gone: () => void): () => void {
  const { hostname } = new URL(`tcp://${address}`);
  const target = { host: hostname.replace(/^\[|\]$/g, ""), port: portOf(address) };
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
    socket?.destroy();
  };
  const open = (): void => {
    let isRefused = false;
    socket = connect(target)
      .on("error", (error: NodeJS.ErrnoException) => {
        isRefused = error.code === "ECONNREFUSED";
      })
      .on("close", () => {
        if (isStopped) return;
        if (!isRefused) {
          timer = setTimeout(open, pauseMs).unref();
          return;
        }
        stop();
        gone();
      })
      // Node reports the end of a connection only to a socket that reads.
      .resume()
      .unref();
  };
  open();
  return stop;
}
