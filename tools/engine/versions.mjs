import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { run } from "../run.mjs";

/** The engine version that this project is tested with. package.json and tools/engine/go.mod name the same, which a test checks. */
export const TESTED_ENGINE = "3.259.0";

/** A version chosen for this run. An engine on PATH must then be exactly this one. */
const chosen = process.env.VOICEPLANE_ENGINE_VERSION || undefined;

/** The engine version that is downloaded. Only the tested one can be built. */
export const ENGINE_VERSION = chosen ?? TESTED_ENGINE;

/** The oldest that README promises. */
const OLDEST_ENGINE = "3.250.0";

/** What an engine on PATH must be, in words. */
export const NEEDED_ENGINE = chosen ?? `${OLDEST_ENGINE} or newer`;

/** Whether an engine on PATH can be used. */
export const isUsable = (version) => (chosen ? version === chosen : isAtLeast(version, OLDEST_ENGINE));

/** The oldest `go` that can fetch the newer toolchain in go.mod. */
export const OLDEST_GO = "1.21";

/** The SDK version of the project's own programs, which the built language host must support. */
export function sdkVersion() {
  const manifest = createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/** The numbers of a version: "v3.259.0-alpha.1" and "go1.25.11" give [3, 259, 0] and [1, 25, 11]. */
function numbers(version) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  return match && [match[1], match[2], match[3] ?? "0"].map(Number);
}

/** Whether a version is at least as new as another and has the same major version. A text without numbers does not. */
export function isAtLeast(version, oldest) {
  const [have, want] = [numbers(version), numbers(oldest)];
  if (!have || have[0] !== want[0]) return false;
  const first = have.findIndex((number, index) => number !== want[index]);
  return first === -1 || have[first] > want[first];
}

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
