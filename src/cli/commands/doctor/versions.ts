/** Compares versions as npm does: a pre-release is older than its release. The build bundles the library into this file. */
import compare from "semver/functions/compare.js";
import satisfies from "semver/functions/satisfies.js";

export const compareVersions = (a: string, b: string): number => compare(a, b);

/** Pre-releases count as versions of the range too. */
export const isInRange = (version: string, range: string): boolean =>
  satisfies(version, range, { includePrerelease: true });
