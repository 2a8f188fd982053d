/** Steps 2 to 6 of `npm start`, on the project's own Node. See ../start.mjs. */
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { interruption, npm, root } from "../bootstrap.mjs";
import { getEngine } from "../engine/index.mjs";
import { createProgress } from "../progress.mjs";
import { doneLine } from "./outcome.mjs";
import { devStack } from "./stack.mjs";
import { step } from "./steps.mjs";

const folder = path.join(root, ".voiceplane");
const log = createProgress(process.stdout);
const signal = interruption();
const keep = process.argv.includes("--keep");

const nextSteps = `
To continue with a real organization, in this folder:
  1. declare it in organization.yaml
  2. export PATH="$PWD/node_modules/.bin:$PATH"
     export PATH="$(node tools/engine/index.mjs):$PATH"     the engine of this run; not needed if you have a Pulumi CLI
  3. pulumi login     or keep the state on this machine: export PULUMI_BACKEND_URL="file://~?metadata=skip"
  4. pulumi stack init NAME
  5. pulumi config set voiceplane:organization NAME     first: the organization's name in the state, whatever its address
     pulumi config set voiceplane:baseUrl https://…
     pulumi config set --secret voiceplane:token     asks for it; or export VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN instead
  6. npx voiceplane preview
  7. pulumi up
`;

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

async function applyOrganization(stack, controlPlane) {
  const access = {
    VOICEPLANE_BASE_URL: controlPlane.url,
    VOICEPLANE_TOKEN: controlPlane.tokens.full,
  };
  step(log, "preview");
  await stack.prepare();
  await stack.preview(access);
  step(log, "up");
  return stack.up(access);
}

async function main() {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  step(log, "build");
  await build();

  step(log, "engine");
  const engine = await getEngine({ log, signal });
  log.line(`      Pulumi ${engine.version} in ${engine.dir}`);

  step(log, "controlPlane");
  const controlPlane = await startControlPlane();
  log.line(`      ${controlPlane.url}`);

  const stack = devStack({ root, folder, engine, signal });
  try {
    const outcome = await applyOrganization(stack, controlPlane);
    log.line(nextSteps);
    if (keep) log.line(`The control plane stays at ${controlPlane.url} until Ctrl-C.\n`);
    log.line(doneLine(outcome));
    if (keep && !signal.aborted) await once(signal, "abort");
  } finally {
    await controlPlane.close();
    await stack.removeDeadLocks();
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
