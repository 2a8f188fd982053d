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

/** What the teardown does, the newest first. */
const cleanups: (() => void)[] = [];

export default async function setup(): Promise<void> {
  if (!process.env.VOICEPLANE_SURROUNDINGS) {
    cleanups.push(await enterSurroundings());
    // Jest ends at these signals without its teardown.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        teardown();
        process.kill(process.pid, signal);
      });
    }
  }
  if (!sequencer.needsPackage) return;
  const { server, env } = await startKeyService();
  cleanups.push(() => {
    server.close();
    server.closeAllConnections();
  });
  Object.assign(process.env, env);
  await installShared().catch((error: unknown) => {
    // Jest calls no teardown after a setup that has failed.
    teardown();
    throw error;
  });
}

export function teardown(): void {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
}
