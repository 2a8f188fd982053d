import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { engineScript, scripts, startNode, temporaryFolder, type ProcessResult } from "../../support/tools.js";

const complete = {
  "pulumi-language-nodejs": "exit 1",
  "pulumi-resource-pulumi-nodejs": "exit 1",
};

/** Looks for an engine where only PATH can have one: no site is reachable, and there is no Go. */
function getEngine(folder: string, more: Record<string, string> = {}): Promise<ProcessResult> {
  return startNode([engineScript], {
    PATH: `${folder}:/usr/bin:/bin`,
    HOME: temporaryFolder(),
    HTTPS_PROXY: "http://127.0.0.1:9",
    ...more,
  }).ended;
}

test.each(["v3.250.0", "v3.259.0", "v3.300.1", "v3.260.0-alpha.x12"])("pulumi %s on PATH is used", async (version) => {
  const folder = scripts({ ...complete, pulumi: `echo ${version}` });
  expect(await getEngine(folder)).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
});

test.each(["3.249.9", "2.300.0", "4.0.0", "unknown"])("pulumi %s on PATH is skipped", async (version) => {
  const folder = scripts({ ...complete, pulumi: `echo v${version}` });
  const { code, stdout, stderr } = await getEngine(folder);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`PATH: ${folder}/pulumi is ${version}, 3.250.0 or newer is needed`);
});

test("if a version is chosen, only that one is used", async () => {
  const choice = { VOICEPLANE_ENGINE_VERSION: "3.274.1" };
  const newest = scripts({ ...complete, pulumi: "echo v3.274.1" });
  expect(await getEngine(newest, choice)).toEqual({ code: 0, stdout: `${newest}\n`, stderr: "" });
  const other = scripts({ ...complete, pulumi: "echo v3.275.0" });
  const { code, stderr } = await getEngine(other, choice);
  expect(code).toBe(1);
  expect(stderr).toContain(`PATH: ${other}/pulumi is 3.275.0, 3.274.1 is needed`);
  expect(stderr).toContain("  - the Pulumi CLI 3.274.1 (https://");
});

test("another version is not built", async () => {
  const { stderr } = await getEngine(temporaryFolder(), { VOICEPLANE_ENGINE_VERSION: "3.251.0" });
  expect(stderr).toMatch(/a build from source: only Pulumi 3\.259\.0 can be built$/m);
});

test("a folder or a non-executable file named pulumi does not hide the program after it on PATH", async () => {
  const [folder, text] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(path.join(folder, "pulumi"));
  writeFileSync(path.join(text, "pulumi"), "notes", { mode: 0o644 });
  const real = scripts({ ...complete, pulumi: "echo v3.259.0" });
  expect(await getEngine([folder, text, real].join(":"))).toEqual({ code: 0, stdout: `${real}\n`, stderr: "" });
});

test("a pulumi that fails is skipped", async () => {
  const folder = scripts({ ...complete, pulumi: "exit 3" });
  expect((await getEngine(folder)).stderr).toContain(`PATH: "${folder}/pulumi version" fails`);
});

test("a pulumi without a language host for Node is skipped", async () => {
  const folder = scripts({ pulumi: "echo v3.259.0" });
  expect((await getEngine(folder)).stderr).toContain(`${folder}/pulumi has no pulumi-language-nodejs next to it`);
});

test("without an engine, the error says what was tried and what to install, without a stack trace", async () => {
  const { code, stderr } = await getEngine(temporaryFolder());
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ {2}- PATH: there is no pulumi$/m);
  expect(stderr).toMatch(/^ {2}- the npm package pulumi: pulumi: fetch failed$/m);
  expect(stderr).toMatch(/^ {2}- a build from source: go is not on PATH$/m);
  expect(stderr).toContain("Install one of these, then try again:\n  - the Pulumi CLI 3.250.0 or newer");
  expect(stderr).toContain("  - Go 1.21 or newer");
  expect(stderr).not.toMatch(/^\s+at /m);
});
