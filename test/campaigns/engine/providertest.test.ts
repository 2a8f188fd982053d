/** Pulumi's own harness for providers (github.com/pulumi/providertest), on the packed plugin. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { start } from "../../support/engine/command";
import { sharedInstallation } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { ids, organization } from "../../support/engine/organization";
import { testWith } from "../../support/programs";
import { engineEnv } from "../../support/native/release";

// Without its cache, Go compiles Pulumi's SDK for minutes.
jest.setTimeout(1_800_000);

const suite = resolve(__dirname, "providertest");
// As for the engine's build, so that both share what is compiled.
const go = { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -trimpath", GOWORK: "off" };

/** Why the suite cannot run here. */
function missing(): string | undefined {
  const { status, stderr, error } = spawnSync("go", ["mod", "download"], {
    cwd: suite,
    encoding: "utf8",
    env: { ...process.env, ...go },
  });
  if (error) return "go is not on PATH";
  // As for the engine's build: a machine that reaches no module proxy.
  if (status !== 0 && /dial tcp|module lookup disabled/.test(stderr)) return "Go's module proxy cannot be reached";
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return undefined;
}

const found = { missing: missing() };

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

testWith(found, "the suite is formatted as gofmt does it", () => {
  expect(spawnSync("gofmt", ["-l", suite], { encoding: "utf8" }).stdout).toBe("");
});
