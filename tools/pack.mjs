import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { npm } from "./bootstrap.mjs";

/**
 * Packs the package as users get it. The tests with the real engine read its path from `VOICEPLANE_TARBALL`.
 *
 * @param {string} folder is emptied first.
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} the tarball's path
 * @throws {Error} with the end of npm's output.
 */
export async function pack(folder, signal) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { code, tail } = await npm(["pack", "--pack-destination", folder], { signal });
  if (code !== 0) throw new Error(tail);
  const [name] = await readdir(folder);
  return path.join(folder, name);
}
