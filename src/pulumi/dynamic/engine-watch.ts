/**
 * Ends a provider's process whose engine was killed. Nothing else would: the engine starts it through a shell, which
 * outlives the engine, so the parent's id does not tell. And it must end: nobody records what it does any more, yet it
 * would go on trying its requests again, also while the next operation is at work on the same objects.
 */
import { connect, type Socket } from "node:net";

const pauseMs = 100;

/** Where the engine listens: the argument that it gives to a provider's process; undefined in any other process. */
export function engineAddress(argv: readonly string[] = process.argv): string | undefined {
  const [, , address = ""] = argv;
  return /^(127\.0\.0\.1|localhost|\[::1\]):\d+$/.test(address) ? address : undefined;
}

/** The port of host and port. */
export function portOf(address: string): number {
  return Number(new URL(`tcp://${address}`).port);
}

/**
 * Holds a silent connection to the engine and calls `gone`, once, when there is no engine to connect to any more. That
 * the connection ends says nothing by itself, since a server may end one that is silent: it is made anew, and only a
 * refusal counts. Keeps no process alive.
 *
 * @param address host and port
 * @param gone called at most once
 * @returns ends the watch
 */
export function watchEngine(address: string, gone: () => void): () => void {
  const { hostname } = new URL(`tcp://${address}`);
  const target = { host: hostname.replace(/^\[|\]$/g, ""), port: portOf(address) };
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let over = false;

  const stop = (): void => {
    over = true;
    clearTimeout(timer);
    socket?.destroy();
  };
  const open = (): void => {
    let refused = false;
    socket = connect(target)
      .on("error", (error: NodeJS.ErrnoException) => {
        refused = error.code === "ECONNREFUSED";
      })
      .on("close", () => {
        if (over) return;
        if (!refused) {
          timer = setTimeout(open, pauseMs).unref();
          return;
        }
        stop();
        gone();
      })
      // Unread, what a server says to a silent connection would keep its end from being seen.
      .resume()
      .unref();
  };
  open();
  return stop;
}
