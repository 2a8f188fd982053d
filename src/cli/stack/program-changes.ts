/** What runs for a preview and differs from a commit, by git. Names only: no value of a file is shown. */
import { spawnSync } from "node:child_process";
import { join, posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { cut, printable } from "../../values/text.js";
import { withoutWarnings } from "../pulumi/files.js";
import { contentOf } from "../../yaml/content.js";
import { defaultOrganizationFile } from "../../yaml/document.js";
import { readOrganizationFile } from "../../organization-file/reader.js";
import type { ProgramChange } from "../report/describe.js";
import { withoutGit } from "../../values/environment.js";
import { codeOf, isObject, tried } from "../../values/any.js";

/** Above the project, npm reads these too. */
const readAbove = [".npmrc", "package.json", "package-lock.json"];

/** What starts the commands of a pipeline, in the repository's root. */
const pipelines = [".github", ".gitlab", ".gitlab-ci.yml"];

/** Those that decide what is installed, what runs and where the state is. They are shown first. */
const first = new Set([...readAbove, "Pulumi.yaml"]);

/**
 * The tracked files of the project's folder that differ from the commit, and those of the repository's pipelines. Without Markdown and without
 * data: stacks' and organization files, whose changes the report explains.
 *
 * @param since a commit, or what git reads as one
 */
export function programChanges(folder: string, since: string): ProgramChange[] {
  const tree = since.startsWith("-") ? undefined : git(folder, "rev-parse", "--verify", "--quiet", `${since}^{tree}`);
  const commit = tree?.trim();
  const place = git(folder, "rev-parse", "--show-toplevel", "--show-prefix");
  const [top = "", prefix = ""] = (place ?? "").split("\n");
  const above = prefix
    .split("/")
    .slice(1)
    .flatMap((_each, index) => readAbove.map((name) => `:(literal)${"../".repeat(index + 1)}${name}`));
  const paths = [".", ...above, ...pipelines.map((path) => `:(top,literal)${path}`)];
  const differing = commit === undefined ? undefined : differences(top, folder, commit, paths);
  // Also if a part of the commit is missing: an empty list would look like no changes.
  if (commit === undefined || differing === undefined) throw new Error(unknownCommit(since, folder));
  const changes = differing.flatMap(({ status, path }): ProgramChange[] => {
    const file = posix.relative(prefix, path);
    const after = tried(() => contentOf(join(folder, file), top));
    const text = after instanceof Uint8Array ? Buffer.from(after).toString() : "";
    if (isExplained(file, text)) return [];
    const change = status === "A" ? "new" : status === "D" ? "removed" : "changed";
    const hasKeys = change === "changed" && /(?:^|\/)(?:package\.json|Pulumi\.ya?ml)$/.test(file);
    const before = hasKeys ? git(folder, "cat-file", "blob", `${commit}:${path}`) : undefined;
    return [{ file, change, keys: before === undefined ? [] : changedKeys(before, text) }];
  });
  const isPipeline = (file: string) => pipelines.includes(posix.join(prefix, file).split("/")[0] ?? "");
  const rank = ({ file }: ProgramChange): number => Number(!first.has(posix.basename(file)) && !isPipeline(file));
  return changes.sort((a, b) => rank(a) - rank(b));
}

function isExplained(file: string, text: string): boolean {
  if (/\.md$/i.test(file) || /(?:^|\/)Pulumi\.[^/]+\.ya?ml$/.test(file) || file === defaultOrganizationFile)
    return true;
  // By its content: any file could be named as an organization file.
  return /\.ya?ml$/.test(file) && "organization" in readOrganizationFile(text);
}

/** The top-level keys with different values. JSON is YAML. */
function changedKeys(before: string, after: string): string[] {
  const [old, fresh] = [before, after].map((text) => tried(() => parse(text, withoutWarnings) as unknown));
  if (!isObject(old) || !isObject(fresh)) return [];
  return Object.keys({ ...old, ...fresh }).filter((key) => !isDeepStrictEqual(old[key], fresh[key]));
}

const unknownCommit = (since: string, folder: string): string =>
  `git knows no commit ${cut(printable(since), 64)} in ${folder}: fetch more of the history, or name another commit`;

interface Difference {
  /** "A", "D", "M" or "T". */
  readonly status: string;
  /** From the repository's root. */
  readonly path: string;
}

/** By the content: git's index may not know yet that a file was only written again. Undefined if git fails. */
function differences(
  top: string,
  folder: string,
  commit: string,
  paths: readonly string[],
): readonly Difference[] | undefined {
  const compare = ["diff-index", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const fields = git(folder, ...compare, commit, "--", ...paths)?.split("\0");
  const all = fields?.flatMap((meta, index) => {
    const [, oldMode = "", newMode, oldHash, newHash = "", status = ""] =
      /^:(\d+) (\d+) (\w+) (\w+) (\w)/.exec(index % 2 === 0 ? meta : "") ?? [];
    const isWritten = status === "M" && oldMode === newMode && /^0+$/.test(newHash) && oldMode.startsWith("100");
    return status === "" ? [] : [{ status, path: fields[index + 1] ?? "", oldHash, isWritten }];
  });
  const written = all?.filter(({ isWritten, path }) => isWritten && !path.includes("\n")) ?? [];
  const hashes =
    written.length === 0
      ? []
      : runGit(top, ["hash-object", "--stdin-paths"], written.map(({ path }) => path).join("\n")).stdout.split("\n");
  const same = new Set(written.flatMap((each, index) => (hashes[index] === each.oldHash ? [each] : [])));
  return all?.filter((each) => !same.has(each));
}

/** What it prints; undefined if it fails. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = runGit(folder, args);
  return status === 0 ? stdout : undefined;
}

/** Commands for programs, which a user's configuration does not change. */
function runGit(folder: string, args: readonly string[], input = "") {
  const env = { ...withoutGit(process.env), GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28, env, input, windowsHide: true } as const;
  const { status, stdout, stderr, error } = spawnSync("git", args, options);
  if (error) throw new Error(`git cannot be run (${codeOf(error) ?? "unknown reason"})`);
  // Its own words, where it refuses the repository and not the commit.
  const refusal = /^fatal: (detected dubious ownership[^\n]*|not a git repository[^\n]*)/m.exec(stderr)?.[1];
  if (refusal !== undefined)
    throw new Error(`git refuses ${cut(printable(folder), 200)}: ${cut(printable(refusal), 200)}`);
  return { status, stdout };
}
