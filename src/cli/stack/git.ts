/** Runs git's commands for programs: a user's configuration does not change what they print. */
import { spawnSync } from "node:child_process";
import { codeOf } from "../../values/any.js";
import { withoutGit } from "../../values/environment.js";
import { cut, printable } from "../../values/text.js";

/** What git prints; undefined if the command fails. @throws Error if git cannot be run, or refuses the repository */
export function git(folder: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = runGit(folder, args);
  return status === 0 ? stdout : undefined;
}

export function runGit(folder: string, args: readonly string[], input = "") {
  const env = { ...withoutGit(process.env), GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28, env, input, windowsHide: true } as const;
  const { status, stdout, stderr, error } = spawnSync("git", args, options);
  if (error) throw new Error(`git cannot be run (${codeOf(error) ?? "unknown reason"})`);
  // Where git refuses the repository, and not the commit, its own words say why.
  const refusal = /^fatal: (detected dubious ownership[^\n]*|not a git repository[^\n]*)/m.exec(stderr)?.[1];
  if (refusal !== undefined)
    throw new Error(`git refuses ${cut(printable(folder), 200)}: ${cut(printable(refusal), 200)}`);
  return { status, stdout };
}
