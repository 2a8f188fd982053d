import { createHash } from "node:crypto";
import { readdirSync, utimesSync, writeFileSync, mkdirSync, existsSync } from "node:fs";
import path from "node:path";
import { until } from "../../support/processes";
import {
  engineScript,
  evaluate,
  releaseArchive,
  serve,
  startNode,
  temporaryFolder,
  type Running,
} from "../../support/tools.js";

const archiveName = `pulumi-v3.259.0-${process.platform}-${process.arch}.tar.gz`;
const checksumsName = "pulumi-3.259.0-checksums.txt";
const good = releaseArchiveOf("v3.259.0");

function releaseArchiveOf(version: string): () => Buffer {
  return () => releaseArchive({ pulumi: `echo ${version}`, "pulumi-language-nodejs": "echo 1" });
}

/** A release site like the vendor's: the archive, and a file with the SHA-256 of this archive and others. */
function siteFiles(archive: Buffer, checksum = createHash("sha256").update(archive).digest("hex")) {
  return {
    [`/${archiveName}`]: archive,
    [`/${checksumsName}`]: `${"0".repeat(64)}  pulumi-v3.259.0-plan9-x64.tar.gz\n${checksum}  ${archiveName}\n`,
  };
}

/** Looks for an engine on a machine without pulumi and Go. */
function getEngine(url: string, cache: string, more: Record<string, string> = {}): Running {
  const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: cache, VOICEPLANE_ENGINE_RELEASES: url, ...more };
  return startNode([engineScript], env);
}

const inCache = (cache: string) => readdirSync(path.join(cache, "voiceplane/engine"));

test("the official release is downloaded, verified and cached", async () => {
  const site = await serve(siteFiles(good()));
  const cache = temporaryFolder();
  const folder = path.join(cache, "voiceplane/engine", `3.259.0-release-${process.platform}-${process.arch}`);

  expect(await getEngine(site.url, cache).ended).toMatchObject({ code: 0, stdout: `${folder}\n` });
  expect(readdirSync(folder).sort()).toEqual(["pulumi", "pulumi-language-nodejs"]);
  expect(inCache(cache)).toEqual([path.basename(folder)]);

  expect(await getEngine(site.url, cache).ended).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
  expect(site.requests).toEqual([`/${checksumsName}`, `/${archiveName}`]);
});

test("an archive with a wrong checksum is deleted", async () => {
  const site = await serve(siteFiles(good(), "f".repeat(64)));
  const cache = temporaryFolder();
  const { code, stdout, stderr } = await getEngine(site.url, cache).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/the official release: wrong checksum of pulumi-v3\.259\.0-\S+: [0-9a-f]{64}, expected f{64}/);
  expect(inCache(cache)).toEqual([]);
});

test("an archive that its checksum file does not list is not downloaded", async () => {
  const site = await serve({ [`/${archiveName}`]: good(), [`/${checksumsName}`]: `${"0".repeat(64)}  other.tar.gz\n` });
  const { stderr } = await getEngine(site.url, temporaryFolder()).ended;
  expect(stderr).toContain(`the official release: its checksum file does not list ${archiveName}`);
  expect(site.requests).toEqual([`/${checksumsName}`]);
});

test("an archive of another version is deleted", async () => {
  const site = await serve(siteFiles(releaseArchiveOf("v3.1.0")()));
  const cache = temporaryFolder();
  expect((await getEngine(site.url, cache).ended).stderr).toContain("the archive holds pulumi v3.1.0");
  expect(inCache(cache)).toEqual([]);
});

test("an unreachable site is reported in one line", async () => {
  const { stderr } = await getEngine("http://127.0.0.1:9", temporaryFolder()).ended;
  expect(stderr).toMatch(/^the official release: .+$/m);
  expect(stderr).toMatch(/^getting Pulumi 3\.259\.0: a build from source$/m);
});

test("the proxy of the environment is used, except for the hosts in NO_PROXY", async () => {
  const site = await serve(siteFiles(good()));
  const proxy = await serve({}); // The server does not support CONNECT, and answers 404 to everything else.
  const ask = (env: Record<string, string>) => getEngine(site.url, temporaryFolder(), env).ended;
  expect(await ask({ HTTP_PROXY: proxy.url })).toMatchObject({ code: 1, stdout: "" });
  expect(site.requests).toEqual([]);
  expect(await ask({ HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" })).toMatchObject({ code: 0 });
});

test("a download from a site that stops sending is aborted", async () => {
  const site = await serve({ ...siteFiles(good()), [`/${archiveName}`]: null });
  const options = `{ env: process.env, log: { update() {} }, silence: 50 }`;
  const outcome = await evaluate(
    "engine/from-release.mjs",
    `tools.engineFromRelease(${options}).catch((error) => error.message)`,
    { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: temporaryFolder(), VOICEPLANE_ENGINE_RELEASES: site.url },
  );
  expect(outcome).toBe("no answer for 0.05 s");
});

test("two processes that need the same engine download it once", async () => {
  const site = await serve(siteFiles(good()));
  const cache = temporaryFolder();
  const [first, second] = await Promise.all([getEngine(site.url, cache).ended, getEngine(site.url, cache).ended]);
  expect(first.code).toBe(0);
  expect(second.stdout).toBe(first.stdout);
  expect(site.requests).toEqual([`/${checksumsName}`, `/${archiveName}`]);
});

test("the lock of a process that has ended blocks nobody", async () => {
  const site = await serve(siteFiles(good()));
  const cache = temporaryFolder();
  const root = path.join(cache, "voiceplane/engine");
  const lock = path.join(root, `3.259.0-release-${process.platform}-${process.arch}.lock`);
  mkdirSync(root, { recursive: true });
  writeFileSync(lock, "1\n");
  utimesSync(lock, new Date(0), new Date(0));
  expect(await getEngine(site.url, cache).ended).toMatchObject({ code: 0 });
  expect(existsSync(lock)).toBe(false);
});

test("an interrupted download leaves nothing behind", async () => {
  const site = await serve({ ...siteFiles(good()), [`/${archiveName}`]: null });
  const cache = temporaryFolder();
  const { child, ended } = getEngine(site.url, cache);
  await until(() => site.requests.includes(`/${archiveName}`));
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: 1, stdout: "" });
  expect((await ended).stderr).toMatch(/^interrupted$/m);
  expect(inCache(cache)).toEqual([]);
});
