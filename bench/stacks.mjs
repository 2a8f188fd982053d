// Projects for benchmarks: folders with a program, a state of their own, and measured commands of the engine.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getEngine } from "../tools/engine/index.mjs";
import { createProgress } from "../tools/progress.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Calls `use` with a control plane, a temporary folder, and the environment for the engine's commands.
 *
 * @param {(surroundings: {plane: object, folder: string, env: NodeJS.ProcessEnv}) => Promise<void>} use
 */
export async function withEngine(use) {
  if (!existsSync(join(root, "dist/control-plane/index.js")))
    throw new Error("dist is missing: run `npm run build` first");
  const { startControlPlane } = await import("../dist/control-plane/index.js");
  const log = createProgress(process.stderr);
  const engine = await getEngine({ log });
  log.stop();
  const plane = await startControlPlane({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-bench-"));
  const env = {
    ...process.env,
    PATH: [engine.dir, join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    VOICEPLANE_BASE_URL: plane.url,
    VOICEPLANE_TOKEN: plane.tokens.full,
  };
  try {
    await use({ plane, folder, env });
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a project that uses the packages of this checkout. Its folder `plugin` has the native plugin. */
export function makeProject(folder, files) {
  mkdirSync(join(folder, "plugin"), { recursive: true });
  symlinkSync(join(root, "dist/pulumi-resource-voiceplane.js"), join(folder, "plugin/pulumi-resource-voiceplane"));
  const all = { "package.json": `{ "name": "bench", "private": true }\n`, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

export function bash(command, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve({ stdout, stderr });
      else reject(new Error(`${command} ended with ${code}:\n${stdout}${stderr}`));
    });
  });
}
