/** The order of versions, with the packages' own rules: a pre-release is older than its release. Bundled with its package. */
import compare from "semver/functions/compare.js";
import satisfies from "semver/functions/satisfies.js";

export const compareVersions = (a: string, b: string): number => compare(a, b);

/** Pre-releases count as versions of the range too. */
export const isInRange = (version: string, range: string): boolean =>
  satisfies(version, range, { includePrerelease: true });
