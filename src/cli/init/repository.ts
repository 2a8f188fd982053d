/** The Git repository that a folder is in. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Repository } from "./pipelines.js";

/** @param folder may not exist yet */
export function repositoryOf(folder: string): Repository {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) {
      return { folder: relative(root, start).replaceAll(sep, "/"), defaultBranch: defaultBranchOf(root) };
    }
    if (dirname(root) === root) return { folder: "", defaultBranch: "main" };
  }
}

/** The remote's default branch; otherwise main or master, if there is one; otherwise the current branch. */
function defaultBranchOf(root: string): string {
  const remote = git(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")?.replace(/^origin\//, "");
  const usual = ["main", "master"].find((name) => git(root, "rev-parse", "--verify", "--quiet", `refs/heads/${name}`));
  return remote ?? usual ?? git(root, "symbolic-ref", "--short", "HEAD") ?? "main";
}

/** Undefined if it fails, or there is no git. */
function git(root: string, ...args: string[]): string | undefined {
  try {
    const text = execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return text.trim() === "" ? undefined : text.trim();
  } catch {
    return undefined;
  }
}
