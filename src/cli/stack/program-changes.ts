/** Asks git for the files that decide what runs and differ from a commit. Only names are shown, and no value of a file. */
import { join, posix } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { cut, printable } from "../../values/text.js";
import { quietYaml } from "../pulumi/files.js";
import { contentOf, defaultOrganizationFile } from "../../organization-file/content.js";
import { readOrganizationFile } from "../../organization-file/reader.js";
import type { ProgramChange } from "../report/report.js";
import { isObject, tried } from "../../values/any.js";
import { git, runGit } from "./git.js";

/** What npm reads in the folders above the project too. */
const readAbove = [".npmrc", "package.json", "package-lock.json"];

/** What starts the commands of a pipeline, in the repository's root. */
const pipelines = [".github", ".gitlab", ".gitlab-ci.yml"];

/** What decides what is installed, what runs and where the state is. These files are shown first. */
const shownFirst = new Set([...readAbove, "Pulumi.yaml"]);

/**
 * The tracked files of the project's folder and of the repository's pipelines that differ from the commit. Markdown is left out, and so are the files
 * of stacks and organizations, whose changes the report explains.
 *
 * @param since a commit, or what git reads as one
 */
export function programChanges(folder: string, since: string): ProgramChange[] {
  const tree = since.startsWith("-") ? undefined : git(folder, "rev-parse", "--verify", "--quiet", `${since}^{tree}`);
  const commit = tree?.trim();
  const root = git(folder, "rev-parse", "--show-toplevel", "--show-prefix") ?? "";
  const [top = "", prefix = ""] = root.split("\n");
  const foldersAbove = prefix.split("/").slice(1);
  const above = foldersAbove.flatMap((_folder, index) =>
    readAbove.map((name) => `:(literal)${"../".repeat(index + 1)}${name}`),
  );
  const paths = [".", ...above, ...pipelines.map((path) => `:(top,literal)${path}`)];
  const differing = commit === undefined ? undefined : differingFiles(top, folder, commit, paths);
  // git also fails if a part of the commit is missing. Then an empty list would look like no changes.
  if (commit === undefined || differing === undefined) {
    const name = cut(printable(since), 64);
    throw new Error(`git knows no commit ${name} in ${folder}: fetch more of the history, or name another commit`);
  }
  const changes = differing.flatMap(({ status, path }): ProgramChange[] => {
    const file = posix.relative(prefix, path);
    const after = tried(() => contentOf(join(folder, file), top));
    const text = after instanceof Uint8Array ? Buffer.from(after).toString() : "";
    if (isExplained(file, text)) return [];
    const change = status === "A" ? "new" : status === "D" ? "removed" : "changed";
    const isStack = stackFile.test(file);
    const hasKeys = isStack || (change === "changed" && /(?:^|\/)(?:package\.json|Pulumi\.ya?ml)$/.test(file));
    if (!hasKeys) return [{ file, change, keys: [] }];
    const before = change === "new" ? "{}" : git(folder, "cat-file", "blob", `${commit}:${path}`);
    const keys = changedKeys(before ?? "", change === "removed" ? "{}" : text);
    return isStack && keys?.every((key) => explainedKeys.has(key)) ? [] : [{ file, change, keys: keys ?? [] }];
  });
  const isPipeline = (file: string) => pipelines.includes(posix.join(prefix, file).split("/")[0] ?? "");
  const rank = ({ file }: ProgramChange): number => Number(!shownFirst.has(posix.basename(file)) && !isPipeline(file));
  return changes.sort((a, b) => rank(a) - rank(b));
}

const stackFile = /(?:^|\/)Pulumi\.[^/]+\.ya?ml$/;

/** What a stack's file has beside the `environment`, which sets variables of the run: also those that a pipeline has set. */
const explainedKeys = new Set(["config", "secretsprovider", "encryptedkey", "encryptionsalt"]);

function isExplained(file: string, text: string): boolean {
  if (/\.md$/i.test(file) || file === defaultOrganizationFile) return true;
  // The content decides, because an organization file may have any name.
  return /\.ya?ml$/.test(file) && "organization" in readOrganizationFile(text);
}

/** The top-level keys with different values; undefined if a text has none. JSON is YAML. */
function changedKeys(before: string, after: string): string[] | undefined {
  const [old, fresh] = [before, after].map((text) => tried(() => parse(text, quietYaml) as unknown));
  if (!isObject(old) || !isObject(fresh)) return undefined;
  return Object.keys({ ...old, ...fresh }).filter((key) => !isDeepStrictEqual(old[key], fresh[key]));
}

/**
 * Files with git's status ("A", "D", "M" or "T") and their paths from the repository's root; undefined if git fails. git's list may have a file that
 * was written again with the same content. It has no hash there, so its hash is computed and compared.
 */
function differingFiles(top: string, folder: string, commit: string, paths: readonly string[]) {
  const compare = ["diff-index", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=none"];
  const fields = git(folder, ...compare, commit, "--", ...paths)?.split("\0");
  // The fields are the facts of a file and its path, in turn.
  const all = fields?.flatMap((facts, index) => {
    const [, oldMode = "", newMode, oldHash, newHash = "", status = ""] =
      /^:(\d+) (\d+) (\w+) (\w+) (\w)/.exec(index % 2 === 0 ? facts : "") ?? [];
    const mayBeSame = status === "M" && oldMode === newMode && /^0+$/.test(newHash) && oldMode.startsWith("100");
    return status === "" ? [] : [{ status, path: fields[index + 1] ?? "", oldHash, mayBeSame }];
  });
  const unhashed = all?.filter(({ mayBeSame, path }) => mayBeSame && !path.includes("\n")) ?? [];
  const input = unhashed.map(({ path }) => path).join("\n");
  const hashes = input === "" ? [] : runGit(top, ["hash-object", "--stdin-paths"], input).stdout.split("\n");
  const same = new Set(unhashed.filter(({ oldHash }, index) => hashes[index] === oldHash));
  return all?.filter((each) => !same.has(each));
}
