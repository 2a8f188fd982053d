/** `npm run build`: compiles src into dist, copies its files that are not TypeScript, and bundles what the engine starts. */
import { chmodSync, cpSync, globSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { root } from "./bootstrap.mjs";
import { bundleClasses, bundlePlugin, bundlePrograms } from "./bundle.mjs";
import { run } from "./run.mjs";

const dist = path.join(root, "dist");
rmSync(dist, { recursive: true, force: true });
const compiler = path.join(root, "node_modules/typescript-7/bin/tsc");
const { code, tail } = await run(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root });
if (code !== 0) {
  console.error(tail);
  process.exit(1);
}
const page = "control-plane/page.html";
cpSync(path.join(root, "src", page), path.join(dist, page));
chmodSync(path.join(dist, "cli/index.js"), 0o755);
await bundlePrograms(dist);
await bundleClasses(dist);
// Only the bundles use them.
for (const file of globSync("provider/{session,dynamic/provider}.{js,d.ts}", { cwd: dist }))
  rmSync(path.join(dist, file));
// Nothing imports the commands, and their types name a package that users do not have.
for (const file of globSync("cli/**/*.d.ts", { cwd: dist })) rmSync(path.join(dist, file));
await bundlePlugin(path.join(dist, "pulumi-resource-voiceplane.js"));
