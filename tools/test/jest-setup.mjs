/** Isolates a run of jest from the user's environment, unless `npm test` has already done so. */
import process from "node:process";
import { enterSurroundings } from "./surroundings.mjs";

let remove;

export default async function setup() {
  if (process.env.VOICEPLANE_SURROUNDINGS) return;
  remove = await enterSurroundings();
  // Jest ends at these signals without its teardown.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      teardown();
      process.kill(process.pid, signal);
    });
  }
}

export function teardown() {
  remove?.();
  remove = undefined;
}
