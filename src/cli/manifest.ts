/** What the package says of itself, and where its files are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package's own folder: the same two levels up from the sources and from what is compiled of them. */
export const packageFolder = join(__dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly homepage: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly "@pulumi/pulumi": string };
}

export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as Manifest;
}
