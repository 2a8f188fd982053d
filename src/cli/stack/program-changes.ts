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
  const compare = ["--no-optional-locks", "diff", "--name-status", "--no-renames", "-z"];
  const paths = [".", ...above, ...pipelines.map((path) => `:(top,literal)${path}`)];
  const found = commit === undefined ? undefined : git(folder, ...compare, commit, "--", ...paths);
  // Also if a part of the commit is missing: an empty list would look like no changes.
  if (commit === undefined || found === undefined) throw new Error(unknownCommit(since, folder));
  const fields = found.split("\0");
  const changes = fields.flatMap((status, index): ProgramChange[] => {
    const path = index % 2 === 0 ? fields[index + 1] : undefined;
    if (path === undefined) return [];
    const file = posix.relative(prefix, path);
    const after = tried(() => contentOf(join(folder, file), top));
    const text = after instanceof Uint8Array ? Buffer.from(after).toString() : "";
    if (isExplained(file, text)) return [];
    const change = status === "A" ? "new" : status === "D" ? "removed" : "changed";
    const hasKeys = change === "changed" && /(?:^|\/)(?:package\.json|Pulumi\.ya?ml)$/.test(file);
    const before = hasKeys ? git(folder, "show", `${commit}:${path}`) : undefined;
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

/** What it prints; undefined if it fails. */
function git(folder: string, ...args: readonly string[]): string | undefined {
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout, error } = spawnSync("git", args, options);
  if (error) throw new Error(`git cannot be run (${codeOf(error) ?? "unknown reason"})`);
  return status === 0 ? stdout : undefined;
}
