/** `npm run build`: compiles src into dist, copies its files that are not TypeScript, and bundles the plugin. */
import { chmodSync, cpSync, globSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { root } from "./bootstrap.mjs";
import { run } from "./run.mjs";

const dist = path.join(root, "dist");
rmSync(dist, { recursive: true, force: true });
const compiler = path.join(root, "node_modules/typescript-7/bin/tsc");
const { code, tail } = await run(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: root });
if (code !== 0) {
  console.error(tail);
  process.exit(1);
}
for (const file of globSync("**/*.{css,js}", { cwd: path.join(root, "src") })) {
  cpSync(path.join(root, "src", file), path.join(dist, file));
}
chmodSync(path.join(dist, "cli/index.js"), 0o755);

/** Messages in other languages are a tenth of the bundle, and the provider writes its own. */
const englishOnly = {
  name: "english-only",
  setup({ onResolve }) {
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir }) =>
      resolveDir.includes("zod") ? { path: path.join(root, "node_modules/zod/v4/locales/en.js") } : undefined,
    );
  },
};

// One file: the engine starts the plugin for each command, and finds it alone in a folder.
const plugin = path.join(dist, "pulumi-resource-voiceplane.js");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
await build({
  entryPoints: [path.join(root, "src/pulumi/native/main.ts")],
  outfile: plugin,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "eof",
  banner: { js: "#!/usr/bin/env node" },
  define: {
    pluginVersion: JSON.stringify(version),
    pluginSchema: JSON.stringify(JSON.stringify(JSON.parse(readFileSync(path.join(root, "schema.json"), "utf8")))),
  },
  plugins: [englishOnly],
  logLevel: "warning",
});
chmodSync(plugin, 0o755);
