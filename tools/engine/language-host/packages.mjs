import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// Synchronous, because every command waits for it: with promises, the thousand packages of a checkout take most of a second.
function readPackage(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  } catch {
    return undefined; // Not a package, or one that npm cannot read either.
  }
}

function subfolders(folder) {
  if (!existsSync(folder)) return []; // Like most: cheaper than an error.
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(folder, entry.name));
  } catch {
    return []; // Not a folder, or not a readable one.
  }
}

/**
 * The folders of all packages in a node_modules folder, also nested ones. Links are skipped, because they may form
 * cycles.
 */
function* packageFolders(nodeModules) {
  for (const folder of subfolders(nodeModules)) {
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
function* nodeModulesAbove(folder) {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    yield path.join(current, "node_modules");
    if (path.dirname(current) === current) return;
  }
}

/**
 * The Pulumi resource packages that a program can import: those whose package.json has `pulumi.resource`. The engine
 * downloads their plugins before the program runs.
 */
export function resourcePackages(programDirectory) {
  const found = new Map();
  for (const nodeModules of nodeModulesAbove(programDirectory)) {
    for (const folder of packageFolders(nodeModules)) {
      const manifest = readPackage(folder);
      if (manifest?.pulumi?.resource !== true) continue;
      const name = manifest.pulumi.name ?? manifest.name.replace(/^@.*\//, "");
      const version = `v${(manifest.pulumi.version ?? manifest.version).replace(/^v/, "")}`;
      found.set(`${name}@${version}`, { name, version, server: manifest.pulumi.server ?? "" });
    }
  }
  return [...found.values()];
}

/** The program's direct dependencies with their installed versions, for `pulumi about`. */
export function installedDependencies(programDirectory) {
  const manifest = readPackage(programDirectory);
  const names = Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies });
  const lookup = createRequire(path.join(programDirectory, "package.json")).resolve.paths("any") ?? [];
  const installed = names.map((name) => {
    for (const nodeModules of lookup) {
      const found = readPackage(path.join(nodeModules, name));
      if (found) return { name, version: found.version };
    }
    return undefined;
  });
  return installed.filter((dependency) => dependency !== undefined);
}
