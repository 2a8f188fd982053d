/** The tests of examples/testing: they pass with the package as users get it, print what their README shows, and leave nothing behind. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { blocks } from "../../support/docs/documents";
import { compiledFor, engineEnvironment, sharedInstallation } from "../../support/engine/installation";
import { goOnPath, testWith } from "../../support/programs";
import { root } from "../../support/repository";

// With an empty cache, Go first compiles its own library.
jest.setTimeout(600_000);

const examples = join(root, "examples/testing");

/** Runs a command in a copy of the example, and returns what it prints. */
function run(example: string, [command = "", ...args]: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const folder = mkdtempSync(join(sharedInstallation(), "testing-"));
  cpSync(join(examples, example), folder, { recursive: true });
  symlinkSync("../node_modules", join(folder, "node_modules"));
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...engineEnvironment(folder), TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: compiledFor(folder), ...env },
  });
  expect([status, stdout + stderr]).toEqual([0, expect.anything()]);
  const left = readdirSync(folder).filter((name) => !name.startsWith("."));
  expect(left.sort()).toEqual(["node_modules", ...readdirSync(join(examples, example))].sort());
  return stdout + stderr;
}

const withoutTimes = (text: string): string => text.replaceAll(/\d+\.\d+s/g, "…");

/** What the example's README shows. */
function shownFor(example: string): string {
  const file = `examples/testing/${example}/README.md`;
  return withoutTimes(blocks.find((block) => block.file === file && block.language === "text")?.text ?? "none");
}

const python = {
  missing: spawnSync("python3", ["--version"]).status === 0 ? undefined : "there is no python3 on PATH",
};

testWith(python, "in Python, without a warning", () => {
  const output = run("python", ["python3", "-B", "-W", "always", "-m", "unittest"]);
  expect(withoutTimes(output)).toBe(shownFor("python"));
  expect(output).not.toContain("Warning");
});

testWith(goOnPath, "in Go, formatted, and without a module but Go's own", () => {
  const cache = process.env.GOCACHE ?? spawnSync("go", ["env", "GOCACHE"], { encoding: "utf8" }).stdout.trim();
  const alone = { GOTOOLCHAIN: "local", GOPROXY: "off", GOFLAGS: "", GOWORK: "off", CGO_ENABLED: "0", GOCACHE: cache };
  const output = run("go", ["go", "test", "-count=1", "-v"], alone);
  expect(output.match(/^--- PASS: /gm)).toHaveLength(4);
  expect(withoutTimes(output).endsWith(shownFor("go"))).toBe(true);
  expect(spawnSync("gofmt", ["-l", join(examples, "go")], { encoding: "utf8" }).stdout).toBe("");
});

test("in TypeScript", () => {
  const output = run("typescript", [process.execPath, "--test", "--test-reporter=tap"]);
  expect(output).toContain("# pass 4\n# fail 0\n");
  const shown = [...shownFor("typescript").matchAll(/^✔ (.*)$/gm)].map(([, name]) => name);
  expect([...output.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name)).toEqual(shown);
});
