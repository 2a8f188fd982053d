import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, link, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../run.mjs";
import { cached, cacheFolder } from "./cache.mjs";
import { checkVersion, ENGINE_VERSION, isAtLeast, OLDEST_GO, sdkVersion, TESTED_ENGINE } from "./versions.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const languageHost = path.join(here, "language-host.mjs");

/** The programs of go.mod's modules: the CLI, and what it needs for programs in YAML. */
const programs = [
  "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
];

const buildArgs = [
  "build",
  "-v",
  "-trimpath",
  "-ldflags",
  `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${TESTED_ENGINE}`,
];

const moduleFiles = ["go.mod", "go.sum"].map((name) => path.join(here, name));

async function hashOf(files, ...texts) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  for (const text of texts) hash.update(text);
  return hash.digest("hex").slice(0, 12);
}

const machine = `${process.platform}-${process.arch}`;

const goModuleKey = async () => `${machine}-${await hashOf(moduleFiles, ...buildArgs, ...programs)}`;

/** The path of a program whose sources are in the folder of this name, here. It is built once. */
export async function ownProgram(name, options) {
  const sources = (await readdir(path.join(here, name))).sort().map((file) => path.join(here, name, file));
  const key = await hashOf([...moduleFiles, ...sources], ...buildArgs);
  const folder = await cached(`${name}-${TESTED_ENGINE}-${machine}-${key}`, options, (made) =>
    goBuild(made, [`./${name}`], options),
  );
  return path.join(folder, name);
}

/** Go's version, and the machine that it runs on. */
async function goFacts(env) {
  const names = ["GOVERSION", "GOHOSTOS", "GOHOSTARCH"];
  const { code, stdout, tail } = await run("go", ["env", ...names], { env, cwd: here });
  if (code !== 0) throw new Error(`go does not work here:\n${tail}`);
  const [version, os, architecture] = stdout.split("\n");
  return { version, os, architecture };
}

/**
 * The environment of a build for this machine with the pinned versions. The user's build settings are replaced by Go's
 * defaults, because with an empty variable Go would read the file of `go env -w`. The sources of modules (GOPROXY,
 * GOSUMDB, GOAUTH, …) stay.
 */
async function buildEnv(env) {
  const neutral = { ...env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
  const { version, os, architecture } = await goFacts(neutral);
  if (!isAtLeast(version, OLDEST_GO)) throw new Error(`${version} is too old, ${OLDEST_GO} is needed`);
  return { ...neutral, GOOS: os, GOARCH: architecture };
}

/**
 * Builds programs of the module in this folder, or of the modules that it names.
 *
 * @param {string} folder gets the programs
 * @param {string[]} packages
 * @throws {Error} with go's output
 */
async function goBuild(folder, packages, { env, log, signal }) {
  const goEnv = await buildEnv(env);
  log.update("building with go; this takes some minutes");
  const { code, tail } = await run("go", [...buildArgs, "-o", `${folder}${path.sep}`, ...packages], {
    cwd: here,
    env: goEnv,
    signal,
    killSignal: "SIGINT", // go removes its work folder on SIGINT
    onLine: (line) => log.update(line),
  });
  if (code !== 0) throw new Error(`go build failed:\n${tail}`);
}

async function compile(folder, options) {
  await goBuild(folder, programs, options);
  await checkVersion(folder, { env: options.env, what: "go has built" });
}

/** One file, so that it runs from the cache without node_modules. */
async function bundleLanguageHost(outfile) {
  const { build } = await import("esbuild");
  await build({
    entryPoints: [languageHost],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    banner: { js: "#!/usr/bin/env node" },
    define: { HOST_VERSION: JSON.stringify(sdkVersion()) },
    logLevel: "error",
  });
  await chmod(outfile, 0o755);
}

/**
 * The npm package has the plugin for dynamic resources, but npm removes the executable bit of files that are not a
 * `bin`.
 */
async function copyDynamicPlugin(folder) {
  const name = "pulumi-resource-pulumi-nodejs";
  const source = createRequire(import.meta.url).resolve(`@pulumi/pulumi/${name}`);
  await copyFile(source, path.join(folder, name));
  await chmod(path.join(folder, name), 0o755);
}

async function assemble(folder, binaries) {
  for (const name of await readdir(binaries)) {
    const [source, target] = [path.join(binaries, name), path.join(folder, name)];
    // They are 200 MB. Not every file system can link.
    await link(source, target).catch(() => copyFile(source, target));
  }
  await bundleLanguageHost(path.join(folder, "pulumi-language-nodejs"));
  await copyDynamicPlugin(folder);
}

const describe = (dir) => ({
  command: path.join(dir, "pulumi"),
  dir,
  version: TESTED_ENGINE,
  route: "source",
});

const cacheName = async () =>
  `${TESTED_ENGINE}-source-${await goModuleKey()}-sdk-${sdkVersion()}-${await hashOf([languageHost])}`;

/** The built engine from an earlier run, or undefined. */
export async function cachedBuild({ env }) {
  if (ENGINE_VERSION !== TESTED_ENGINE) return undefined;
  const folder = path.join(cacheFolder(env), await cacheName());
  return existsSync(folder) ? describe(folder) : undefined;
}

/**
 * Route 3: built from the CLI's own sources, from Go's module proxy, for machines that reach only registries.
 * go.sum pins every byte of them. The Go programs are cached separately from the files of the SDK, so that a new SDK
 * takes a second and not a build.
 *
 * @throws {Error} that says why there is none.
 */
export async function engineFromSource(options) {
  if (process.platform === "win32") throw new Error("not supported on Windows");
  if (ENGINE_VERSION !== TESTED_ENGINE) throw new Error(`only Pulumi ${TESTED_ENGINE} can be built`);
  const binaries = await cached(`${TESTED_ENGINE}-go-${await goModuleKey()}`, options, (folder) =>
    compile(folder, options),
  );
  return describe(await cached(await cacheName(), options, (folder) => assemble(folder, binaries)));
}
