/**
 * `npm run release:plugin -- [FOLDER]`: packs the native plugin for every system that the engine knows, under the names by which
 * `pulumi plugin install` looks for them, and their SHA256SUMS. Default folder: .voiceplane/release. Run `npm run build` before.
 *
 * The plugin is one JavaScript file, the same everywhere. It runs on the machine's own Node.
 */
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { root } from "./bootstrap.mjs";
import { isMain, run } from "./run.mjs";

const systems = ["linux", "darwin", "windows"].flatMap((os) => ["amd64", "arm64"].map((arch) => ({ os, arch })));
const program = "pulumi-resource-voiceplane";

/** Windows starts no JavaScript by itself. */
const launcher = `@echo off\r\nnode "%~dp0${program}.js" %*\r\n`;

/**
 * @param {string} folder gets one archive for each system, and their checksums as `sha256sum --check` reads them
 * @returns {Promise<string[]>} the archives' paths
 */
export async function releasePlugin(folder) {
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  await mkdir(folder, { recursive: true });
  const archives = [];
  const sums = [];
  for (const { os, arch } of systems) {
    const content = await mkdtemp(path.join(tmpdir(), "voiceplane-plugin-"));
    try {
      const names = await fill(content, os);
      const archive = path.resolve(folder, `${program}-v${version}-${os}-${arch}.tar.gz`);
      const { code, tail } = await run("tar", ["-czf", archive, ...names], { cwd: content });
      if (code !== 0) throw new Error(tail);
      archives.push(archive);
      const sum = createHash("sha256")
        .update(await readFile(archive))
        .digest("hex");
      sums.push(`${sum}  ${path.basename(archive)}\n`);
    } finally {
      await rm(content, { recursive: true });
    }
  }
  await writeFile(path.join(folder, "SHA256SUMS"), sums.join(""));
  return archives;
}

/** @returns {Promise<string[]>} the names of the files */
async function fill(folder, os) {
  const isWindows = os === "windows";
  const file = isWindows ? `${program}.js` : program;
  await copyFile(path.join(root, "dist", `${program}.js`), path.join(folder, file));
  await chmod(path.join(folder, file), 0o755);
  await copyFile(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  if (!isWindows) return [file, "LICENSE"];
  await writeFile(path.join(folder, `${program}.cmd`), launcher);
  return [file, `${program}.cmd`, "LICENSE"];
}

if (isMain(import.meta.url)) {
  const folder = process.argv[2] ?? path.join(root, ".voiceplane", "release");
  for (const archive of await releasePlugin(folder)) console.log(path.relative(process.cwd(), archive));
}
