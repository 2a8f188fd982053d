/** Projects in temporary folders, with a file backend. */
import { temporaryFolder, write } from "./folders";

export { temporaryFolder, write };

export const projectFiles: Readonly<Record<string, string>> = {
  "Pulumi.yaml": "name: fleet\nruntime: { name: nodejs, options: { typescript: false } }\n",
  "Pulumi.acme.yaml": "encryptionsalt: v1:abc\nconfig:\n  voiceplane:organization: acme-eu\n",
  "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
  "package.json": '{ "private": true }\n',
  "package-lock.json": "{}\n",
  "organization.yaml": "retention:\n  recordings: { days: 90 }\nonCreate: overwrite\n",
  "node_modules/pulumi-voiceplane/package.json": '{ "version": "0.1.0", "dependencies": { "yaml": "*" } }',
  "node_modules/pulumi-voiceplane/dist/program/stack.js": "code",
  "node_modules/yaml/package.json": '{ "version": "2.0.0" }',
  ".state/.pulumi/stacks/fleet/acme.json": "{}",
};

export interface TestProject {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export function projectFolder(files: Readonly<Record<string, string>> = {}): TestProject {
  const folder = temporaryFolder();
  write(folder, { ...projectFiles, ...files });
  return {
    folder,
    env: { PULUMI_BACKEND_URL: `file://${folder}/.state`, VOICEPLANE_TOKEN: "vp_dev_full", HOME: folder },
  };
}
