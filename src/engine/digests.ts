/** Files and installed code as digests. A file that cannot be read has a digest of its own. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Environment, tried } from "../values.js";
import { findPackage } from "./packages.js";
import { findPlugin } from "./plugin.js";
import type { StackProject } from "./project.js";

const absent = "absent";

/** Changes with each write to the file. Its own time can be set back, that of the change cannot. */
export function stampOf(path: string): string {
  const stats = tried(() => statSync(path, { bigint: true }));
  return stats ? `${path} ${stats.size} ${stats.ctimeNs} ${stats.ino}` : absent;
}

/** Of a file's content, or a word for why it has none. */
export function digestOf(path: string): string {
  return tried(() => sha256(readFileSync(path))) ?? absent;
}

export const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

/** Folders that hold no input: installed packages, which the lock file names, and what tools write. */
const skippedFolders = new Set(["node_modules", ".git", ".voiceplane", ".pulumi"]);

/** Of the names and contents of all files below the folder; of a file's content if it is one. */
export function digestOfTree(path: string, ignored: ReadonlySet<string>): string {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  const visit = (current: string, name: string): void => {
    if (ignored.has(resolve(current))) return;
    // Undefined for what is missing, cannot be reached, or is a link to itself.
    const stats = tried(() => statSync(current));
    if (stats?.isDirectory() === true) {
      // A link may lead back to a folder above it.
      const real = realpathSync(current);
      hash.update(`folder ${JSON.stringify([name, seen.has(real) ? real : ""])}\n`);
      if (seen.has(real)) return;
      seen.add(real);
      for (const entry of tried(() => readdirSync(current).sort()) ?? ["unreadable"]) {
        if (!skippedFolders.has(entry)) visit(join(current, entry), `${name}/${entry}`);
      }
    } else if (stats === undefined || stats.isFile()) {
      hash.update(`file ${JSON.stringify(name)} ${digestOf(current)}\n`);
    }
  };
  visit(path, "");
  return hash.digest("hex");
}

type Named = readonly (readonly [name: string, digest: string])[];

/** The code that decides what a run does, beside the program. Empty if this package is missing. */
export function installedCode(project: StackProject, env: Environment): Named {
  if (project.runtime === "nodejs") return installedPackages(project);
  const plugin = findPlugin(project, env);
  return plugin === undefined ? [] : [["pulumi-resource-voiceplane", digestOf(plugin.file)]];
}

function installedPackages({ program }: StackProject): Named {
  const folder = existsSync(program.folder) ? realpathSync(program.folder) : program.folder;
  const own = findPackage("pulumi-voiceplane", folder);
  if (own === undefined) return [];
  const { dependencies = {}, peerDependencies = {} } = own.manifest;
  const names = [...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort();
  const versionOf = (name: string) => (findPackage(name, own.folder) ?? findPackage(name, folder))?.manifest.version;
  return [
    // By its files: a checkout that is linked keeps its version while its code changes.
    ["pulumi-voiceplane", digestOfCode(own.folder)],
    ...names.map((name) => [name, versionOf(name) ?? absent] as const),
  ];
}

/** The code of a package, by its folder: a queue reads it for each stack. */
const codeDigests = new Map<string, { readonly stamps: string; readonly digest: string }>();

/** Read again only if a file was written to. */
function digestOfCode(folder: string): string {
  const dist = join(folder, "dist");
  const names = tried(() => readdirSync(dist, { recursive: true, encoding: "utf8" }).sort()) ?? [];
  const files = ["package.json", ...names.filter((name) => name.endsWith(".js")).map((name) => join("dist", name))];
  const stamps = files.map((name) => stampOf(join(folder, name))).join("\n");
  const known = codeDigests.get(folder);
  if (known?.stamps === stamps) return known.digest;
  const digest = sha256(files.map((name) => `${name} ${digestOf(join(folder, name))}`).join("\n"));
  codeDigests.set(folder, { stamps, digest });
  return digest;
}
