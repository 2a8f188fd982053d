/**
 * Ends a provider's process when the engine was killed. Otherwise it would keep sending requests that no state records, also during the next
 * operation. A provider's process imports this module before all others. The parent's id is no sign of a dynamic provider: the engine starts it
 * through a shell, which outlives the engine.
 */
import { connect } from "node:net";

/** The engine's host and port: its argument to a provider's process, behind the flags that it passes on. Undefined in any other process. */
export function engineAddress([, , ...args]: readonly string[] = process.argv): string | undefined {
  const isAddress = /^(127\.0\.0\.1|localhost|\[::1\]):\d+$/;
  return args.findLast((arg, index) => isAddress.test(arg) && args[index - 1] !== "--tracing");
}

const engine = engineAddress();
if (engine !== undefined) {
  const { hostname, port } = new URL(`tcp://${engine}`);
  setInterval(() => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) }, () =>
      socket.destroy(),
    ).unref();
    socket.on("error", ({ code }: NodeJS.ErrnoException) => {
      if (code === "ECONNREFUSED") process.exit(1);
    });
  }, 250).unref();
}
