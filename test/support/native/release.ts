/** The plugin as users install it: from an archive of a release. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment, runFolder } from "../engine/installation";
import { root } from "../repository";

/** The folder with the archives for all systems. All test files of a run share it, and it is removed after the run. */
export function releaseFolder(): string {
  const folder = runFolder("release");
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(`${folder}-`);
  execFileSync(process.execPath, [join(root, "tools/release-plugin.mjs"), made]);
  try {
    renameSync(made, folder);
  } catch {
    rmSync(made, { recursive: true }); // Another worker was first.
  }
  return folder;
}

const systems: Partial<Record<NodeJS.Platform, string>> = { win32: "windows" };
const architectures: Partial<Record<string, string>> = { x64: "amd64" };

/** Installs the plugin of this machine's archive into a home of the engine, as a user does. */
export function installPlugin(env: NodeJS.ProcessEnv): void {
  const system = `${systems[process.platform] ?? process.platform}-${architectures[process.arch] ?? process.arch}`;
  const archive = join(releaseFolder(), `pulumi-resource-voiceplane-v0.1.0-${system}.tar.gz`);
  const args = ["plugin", "install", "resource", "voiceplane", "0.1.0", "--file", archive];
  execFileSync("pulumi", [...args, "--non-interactive"], { env, stdio: "pipe" });
}

/** The environment of an engine with its own home and state, below this folder. */
export function engineEnv(folder: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, "state"), { recursive: true });
  return {
    ...engineEnvironment(folder),
    TMPDIR: process.env.TMPDIR,
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
  };
}
