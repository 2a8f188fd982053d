/** `voiceplane report` as users start it. */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../../support/compiled";
import { write } from "../../../support/folders";
import { ended } from "../../../support/processes";
import { digest, fromTo, recording, recordingFile, stepAfter } from "../../../support/recorded";

const compiled = compile();

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param input on standard input, which "-" names */
function report(args: string[], input?: string, variables: NodeJS.ProcessEnv = {}, cwd = compiled.folder): Ended {
  // Ignores the commit of the environment that the tests run in.
  const unset = { GITHUB_SHA: "", CI_COMMIT_SHA: "" };
  const env = { ...process.env, ...unset, NODE_COMPILE_CACHE: join(compiled.folder, "compiled"), ...variables };
  const options = { input, encoding: "utf8", cwd, env } as const;
  const inMarkdown = args.some((arg) => arg.startsWith("--format")) ? [] : ["--format", "markdown"];
  const all = ["report", ...inMarkdown, ...args, ...(input === undefined ? [] : ["-"])];
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiled.entry, ...all], options);
  return { code: status, stdout, stderr };
}

test("a file with risks: Markdown, and exit code 3", () => {
  const { code, stdout, stderr } = report([recordingFile("edited.digest")]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: "" });
  expect(stdout).toContain("- **deletes data**: recordings: 365 → 90 days; deletes what is older; ");
});

test("without --format, the report is for people, off a terminal too and then without colors", () => {
  const { stdout } = spawnSync(process.execPath, [compiled.entry, "report", recordingFile("edited.digest")], {
    encoding: "utf8",
  });
  expect(stdout).toMatch(/^voiceplane preview: 7 requests, /);
  expect(stdout).not.toContain("\u001b");
});

test("standard input, as -, gives the same report", () => {
  expect(report([], recording("edited.digest"))).toEqual(report([recordingFile("edited.digest")]));
});

test("without a file, standard input is not read, also if it is a pipe that stays open", async () => {
  const child = spawn(process.execPath, [compiled.entry, "report"], { stdio: ["pipe", "pipe", "pipe"] });
  expect(await ended(child)).toMatchObject({
    code: 1,
    stderr:
      "voiceplane: name the preview's file, or pipe it: " +
      "`pulumi preview --json --show-sames | npx voiceplane report -` (try --help)\n",
  });
});

test("no changes: exit code 0", () => {
  expect(report(["--format", "summary"], recording("unchanged.digest"))).toEqual({
    code: 0,
    stdout: "preview: no changes\n",
    stderr: "",
  });
});

test("changes without a risk: exit code 2, or 0 if --fail-on names only risks", () => {
  const input = JSON.stringify(stepAfter("org-conversations", fromTo({}, { retentionDays: 60 })));
  expect(report(["--format=summary"], input)).toEqual({ code: 2, stdout: "preview: 1 request\n", stderr: "" });
  expect(report(["--format=summary", "--fail-on=risks"], input).code).toBe(0);
});

test("--fail-on can be repeated, as for apply", () => {
  const twice = (...words: string[]) =>
    report(
      words.map((word) => `--fail-on=${word}`),
      recording("due.digest"),
    ).code;
  expect([twice("rotates-a-secret", "cuts-a-trunk"), twice("cuts-a-trunk", "none"), twice("none", "changes")]).toEqual([
    3, 0, 3,
  ]);
});

const commit = "0123456789abcdef0123456789abcdef01234567";

test("docs/guides/review-changes-in-pull-requests.md shows the comment of a recorded pull request, and the README its risks", () => {
  const recorded = recording("pull-request.digest")
    .replaceAll("previews", "acme-voice")
    .replaceAll("http://127.0.0.1:8000", "https://voice.example.com");
  writeFileSync(join(compiled.folder, "organization.yaml"), recording("pull-request.yaml"));
  const { code, stdout } = report(["--commit", commit], recorded);
  rmSync(join(compiled.folder, "organization.yaml"));
  expect(code).toBe(3);
  expect(quoteIn("docs/guides/review-changes-in-pull-requests.md")).toBe(stdout);
  expect(quoteIn("README.md")).toBe(stdout.slice(0, stdout.indexOf("\n#### Changes without a risk")));
});

/** The page's one block quote. */
function quoteIn(page: string): string {
  const lines = readFileSync(join(__dirname, "../../../..", page), "utf8").match(/^>.*\n/gm) ?? [];
  return lines.map((line) => line.replace(/^> ?/, "")).join("");
}

test.each([
  [["--commit", commit], {}],
  [[], { GITHUB_SHA: commit }],
  [[], { CI_COMMIT_SHA: commit }],
  [["--commit", commit], { GITHUB_SHA: "f".repeat(40) }],
])("with %j and %j the report names the commit", (args, env) => {
  expect(report(args, recording("edited.digest"), env).stdout).toContain(
    "\n\nStack `dev` of `previews`, commit `0123456789ab`, at `http://127.0.0.1:8000`\n\n",
  );
});

test("an environment value that is not a commit is left out", () => {
  const env = { GITHUB_SHA: "`@octocat`", CI_COMMIT_SHA: "main" };
  expect(report([], recording("edited.digest"), env).stdout).toContain("\n\nStack `dev` of `previews`, at ");
});

describe("the organization file", () => {
  const text = "retention:\n  recordings: { days: 90 }\n";
  const place = (ended: Ended) => /\(`([^`]*:\d+)`\)/.exec(ended.stdout)?.[1];
  const edits = recording("edited.digest");
  const elsewhere = JSON.stringify({
    ...digest("edited.digest"),
    config: { "voiceplane:organizationFile": "eu.yaml" },
  });
  beforeAll(() => {
    writeFileSync(join(compiled.folder, "organization.yaml"), text);
    writeFileSync(join(compiled.folder, "eu.yaml"), `# Europe\n${text}`);
    writeFileSync(join(compiled.folder, "named.yaml"), `\n\n${text}`);
  });
  afterAll(() => {
    rmSync(join(compiled.folder, "organization.yaml"));
  });

  test.each([
    ["is organization.yaml of the folder", [], edits, "organization.yaml:2"],
    ["is what the stack's configuration names", [], elsewhere, "eu.yaml:3"],
    ["is what the option names", ["--organization-file", "named.yaml"], elsewhere, "named.yaml:4"],
  ])("%s", (_what, args, input, line) => {
    expect(place(report(args, input))).toBe(line);
  });

  test("is beside Pulumi.yaml, also for a folder below it, and so is the address of the backend, whose password is not shown", () => {
    const backend = "https://user:ghp0fTheBackend@example.com";
    write(compiled.folder, {
      "acme/Pulumi.yaml": `name: acme\nruntime: nodejs\nbackend: { url: "${backend}" }\n`,
      "acme/organization.yaml": `# Acme\n${text}`,
      "acme/below/index.js": "",
    });
    const below = join(compiled.folder, "acme/below");
    expect(place(report([], edits, {}, below))).toBe("organization.yaml:3");
    const diagnostics = [{ severity: "error", message: `error: no login at ${backend}` }];
    const { stdout } = report([], JSON.stringify({ ...digest("edited.digest"), diagnostics }), {}, below);
    expect(stdout).toContain("- no login at https:");
    expect(stdout).not.toContain("ghp0fTheBackend");
  });

  test("must exist if the option names it", () => {
    expect(report(["--organization-file", "missing.yaml"], edits)).toEqual({
      code: 1,
      stdout: "",
      stderr: "voiceplane: missing.yaml cannot be read (ENOENT)\n",
    });
  });
});

test("a failed preview is reported, with exit code 1", () => {
  const { code, stdout } = report(["--fail-on", "none"], recording("refused.digest"));
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^### voiceplane: the preview failed\n\nStack `dev` of `previews`, at \S+\n\n#### Errors\n\n- .*add `allowShortening: \{ from: 365, to: 90 \}`\n/,
  );
});

test("--help lists every risk and every exit code", () => {
  const { code, stdout } = report(["--help"]);
  expect(code).toBe(0);
  const help = stdout.replaceAll(/\s+/g, " ");
  expect(help).toContain(
    "RISK[,RISK] changes with one of these risks: sends-the-token-elsewhere, deletes-data, cuts-a-trunk, rotates-a-secret, forgets-a-secret, narrows-access, widens-access, weakens-a-guard, leaves-things-behind ",
  );
  expect(stdout).toContain("\n  edits        every change, but scheduled ones without a risk\n");
  expect(help).toContain(
    "Exit codes: 0 no changes, or only such that --fail-on lets pass 1 bad input, or a preview that failed 2 changes without " +
      "a risk, with `--fail-on changes`, the default 3 changes with a risk, or others that --fail-on names ",
  );
});

const empty = "the input is empty: pass the output of `pulumi preview --json`";
const notJson = "the input is not JSON (line 1): pass the complete output of `pulumi preview --json`";

test.each([
  ["a missing file", ["missing.json"], undefined, "missing.json cannot be read (ENOENT)"],
  ["a folder", ["."], undefined, ". cannot be read (EISDIR)"],
  ["empty input", [], "", empty],
  ["broken JSON", [], '{"steps":[', notJson],
  ["text", [], "no changes", notJson],
  [
    "an unknown version of the format",
    [],
    '{"version":9,"steps":[]}',
    "the input is JSON in a format that this version of voiceplane does not support: it is not a preview " +
      "(it supports `pulumi preview --json` and the events of `pulumi up --json`)",
  ],
  [
    "a commit that git does not know",
    ["--since", "0123456789"],
    recording("edited.digest"),
    `git knows no commit 0123456789 in ${compiled.folder}: fetch more of the history, or name another commit`,
  ],
  [
    "what is no commit",
    ["--commit", "main"],
    undefined,
    "option '--commit <sha>' argument 'main' is invalid. It must be a commit's hash, 7 to 64 hexadecimal digits. (try --help)",
  ],
  [
    "an unknown risk",
    ["--fail-on", "danger"],
    undefined,
    "option '--fail-on <what>' argument 'danger' is invalid. It takes one of changes, risks, edits, none, or labels joined by commas: sends-the-token-elsewhere, deletes-data, cuts-a-trunk, rotates-a-secret, forgets-a-secret, narrows-access, widens-access, weakens-a-guard, leaves-things-behind. (try --help)",
  ],
])("%s: one line and exit code 1", (_what, args, input, message) => {
  expect(report(args, input)).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${message}\n` });
});

test("a file in another encoding is not JSON", () => {
  const file = join(compiled.folder, "utf16.json");
  writeFileSync(file, recording("edited.digest"), "utf16le");
  expect(report([file])).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${notJson}\n` });
});
