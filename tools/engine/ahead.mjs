/** The build of the engine that begins while npm installs the dependencies. */
import { cachedRelease } from "./from-npm.mjs";
import { engineFromPath } from "./from-path.mjs";
import { builtCli, requireBuildable } from "./from-source.mjs";

/** The vendor's site, from which npm's package `pulumi` downloads. */
const vendor = "https://get.pulumi.com/";

/** Where this is too short, the build is stopped when the download has succeeded. */
const ANSWER_MS = 3_000;

const isReachable = (url, signal) =>
  fetch(url, { method: "HEAD", signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) }).then(
    () => true,
    () => false,
  );

const has = (route) => route.then(Boolean, () => false);

/** Builds the CLI into the cache if no quicker route will give an engine. */
export async function buildIfNeeded({ env, signal }) {
  requireBuildable();
  const quiet = { update: () => undefined, line: () => undefined };
  const options = { env, signal, log: quiet };
  if (
    (await has(engineFromPath(options))) ||
    (await has(cachedRelease(options))) ||
    (await isReachable(vendor, signal))
  )
    return;
  await builtCli(options);
}
