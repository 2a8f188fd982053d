/** Reads a file that a user names. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { codeOf } from "../values.js";

/** Larger than any organization file. */
const maxBytes = 1_048_576;

/** The bytes of a regular file of at most 1 MiB, or why they cannot be read. A pipe would block, and a device never end. */
export function contentOf(path: string): Uint8Array | string {
  try {
    if (!statSync(path).isFile()) return "it is not a regular file";
    const bytes = firstBytes(path, maxBytes + 1);
    return bytes.length > maxBytes ? "it has more than 1 MiB" : bytes;
  } catch (error) {
    return codeOf(error) ?? "unknown reason";
  }
}

/** Not by the file's size: some files of the system say 0. */
function firstBytes(path: string, most: number): Uint8Array {
  const file = openSync(path, "r");
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
