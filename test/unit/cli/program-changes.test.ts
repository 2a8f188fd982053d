/** With git itself. */
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { programChanges } from "../../../src/cli/stack/program-changes";
import { temporaryFolder, write } from "../../support/folders";

function git(folder: string, ...args: string[]): string {
  const author = ["-c", "user.name=ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...author, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

const organizationFile = "retention:\n  recordings: { days: 30, onCreate: adopt }\n";

function commitAll(top: string): void {
  git(top, "add", "--all");
  git(top, "commit", "--quiet", "--allow-empty", "--message", "all");
}

/** A repository with a project in a folder, and its first commit. */
function repository(files: Record<string, string>): { top: string; folder: string; commit: string } {
  const top = temporaryFolder();
  const folder = join(top, "infra/voice");
  mkdirSync(folder, { recursive: true });
  write(top, files);
  git(top, "init", "--quiet");
  commitAll(top);
  return { top, folder, commit: git(top, "rev-parse", "HEAD") };
}

const filesIn = (folder: string, since: string) => programChanges(folder, since).map(({ file }) => file);

test("every file of the project that runs or decides what runs, those of npm, Pulumi and the pipelines first", () => {
  const { top, folder, commit } = repository({
    "infra/voice/index.ts": "1",
    "infra/voice/lib/old.ts": "1",
    "infra/voice/same.ts": "1",
    "infra/voice/package.json": '{ "private": true, "scripts": { "test": "a" }, "dependencies": {} }',
    "infra/voice/Pulumi.yaml": "name: voice\nruntime: nodejs\nbackend: { url: https://a.example.com }\n",
    "package-lock.json": "1",
    "elsewhere/index.ts": "1",
    ".github/workflows/voiceplane.yml": "1",
  });
  write(top, {
    ".github/workflows/voiceplane.yml": "2",
    ".gitlab-ci.yml": "2",
    ".gitlab/voiceplane.yml": "2",
    "elsewhere/.gitlab-ci.yml": "2",
    "infra/voice/index.ts": "2",
    "infra/voice/ünï cödé.ts": "2",
    "infra/voice/package.json":
      '{ "private": true, "scripts": { "test": "hush" }, "type": "hush", "dependencies": {} }',
    "infra/voice/Pulumi.yaml":
      "name: voice\nruntime: nodejs\nbackend: { url: https://hush.example.com }\nplugins: {}\n",
    "infra/.npmrc": "registry=https://hush.example.com/",
    "package-lock.json": "2",
    "elsewhere/index.ts": "2",
    "elsewhere/.npmrc": "2",
  });
  rmSync(join(folder, "lib/old.ts"));
  commitAll(top);
  const expected = [
    { file: "../../.github/workflows/voiceplane.yml", change: "changed", keys: [] },
    { file: "../../.gitlab-ci.yml", change: "new", keys: [] },
    { file: "../../.gitlab/voiceplane.yml", change: "new", keys: [] },
    { file: "../.npmrc", change: "new", keys: [] },
    { file: "Pulumi.yaml", change: "changed", keys: ["backend", "plugins"] },
    { file: "package.json", change: "changed", keys: ["scripts", "type"] },
    { file: "../../package-lock.json", change: "changed", keys: [] },
    { file: "index.ts", change: "changed", keys: [] },
    { file: "lib/old.ts", change: "removed", keys: [] },
    { file: "ünï cödé.ts", change: "new", keys: [] },
  ];
  expect(programChanges(folder, commit)).toEqual(expected);
  expect(programChanges(folder, "HEAD^1")).toEqual(expected);
  expect(programChanges(folder, "HEAD")).toEqual([]);
});

test("changes that the report explains are left out, and Markdown; a file that is only named like an organization file is not", () => {
  const { top, folder, commit } = repository({ "infra/voice/organization.yaml": organizationFile });
  write(folder, {
    "organization.yaml": "retention: { hush: 1 }\n",
    "organizations/acme.yaml": organizationFile,
    "organizations/code.yaml": "steps: [{ run: hush }]\n",
    "lib/organization.yaml": "steps: 1\n",
    "Pulumi.dev.yaml": "config: {}\n",
    "README.md": "hush",
  });
  git(top, "add", "--all");
  expect(filesIn(folder, commit)).toEqual(["lib/organization.yaml", "organizations/code.yaml"]);
});

test("the file of a stack is there if its environment changes, which sets variables of the run, or if it cannot be read", () => {
  const { top, folder, commit } = repository({
    "infra/voice/Pulumi.dev.yaml": "config: {}\n",
    "infra/voice/Pulumi.old.yaml": "config: {}\n",
    "infra/voice/Pulumi.prod.yaml": "environment: [prod]\nconfig: {}\n",
  });
  write(folder, {
    "Pulumi.dev.yaml": "environment: { values: { environmentVariables: { VOICEPLANE_PLAN: '' } } }\nconfig: { a: b }\n",
    "Pulumi.new.yaml": "environment: [hush]\n",
    "Pulumi.prod.yaml": "encryptionsalt: v1\nenvironment: [prod]\nconfig: { a: b }\n",
    "Pulumi.wrong.yaml": "config: {\n",
  });
  rmSync(join(folder, "Pulumi.old.yaml"));
  git(top, "add", "--all");
  expect(programChanges(folder, commit)).toEqual([
    { file: "Pulumi.dev.yaml", change: "changed", keys: ["config", "environment"] },
    { file: "Pulumi.new.yaml", change: "new", keys: ["environment"] },
    { file: "Pulumi.wrong.yaml", change: "new", keys: [] },
  ]);
});

test("the names of keys are read from files of the repository only, and from those that can be read", () => {
  const scripts = '{ "scripts": 1 }';
  const before = { "infra/voice/package.json": scripts, "infra/voice/a/package.json": scripts };
  const { top, folder, commit } = repository(before);
  const elsewhere = temporaryFolder();
  write(elsewhere, { "hush.json": '{ "hush": 1 }' });
  rmSync(join(folder, "package.json"));
  symlinkSync(join(elsewhere, "hush.json"), join(folder, "package.json"));
  write(folder, { "a/package.json": "{" });
  git(top, "add", "--all");
  expect(programChanges(folder, commit)).toEqual([
    { file: "a/package.json", change: "changed", keys: [] },
    { file: "package.json", change: "changed", keys: [] },
  ]);
});

test("a project in the repository's root, from the empty tree on", () => {
  const { top } = repository({ "index.ts": "1", ".npmrc": "1" });
  expect(filesIn(top, "4b825dc642cb6eb9a060e54bf8d69288fbee4904")).toEqual([".npmrc", "index.ts"]);
});

test("a commit of which a part is missing is no commit without changes", () => {
  const { top, folder } = repository({ "infra/voice/index.ts": "1" });
  const tree = git(top, "rev-parse", "HEAD:infra");
  rmSync(join(top, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  rmSync(join(top, ".git/index"));
  expect(() => programChanges(folder, "HEAD")).toThrow(/^git knows no commit HEAD in /);
});

test.each(["0123456789", "0000000000000000000000000000000000000000", "", "--help", "main\u001b[2J"])(
  "a commit that git does not know is one clear error: %j",
  (since) => {
    const { folder } = repository({});
    expect(() => programChanges(folder, since)).toThrow(
      `git knows no commit ${since.replace("\u001b", "\\u{1b}")} in ${folder}: fetch more of the history, or name another commit`,
    );
    expect(() => programChanges(temporaryFolder(), "HEAD")).toThrow(/^git refuses .*: not a git repository/);
  },
);

describe("git is asked as by a program:", () => {
  const outside = { ...process.env };
  afterEach(() => {
    process.env = { ...outside };
  });

  function changed() {
    const made = repository({ "infra/voice/index.ts": "1", "infra/voice/same.ts": "1", "infra/voice/old.ts": "1" });
    write(made.folder, { "index.ts": "2", "same.ts": "1" });
    rmSync(join(made.folder, "old.ts"));
    return made;
  }

  test("the variables that git sets for a hook name another repository and index", () => {
    const { folder, commit } = changed();
    const other = repository({ "infra/voice/other.ts": "1" });
    Object.assign(process.env, {
      GIT_DIR: join(other.top, ".git"),
      GIT_INDEX_FILE: join(other.top, "none"),
      GIT_WORK_TREE: other.top,
    });
    expect(filesIn(folder, commit)).toEqual(["index.ts", "old.ts"]);
  });

  test("the user's configuration changes nothing", () => {
    const { folder, commit } = changed();
    const home = temporaryFolder();
    const settings =
      "[diff]\n  external = false\n  relative = true\n  noprefix = true\n  orderFile = /nowhere\n[color]\n  ui = always\n";
    write(home, { ".gitconfig": settings });
    process.env.HOME = home;
    expect(filesIn(folder, commit)).toEqual(["index.ts", "old.ts"]);
  });

  const title = "a repository of another user is refused in git's own words";
  const refused = () => {
    const { top, folder, commit } = changed();
    process.env.HOME = temporaryFolder();
    chownSync(top, 12345, 12345);
    chownSync(join(top, ".git"), 12345, 12345);
    expect(() => filesIn(folder, commit)).toThrow(/^git refuses .*: detected dubious ownership in repository at /);
  };
  if (process.getuid?.() === 0) test(title, refused);
  else test.skip(`${title}: NOT CHECKED, only root can give a folder to another user`, refused);
});
