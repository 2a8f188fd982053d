/** The build of the engine that begins while npm installs the dependencies. */
import process from "node:process";
import { cachedRelease } from "./from-npm.mjs";
import { engineFromPath } from "./from-path.mjs";
import { builtCli, requireBuildable } from "./from-source.mjs";
import { run } from "../run.mjs";

/** The vendor's site, from which npm's package `pulumi` downloads. */
const vendor = "https://get.pulumi.com/";

/** If the site takes longer to answer, a build begins in vain. It is stopped when the download has succeeded. */
const ANSWER_MS = 3_000;

/** Asks as the package does: by the proxy that the environment names. */
async function isReachable(url, { env, signal }) {
  const ask = `fetch(${JSON.stringify(url)}, { method: "HEAD" }).then(() => process.exit(0), () => process.exit(1))`;
  const options = { env: { ...env, NODE_USE_ENV_PROXY: "1" }, signal, timeout: ANSWER_MS };
  const { code } = await run(process.execPath, ["-e", ask], options);
  return code === 0;
}

const has = (route) => route.then(Boolean, () => false);

/** Builds the CLI into the cache if no quicker route will give an engine. */
export async function buildIfNeeded({ env, signal, site = vendor }) {
  requireBuildable();
  const quiet = { update: () => undefined, line: () => undefined };
  const options = { env, signal, log: quiet };
  if ((await has(engineFromPath(options))) || (await has(cachedRelease(options))) || (await isReachable(site, options)))
    return;
  await builtCli(options);
}
