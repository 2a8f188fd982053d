/** The files of a new project, save its organization file and its workflows. */
import { stringify } from "yaml";
import { ownManifest } from "../manifest.js";

export function pulumiYaml(name: string): string {
  return `name: ${stringify(name).trim()}
description: One organization's settings, declared in organization.yaml
runtime:
  name: nodejs
  options:
    # There is nothing to compile. Without this line the engine looks for a compiler, and cannot use TypeScript 7.
    typescript: false
`;
}

/** Without a name: npm refuses to install a package below another one of the same name. */
export function packageJson(): string {
  const { name, version, engines, peerDependencies } = ownManifest();
  const manifest = {
    private: true,
    type: "commonjs",
    engines,
    dependencies: { "@pulumi/pulumi": peerDependencies["@pulumi/pulumi"], [name]: `^${version}` },
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

export const indexJs = 'module.exports = require("pulumi-voiceplane/stack");\n';

/**
 * What is no part of the repository: packages, what previews and pipelines leave behind, events of an update, which hold
 * secrets in clear, and a state that is kept in files below the project. Stack configurations (Pulumi.<stack>.yaml) are a
 * part of it: what is secret in them is encrypted.
 */
export const gitignore = ["node_modules/", ".pulumi/", "*.events", "preview.json", "report.md"];
