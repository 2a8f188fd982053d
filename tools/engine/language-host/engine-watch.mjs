import { fstatSync } from "node:fs";
import process from "node:process";

/** Measured before anything else: by the time that the server listens, the engine may have ended. */
const parent = process.ppid;
const POLL_MS = 1000;

/**
 * Ends this process, after `cleanUp`, when the engine says so or has ended. An engine that is killed, or fails early, tells
 * its language hosts nothing, but it holds the other end of their standard input. That also shows an engine that ended
 * before this process ran its first line. Where standard input is no pipe, the parent's id has to change.
 */
export function exitWithEngine(cleanUp) {
  const exit = () => {
    cleanUp();
    process.exit(1);
  };
  process.on("SIGINT", exit).on("SIGTERM", exit);
  if (isPipe(0)) process.stdin.on("end", exit).on("error", exit).resume();
  setInterval(() => {
    if (process.ppid !== parent) exit();
  }, POLL_MS).unref();
}

function isPipe(descriptor) {
  try {
    const status = fstatSync(descriptor);
    return status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}
