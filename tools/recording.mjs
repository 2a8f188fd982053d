/** Shared by the recorders: a project in its own folder with its own control plane, and the real CLI in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { startControlPlane } from "../dist/control-plane/index.js";
import { root } from "./bootstrap.mjs";
import { getEngine } from "./engine/index.mjs";
import { run } from "./run.mjs";

/** Calls `record` with a new project and a new control plane, both of which are gone after it. */
export async function inProject(name, record) {
  const engine = await getEngine({ yaml: true, log: { line: console.error, update: () => undefined } });
  const plane = await startControlPlane();
  const folder = makeProject(name);
  try {
    await record({ folder, env: environmentOf(folder, engine) }, plane);
  } finally {
    await plane.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A project whose program is index.js, with a folder for its state. It is inside the checkout, whose node_modules have
 * a link to the package itself.
 */
function makeProject(name) {
  mkdirSync(path.join(root, ".voiceplane"), { recursive: true });
  const folder = mkdtempSync(path.join(root, ".voiceplane/record-"));
  mkdirSync(path.join(folder, "state"));
  const runtime = "runtime: { name: nodejs, options: { typescript: false } }";
  writeFileSync(path.join(folder, "Pulumi.yaml"), `name: ${name}\n${runtime}\nmain: index.js\n`);
  return folder;
}

/** An environment without the user's own Pulumi settings, with a clock that starts at `TEST_CLOCK`. */
function environmentOf(folder, engine) {
  return {
    PATH: [engine.dir, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: folder,
    PULUMI_HOME: path.join(folder, "home"),
    PULUMI_BACKEND_URL: pathToFileURL(path.join(folder, "state")).href,
    // Public, because it encrypts only the tests' secrets.
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    NODE_OPTIONS: `--require "${path.join(root, "test/support/engine/pin-clock.cjs")}"`,
  };
}

/**
 * Runs the CLI in a project and returns its output.
 *
 * @param {{fails?: boolean, env?: NodeJS.ProcessEnv}} options
 * @throws {Error} unless it succeeds, or fails if `fails` is set.
 */
export async function pulumi({ folder, env: common }, args, { fails = false, env } = {}) {
  const options = { cwd: folder, env: { ...common, ...env } };
  const { code, stdout, tail } = await run("pulumi", [...args, "--non-interactive", "--color", "never"], options);
  if ((code === 0) === fails) throw new Error(`pulumi ${args.join(" ")}: exit code ${code}\n${tail}`);
  return `${stdout}\n`;
}
