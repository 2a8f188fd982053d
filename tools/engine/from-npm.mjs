import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../run.mjs";
import { checkVersion, ENGINE_VERSION } from "./versions.mjs";

const script = fileURLToPath(new URL("../../node_modules/pulumi/run.js", import.meta.url));

/** On a line on which 100 MB take longer than this, a build from source would not be faster either. */
const MOST_MS = 300_000;

/** Where the package keeps the releases that it has downloaded. */
export const releasesFolder = ({ PULUMI_HOME, HOME }) =>
  path.join(PULUMI_HOME || path.join(HOME || homedir(), ".pulumi"), "versions");

async function describe(env) {
  const dir = path.join(releasesFolder(env), ENGINE_VERSION, "bin");
  await checkVersion(dir, { env, what: `${dir} has` });
  return { dir, version: ENGINE_VERSION };
}

/** The release that an earlier run, or Pulumi's Automation API, has downloaded. */
export const cachedRelease = ({ env }) => describe(env).catch(() => undefined);

/**
 * Route 2: the vendor's release, which its npm package `pulumi` downloads into ~/.pulumi/versions.
 *
 * @throws {Error} that says why there is none.
 */
export async function engineFromNpm({ env, log, signal }) {
  if (!existsSync(script)) throw new Error("the npm package pulumi is not installed");
  log.update("downloading");
  const { code, tail } = await run(process.execPath, [script, "version"], {
    // By NODE_USE_ENV_PROXY, Node uses the proxy that the environment names.
    env: { ...env, PULUMI_VERSION: ENGINE_VERSION, PULUMI_SKIP_UPDATE_CHECK: "1", NODE_USE_ENV_PROXY: "1" },
    detached: process.platform !== "win32",
    timeout: MOST_MS,
    signal,
  });
  if (code === null) throw new Error(`not downloaded within ${MOST_MS / 60_000} minutes`);
  if (code !== 0) throw new Error(tail.split("\n").at(-1));
  return describe(env);
}
