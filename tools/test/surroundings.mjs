/**
 * An isolated environment for a run of the tests: they see neither the user's home nor the user's configuration,
 * credentials or variables, and what they leave behind is removed. `npm test` creates one for everything after the
 * installation, and jest's setup creates one for a jest that is started directly.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { npm, withoutProxy } from "../bootstrap.mjs";
import { cacheFolder } from "../engine/cache.mjs";
import { releasesFolder } from "../engine/from-npm.mjs";
import { run } from "../run.mjs";

/** The environment variables that a run inherits. */
const kept = [
  /^(PATH|PATHEXT|COMSPEC|SYSTEMROOT|SYSTEMDRIVE|WINDIR|PROGRAMFILES.*)$/i,
  /^(LANG|LANGUAGE|LC_\w+|TZ|TERM|SHELL|USER|LOGNAME|CI)$/,
  // The npm that started this run, and the homes of version managers, which their programs on PATH need.
  /^(npm_execpath|VOLTA_HOME|(ASDF|FNM|MISE|NVM)_\w+)$/,
  // Access to package registries.
  /^(https?|all|no)_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE)$/,
  /^PIP_((EXTRA_)?INDEX_URL|NO_INDEX|FIND_LINKS|TRUSTED_HOST|PROXY|CERT|CLIENT_CERT|DEFAULT_TIMEOUT|RETRIES)$/,
  /^GO[A-Z0-9]+$/,
  // Options of a developer for the tests.
  /^(VOICEPLANE_(ENGINE|ENGINE_VERSION|TARBALL)|SOAK_\w+|CHROMIUM)$/,
];

/** From the user's npm configuration: the registry and how to reach it. */
const registrySettings = ["registry", "proxy", "https-proxy", "noproxy", "cafile", "strict-ssl"];

/** Converts npm's output lines `name=value` to the variables that npm reads. */
async function npmSettings(env) {
  const { code, stdout } = await npm(["config", "get", ...registrySettings], { env });
  if (code !== 0) return {};
  const lines = stdout.split("\n").map((line) => /^([\w-]+)=(.*)$/.exec(line));
  const set = lines.filter((match) => match && registrySettings.includes(match[1]) && !["", "null"].includes(match[2]));
  return Object.fromEntries(set.map(([, name, value]) => [`npm_config_${name.replaceAll("-", "_")}`, value]));
}

/**
 * Go's own settings and caches, whose content it verifies. Without them each run would fetch and compile everything
 * again.
 */
async function goSettings(env) {
  const names = ["GOENV", "GOPATH", "GOMODCACHE", "GOCACHE"];
  const { code, stdout } = await run("go", ["env", ...names], { env }).catch(() => ({ code: 1 }));
  if (code !== 0) return {};
  const values = stdout.split("\n");
  return Object.fromEntries(names.map((name, index) => [name, values[index]]).filter(([, value]) => value));
}

/** pip's configuration of the user. pip itself would look for it in the home of the run. */
function pipSettings({ PIP_CONFIG_FILE, XDG_CONFIG_HOME, APPDATA, HOME = "" }) {
  const places = [
    path.join(XDG_CONFIG_HOME || path.join(HOME, ".config"), "pip", "pip.conf"),
    path.join(HOME, "Library", "Application Support", "pip", "pip.conf"),
    path.join(HOME, ".pip", "pip.conf"),
    path.join(APPDATA ?? "", "pip", "pip.ini"),
  ];
  const file = PIP_CONFIG_FILE || places.find((each) => path.isAbsolute(each) && existsSync(each));
  return file === undefined ? {} : { PIP_CONFIG_FILE: file };
}

/** The engines are in the user's folders, which all runs share. */
function shareEngines({ cache, pulumiHome }, outer) {
  const shared = [
    [cacheFolder, path.join(cache, "voiceplane", "engine")],
    [releasesFolder, path.join(pulumiHome, "versions")],
  ];
  for (const [folderOf, link] of shared) {
    try {
      mkdirSync(folderOf(outer), { recursive: true });
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(folderOf(outer), link, "junction");
    } catch {
      // Without a home, only the tests that need an engine fail.
    }
  }
}

/**
 * Moves this process, and everything that it starts from now on, into an isolated environment.
 *
 * @returns {Promise<() => void>} removes its files
 */
export async function enterSurroundings() {
  const outer = process.env;
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
  // Node and npm search parent folders for a package, and stop here.
  file("package.json", "{}\n");

  const [home, temporary, cache, config] = ["home", "tmp", "home/.cache", "home/.config"].map(at);
  const pulumiHome = at("pulumi");
  shareEngines({ cache, pulumiHome }, outer);
  const npmCache = at("npm");
  const [npmConfig, go] = await Promise.all([
    npmSettings({ ...outer, TMPDIR: temporary, npm_config_cache: npmCache }),
    goSettings(outer),
  ]);
  const inherited = Object.entries(outer).filter(([name]) => kept.some((pattern) => pattern.test(name)));
  const env = {
    ...Object.fromEntries(inherited),
    ...withoutProxy(outer),
    ...go,
    ...npmConfig,
    ...pipSettings(outer),
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
    PULUMI_HOME: pulumiHome,
    // pip starts rustc for its user agent. Where that is rustup's, it makes a folder in the home.
    RUSTUP_HOME: at("rustup"),
    npm_config_cache: npmCache,
    npm_config_userconfig: file("npmrc", ""),
    npm_config_globalconfig: file("global-npmrc", ""),
    npm_config_update_notifier: "false",
    GIT_CONFIG_GLOBAL: file("gitconfig", ""),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CEILING_DIRECTORIES: folder,
    VOICEPLANE_SURROUNDINGS: folder,
  };
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** What the tests have left in the temporary folder and in the home, except for caches that all of them share. */
export function leftovers(folder) {
  const shared =
    /^home\/(\.cache|\.npm|\.config|\.local)(\/|$)|^tmp\/(node-compile-cache|compiled|ts-node-\w+|voiceplane-notes-\d+)$/;
  return ["tmp", "home"]
    .flatMap((name) => readdirSync(path.join(folder, name)).map((file) => `${name}/${file}`))
    .filter((file) => !shared.test(file));
}
