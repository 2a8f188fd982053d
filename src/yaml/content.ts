/** Reads a file that a user names. */
import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../values/any.js";
import type { Environment } from "../values/environment.js";

/** Larger than any organization file. */
const maxBytes = 1_048_576;

/**
 * The bytes of a regular file of at most 1 MiB, or why they cannot be read. A pipe would block, and a device never end. A link, or
 * a name in a stack's configuration, may lead to any file: only those in a folder that is allowed are read.
 *
 * @param folder of the project
 * @param env may allow another folder, because no file of the repository decides it
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

function isInside(file: string, folder: string): boolean {
  if (folder === "" || !existsSync(folder)) return false;
  const [first = ""] = path.relative(realpathSync(folder), file).split(path.sep);
  return first !== ".." && !path.isAbsolute(first);
}

/** At most this many bytes of a file. The file's size does not say how many there are: it is 0 for some files of the system. */
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
