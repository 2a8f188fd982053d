/** The schema that the plugin serves. test/campaigns/engine/sdks.test.ts writes SDKs from it. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sharedInstallation } from "../../support/engine/installation";
import { engineEnv } from "../../support/native/release";
import { temporaryFolder } from "../../support/folders";

const root = resolve(__dirname, "../../..");

// A busy machine takes its time.
jest.setTimeout(300_000);

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
