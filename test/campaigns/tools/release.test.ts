/** The archives of a release: what they are called, what is in them, that one of them is all that an engine needs, and the schema that the plugin serves. */
import { execFileSync, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startPulumi } from "../../support/processes";
import { sharedInstallation } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { engineEnv, released, releaseFolder } from "../../support/native/release";
import { root } from "../../support/repository";

// A busy machine takes its time.
jest.setTimeout(300_000);

const unix = ["LICENSE", "pulumi-resource-voiceplane"];
const windows = ["LICENSE", "pulumi-resource-voiceplane.cmd", "pulumi-resource-voiceplane.js"];

test("a release has an archive for each system that the engine knows, and their checksums, as sha256sum reads them", () => {
  const archives = ["darwin", "linux", "windows"].flatMap((system) =>
    ["amd64", "arm64"].map((machine) => `pulumi-resource-voiceplane-v0.1.0-${system}-${machine}.tar.gz`),
  );
  expect(readdirSync(releaseFolder()).sort()).toEqual(["SHA256SUMS", ...archives]);
  const sumOf = (name: string) => hash("sha256", readFileSync(join(releaseFolder(), name)));
  const sums = readFileSync(join(releaseFolder(), "SHA256SUMS"), "utf8");
  expect(sums.trimEnd().split("\n").sort()).toEqual(archives.map((name) => `${sumOf(name)}  ${name}`).sort());
});

test.each([
  ["darwin-amd64", unix],
  ["darwin-arm64", unix],
  ["linux-amd64", unix],
  ["linux-arm64", unix],
  ["windows-amd64", windows],
  ["windows-arm64", windows],
])("the archive for %s has the plugin as a program, and the license", (system, files) => {
  const folder = temporaryFolder();
  const archive = join(releaseFolder(), `pulumi-resource-voiceplane-v0.1.0-${system}.tar.gz`);
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  expect(readdirSync(folder).sort()).toEqual(files);

  const [plugin = ""] = files.filter((name) => /voiceplane(\.js)?$/.test(name));
  // jest's own comparison of megabytes takes half a minute.
  const built = readFileSync(join(root, "dist/pulumi-resource-voiceplane.js"));
  expect(readFileSync(join(folder, plugin)).equals(built)).toBe(true);
  // Readable and executable for everyone: an engine may run as another user than the one who installed it.
  if (process.platform !== "win32") expect(statSync(join(folder, plugin)).mode & 0o777).toBe(0o755);
  if (files === windows) {
    // The engine looks for .exe and .cmd. cmd.exe wants its own line ends.
    expect(readFileSync(join(folder, "pulumi-resource-voiceplane.cmd"), "utf8")).toBe(
      '@echo off\r\nnode "%~dp0pulumi-resource-voiceplane.js" %*\r\n',
    );
  }
});

test("the archive for this machine is all that a YAML project needs, also to add the package", async () => {
  const folder = temporaryFolder();
  const { target, env } = await released(folder);
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    `name: released
runtime: yaml
resources:
  recordings:
    type: voiceplane:RetentionPolicy
    properties: { resource: recordings, onCreate: overwrite, retentionDays: 90 }
`,
  );
  const pulumi = async (...args: string[]): Promise<void> => {
    const { code, stdout, stderr } = await startPulumi(args, { cwd: folder, env }).finished;
    if (code !== 0) throw new Error(stdout + stderr);
  };
  await pulumi("stack", "init", "dev");
  await pulumi("config", "set", "voiceplane:organization", "acme");
  await pulumi("up", "--stack", "dev", "--yes", "--skip-preview");
  expect(target.requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}']);
  await pulumi("package", "add", "voiceplane");
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toContain("packages:\n  voiceplane: voiceplane@0.1.0\n");
});

test("the plugin serves schema.json, with its version", () => {
  const plugin = join(sharedInstallation(), "node_modules/.bin/pulumi-resource-voiceplane");
  const folder = temporaryFolder();
  const { status, stdout, stderr } = spawnSync("pulumi", ["package", "get-schema", plugin, "--non-interactive"], {
    cwd: folder,
    env: engineEnv(folder),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  // The command leaves out empty lists.
  const withoutEmpty = (_key: string, value: unknown): unknown =>
    Array.isArray(value) && value.length === 0 ? undefined : value;
  const committed = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"), withoutEmpty) as object;
  expect(JSON.parse(stdout)).toEqual({ ...committed, version: "0.1.0" });
});
