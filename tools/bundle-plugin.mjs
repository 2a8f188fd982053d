/** The native plugin as one file: the engine starts it for each command, and finds it alone in a folder. */
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { root } from "./bootstrap.mjs";

const modules = path.join(root, "node_modules");

/**
 * What the bundle has in place of whole packages. Node reads all of the file at each start, and half of it would never run.
 *
 * @type {import("esbuild").Plugin}
 */
const smaller = {
  name: "smaller",
  setup({ onLoad, onResolve }) {
    // The provider writes its own messages.
    onResolve({ filter: /\/locales\/index\.js$/ }, ({ resolveDir }) =>
      resolveDir.includes("zod") ? { path: path.join(modules, "zod/v4/locales/en.js") } : undefined,
    );
    // The client uses two of undici's classes.
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "smaller" }));
    // gRPC loads it for its statistics, which nothing asks for.
    onResolve({ filter: /^@grpc\/proto-loader$/ }, () => ({ path: "nothing", namespace: "smaller" }));
    onLoad({ filter: /^undici$/, namespace: "smaller" }, () => ({ contents: undici, resolveDir: root }));
    onLoad({ filter: /^nothing$/, namespace: "smaller" }, () => ({ contents: "" }));
  },
};

const undici = `
export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";
`;

/** @param {string} outfile */
export async function bundlePlugin(outfile) {
  const read = (name) => readFileSync(path.join(root, name), "utf8");
  const { version } = JSON.parse(read("package.json"));
  const schema = JSON.stringify(JSON.parse(read("schema.json")));
  await build({
    entryPoints: [path.join(root, "src/pulumi/native/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "eof",
    banner: { js: "#!/usr/bin/env node" },
    define: { pluginVersion: JSON.stringify(version), pluginSchema: JSON.stringify(schema) },
    plugins: [smaller],
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
}
