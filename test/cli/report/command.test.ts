import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { recording, recordingFile } from "./recorded";

const root = resolve(__dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "voiceplane-report-"));
const entry = join(folder, "dist/cli/index.js");

beforeAll(() => {
  const bundler = join(root, "node_modules/.bin/esbuild");
  const options = ["--bundle", "--platform=node", "--log-level=error", `--outfile=${entry}`];
  execFileSync(bundler, [join(root, "src/cli/index.ts"), ...options]);
  cpSync(join(root, "package.json"), join(folder, "package.json"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function report(args: string[], input = ""): Ended {
  const options = { input, encoding: "utf8", cwd: folder } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, "report", ...args], options);
  return { code: status, stdout, stderr };
}

test("a file with risks: Markdown, and exit code 3", () => {
  const { code, stdout, stderr } = report([recordingFile("edited.digest")]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(stdout).toContain(
    "- **deletes data**: recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted\n",
  );
});

test.each([[[]], [["-"]]])("standard input with %j: the same report", (args) => {
  expect(report(args, recording("edited.digest"))).toEqual(report([recordingFile("edited.digest")]));
});

test("no changes: exit code 0", () => {
  expect(report(["--format", "summary"], recording("unchanged.digest"))).toEqual({
    code: 0,
    stdout: "no changes\n",
    stderr: "",
  });
});

test("changes without a risk: exit code 2, or 0 where only risks count", () => {
  const calm = JSON.parse(recording("due.digest")) as { steps: { urn: string }[] };
  const input = JSON.stringify({ ...calm, steps: calm.steps.filter(({ urn }) => urn.endsWith("conversations")) });
  expect(report(["--format=summary"], input)).toEqual({ code: 2, stdout: "1 change\n", stderr: "" });
  expect(report(["--format=summary", "--fail-on=risks"], input).code).toBe(0);
});

test("--fail-on takes only the named risks for a reason to fail", () => {
  expect(report(["--fail-on", "deletes-data"], recording("due.digest")).code).toBe(0);
  expect(report(["--fail-on", "deletes-data,rotates-a-secret"], recording("due.digest")).code).toBe(3);
});

test("a preview that failed is reported, with exit code 1", () => {
  const { code, stdout } = report(["--fail-on", "none"], recording("refused.digest"));
  expect(code).toBe(1);
  expect(stdout).toMatch(/^### voiceplane: the preview failed\n\n#### Errors\n\n- .*allowShortening/);
});

test("output that is not a terminal has no colors", () => {
  expect(report(["--format", "terminal"], recording("edited.digest")).stdout).not.toContain("\u001b");
});

test("--help names every risk and every exit code", () => {
  const { code, stdout } = report(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "Risks: deletes-data, cuts-a-trunk, rotates-a-secret, narrows-access, widens-access, leaves-things-behind\n",
  );
  expect(stdout).toContain(
    "Exit codes: 0 no changes, 1 bad input or a preview that failed, 2 changes, 3 changes with a risk.\n",
  );
});

test("the help of the command line knows the report", () => {
  const { stdout } = spawnSync(process.execPath, [entry, "--help"], { encoding: "utf8" });
  expect(stdout).toContain("  report        explain a preview in plain language\n");
});

const empty = "the input is empty: give it what `pulumi preview --json` printed";
const notJson = "the input is not JSON (line 1): give it what `pulumi preview --json` printed, whole";

test.each([
  ["a missing file", ["missing.json"], "", "missing.json cannot be read (ENOENT)"],
  ["a folder", ["."], "", ". cannot be read (EISDIR)"],
  ["empty input", [], "", empty],
  ["broken JSON", [], '{"steps":[', notJson],
  ["text", [], "no changes", notJson],
  [
    "an unknown version of the format",
    [],
    '{"version":9,"steps":[]}',
    "the input is JSON, but of a format that this version of voiceplane does not know: it is not a preview " +
      "(it knows `pulumi preview --json` and the events of `pulumi up --json`)",
  ],
  ["two files", ["a", "b"], "", "more than one file (try --help)"],
  [
    "an unknown format",
    ["--format", "html"],
    "",
    "--format must be markdown or terminal or json or summary (try --help)",
  ],
  [
    "an unknown risk",
    ["--fail-on", "danger"],
    "",
    "--fail-on takes one of changes, risks, edits, none, or labels joined by commas: deletes-data, cuts-a-trunk, " +
      "rotates-a-secret, narrows-access, widens-access, leaves-things-behind (try --help)",
  ],
])("%s: one line and exit code 1", (_what, args, input, message) => {
  expect(report(args, input)).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${message}\n` });
});

test("a file of another encoding is not JSON", () => {
  const file = join(folder, "utf16.json");
  writeFileSync(file, recording("edited.digest"), "utf16le");
  expect(report([file])).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${notJson}\n` });
});
