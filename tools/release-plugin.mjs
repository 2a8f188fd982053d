/**
 * `npm run release:plugin -- [FOLDER]`: packs the native plugin for every system that the engine knows, under the names by which
 * `pulumi plugin install` looks for them, and writes their checksums as `sha256sum --check` reads them. Default folder:
 * .voiceplane/release. Run `npm run build` before.
 *
 * The plugin is one JavaScript file, the same everywhere. It runs on the machine's own Node.
 */
import { hash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { root } from "./bootstrap.mjs";
import { run } from "./run.mjs";

const program = "pulumi-resource-voiceplane";
const unix = [program, "LICENSE"];
/** Windows starts no JavaScript by itself. */
const windows = [`${program}.js`, `${program}.cmd`, "LICENSE"];
const launcher = `@echo off\r\nnode "%~dp0${program}.js" %*\r\n`;

const systems = Object.entries({ linux: unix, darwin: unix, windows }).flatMap(([os, files]) =>
  ["amd64", "arm64"].map((architecture) => ({ system: `${os}-${architecture}`, files })),
);

const folder = path.resolve(process.argv[2] ?? path.join(root, ".voiceplane", "release"));
const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
const content = await mkdtemp(path.join(tmpdir(), "voiceplane-plugin-"));
try {
  for (const name of [program, `${program}.js`]) {
    await copyFile(path.join(root, "dist", `${program}.js`), path.join(content, name));
    await chmod(path.join(content, name), 0o755);
  }
  await copyFile(path.join(root, "LICENSE"), path.join(content, "LICENSE"));
  await writeFile(path.join(content, `${program}.cmd`), launcher);
  await mkdir(folder, { recursive: true });
  let sums = "";
  for (const { system, files } of systems) {
    const archive = path.join(folder, `${program}-v${version}-${system}.tar.gz`);
    const { code, tail } = await run("tar", ["-czf", archive, ...files], { cwd: content });
    if (code !== 0) throw new Error(tail);
    sums += `${hash("sha256", await readFile(archive))}  ${path.basename(archive)}\n`;
    console.log(path.relative(process.cwd(), archive));
  }
  await writeFile(path.join(folder, "SHA256SUMS"), sums);
} finally {
  await rm(content, { recursive: true });
}
