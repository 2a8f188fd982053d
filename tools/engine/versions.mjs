import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The engine that this project is tested with: what the download and the build give, and the oldest that is taken from
 * PATH. tools/engine/go.mod names the same version; a test compares the two.
 */
export const ENGINE_VERSION = "3.259.0";

/** The oldest `go` that fetches by itself the newer toolchain that go.mod asks for. */
export const OLDEST_GO = "1.21";

/** The version of the SDK that the project's own programs use, which the built language host has to speak with. */
export function sdkVersion() {
  const manifest = createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

/** The numbers of a version: "v3.259.0-alpha.1" and "go1.25.11" give [3, 259, 0] and [1, 25, 11]. */
function numbers(version) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  return match && [match[1], match[2], match[3] ?? "0"].map(Number);
}

/** Whether a version is at least as new as another and of the same major version. A text without numbers is not. */
export function isAtLeast(version, oldest) {
  const [have, want] = [numbers(version), numbers(oldest)];
  if (!have || have[0] !== want[0]) return false;
  const first = have.findIndex((number, index) => number !== want[index]);
  return first === -1 || have[first] > want[first];
}
