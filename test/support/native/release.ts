/** The plugin as users install it: from an archive of a release. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment, runFolder } from "../engine/installation";
import { organization } from "../engine/organization";
import { temporaryFolder } from "../folders";
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
function installPlugin(env: NodeJS.ProcessEnv): void {
  const system = `${systems[process.platform] ?? process.platform}-${architectures[process.arch] ?? process.arch}`;
  const archive = join(releaseFolder(), `pulumi-resource-voiceplane-v0.1.0-${system}.tar.gz`);
  const args = ["plugin", "install", "resource", "voiceplane", "0.1.0", "--file", archive];
  execFileSync("pulumi", [...args, "--non-interactive"], { env, stdio: "pipe" });
}

/** An organization, and the environment of programs for it: that of {@link engineEnv}, with the plugin installed. */
export async function released(folder: string) {
  const target = await organization();
  const env: NodeJS.ProcessEnv = {
    ...engineEnv(folder),
    VOICEPLANE_BASE_URL: target.url,
    VOICEPLANE_TOKEN: "vp_dev_full",
    // The installed plugin, also where npm has linked this checkout's own into node_modules/.bin.
    PULUMI_IGNORE_AMBIENT_PLUGINS: "true",
    // Pulumi's Automation API leaves a folder there for each program.
    TMPDIR: temporaryFolder(),
  };
  installPlugin(env);
  return { target, env };
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
