import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

async function readPackage(folder) {
  try {
    return JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  } catch {
    return undefined; // Not a package, or one that npm cannot read either.
  }
}

async function subfolders(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
}

/**
 * The folders of all packages in a node_modules folder, also nested ones. Links are skipped, because they may form
 * cycles.
 */
async function* packageFolders(nodeModules) {
  for (const folder of await subfolders(nodeModules)) {
    const name = path.basename(folder);
    if (name.startsWith(".")) continue;
    if (name.startsWith("@")) {
      yield* packageFolders(folder);
    } else {
      yield folder;
      yield* packageFolders(path.join(folder, "node_modules"));
    }
  }
}

/**
 * The folders that Node searches: next to the program, and in every folder above it, where workspaces hoist packages.
 */
async function* nodeModulesAbove(folder) {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    yield path.join(current, "node_modules");
    if (path.dirname(current) === current) return;
  }
}

/**
 * The Pulumi resource packages that a program can import: those whose package.json has `pulumi.resource`. The engine
 * downloads their plugins before the program runs.
 */
export async function resourcePackages(programDirectory) {
  const found = new Map();
  for await (const nodeModules of nodeModulesAbove(programDirectory)) {
    for await (const folder of packageFolders(nodeModules)) {
      const manifest = await readPackage(folder);
      if (manifest?.pulumi?.resource !== true) continue;
      const name = manifest.pulumi.name ?? manifest.name.replace(/^@.*\//, "");
      const version = `v${(manifest.pulumi.version ?? manifest.version).replace(/^v/, "")}`;
      found.set(`${name}@${version}`, { name, version, server: manifest.pulumi.server ?? "" });
    }
  }
  return [...found.values()];
}

/** The program's direct dependencies with their installed versions, for `pulumi about`. */
export async function installedDependencies(programDirectory) {
  const manifest = await readPackage(programDirectory);
  const names = Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies });
  const lookup = createRequire(path.join(programDirectory, "package.json")).resolve.paths("any") ?? [];
  const installed = await Promise.all(
    names.map(async (name) => {
      for (const nodeModules of lookup) {
        const found = await readPackage(path.join(nodeModules, name));
        if (found) return { name, version: found.version };
      }
      return undefined;
    }),
  );
  return installed.filter((dependency) => dependency !== undefined);
}
