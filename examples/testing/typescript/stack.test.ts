/** Runs the stack of this folder against the embedded control plane, with a state that is gone afterwards. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import { startControlPlane, type ControlPlane } from "pulumi-voiceplane/control-plane";

const days = 24 * 60 * 60 * 1000;

let controlPlane: ControlPlane;
let state: string;
let stack: Stack;

before(async () => {
  controlPlane = await startControlPlane();
  state = await mkdtemp(join(tmpdir(), "voiceplane-testing-"));
  stack = await LocalWorkspace.createStack(
    { stackName: "test", workDir: import.meta.dirname },
    {
      envVars: {
        PULUMI_BACKEND_URL: pathToFileURL(state).href,
        PULUMI_CONFIG_PASSPHRASE: "for this test only",
        VOICEPLANE_BASE_URL: controlPlane.url,
        VOICEPLANE_TOKEN: controlPlane.tokens.full,
      },
    },
  );
  await stack.setConfig("voiceplane:organization", { value: "test" });
});

after(async () => {
  await controlPlane.close();
  await rm(state, { recursive: true });
  await rm(join(import.meta.dirname, "Pulumi.test.yaml"), { force: true });
});

/** The requests since the last call. */
function sent(): string[] {
  const { control } = controlPlane;
  const requests = control.journal().map(({ method, path }) => `${method} ${path}`);
  control.clearJournal();
  return requests;
}

/** The next runs take this date for the present, and warn of it. */
function runsIn(inDays: number): void {
  stack.workspace.envVars.VOICEPLANE_NOW = new Date(Date.now() + inDays * days).toISOString();
}

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

test("the first up sets the days and adopts the webhook", async () => {
  await stack.up();
  assert.deepEqual(sent(), ["PUT /v1/retention-policies/recordings"]);
});

test("no rotation is due within 90 days", async () => {
  runsIn(89);
  const { changeSummary } = await stack.preview();
  assert.deepEqual(changeSummary, { same: 3 });
});

test("the preview after 90 days shows the rotation, and sends nothing", async () => {
  runsIn(91);
  const { stdout, changeSummary } = await stack.preview({ diff: true });
  assert.match(stdout, /~ rotateOn *: "\d{4}-\d\d-\d\d" => "\d{4}-\d\d-\d\d"/);
  assert.deepEqual(changeSummary, { same: 2, update: 1 });
  assert.deepEqual(sent(), []);
});

test("the up after 90 days rotates once, and the next one sends nothing", async () => {
  const { outputs } = await stack.up();
  assert.deepEqual(sent(), [rotation]);
  assert.equal(outputs.crmSecret?.secret, true);

  await stack.up();
  assert.deepEqual(sent(), []);
});
