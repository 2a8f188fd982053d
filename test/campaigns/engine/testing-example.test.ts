import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { compile } from "../../support/compiled";
import { blocks } from "../../support/docs/documents";
import { goOnPath, testWith } from "../../support/programs";
import { temporaryFolder } from "../../support/folders";

// With an empty cache, Go first compiles its own library.
jest.setTimeout(600_000);

const examples = resolve(__dirname, "../../../examples/testing");
const compiled = compile();
let folder: string;

beforeAll(() => {
  chmodSync(compiled.entry, 0o755);
});
beforeEach(() => {
  folder = temporaryFolder();
});

/** A copy of the example, with the command line installed as npm does. */
function install(example: string): void {
  cpSync(join(examples, example), folder, { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(compiled.entry, join(folder, "node_modules/.bin/voiceplane"));
}

function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
  });
  return { code: status, output: stdout + stderr };
}

const python = {
  missing: spawnSync("python3", ["--version"]).status === 0 ? undefined : "there is no python3 on PATH",
};

/** What the example's README shows. */
function shownFor(example: string): string {
  const file = `examples/testing/${example}/README.md`;
  return withoutTimes(blocks.find((block) => block.file === file && block.language === "text")?.text ?? "none");
}

const withoutTimes = (text: string): string => text.replaceAll(/\d+\.\d+s/g, "…");

testWith(python, "the tests in Python pass, print what the README shows, and leave nothing open", () => {
  install("python");
  const { code, output } = run("python3", ["-B", "-W", "always", "-m", "unittest"]);
  expect([code, output]).toEqual([0, expect.stringMatching(/\nRan 4 tests in .*\n\nOK\n$/)]);
  expect(withoutTimes(output)).toBe(shownFor("python"));
  expect(output).not.toContain("Warning");
});

testWith(
  goOnPath,
  "the tests in Go pass, print what the README shows, are formatted, and need no module but Go's own",
  () => {
    install("go");
    const alone = { GOTOOLCHAIN: "local", GOPROXY: "off", GOFLAGS: "", GOWORK: "off", CGO_ENABLED: "0" };
    const { code, output } = run("go", ["test", "-count=1", "-v"], alone);
    expect(output.match(/^--- PASS: /gm)).toHaveLength(4);
    expect([code, output]).toEqual([0, expect.stringMatching(/^ok /m)]);
    expect(withoutTimes(output).endsWith(shownFor("go"))).toBe(true);
    expect(run("gofmt", ["-l", "."])).toEqual({ code: 0, output: "" });
  },
);
