import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile, link, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../run.mjs";
import { cached, cacheFolder } from "./cache.mjs";
import { copyWithoutClouds } from "./without-clouds.mjs";
import { checkVersion, ENGINE_VERSION, isAtLeast, OLDEST_GO, sdkVersion, TESTED_ENGINE } from "./versions.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const languageHost = path.join(here, "language-host.mjs");

const module = "github.com/pulumi/pulumi/pkg/v3";

/** The programs of go.mod's modules: the CLI, and what it needs for programs in YAML. */
const programs = {
  cli: [`${module}/cmd/pulumi`],
  yaml: [
    "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    "github.com/pulumi/pulumi-yaml/cmd/pulumi-converter-yaml",
  ],
};

/** The arguments of a build that decide what is compiled. */
const compileArgs = ["-trimpath", "-gcflags=all=-dwarf=false"];
const linkArgs = ["-ldflags", `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${TESTED_ENGINE}`];

const pinned = ["go.mod", "go.sum", "without-clouds.mjs"].map((name) => path.join(here, name));

async function hashOf(files, ...texts) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  for (const text of texts) hash.update(text);
  return hash.digest("hex").slice(0, 12);
}

const machine = `${process.platform}-${process.arch}`;

const keyOf = async (...packages) => `${machine}-${await hashOf(pinned, ...compileArgs, ...linkArgs, ...packages)}`;

/** The path of a program whose sources are in the folder of this name, here. It is built once. */
export async function ownProgram(name, options) {
  const sources = (await readdir(path.join(here, name))).sort().map((file) => path.join(here, name, file));
  const key = `${await keyOf()}-${await hashOf(sources)}`;
  const folder = await cached(`${name}-${TESTED_ENGINE}-${key}`, options, (made) =>
    goBuild(made, [`./${name}`], options),
  );
  return path.join(folder, name);
}

/**
 * The environment of a build for this machine with the pinned versions. The user's build settings are replaced by Go's
 * defaults, because with an empty variable Go would read the file of `go env -w`. The sources of modules (GOPROXY,
 * GOSUMDB, GOAUTH, …) stay.
 */
async function buildEnv(env) {
  const neutral = { ...env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
  const facts = ["GOVERSION", "GOHOSTOS", "GOHOSTARCH"];
  const { code, stdout, tail } = await run("go", ["env", ...facts], { env: neutral, cwd: here });
  if (code !== 0) throw new Error(`go does not work here:\n${tail}`);
  const [version, GOOS, GOARCH] = stdout.split("\n");
  if (!isAtLeast(version, OLDEST_GO)) throw new Error(`${version} is too old, ${OLDEST_GO} is needed`);
  return { ...neutral, GOOS, GOARCH };
}

/** Runs go here. Returns what it prints. @throws {Error} with its output */
async function go(args, what, { env, signal, onLine }) {
  // go removes its work folder on SIGINT.
  const options = { cwd: here, env, signal, killSignal: "SIGINT", onLine };
  const { code, stdout, tail } = await run("go", args, options);
  if (code !== 0) throw new Error(`${what} failed:\n${tail.replace(/^(true|false)\n/gm, "")}`);
  return stdout;
}

/**
 * The copy of the CLI's module without the clouds' drivers. Go knows what it has compiled by the path of the sources, so the copy stays where it
 * is, and an interrupted build goes on where it was.
 */
async function sourcesOf(options, env) {
  const folder = await cached(`cli-sources-${TESTED_ENGINE}-${await keyOf()}`, options, async (made) => {
    options.log.update("downloading the sources");
    const args = ["mod", "download", "-json", `${module}@v${TESTED_ENGINE}`];
    const found = await go(args, "go mod download", { ...options, env });
    await copyWithoutClouds(JSON.parse(found).Dir, made);
  });
  // The cache may be reached by a link of another name the next time.
  return realpath(folder);
}

/** Runs `action` with a go.mod that has this copy of the CLI's module in place of the module. */
async function withModules(copy, action) {
  const folder = await mkdtemp(path.join(tmpdir(), "voiceplane-modules-"));
  try {
    const [names, sums] = await Promise.all(
      ["go.mod", "go.sum"].map((name) => readFile(path.join(here, name), "utf8")),
    );
    await writeFile(path.join(folder, "go.mod"), `${names}\nreplace ${module} => ${JSON.stringify(copy)}\n`);
    await writeFile(path.join(folder, "go.sum"), sums);
    return await action(path.join(folder, "go.mod"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How many packages these consist of, and how many of them are compiled already. */
async function countPackages(build, packages, { log, ...options }) {
  let modules = 0;
  const onLine = (line) => {
    if (line.startsWith("go: downloading ")) log.update(`downloading the sources: ${++modules} modules`);
  };
  const found = await go(["list", ...build, "-deps", "-f", "{{.Stale}}", ...packages], "go list", {
    ...options,
    onLine,
  });
  const stale = found.split("\n");
  return { all: stale.length, compiled: stale.filter((each) => each === "false").length };
}

/**
 * Builds programs of the module in this folder, or of the modules that it names. Where Go can build, it calls `onBuild` first.
 *
 * @param {string} folder gets the programs
 * @param {string[]} packages
 * @throws {Error} with go's output
 */
async function goBuild(folder, packages, { log, onBuild, ...options }) {
  const env = await buildEnv(options.env);
  onBuild?.();
  await withModules(await sourcesOf({ log, ...options }, env), async (modules) => {
    const build = [`-modfile=${modules}`, ...compileArgs];
    log.update("looking for what is compiled already");
    const { all, compiled } = await countPackages(build, packages, { log, ...options, env });
    const shown = (count) => count.toLocaleString("en");
    let done = compiled;
    const show = () =>
      log.update(`building Pulumi ${TESTED_ENGINE} from source: ${shown(done)} of ${shown(all)} packages`);
    show();
    // One line for each package that is compiled. Other lines are errors, and have spaces.
    const onLine = (line) => {
      if (!line.includes(" ")) done = Math.min(done + 1, all);
      show();
    };
    const args = ["build", "-v", ...build, ...linkArgs, "-o", `${folder}${path.sep}`, ...packages];
    await go(args, "go build", { ...options, env, onLine });
  });
}

/** The folder of programs, which are built once. */
const built = async (name, packages, options, check = async () => undefined) =>
  cached(`${TESTED_ENGINE}-${name}-${await keyOf(...packages)}`, options, async (folder) => {
    await goBuild(folder, packages, options);
    await check(folder);
  });

/** The CLI alone, which needs nothing of node_modules. */
export const builtCli = (options) =>
  built("cli", programs.cli, options, (folder) => checkVersion(folder, { env: options.env, what: "go has built" }));

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

async function assemble(folder, ...binaries) {
  for (const from of binaries)
    for (const name of await readdir(from)) {
      const [source, target] = [path.join(from, name), path.join(folder, name)];
      // They are large. Not every file system can link.
      await link(source, target).catch(() => copyFile(source, target));
    }
  await bundleLanguageHost(path.join(folder, "pulumi-language-nodejs"));
  await copyDynamicPlugin(folder);
}

/** @param {boolean} yaml whether it can run programs in YAML */
const cacheName = async (yaml) =>
  `${TESTED_ENGINE}-source-${await keyOf()}-sdk-${sdkVersion()}-${await hashOf([languageHost])}${yaml ? "-yaml" : ""}`;

/** The built engine from an earlier run, or undefined. */
export async function cachedBuild({ env, yaml = false }) {
  if (ENGINE_VERSION !== TESTED_ENGINE) return undefined;
  const names = await Promise.all((yaml ? [true] : [true, false]).map(cacheName));
  const folder = names.map((name) => path.join(cacheFolder(env), name)).find((each) => existsSync(each));
  return folder && { dir: folder, version: TESTED_ENGINE };
}

/** @throws {Error} that says why this engine cannot be built here */
export function requireBuildable() {
  if (process.platform === "win32") throw new Error("not supported on Windows");
  if (ENGINE_VERSION !== TESTED_ENGINE) throw new Error(`only Pulumi ${TESTED_ENGINE} can be built`);
}

/**
 * Route 3: built from the CLI's own sources, from Go's module proxy, for machines that reach only registries. go.sum pins every byte of them,
 * and `without-clouds.mjs` has what is left out. The Go programs are cached separately from the files of the SDK, so that a new SDK
 * takes a second and not a build.
 *
 * @throws {Error} that says why there is none.
 */
export async function engineFromSource({ yaml = false, ...options }) {
  requireBuildable();
  const binaries = [await builtCli(options), ...(yaml ? [await built("yaml", programs.yaml, options)] : [])];
  const dir = await cached(await cacheName(yaml), options, (folder) => assemble(folder, ...binaries));
  return { dir, version: TESTED_ENGINE };
}
