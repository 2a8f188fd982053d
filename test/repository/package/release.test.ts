/** The archives of a release: what they are called, what is in them, and that one of them is all that an engine needs. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startPulumi } from "../../support/engine/command";
import { temporaryFolder } from "../../support/folders";
import { organization } from "../../support/engine/organization";
import { engineEnv, installPlugin, releaseFolder } from "../../support/native/release";

const root = resolve(__dirname, "../../..");

// A busy machine takes its time.
jest.setTimeout(300_000);

const unix = ["LICENSE", "pulumi-resource-voiceplane"];
const windows = ["LICENSE", "pulumi-resource-voiceplane.cmd", "pulumi-resource-voiceplane.js"];

test("a release has an archive for each system that the engine knows, their checksums, and nothing else", () => {
  expect(readdirSync(releaseFolder()).sort()).toEqual([
    "SHA256SUMS",
    "pulumi-resource-voiceplane-v0.1.0-darwin-amd64.tar.gz",
    "pulumi-resource-voiceplane-v0.1.0-darwin-arm64.tar.gz",
    "pulumi-resource-voiceplane-v0.1.0-linux-amd64.tar.gz",
    "pulumi-resource-voiceplane-v0.1.0-linux-arm64.tar.gz",
    "pulumi-resource-voiceplane-v0.1.0-windows-amd64.tar.gz",
    "pulumi-resource-voiceplane-v0.1.0-windows-arm64.tar.gz",
  ]);
});

test("the checksums are those of the archives, as sha256sum reads them", () => {
  const sums = readFileSync(join(releaseFolder(), "SHA256SUMS"), "utf8");
  const archives = readdirSync(releaseFolder()).filter((name) => name.endsWith(".tar.gz"));
  const lines = archives.map((name) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(releaseFolder(), name)))
      .digest("hex");
    return `${sum}  ${name}`;
  });
  expect(sums.trimEnd().split("\n").sort()).toEqual(lines.sort());
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

test("the archive for this machine is all that a YAML project needs, also to import a webhook and to add the package", async () => {
  const folder = temporaryFolder();
  const target = await organization();
  const env = { ...engineEnv(folder), VOICEPLANE_BASE_URL: target.url, VOICEPLANE_TOKEN: "vp_dev_full" };
  installPlugin(env);
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
  const pulumi = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await startPulumi(args, { cwd: folder, env }).finished;
    if (code !== 0) throw new Error(stdout + stderr);
    return stdout;
  };
  await pulumi("stack", "init", "dev");
  const { steps } = JSON.parse(await pulumi("preview", "--stack", "dev", "--json")) as {
    steps: { op: string; newState: { type: string; inputs?: object } }[];
  };
  const planned = steps.map(({ op, newState: { type, inputs } }) => ({ op, type, inputs }));
  expect(planned).toContainEqual({
    op: "create",
    type: "voiceplane:index:RetentionPolicy",
    inputs: expect.objectContaining({ resource: "recordings", onCreate: "overwrite", retentionDays: 90 }) as object,
  });
  expect(target.requests()).toEqual([]);

  const webhook = ["voiceplane:index:WebhookSecret", "crm", "c0000000-0000-4000-8000-000000000001"];
  const imported = await pulumi("import", ...webhook, "--yes", "--skip-preview", "--stack", "dev");
  expect(imported).toContain("type: voiceplane:WebhookSecret");
  expect(imported).toMatch(/onCreate: adopt\n\s+webhookId: c0000000-0000-4000-8000-000000000001\n/);
  expect(target.requests()).toEqual(["GET /v1/webhooks/"]);

  await pulumi("package", "add", "voiceplane");
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toContain("packages:\n  voiceplane: voiceplane@0.1.0\n");
});
