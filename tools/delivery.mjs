/**
 * `npm run test:delivery`: type-checks the recipes of examples/delivery against the packages that they use, and runs
 * them with Pulumi's mocks. It is not a part of `npm test`, because those packages are large.
 *
 *     npm run test:delivery                   the versions in their package-lock.json
 *     npm run test:delivery -- --newest       the newest versions that their package.json allows
 *
 * Everything is installed into a temporary folder, without install scripts.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { npm, root } from "./bootstrap.mjs";
import { pack } from "./pack.mjs";
import { createProgress } from "./progress.mjs";
import { run } from "./run.mjs";

const { values } = parseArgs({ options: { newest: { type: "boolean", default: false } } });
const log = createProgress(process.stdout);
const folder = await mkdtemp(path.join(tmpdir(), "voiceplane-delivery-"));
const recipes = path.join(folder, "recipes");

async function step(name, action) {
  log.update(name);
  const started = performance.now();
  const { code, tail } = await action();
  if (code !== 0) throw new Error(`FAILED  ${name}\n${tail}`);
  log.line(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

/** Runs npm in the recipes' folder. */
function npmThere(...args) {
  return npm([...args, "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: recipes });
}

function node(...args) {
  return run(process.execPath, args, { cwd: recipes });
}

try {
  await cp(path.join(root, "examples/delivery"), recipes, {
    recursive: true,
    filter: (file) => !file.includes("node_modules") && !(values.newest && path.basename(file) === "package-lock.json"),
  });
  await cp(path.join(root, "tools/delivery"), recipes, { recursive: true });
  await step("install", () => npmThere(values.newest ? "install" : "ci"));
  const tarball = await pack(path.join(folder, "package"));
  await step("install this package", () => npmThere("install", "--no-save", tarball));
  await step("types", () => node(path.join(root, "node_modules/typescript/bin/tsc"), "-p", recipes));
  await step("recipes", () => node("--test"));
} catch (error) {
  log.line(error.message);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
