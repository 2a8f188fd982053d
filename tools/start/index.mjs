/** Steps 2 to 5 of `npm start`, on the project's own Node. See ../start.mjs. */
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { interruption, npm, root, takeOver } from "../bootstrap.mjs";
import { getEngine } from "../engine/index.mjs";
import { createProgress } from "../progress.mjs";
import { applyStack } from "./stack.mjs";

const folder = path.join(root, ".voiceplane");
const log = createProgress(process.stdout);
const signal = interruption();
const keep = process.argv.includes("--keep");

async function build() {
  log.update("npm run build");
  const { code, tail } = await npm(["run", "build"], { signal });
  if (code !== 0) throw new Error(`the build failed:\n${tail}`);
}

/**
 * In this process, so that it ends with it. Its file and its port stay, so that a second run finds what the first one has
 * applied, at the same address.
 */
async function startControlPlane() {
  const { startControlPlane: start } = createRequire(import.meta.url)(path.join(root, "dist/control-plane/index.js"));
  const file = path.join(folder, "control-plane.json");
  const portFile = path.join(folder, "control-plane.port");
  const port = Number(await readFile(portFile, "utf8").catch(() => 0));
  const controlPlane = await start({ port, file }).catch(async (error) => {
    if (error.cause?.code !== "EADDRINUSE") throw error;
    log.line(
      `      port ${port} is in use, so this run takes another one: the preview shows the new address of each resource`,
    );
    return start({ port: 0, file });
  });
  await writeFile(portFile, new URL(controlPlane.url).port);
  return controlPlane;
}

async function main() {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  log.line("\n[2/5] build");
  const isOwn = process.execPath.startsWith(path.join(root, "node_modules"));
  log.line(`      on Node ${process.versions.node}${isOwn ? ", the project's own" : ""}`);
  await build();

  log.line("\n[3/5] get a Pulumi engine");
  const engine = await getEngine({ log, signal, onBuild: takeOver });
  takeOver();
  log.line(`      Pulumi ${engine.version} in ${engine.dir}`);

  log.line("\n[4/5] start the embedded control plane");
  const controlPlane = await startControlPlane();
  log.line(`      ${controlPlane.url}`);

  try {
    log.line("\n[5/5] preview the organization, and apply it");
    const access = { VOICEPLANE_BASE_URL: controlPlane.url, VOICEPLANE_TOKEN: controlPlane.tokens.full };
    await applyStack({ root, folder, engine, signal }, access);
    log.line(`\nFor the quick start: export PATH="${engine.dir}:${path.join(root, "node_modules/.bin")}:$PATH"`);
    log.line("For an organization of your own: docs/guides/adopt-an-organization.md");
    if (keep) log.line(`The control plane stays at ${controlPlane.url} until Ctrl-C.`);
    if (keep && !signal.aborted) await once(signal, "abort");
  } finally {
    await controlPlane.close();
  }
}

try {
  await main();
} catch (error) {
  log.line(signal.aborted ? "stopped" : error.message);
  process.exitCode = signal.aborted ? 130 : 1;
} finally {
  log.stop();
}
