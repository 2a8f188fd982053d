/** Where the organization file is, and the bytes of a file that a user names. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../values/any.js";
import type { Environment } from "../values/environment.js";

/** The organization file beside Pulumi.yaml, unless the setting `organizationFile` names another one. */
export const defaultOrganizationFile = "organization.yaml";

/** Larger than any organization file. */
const maxBytes = 1_048_576;

/**
 * The bytes of a regular file of at most 1 MiB, or why they cannot be read: a pipe would block, and a device never ends. A link, or
 * a name in a stack's configuration, may lead to any file, so only files in an allowed folder are read.
 *
 * @param folder the folder of the project, which is allowed
 * @param env its VOICEPLANE_ORGANIZATION_FOLDER allows one more folder. The operator sets it, and no file of the repository can
 */
export function contentOf(file: string, folder: string, env: Environment = process.env): Uint8Array | string {
  try {
    const found = realpathSync(file);
    const allowed = [folder, env.VOICEPLANE_ORGANIZATION_FOLDER ?? ""].filter(existsSync);
    if (!allowed.some((each) => isBelow(found, realpathSync(each))))
      return "it is outside the project's folder: VOICEPLANE_ORGANIZATION_FOLDER can allow another folder";
    const stats = statSync(found);
    if (!stats.isFile()) return "it is not a regular file";
    return stats.size > maxBytes ? "it has more than 1 MiB" : readFileSync(found);
  } catch (error) {
    return codeOf(error) ?? "unknown reason";
  }
}

/** @param system the paths of this machine, or of another one */
export function isBelow(file: string, folder: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(folder, file);
  // On Windows, the way to another drive is absolute.
  return way.split(system.sep)[0] !== ".." && !system.isAbsolute(way);
}
