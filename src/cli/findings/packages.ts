/** The packages in node_modules, as Node finds them. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../values/any.js";
import { documentIn } from "../pulumi/files.js";

export interface InstalledPackage {
  /** The real path: Node looks for the package's dependencies from there. */
  readonly folder: string;
  readonly manifest: PackageManifest;
}

interface PackageManifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Unlike `require.resolve`, finds packages that do not export their manifest, and does not resolve this package itself. */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  const found = join(from, "node_modules", name);
  if (!existsSync(join(found, "package.json"))) {
    return dirname(from) === from ? undefined : findPackage(name, dirname(from));
  }
  const folder = realpathSync(found);
  const manifest = documentIn(join(folder, "package.json"));
  return { folder, manifest: isObject(manifest) ? manifest : {} };
}
