import path from "node:path";
import { run } from "../run.mjs";
import { ENGINE_VERSION } from "./versions.mjs";

/**
 * Runs a new engine once, before it is stored in the cache.
 *
 * @param {{env: NodeJS.ProcessEnv, what: string}} options `what` begins the error message about another version.
 * @throws {Error} unless it runs on this machine and is {@link ENGINE_VERSION}.
 */
export async function checkVersion(folder, { env, what }) {
  const { stdout } = await run(path.join(folder, "pulumi"), ["version"], {
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "1" },
  });
  if (stdout.trim() !== `v${ENGINE_VERSION}`) throw new Error(`${what} pulumi ${stdout.trim()}`);
}
