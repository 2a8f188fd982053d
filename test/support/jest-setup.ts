/**
 * Isolates a run of jest from the user's environment, unless `npm test` has already done so, and installs the package
 * once if a suite of the run uses it.
 */
import { createRequire } from "node:module";
import process from "node:process";
import { installShared } from "./engine/installation";
import { startKeyService } from "./engine/key-service";

const tool = createRequire(__filename);
const sequencer = tool("../../tools/test/sequencer.cjs") as { needsPackage: boolean };
const { enterSurroundings } = tool("../../tools/test/surroundings.mjs") as {
  enterSurroundings: () => Promise<() => void>;
};

let remove: (() => void) | undefined;

export default async function setup(): Promise<void> {
  if (!process.env.VOICEPLANE_SURROUNDINGS) {
    remove = await enterSurroundings();
    // Jest ends at these signals without its teardown.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        teardown();
        process.kill(process.pid, signal);
      });
    }
  }
  if (!sequencer.needsPackage) return;
  const keys = await startKeyService();
  keys.server.unref();
  Object.assign(process.env, keys.env);
  await installShared();
}

export function teardown(): void {
  remove?.();
  remove = undefined;
}
