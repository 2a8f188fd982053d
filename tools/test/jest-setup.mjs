/** Before and after a run of jest: surroundings of its own, unless it is started in some. */
import process from "node:process";
import { enterSurroundings } from "./surroundings.mjs";

let remove;

export default async function setup() {
  if (process.env.VOICEPLANE_SURROUNDINGS) return;
  remove = await enterSurroundings();
  // Jest ends at these without its teardown.
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
