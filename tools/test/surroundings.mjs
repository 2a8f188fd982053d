/**
 * Surroundings of a run's own: its tests see neither the user's home nor any configuration, credentials or variables of
 * theirs, and what they leave behind goes with it. `npm test` makes them for everything after the installation, jest's setup
 * for a jest that is started by hand.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { npm } from "../bootstrap.mjs";
import { cacheFolder } from "../engine/cache.mjs";
import { run } from "../run.mjs";

/** All that reaches a run of the environment that it is started in. */
const kept = [
  /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|SYSTEMDRIVE|WINDIR|PROGRAMFILES.*)$/i,
  /^(LANG|LANGUAGE|LC_\w+|TZ|TERM|SHELL|USER|LOGNAME|CI)$/,
  // The npm that runs us, and the homes of version managers, whose programs on PATH look for them.
  /^(npm_execpath|VOLTA_HOME|(ASDF|FNM|MISE|NVM)_\w+)$/,
  // How to reach package registries.
  /^(https?|all|no)_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  /^GO[A-Z0-9]+$/,
  // What a developer may ask of the tests, by name.
  /^(VOICEPLANE_(ENGINE|ENGINE_RELEASES|TARBALL|ALL_FAULTS|OPERATIONS_REPORT)|SOAK_\w+|CHROMIUM)$/,
];

/** Of the user's npm configuration: where the registry is, and the way to it. */
const registrySettings = ["registry", "proxy", "https-proxy", "noproxy", "cafile", "strict-ssl"];

const loopback = ["localhost", "127.0.0.1", "::1"];

/** The lines `name=value` of npm's answer, as the variables that npm reads. */
async function npmSettings(env) {
  const { code, stdout } = await npm(["config", "get", ...registrySettings], { env });
  if (code !== 0) return {};
  const lines = stdout.split("\n").map((line) => /^([\w-]+)=(.*)$/.exec(line));
  const set = lines.filter((match) => match && registrySettings.includes(match[1]) && !["", "null"].includes(match[2]));
  return Object.fromEntries(set.map(([, name, value]) => [`npm_config_${name.replaceAll("-", "_")}`, value]));
}

/** Go's own settings and caches, whose content it verifies: nothing is fetched or compiled again for each run. */
async function goSettings(env) {
  const names = ["GOENV", "GOPATH", "GOMODCACHE", "GOCACHE"];
  const { code, stdout } = await run("go", ["env", ...names], { env }).catch(() => ({ code: 1 }));
  if (code !== 0) return {};
  const values = stdout.split("\n");
  return Object.fromEntries(names.map((name, index) => [name, values[index]]).filter(([, value]) => value));
}

/** The engines are the user's, from one run to the next. */
function shareEngines(cache, outer) {
  const engines = cacheFolder(outer);
  try {
    mkdirSync(engines, { recursive: true });
  } catch {
    return; // No place for them: whoever needs an engine says so.
  }
  mkdirSync(path.join(cache, "voiceplane"), { recursive: true });
  symlinkSync(engines, path.join(cache, "voiceplane", "engine"), "junction");
}

/**
 * @param {NodeJS.ProcessEnv} [outer] the environment that the run is started in
 * @returns {Promise<{env: NodeJS.ProcessEnv, remove: () => void}>} the environment for the run, and what ends it
 */
export async function createSurroundings(outer = process.env) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "voiceplane-run-")));
  const at = (name) => {
    const inside = path.join(folder, name);
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    return inside;
  };
  const file = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  // Node, npm and typedoc look for a package upwards, and stop here.
  file("package.json", "{}\n");

  const [home, temporary, cache, config] = ["home", "tmp", "home/.cache", "home/.config"].map(at);
  shareEngines(cache, outer);
  const npmCache = at("npm");
  const [npmConfig, go] = await Promise.all([
    npmSettings({ ...outer, TMPDIR: temporary, npm_config_cache: npmCache }),
    goSettings(outer),
  ]);
  const inherited = Object.entries(outer).filter(([name]) => kept.some((pattern) => pattern.test(name)));
  const hasProxy = inherited.some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value);
  const env = {
    ...Object.fromEntries(inherited),
    ...(hasProxy && { NO_PROXY: [outer.NO_PROXY ?? outer.no_proxy ?? [], loopback].flat().join(",") }),
    ...go,
    ...npmConfig,
    HOME: home,
    USERPROFILE: home,
    APPDATA: config,
    LOCALAPPDATA: cache,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    XDG_CACHE_HOME: cache,
    XDG_CONFIG_HOME: config,
    XDG_DATA_HOME: at("home/.local/share"),
    XDG_STATE_HOME: at("home/.local/state"),
    XDG_RUNTIME_DIR: at("runtime"),
    PULUMI_HOME: at("pulumi"),
    npm_config_cache: npmCache,
    npm_config_userconfig: file("npmrc", ""),
    npm_config_globalconfig: file("global-npmrc", ""),
    npm_config_update_notifier: "false",
    GIT_CONFIG_GLOBAL: file("gitconfig", ""),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: folder,
    VOICEPLANE_SURROUNDINGS: folder,
  };
  return { env, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }) };
}

/**
 * Goes on in surroundings of this process's own, with everything that it starts from here on.
 *
 * @returns {Promise<() => void>} removes them
 */
export async function enterSurroundings() {
  const { env, remove } = await createSurroundings();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  return remove;
}
