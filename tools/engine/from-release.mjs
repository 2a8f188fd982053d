import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { run } from "../run.mjs";
import { checkVersion } from "./check-version.mjs";
import { cached, cacheFolder, exists } from "./cache.mjs";
import { ENGINE_VERSION } from "./versions.mjs";

/** The vendor's release archives, with one file that has the SHA-256 of each. */
const OFFICIAL_RELEASES = "https://get.pulumi.com/releases/sdk";

/** A site that does not answer for this long counts as unreachable, so that the next route starts soon. */
const SILENCE_MS = 10_000;

const platforms = { linux: "linux", darwin: "darwin", win32: "windows" };
const architectures = { x64: "x64", arm64: "arm64" };

function archiveName() {
  const [platform, architecture] = [platforms[process.platform], architectures[process.arch]];
  if (!platform || !architecture) throw new Error(`there is no release for ${process.platform} ${process.arch}`);
  return `pulumi-v${ENGINE_VERSION}-${platform}-${architecture}.${platform === "windows" ? "zip" : "tar.gz"}`;
}

/** Aborts if nothing is received for `silence` milliseconds. `heard` restarts the timer. */
function silenceAlarm(signal, silence) {
  const alarm = new AbortController();
  const ring = () => alarm.abort(new Error(`no answer for ${silence / 1000} s`));
  let timer = setTimeout(ring, silence);
  return {
    signal: signal ? AbortSignal.any([signal, alarm.signal]) : alarm.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(ring, silence);
    },
    off: () => clearTimeout(timer),
  };
}

/** `fetch` through the proxy of the environment. Node's own fetch uses it only with an option at startup. */
async function fetchFrom(url, options) {
  const isNamed = Object.entries(process.env).some(([name, value]) => /^https?_proxy$/i.test(name) && value);
  if (!isNamed) return fetch(url, options);
  const undici = await import("undici");
  return undici.fetch(url, { ...options, dispatcher: new undici.EnvHttpProxyAgent() });
}

async function get(url, alarm) {
  const response = await fetchFrom(url, { signal: alarm.signal });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  alarm.heard();
  return response;
}

/** The SHA-256 (hex) of a name in a `sha256sum` file. */
function checksumOf(name, checksums) {
  const line = checksums.split("\n").find((each) => each.trim().split(/\s+\*?/)[1] === name);
  if (!line) throw new Error(`its checksum file does not list ${name}`);
  return line.trim().split(/\s+/)[0].toLowerCase();
}

/** Saves a body to a file and returns its SHA-256 in hex. */
async function save(response, file, { alarm, log }) {
  const hash = createHash("sha256");
  const total = Number(response.headers.get("content-length"));
  let bytes = 0;
  const watch = new Transform({
    transform(chunk, _encoding, done) {
      alarm.heard();
      hash.update(chunk);
      bytes += chunk.length;
      log.update(`downloading, ${Math.round(bytes / 1e6)}${total ? ` of ${Math.round(total / 1e6)}` : ""} MB`);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(response.body), watch, createWriteStream(file), { signal: alarm.signal });
  return hash.digest("hex");
}

async function download(folder, { env, log, signal, silence = SILENCE_MS }) {
  const origin = (env.VOICEPLANE_ENGINE_RELEASES || OFFICIAL_RELEASES).replace(/\/+$/, "");
  const name = archiveName();
  const archive = path.join(folder, name);
  const alarm = silenceAlarm(signal, silence);
  try {
    log.update(`connecting to ${origin}`);
    const checksums = await (await get(`${origin}/pulumi-${ENGINE_VERSION}-checksums.txt`, alarm)).text();
    const expected = checksumOf(name, checksums);
    const found = await save(await get(`${origin}/${name}`, alarm), archive, { alarm, log });
    if (found !== expected)
      throw new Error(`wrong checksum of ${name}: ${found}, expected ${expected}; the archive was deleted`);
  } finally {
    alarm.off();
  }

  log.update("unpacking");
  const { code, tail } = await run("tar", ["-xf", archive, "-C", folder, "--strip-components=1"], { signal });
  if (code !== 0) throw new Error(`tar could not unpack ${name}: ${tail}`);
  await rm(archive);
  await checkVersion(await programFolder(folder), { env, what: "the archive holds" });
}

/** The archive for Windows has its programs one level deeper. */
async function programFolder(folder) {
  const deeper = path.join(folder, "bin");
  return (await exists(deeper)) ? deeper : folder;
}

const cacheName = () => `${ENGINE_VERSION}-release-${process.platform}-${process.arch}`;

async function describe(folder) {
  const dir = await programFolder(folder);
  return { command: path.join(dir, "pulumi"), dir, version: ENGINE_VERSION, route: "release" };
}

/** The official release from an earlier run, or undefined. */
export async function cachedRelease({ env }) {
  const folder = path.join(cacheFolder(env), cacheName());
  return (await exists(folder)) ? describe(folder) : undefined;
}

/**
 * Route 2: the vendor's release archive.
 *
 * The version and the site are fixed (VOICEPLANE_ENGINE_RELEASES names a mirror), and the archive must match the
 * checksum file on the same site. That detects a damaged transfer. The origin is only as certain as the site's TLS.
 *
 * @param {{env: NodeJS.ProcessEnv, log: object, signal?: AbortSignal, silence?: number}} options `silence` is the time
 * in
 *   milliseconds, 10 s by default, after which a site that sends nothing counts as unreachable.
 * @throws {Error} that says why there is none.
 */
export async function engineFromRelease(options) {
  try {
    return await describe(await cached(cacheName(), options, (folder) => download(folder, options)));
  } catch (error) {
    // fetch reports only "fetch failed". The reason is in the cause.
    throw error.cause instanceof Error ? new Error(error.cause.message || error.cause.code, { cause: error }) : error;
  }
}
