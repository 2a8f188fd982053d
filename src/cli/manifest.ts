/** The package's own package.json, and the folder of its files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package's folder: the same way up from src as from dist. */
export const packageFolder = join(__dirname, "../..");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** The address of the documentation; undefined until it has one. */
  readonly homepage?: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: { readonly "@pulumi/pulumi": string };
}

export function ownManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as Manifest;
}
