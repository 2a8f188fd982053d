/** Where the organization file is, and the bytes of a file that a user names. */
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
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
    if (!statSync(file).isFile()) return "it is not a regular file";
    const found = realpathSync(file);
    const { VOICEPLANE_ORGANIZATION_FOLDER: allowed = "" } = env;
    if (![folder, allowed].some((each) => isInside(found, each))) return outside;
    const bytes = firstBytes(found, maxBytes + 1);
    return bytes.length > maxBytes ? "it has more than 1 MiB" : bytes;
  } catch (error) {
    return codeOf(error) ?? "unknown reason";
  }
}

const outside = "it is outside the project's folder: VOICEPLANE_ORGANIZATION_FOLDER can allow another folder";

const isInside = (file: string, folder: string): boolean =>
  folder !== "" && existsSync(folder) && isBelow(file, realpathSync(folder));

/** @param system the paths of this machine, or of another one */
export function isBelow(file: string, folder: string, system: path.PlatformPath = path): boolean {
  const way = system.relative(folder, file);
  // On Windows, the way to another drive is absolute.
  return way.split(system.sep)[0] !== ".." && !system.isAbsolute(way);
}

/** The first `most` bytes of a file. Its size does not say how many there are: the size of some files of the system is 0. */
function firstBytes(name: string, most: number): Uint8Array {
  const file = openSync(name, "r");
  try {
    const buffer = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read)
      read = readSync(file, buffer, length, most - length, null);
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
