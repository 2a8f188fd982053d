/**
 * Writes the files that Node loads in each run of the engine as one file each, with the packages that they need: Node takes longer to find
 * a hundred modules than to run them. The library of the command line is bundled too, so that users do not install it. Each file ends
 * with the licenses of the packages in it.
 */
import { appendFileSync, chmodSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { root } from "./bootstrap.mjs";

const modules = path.join(root, "node_modules");
const read = (name) => readFileSync(path.join(root, name), "utf8");

/** What the client uses of undici, whose own index gives every dispatcher the method that an agent for proxies calls. */
const undici = `
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import connect from "undici/lib/api/api-connect.js";
Object.assign(Dispatcher.prototype, { connect });
export { default as Client } from "undici/lib/dispatcher/client.js";
export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
export { default as Pool } from "undici/lib/dispatcher/pool.js";`;

/**
 * What a bundle has in place of whole packages. Node reads all of a file at each start, and half of it would never run.
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
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "smaller" }));
    // HTTP/2 is off, bodies are text, and nothing asks for gRPC's statistics.
    const unused = /\/client-h2\.js$|\/web\/(fetch\/(body|formdata)|webidl)(\.js)?$|^@grpc\/proto-loader$/;
    onResolve({ filter: unused }, () => ({ path: "nothing", namespace: "smaller" }));
    // Commander starts commands that are programs of their own with it. Loading it takes longer than all the rest of the library.
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes("/node_modules/commander/") ? { path: "nothing", namespace: "smaller" } : undefined,
    );
    onLoad({ filter: /^undici$/, namespace: "smaller" }, () => ({ contents: undici, resolveDir: root }));
    onLoad({ filter: /^nothing$/, namespace: "smaller" }, () => ({ contents: "" }));
  },
};

/**
 * What few users need is a dynamic import, which stays in its own compiled file beside the bundle.
 *
 * @type {import("esbuild").Plugin}
 */
const onDemand = {
  name: "on demand",
  setup({ onResolve, initialOptions: { outfile } }) {
    onResolve({ filter: /^\./ }, ({ path: name, resolveDir, kind }) => {
      if (kind !== "dynamic-import") return undefined;
      const compiled = path.join(root, "dist", path.relative(path.join(root, "src"), path.join(resolveDir, name)));
      return { path: `./${path.relative(path.dirname(outfile), compiled)}`, external: true };
    });
  },
};

const common = {
  bundle: true,
  platform: "node",
  // An older Node has to read the whole file, to say that it is too old.
  target: "node20",
  format: "cjs",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  minifySyntax: true,
  // With this definition, undici leaves out its experimental parser.
  define: { esbuildDetection: "true" },
};

/** @param {import("esbuild").BuildOptions & { outfile: string }} options beside the common ones */
async function bundle(options) {
  const { metafile } = await build({ ...common, ...options });
  appendFileSync(options.outfile, licenses(metafile));
}

/**
 * The dynamic provider, the program of a stack without code, and the modules that are libraries in our words, in place of what
 * the compiler has written.
 *
 * @param {string} dist
 */
export async function bundlePrograms(dist) {
  for (const program of [
    "provider/dynamic/providers",
    "program/stack",
    "schema/suggestion",
    "cli/commander",
    "client/transport",
  ]) {
    await bundle({
      entryPoints: [path.join(root, "src", `${program}.ts`)],
      outfile: path.join(dist, `${program}.js`),
      // The program has its own copy.
      external: ["@pulumi/pulumi"],
      plugins: [smaller, onDemand],
    });
  }
}

/**
 * The classes of both modules, which know each other: so they are one file, and the two modules name what they have of it. Node finds the names
 * of a module in its text, for programs that are ES modules.
 *
 * @param {string} dist
 */
export async function bundleClasses(dist) {
  const folder = path.join(dist, "program");
  const contents = 'export * as dynamic from "./index.ts"; export * as native from "./native.ts";';
  await bundle({
    stdin: { contents, resolveDir: path.join(root, "src/program"), loader: "ts" },
    outfile: path.join(folder, "classes.js"),
    external: ["@pulumi/pulumi"],
    plugins: [smaller, onDemand],
  });
  const modules = Object.entries({ index: "dynamic", native: "native" }).map(([name, member]) => {
    const file = path.join(folder, `${name}.js`);
    const lines = Object.keys(createRequire(file)(file)).map((each) => `exports.${each} = classes.${each};\n`);
    return [file, `"use strict";\nconst { ${member}: classes } = require("./classes.js");\n${lines.join("")}`];
  });
  for (const file of globSync("**/*.js", { cwd: folder }))
    if (!["stack.js", "classes.js"].includes(file)) rmSync(path.join(folder, file));
  for (const [file, text] of modules) writeFileSync(file, text);
}

/**
 * The native plugin: the engine finds it alone in a folder.
 *
 * @param {string} outfile
 */
export async function bundlePlugin(outfile) {
  const { version } = JSON.parse(read("package.json"));
  const schema = JSON.stringify(JSON.parse(read("schema.json")));
  await bundle({
    entryPoints: [path.join(root, "src/provider/native/main.ts")],
    outfile,
    minifyWhitespace: true,
    banner: { js: "#!/usr/bin/env node" },
    define: { ...common.define, pluginVersion: JSON.stringify(version), pluginSchema: JSON.stringify(schema) },
    plugins: [smaller],
  });
  chmodSync(outfile, 0o755);
}

/** A comment with the licenses of the packages in a bundle. Packages with the same text share it. */
function licenses({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((file) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0] ?? []),
  );
  const texts = new Map();
  for (const folder of [...packages].sort()) {
    const { name, version } = JSON.parse(read(`${folder}package.json`));
    const text = licenseOf(path.join(root, folder));
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const all = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text.trim()}`);
  return `/*\nThis file contains:\n\n${all.join("\n\n----\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

/** A package without a license file must not be bundled, or the users of the bundle would have no license. */
function licenseOf(folder) {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (file === undefined) throw new Error(`${folder} has no license`);
  return readFileSync(path.join(folder, file), "utf8");
}
