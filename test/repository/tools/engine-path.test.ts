import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { engineScript, programs, startNode, temporaryFolder, type ProcessResult } from "../../support/tools.js";

const complete = { "pulumi-language-nodejs": "exit 1", "pulumi-resource-pulumi-nodejs": "exit 1" };
const pulumi = (version: string) => programs({ ...complete, pulumi: `echo v${version}` });

/** Looks for an engine where only PATH can have one: no site is reachable, and there is no Go. */
function getEngine(folder: string, more: Record<string, string> = {}): Promise<ProcessResult> {
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: temporaryFolder(), HTTPS_PROXY: "http://127.0.0.1:9" };
  return startNode([engineScript], { ...env, ...more }).ended;
}

test.each(["3.250.0", "3.300.1", "3.260.0-alpha.x12"])("pulumi v%s on PATH is used", async (version) => {
  const folder = pulumi(version);
  expect(await getEngine(folder)).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
});

test("a folder or a non-executable file named pulumi does not hide the program after it on PATH", async () => {
  const [folder, text, real] = [temporaryFolder(), temporaryFolder(), pulumi("3.259.0")];
  mkdirSync(path.join(folder, "pulumi"));
  writeFileSync(path.join(text, "pulumi"), "notes", { mode: 0o644 });
  expect(await getEngine([folder, text, real].join(":"))).toEqual({ code: 0, stdout: `${real}\n`, stderr: "" });
});

const chosen = { VOICEPLANE_ENGINE_VERSION: "3.274.1" };

test("if a version is chosen, that one is used", async () => {
  const folder = pulumi("3.274.1");
  expect(await getEngine(folder, chosen)).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
});

test.each([
  ["an older one", pulumi("3.249.9"), {}, "/pulumi is 3.249.9, 3.250.0 or newer is needed"],
  ["another major version", pulumi("4.0.0"), {}, "/pulumi is 4.0.0, 3.250.0 or newer is needed"],
  ["an unknown version", pulumi("unknown"), {}, "/pulumi is unknown, 3.250.0 or newer is needed"],
  ["another one than was chosen", pulumi("3.275.0"), chosen, "/pulumi is 3.275.0, 3.274.1 is needed"],
  ["one that fails", programs({ ...complete, pulumi: "exit 3" }), {}, '/pulumi version" fails'],
  [
    "one without a host for Node",
    programs({ pulumi: "echo v3.259.0" }),
    {},
    "has no pulumi-language-nodejs next to it",
  ],
  ["none, and another than the tested one was chosen", temporaryFolder(), chosen, "only Pulumi 3.259.0 can be built"],
])("%s on PATH is skipped, with the reason", async (_what, folder, env, reason) => {
  const { code, stdout, stderr } = await getEngine(folder, env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(reason);
});

test("without an engine, the error says what was tried and what to install, without a stack trace", async () => {
  const { stderr } = await getEngine(temporaryFolder());
  expect(stderr).toMatch(/^ {2}- PATH: there is no pulumi$/m);
  expect(stderr).toMatch(/^ {2}- the npm package pulumi: pulumi: fetch failed$/m);
  expect(stderr).toMatch(/^ {2}- a build from source: go is not on PATH$/m);
  expect(stderr).toContain("Install one of these, then try again:\n  - the Pulumi CLI 3.250.0 or newer");
  expect(stderr).toContain("  - Go 1.21 or newer");
  expect(stderr).not.toMatch(/^\s+at /m);
});
