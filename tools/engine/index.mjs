/**
 * Gets a Pulumi engine onto this machine and prints its folder:
 *
 *     PATH="$(node tools/engine/index.mjs):$PATH" pulumi preview
 *
 * With --yaml, a built one also runs programs in YAML. VOICEPLANE_ENGINE_VERSION chooses another version than the one that the project is tested
 * with. Progress goes to stderr. Without an engine, it exits with 1 and says what to install.
 */
import process from "node:process";
import { printFound } from "../progress.mjs";
import { engineFromPath } from "./from-path.mjs";
import { cachedRelease, engineFromNpm } from "./from-npm.mjs";
import { cachedBuild, engineFromSource } from "./from-source.mjs";
import { ENGINE_VERSION, NEEDED_ENGINE, OLDEST_GO } from "./versions.mjs";
import { isMain } from "../run.mjs";

const whyBuilt = ([onPath]) =>
  `Pulumi is built from its sources, once, which takes some minutes, because npm's package pulumi gave none and PATH has none that can be used ` +
  `(${onPath.replace("PATH: ", "")}). An installed pulumi ${NEEDED_ENGINE} makes it unnecessary.`;

/** In this order: what an earlier run has cached comes before anything slow. */
const routes = [
  { name: "PATH", get: engineFromPath },
  { name: "the cache (official release)", get: cachedRelease },
  { name: "the cache (built from source)", get: cachedBuild },
  { name: "the npm package pulumi", get: engineFromNpm, slow: true },
  { name: "a build from source", get: engineFromSource, slow: true },
];

const advice = `Install one of these, then try again:
  - the Pulumi CLI ${NEEDED_ENGINE} (https://www.pulumi.com/docs/iac/download-install/)
  - Go ${OLDEST_GO} or newer (https://go.dev/doc/install): the engine is then built from its sources`;

/**
 * A Pulumi engine for this machine: the one on PATH, the vendor's release, or one built from source.
 *
 * @param {object} options
 * @param {{line: (text: string) => void, update: (text: string) => void}} options.log permanent lines, and the current
 *   step.
 * @param {NodeJS.ProcessEnv} [options.env] for PATH and the folders of caches. The version is that of this process.
 * @param {AbortSignal} [options.signal] stops a download or a build. What is compiled already is kept.
 * @param {boolean} [options.yaml] whether a built one must run programs in YAML. Default: no, which takes less to build.
 * @param {() => void} [options.onBuild] called before a build begins
 * @returns {Promise<{dir: string, version: string}>} `dir` has `pulumi` and its language hosts. Put it first on PATH.
 * @throws {Error} that says what was tried, and what to do
 */
export async function getEngine({ log, env = process.env, signal, yaml = false, onBuild }) {
  const reasons = [];
  let isSaid = false;
  // Called for each program that is built.
  const begin = () => {
    if (!isSaid) log.line(`      ${whyBuilt(reasons)}`);
    isSaid = true;
    onBuild?.();
  };
  for (const { name, get, slow } of routes) {
    try {
      if (slow) log.line(`getting Pulumi ${ENGINE_VERSION}: ${name}`);
      const engine = await get({ log, env, signal, yaml, onBuild: begin });
      if (engine) return engine;
    } catch (error) {
      signal?.throwIfAborted();
      // The first line only: the log already has the rest, which may be a compiler's output.
      reasons.push(`${name}: ${error.message.split(":\n")[0]}`);
      if (slow) log.line(`${name}: ${error.message}`);
    }
  }
  throw new Error(`no Pulumi engine was found:\n${reasons.map((reason) => `  - ${reason}`).join("\n")}\n${advice}`);
}

if (isMain(import.meta.url)) {
  const interrupt = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => interrupt.abort(new Error("interrupted")));
  const yaml = process.argv.includes("--yaml");
  await printFound(async (log) => (await getEngine({ log, signal: interrupt.signal, yaml })).dir);
}
