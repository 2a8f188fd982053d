/** Pulumi's own harness for providers (github.com/pulumi/providertest), on the packed plugin. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { start } from "../../support/engine/command";
import { sharedInstallation } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { ids, organization } from "../../support/engine/organization";
import { root } from "../../support/repository";
import { get, goOnPath, testWith } from "../../support/programs";
import { engineEnv } from "../../support/native/release";

// Without its cache, Go compiles Pulumi's SDK for minutes.
jest.setTimeout(1_800_000);

const suite = resolve(__dirname, "providertest");
// As for the engine's build, so that both share what is compiled.
const go = { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -trimpath", GOWORK: "off" };

// It needs Go's module proxy, as the program that writes SDKs does.
const found = goOnPath.missing === undefined ? get("tools/engine/program.mjs", "codegen") : goOnPath;

testWith(found, "the suite passes, on one attached plugin: previews, updates, a refresh and a destroy", async () => {
  const target = await organization();
  const home = temporaryFolder();
  const { code, stdout, stderr } = await start("go", ["test", "-count=1", "-v", "./..."], {
    cwd: suite,
    env: {
      ...process.env,
      ...engineEnv(home),
      HOME: process.env.HOME, // for Go's caches
      ...go,
      VOICEPLANE_BASE_URL: target.url,
      VOICEPLANE_TOKEN: "vp_dev_full",
      VOICEPLANE_PLUGINS: join(sharedInstallation(), "node_modules/.bin"),
    },
  }).finished;
  expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/^--- PASS: TestLifecycle/m)]);
  const settings = target.requests();
  expect([...settings.slice(0, 2).sort(), ...settings.slice(2)]).toEqual([
    `POST /v1/webhooks/${ids.crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    "GET /v1/webhooks/",
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}',
  ]);
});

testWith(found, "the project's Go is formatted as gofmt does it", () => {
  const folders = [suite, join(__dirname, "sdks"), join(root, "tools/engine")];
  expect(spawnSync("gofmt", ["-l", ...folders], { encoding: "utf8" }).stdout).toBe("");
});
