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

/** Where the vendor keeps the release archives and, beside them, one file with the SHA-256 of each. */
const OFFICIAL_RELEASES = "https://get.pulumi.com/releases/sdk";

/** A site that does not answer for so long is taken as out of reach, so that the next route starts soon. */
const SILENCE_MS = 10_000;

const platforms = { linux: "linux", darwin: "darwin", win32: "windows" };
const architectures = { x64: "x64", arm64: "arm64" };

function archiveName() {
  const [platform, architecture] = [platforms[process.platform], architectures[process.arch]];
  if (!platform || !architecture) throw new Error(`there is none for ${process.platform} ${process.arch}`);
  return `pulumi-v${ENGINE_VERSION}-${platform}-${architecture}.${platform === "windows" ? "zip" : "tar.gz"}`;
}

/** Aborts when nothing was heard for `silence` milliseconds; `heard` starts the time again. */
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

/** `fetch`, through the proxy that the environment names: Node's own looks for none unless it is told so when it starts. */
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

/** The SHA-256 (hex) that a `sha256sum` file gives for a name. */
function checksumOf(name, checksums) {
  const line = checksums.split("\n").find((each) => each.trim().split(/\s+\*?/)[1] === name);
  if (!line) throw new Error(`its checksum file does not name ${name}`);
  return line.trim().split(/\s+/)[0].toLowerCase();
}

/** Saves a body to a file and gives its SHA-256 in hex. */
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
    log.update(`asking ${origin}`);
    const checksums = await (await get(`${origin}/pulumi-${ENGINE_VERSION}-checksums.txt`, alarm)).text();
    const expected = checksumOf(name, checksums);
    const found = await save(await get(`${origin}/${name}`, alarm), archive, { alarm, log });
    if (found !== expected) throw new Error(`wrong checksum of ${name}: ${found}, expected ${expected}; thrown away`);
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
 * Pinned are the version and the site (VOICEPLANE_ENGINE_RELEASES names a mirror); the archive has to match the checksum
 * file beside it. That proves that the transfer is whole; who made it is as sure as the site's TLS.
 *
 * @param {{env: NodeJS.ProcessEnv, log: object, signal?: AbortSignal, silence?: number}} options `silence` is the time in
 *   milliseconds, 10 s by default, after which a site that says nothing is given up.
 * @throws {Error} that says why there is none.
 */
export async function engineFromRelease(options) {
  try {
    return await describe(await cached(cacheName(), options, (folder) => download(folder, options)));
  } catch (error) {
    // fetch says only "fetch failed"; what failed is in the cause.
    throw error.cause instanceof Error ? new Error(error.cause.message || error.cause.code, { cause: error }) : error;
  }
}
