/** The schema that the plugin serves, and the SDKs that the engine writes from it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sharedInstallation } from "../../support/engine/installation";
import { engineEnv } from "../../support/native/release";
import { temporaryFolder } from "../../support/folders";

const root = resolve(__dirname, "../../..");

// A busy machine takes its time.
jest.setTimeout(300_000);

const folder = temporaryFolder();
mkdirSync(join(folder, "sdks"));
const env = engineEnv(folder);

function packageCommand(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync("pulumi", ["package", ...args, "--non-interactive"], { cwd: folder, env, encoding: "utf8" });
}

test("the plugin serves schema.json, with its version", () => {
  const plugin = join(sharedInstallation(), "node_modules/.bin/pulumi-resource-voiceplane");
  const { status, stdout, stderr } = packageCommand("get-schema", plugin);
  expect([status, stderr]).toEqual([0, ""]);
  // The command leaves out empty lists.
  const withoutEmpty = (_key: string, value: unknown): unknown =>
    Array.isArray(value) && value.length === 0 ? undefined : value;
  const committed = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"), withoutEmpty) as object;
  expect(JSON.parse(stdout)).toEqual({ ...committed, version: "0.1.0" });
});

/**
 * The engine asks the language's host to write the SDK. Some machines have no such host, or one that only runs programs, as the one
 * that comes with an engine built from source.
 */
const missing = /no language plugin 'pulumi-language-\w+' found|does not implement the method generatePackage/;

describe.each([
  ["python", "python/pulumi_voiceplane/retention_policy.py"],
  ["go", "go/voiceplane/retentionPolicy.go"],
  ["nodejs", "nodejs/retentionPolicy.ts"],
])("%s", (language, file) => {
  const schema = join(root, "schema.json");
  const made = packageCommand("gen-sdk", schema, "--language", language, "--out", join(folder, "sdks"));
  const reason = missing.exec(made.stderr)?.[0];
  if (reason !== undefined) process.stderr.write(`SKIPPED: no SDK was made for ${language}: ${reason}\n`);
  const title = "the engine writes an SDK from schema.json, without warnings";
  const testWithHost = reason === undefined ? test : test.skip;

  testWithHost(reason === undefined ? title : `${title}: NOT CHECKED, ${reason}`, () => {
    expect([made.status, made.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(folder, "sdks", file), "utf8")).toContain("voiceplane:index:RetentionPolicy");
  });
});
